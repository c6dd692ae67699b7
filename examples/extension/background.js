// The service worker: checks each page as its navigation begins. It may be ended and started again at any time, so the
// list is opened when it is first needed, from where it was kept.
import { UrlChecker } from "bloomline/safe-browsing";
import { confirmWith } from "../confirm-server/confirm.js";

/** build.js puts the server's origin here. */
const server = SERVER;

let loading;

function checker() {
  loading ??= UrlChecker.load(`${server}/list.urls`, { confirm: confirmWith(`${server}/v1/hashes`) }).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** What the extension says of a URL. Without a list that is "unknown", not "safe". */
async function verdictOf(url) {
  try {
    const list = await checker();
    const { verdict, matched, source } = await list.check(url);
    return { verdict, matched, source, engine: list.engine };
  } catch (error) {
    return { verdict: "unknown", reason: error.message };
  }
}

chrome.webNavigation.onBeforeNavigate.addListener(async ({ tabId, frameId, url }) => {
  if (frameId !== 0 || !/^https?:/.test(url)) return;
  const { verdict, matched } = await verdictOf(url);
  await chrome.action.setBadgeText({ tabId, text: verdict === "unknown" ? "?" : "" });
  if (verdict !== "unsafe") return;
  const page = `blocked.html?${new URLSearchParams({ url, matched })}`;
  await chrome.tabs.update(tabId, { url: chrome.runtime.getURL(page) });
});

// The popup asks.
chrome.runtime.onMessage.addListener(({ url }, _sender, answer) => {
  verdictOf(url).then(answer);
  return true;
});

chrome.alarms.create("update", { periodInMinutes: 30 });
chrome.alarms.onAlarm.addListener(async () => {
  try {
    await (await checker()).update();
  } catch (error) {
    console.warn("The list could not be updated; the old one stays.", error);
  }
});
