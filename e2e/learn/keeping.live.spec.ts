// Where progress in the guide is kept: in local mode by Fieldmark, so that a restart and another browser lose nothing; else in the browser, with files.
import { type Page } from "@playwright/test";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { start } from "../harness/fieldmark.ts";
import { turn } from "../harness/lesson.ts";
import { expect, ready, test } from "../harness/live.ts";
import { signIn, signInByToken } from "../harness/session.ts";
import { recall } from "../harness/shared.ts";

const step = (page: Page) => page.locator(".place:not([hidden])");
const button = (page: Page, name: string) => step(page).locator(".block:not([hidden])").getByRole("button", { name });
const checks = (page: Page) => step(page).locator(".checks");
const file = (home: string) => join(home, ".local", "state", "fieldmark", "progress.json");

test.use({ provoked: /^409 for / });

test("a restart loses nothing, and another browser goes on", async ({ page, browser, shot }, info) => {
  test.setTimeout(180_000);
  const home = info.outputPath("home");
  mkdirSync(home, { recursive: true });
  const run = () => start({ args: ["--practice", "off"], kubeconfig: recall().practice, home, log: info.outputPath("fieldmark.log"), patience: 60_000 });
  let fieldmark = await run();
  try {
    await signIn(page, fieldmark.link);
    await page.goto(`${fieldmark.origin}/learn/conflicts`);
    await ready(page);
    await page.getByRole("button", { name: "Begin", exact: true }).click();
    await expect(page.locator("[data-phase=ready]")).toBeVisible({ timeout: 60_000 });
    await button(page, "Send").first().click();
    await expect(checks(page).first()).toHaveAttribute("data-check", "held");
    await turn(page, "j");
    await step(page).locator(".choice", { hasText: "The whole request is refused" }).click();
    await button(page, "Send").first().click();
    await expect(step(page).locator(".outcome")).toContainText("Correct.");
    await expect.poll(() => JSON.parse(readFileSync(file(home), "utf8")).learn.lessons.conflicts.passed?.length ?? 0).toBeGreaterThan(1);
    expect(statSync(file(home)).mode & 0o777, "only this user may read it").toBe(0o600);

    await fieldmark.stop();
    fieldmark = await run(); // at another port, so the browser has nothing of it
    await signIn(page, fieldmark.link);
    await page.goto(`${fieldmark.origin}/learn/conflicts`);
    await ready(page);
    await expect(page.locator("#progress")).toHaveText(/^step 2 of /);
    await expect(step(page).locator(".outcome")).toContainText("Correct.");
    await expect(step(page)).toContainText("It comes from your progress, which Fieldmark keeps.");
    await expect(step(page)).toContainText(/409/);
    await expect(step(page).getByRole("link", { name: "Wire log" }), "this program’s wire log doesn’t have it").toHaveCount(0);
    await shot("lesson-after-restart");

    const second = await browser.newContext({ baseURL: fieldmark.origin });
    const other = await second.newPage();
    await signInByToken(other, fieldmark.token);
    await other.goto(`${fieldmark.origin}/learn`);
    await ready(other);
    await expect(other.locator(".guide-progress")).toContainText("Fieldmark keeps your progress on this machine.");
    await other.goto(`${fieldmark.origin}/learn/conflicts`);
    await ready(other);
    await turn(other, "j");
    await button(other, "I don’t know, show me").click();
    await button(other, "Send").first().click();
    await expect(checks(other).first()).toHaveAttribute("data-check", "held");
    await expect.poll(() => JSON.parse(readFileSync(file(home), "utf8")).learn.lessons.conflicts.step).toBe(await other.evaluate(() => JSON.parse(localStorage.getItem("fieldmark.learn")!).lessons.conflicts.step));
    await second.close();

    await turn(page, "j"); // the first browser didn't know
    await expect(page.locator("main")).toContainText("This lesson goes on in another tab or browser.");
  } finally {
    await fieldmark.stop();
  }
});

test("progress goes to another browser as a file", async ({ page, shot }, info) => {
  const lessons = { conflicts: { done: true }, paths: { done: true } };
  const keep = (learn: object) => page.evaluate((text) => localStorage.setItem("fieldmark.learn", text), JSON.stringify(learn));
  await page.goto("/learn");
  await keep({ learner: "bcdfg", lessons });
  await page.reload();
  await ready(page);
  await expect(page.locator("#how-far")).toHaveText(/^Done: 2 of /);
  await expect(page.locator(".guide-progress")).toContainText("Your progress is stored only in this browser.");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export" }).click()]);
  const path = info.outputPath(download.suggestedFilename());
  await download.saveAs(path);

  await keep({ learner: "zzzzz", lessons: { watch: { done: true } } });
  await page.reload();
  await ready(page);
  await expect(page.locator("#how-far")).toHaveText(/^Done: 1 of /);
  const choose = (name: string) => page.locator("input[type=file]").setInputFiles(name);
  await choose(path);
  await expect(page.getByRole("button", { name: "Keep progress" })).toBeFocused();
  await shot("guide-import");
  await page.getByRole("button", { name: "Replace progress" }).click();
  await expect(page.locator("#how-far")).toHaveText(/^Done: 2 of /);
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem("fieldmark.learn")!))).toEqual({ learner: "bcdfg", lessons });

  const another = info.outputPath("another.json");
  writeFileSync(another, "kind: Pod");
  await choose(another);
  await expect(page.locator(".guide-progress")).toContainText("another.json was not imported");
  await expect(page.locator("#how-far")).toHaveText(/^Done: 2 of /);
});
