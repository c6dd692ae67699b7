// How a test file asks for a program, or for the list of words:
//
//   describe.skipIf(!needs.chromium)("in a browser", () => { launch(needs.chromium) … });
//
// so that a missing one is reported as skipped. Under CI=true, npm test fails before it comes to that.

import { find, programs } from "./programs.mjs";

/** Where each of them is, or undefined where it is missing. */
export const needs = {
  redisServer: find(programs.redisServer.names),
  chromium: find(programs.chromium.names),
  wordList: find(programs.wordList.names),
};
