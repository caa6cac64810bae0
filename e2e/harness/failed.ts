// At the very end of a run: each test that failed, once more, in two lines. What is printed above them can be long, and of a long output often only the
// end is kept.
import { stripVTControlCharacters } from "node:util";
import type { FullConfig, Reporter, Suite, TestCase } from "@playwright/test/reporter";
import { spelled } from "./slowest.ts";

export default class Failed implements Reporter {
  private all?: Suite;

  onBegin(_config: FullConfig, all: Suite): void {
    this.all = all;
  }

  onEnd(): void {
    const failed = this.all?.allTests().filter((test) => test.outcome() === "unexpected") ?? [];
    if (failed.length > 0) process.stdout.write(`\nWhy tests failed, in short:\n${failed.map(told).join("\n")}\n`);
  }
}

/** The test, and the first error of its last run: what was expected, and where. */
function told(test: TestCase): string {
  const error = test.results.at(-1)?.errors[0];
  const words = stripVTControlCharacters(error?.message ?? "no error").split("\n").map((line) => line.trim()).filter(Boolean);
  const at = error?.location ? ` (line ${error.location.line})` : "";
  return `  ${spelled(test)}${at}\n    ${words.slice(0, 8).join(" | ").slice(0, 600)}`;
}
