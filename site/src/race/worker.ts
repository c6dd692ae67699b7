// One subject of the race. It is prepared once and then runs for as long as it is told, round after round.

import { BloomFilter } from "bloomline";
import { entry, stranger } from "../list/urls.js";
import type { Answer, Prepared, Request, Run } from "./messages.js";
import { type Subject, type SubjectName, subjects } from "./subjects.js";

const CHUNK = 1000;
const LAP = 10_000;
const MOST_LAPS = 10;

let subject: Subject;
/** Answers that nobody reads would be optimised away, and the lookups with them. */
let found = 0;
/** Members and strangers by turns; each lap is an array in JSON. */
let laps: string[];

const member = (i: number) => `http://${entry(i)}`;

function keysFrom(from: number, count: number, key: (i: number) => string): string[] {
  return Array.from({ length: count }, (_, i) => key(from + i));
}

/** New strings each time, whose hash no engine has seen. */
function newQuestions(lap: number): string[] {
  return JSON.parse(laps[lap % laps.length]!);
}

function ask(keys: number): Pick<Prepared, "wrong"> {
  const question = (i: number) => (i % 2 === 0 ? member((i * 7919) % keys) : stranger(i));
  laps = Array.from({ length: MOST_LAPS }, (_, lap) => JSON.stringify(keysFrom(lap * LAP, LAP, question)));
  let wrong = 0;
  for (let lap = 0; lap < laps.length; lap++) {
    wrong += newQuestions(lap).filter((key, i) => i % 2 === 1 && subject.has(key)).length;
  }
  return { wrong: wrong / (laps.length * (LAP / 2)) };
}

function prepare(name: SubjectName, keys: number): Prepared {
  subject = subjects[name](keys);
  for (let from = 0; from < keys; from += CHUNK) {
    subject.addMany(keysFrom(from, Math.min(CHUNK, keys - from), member));
  }
  return { ...ask(keys), byteLength: subject.byteLength, handle: name === "shared" ? subject.share?.() : undefined };
}

function timedLap(questions: readonly string[], batch: boolean): number {
  const start = performance.now();
  if (batch && subject.hasMany) {
    for (let from = 0; from < LAP; from += CHUNK) found += subject.hasMany(questions.slice(from, from + CHUNK))[0]!;
  } else {
    for (const key of questions) found += Number(subject.has(key));
  }
  return performance.now() - start;
}

function run(milliseconds: number, batch: boolean): Run {
  const end = performance.now() + milliseconds;
  let passed = 0;
  let lap = 0;
  do passed += timedLap(newQuestions(lap++), batch);
  while (performance.now() < end);
  return { lookups: lap * LAP, milliseconds: passed, found };
}

function answer(request: Request): Answer {
  if ("prepare" in request) return { prepared: prepare(request.prepare, request.keys) };
  if ("runFor" in request) return { run: run(request.runFor, request.batch) };
  subject = BloomFilter.attach(request.attach, { readonly: true });
  return { prepared: { ...ask(request.keys), byteLength: subject.byteLength, handle: undefined } };
}

addEventListener("message", ({ data }: MessageEvent<Request>) => {
  try {
    postMessage(answer(data));
  } catch (error) {
    postMessage({ failed: (error as Error).message } satisfies Answer);
  }
});
