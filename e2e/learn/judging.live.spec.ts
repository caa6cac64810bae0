// Predictions are judged only by the response that the lesson is about, and what was judged stays judged.
import { type Page } from "@playwright/test";
import { writeFileSync } from "node:fs";
import { turn } from "../harness/lesson.ts";
import { expect, ready, test } from "../harness/live.ts";
import { own } from "../harness/own.ts";

const step = (page: Page) => page.locator(".place:not([hidden])");
const button = (page: Page, name: string | RegExp) => step(page).locator(".block:not([hidden])").getByRole("button", { name });
const choose = (page: Page, words: string) => step(page).locator(".choice", { hasText: words }).click();
const outcome = (page: Page) => step(page).locator(".outcome");
const namespaceOf = async (page: Page) => (await step(page).locator(".http-request [data-var=namespace]").first().innerText()).trim();

const begin = async (page: Page, address: string) => {
  await page.goto(address);
  await ready(page);
  await page.getByRole("button", { name: "Begin", exact: true }).click();
  await expect(page.locator("[data-phase=ready]")).toBeVisible({ timeout: 60_000 });
};

/** The page calls no choice correct, and none wrong. */
const notJudged = async (page: Page) => {
  await expect(step(page).locator("[data-came]")).toHaveCount(0);
  await expect(step(page)).not.toContainText("Correct.");
  await expect(step(page)).not.toContainText("Not quite.");
  await expect(step(page)).not.toContainText("Correct answer:");
};

test.use({ provoked: /^(400|403|404|409|422) for / });

test("a verdict stays, whatever is sent later", async ({ page, api }) => {
  test.setTimeout(180_000);
  await begin(page, "/learn/conflicts");
  const namespace = await namespaceOf(page);
  await button(page, "Send").first().click();
  await expect(step(page).locator(".checks").first()).toHaveAttribute("data-check", "held");
  await turn(page, "j");
  await choose(page, "The whole request is refused");
  await button(page, "Send").first().click();
  await expect(outcome(page)).toContainText("Correct.");

  await test.step("after the request was sent again, and created what was there before", async () => {
    await api.delete(`/api/v1/namespaces/${namespace}/configmaps/settings`);
    await button(page, "Send again").first().click();
    await expect(step(page)).toContainText("201");
    await expect(outcome(page)).toContainText("Correct.");
    await expect(step(page).locator("[data-came]")).toHaveCount(1);
  });

  await test.step("after a reload", async () => {
    await page.goto("/learn/conflicts");
    await ready(page);
    await expect(page.locator("#progress")).toHaveText(/^step 2 of/);
    await expect(outcome(page)).toContainText("Correct.");
    await expect(outcome(page)).not.toContainText("Not judged.");
  });
});

test("after a step that was skipped, a prediction isn't judged", async ({ page, shot }) => {
  test.setTimeout(120_000);
  await begin(page, "/learn/conflicts");
  await turn(page, "j"); // Ada has created nothing, so nothing conflicts
  await choose(page, "the last writer wins");
  await button(page, "Send").first().click();
  await expect(outcome(page)).toContainText("Not judged.");
  await expect(outcome(page)).toContainText("A check of this response failed, so your prediction can’t be judged.");
  await expect(outcome(page)).toContainText("Failed check: status = 409");
  await notJudged(page);
  await expect(step(page).locator(".assumed:visible")).toContainText("A check above failed. The text below is about the expected result, so it can be wrong for your result.");
  await shot("lesson-not-judged");
  await turn(page, "j");
  await expect(step(page).locator(".assumed:visible").first()).toContainText("A check failed in step 2");
  await expect(step(page).locator(".assumed").first().getByRole("link", { name: "Go to step 2" })).toBeVisible();
});

test("a kubectl line without its flag judges nothing", async ({ page }, info) => {
  test.setTimeout(180_000);
  const mine = await own(page, info);
  try {
    await begin(page, `${mine.origin}/learn/field-validation?cluster=${mine.slug}`);
    const namespace = await namespaceOf(page);
    await step(page).getByRole("button", { name: "I don’t know, show me" }).click();
    await button(page, "Send").first().click();
    await expect(outcome(page)).toContainText("Here is what happens.");
    await turn(page, "j");
    await choose(page, "It stores the Service, and warns");

    const file = info.outputPath("service.json");
    const ports = [{ port: 80, targetport: 8080 }];
    writeFileSync(file, JSON.stringify({ apiVersion: "v1", kind: "Service", metadata: { name: "shop" }, spec: { selector: { app: "shop" }, ports } }));
    await button(page, "Try it with kubectl").first().click();
    await expect(step(page)).toContainText("Waiting for kubectl");
    await mine.kubectl("replace", "-n", namespace, "-f", file).catch(() => undefined); // it asks for strict validation
    await expect(page.locator("#wire-newest")).toContainText("400");
    await notJudged(page);

    await button(page, "Try it with kubectl").first().click();
    await button(page, /^Send/).first().click();
    await expect(outcome(page)).toContainText("Correct.");
  } finally {
    await mine.stop();
  }
});

test("the part of a long response that a prediction is about is visible", async ({ page, shot }) => {
  test.setTimeout(120_000);
  await begin(page, "/learn/kinds-and-resources");
  await turn(page, "j");
  await turn(page, "j");
  const value = step(page).locator(".block:not([hidden]) form.value input");
  await value.fill("Service");
  await value.press("Enter");
  await button(page, "Send").first().click();
  await expect(outcome(page).first()).toContainText("Not quite."); // the lesson is about case and number
  await expect(outcome(page).first()).toContainText("Correct answer: services");
  const body = step(page).locator(".laid").first();
  await expect(body.locator(".asked")).toContainText('"name": "services"');
  const cut = await body.evaluate((e) => e.scrollHeight - e.clientHeight);
  expect(cut).toBeLessThan(2); // nothing of it has to be scrolled to
  const fold = body.getByRole("button", { name: /^Show \d+ lines$/ }).first();
  await body.scrollIntoViewIfNeeded();
  await shot("lesson-folded");
  await fold.click();
  await expect(body.locator("li:focus")).toBeVisible();
  await expect(body.locator(".asked")).toContainText('"name": "services"');
});
