// At the end of a run, before Playwright's own summary: the slowest tests, and the number of tests that ran again.
import type { FullConfig, Reporter, Suite, TestCase, TestResult } from "@playwright/test/reporter";

/** How many tests are listed. */
const most = 15;

export default class Slowest implements Reporter {
  private readonly took: { title: string; seconds: number }[] = [];
  private readonly again: TestCase[] = [];
  private workers = 0;

  onBegin(config: FullConfig, _suite: Suite): void {
    this.workers = config.workers;
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    this.took.push({ title: spelled(test), seconds: result.duration / 1000 });
    if (result.retry > 0) this.again.push(test);
  }

  onEnd(): void {
    if (this.took.length === 0) return;
    const slow = [...this.took].sort((a, b) => b.seconds - a.seconds);
    const all = slow.reduce((sum, { seconds }) => sum + seconds, 0);
    const lines = [
      `\nThe slowest tests (all together ${Math.round(all)} s on ${this.workers} workers):`,
      ...slow.slice(0, most).map(({ title, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${title}`),
      `Tried again: ${this.again.length}`,
      ...this.again.map((test) => `  ${test.outcome() === "flaky" ? "passed then" : "failed again"}: ${spelled(test)}`),
    ];
    process.stdout.write(`${lines.join("\n")}\n`);
  }
}

/** The test's whole title. */
export const spelled = (test: TestCase): string => test.titlePath().filter(Boolean).join(" › ");
