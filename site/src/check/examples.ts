import type { ExpressionOptions } from "bloomline/safe-browsing";
import type { DemoList } from "../list/demo-list.js";
import { entry, stranger } from "../list/urls.js";
import { inSlices } from "../slices.js";

/** Entry 4i is a whole site. */
const site = () => entry(4 * Math.floor(Math.random() * 20_000)).slice(0, -1);

const percent = (text: string) => `%${text.charCodeAt(0).toString(16)}${text.slice(1)}`;

const MOST_TRIES = 2_000_000;

/** Asks for strangers until one is taken for a member. */
async function falsePositive(list: DemoList, rules: ExpressionOptions): Promise<string | undefined> {
  const checker = await list.checker(rules);
  let found: string | undefined;
  const first = Math.floor(Math.random() * 1e8);
  await inSlices((from) => {
    const url = stranger(first + from);
    if (checker.mayBeUnsafe(url)) found = url;
    return found === undefined && from < MOST_TRIES ? from + 1 : undefined;
  });
  return found;
}

/** What the buttons under the address put into it. */
export const examples: Record<string, (list: DemoList, rules: ExpressionOptions) => Promise<string | undefined>> = {
  listed: async () => `http://${entry(4 * Math.floor(Math.random() * 20_000) + 3)}`,
  deep: async () => `https://www.shop.${site()}/new/arrivals/shoes.html?size=42#reviews`,
  disguised: async () => `HTTP://user:secret@www.shop.${percent(site())}.:8080/./new//arrivals/../sale%2F`,
  clean: async () => stranger(Math.floor(Math.random() * 1e6)),
  "false-positive": falsePositive,
};
