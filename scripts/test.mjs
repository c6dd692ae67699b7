// npm test [-- what vitest takes]: build if needed, check the types of the tests, see to the programs they drive, run vitest.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { find, programs } from "../test/support/programs.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const require = createRequire(import.meta.url);
const ci = process.env.CI === "true";

/** Runs a command to its end and returns its exit code; what a signal ended has failed too. */
function run(command, args, options) {
  return spawnSync(command, args, { cwd: root, stdio: "inherit", ...options }).status ?? 1;
}

/** When the newest file in a folder was written, leaving out what the build itself makes. */
function newest(folder) {
  return readdirSync(folder, { withFileTypes: true }).reduce((latest, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "generated" ? latest : Math.max(latest, newest(path));
    return Math.max(latest, statSync(path).mtimeMs);
  }, 0);
}

/** The build removes dist first and writes the last of it last: this file tells of a whole build. */
function isBuilt() {
  const last = join(root, "dist/js.d.ts");
  if (!existsSync(last)) return false;
  const sources = ["src", "assembly"].map((folder) => newest(join(root, folder)));
  const settings = ["package.json", "tsconfig.json", "asconfig.json", "scripts/build.mjs", "scripts/kernel-text.mjs"];
  const changed = Math.max(...sources, ...settings.map((file) => statSync(join(root, file)).mtimeMs));
  return statSync(last).mtimeMs >= changed;
}

function missing() {
  return Object.values(programs).filter(({ names }) => !find(names));
}

/** Installs what is missing, where that is a matter of course: as root on Debian. */
function install(wanted) {
  if (wanted.length === 0 || process.getuid?.() !== 0) return;
  if (!existsSync("/etc/debian_version") || !find(["apt-get"])) return;
  const packages = wanted.map(({ debian }) => debian);
  console.log(
    `Installing ${packages.join(" and ")} with apt-get, for ${wanted.map(({ tests }) => tests).join(" and ")}.`,
  );
  const quietly = { stdio: "ignore", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };
  run("apt-get", ["update"], quietly);
  run("apt-get", ["install", "--yes", "--no-install-recommends", ...packages], quietly);
}

/** Runs a package's own command with this Node. */
function runPackage(name, bin, ...args) {
  return run(process.execPath, [join(dirname(require.resolve(`${name}/package.json`)), bin), ...args]);
}

if (!isBuilt() && run(process.execPath, ["scripts/build.mjs", "scripts/kernel-text.mjs"]) !== 0) process.exit(1);
if (runPackage("typescript", "bin/tsc", "-p", "test") !== 0) process.exit(1);

install(missing());
const still = missing();
for (const { debian, without } of still) {
  console.log(`${debian} is missing: ${ci ? "with CI=true that is a failure" : without}.`);
}
if (ci && still.length > 0) process.exit(1);

process.exit(runPackage("vitest", "vitest.mjs", "run", ...process.argv.slice(2)));
