// Whole lessons, from Begin to the end, by a learner whose every prediction is wrong: each is explained, and every check holds all the same.
import { type Locator, type Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../harness/fieldmark.ts";
import { expect, ready, test } from "../harness/live.ts";

test.use({ provoked: /^(403|404|409|410|422) for / });

/** For each prediction of a lesson, the number of a wrong choice, counted from 0 as the lesson is written. Undefined: a value is asked for. */
function wrongs(lesson: string): (number | undefined)[] {
  const text = readFileSync(join(root, "lessons", "guide", lesson, "lesson.md"), "utf8");
  const predictions = [...text.matchAll(/^```predict.*\n([\s\S]*?)^```$/gm)].map((found) => found[1]!);
  return predictions.map((one) => (/^answer /m.test(one) ? undefined : [...one.matchAll(/^- \[(.)\]/gm)].findIndex((choice) => choice[1] === " ")));
}

const inSight = (page: Page): Locator => page.locator(".place:not([hidden])");

/** Errs at the predictions in sight that wait for one. */
async function err(page: Page, wrong: (number | undefined)[]): Promise<void> {
  for (const one of await inSight(page).locator(".block:not([hidden]) .predict:not(:has(.outcome))").all()) {
    if (await one.locator("[aria-pressed=true]").count()) continue;
    const at = wrong.shift();
    if (at !== undefined) {
      await one.locator(`.choice[data-do$=" ${at}"]`).click(); // the page shuffles the choices
      continue;
    }
    await one.locator("form.value input").fill("a guess");
    await one.getByRole("button", { name: "Predict", exact: true }).click();
  }
}

/** Works through the step in sight: errs, sends, waits for what is checked. */
async function work(page: Page, wrong: (number | undefined)[]): Promise<void> {
  const step = inSight(page);
  const unsent = step.locator(".block:not([hidden])").getByRole("button", { name: "Send", exact: true });
  const checks = step.locator(".block:not([hidden]) .checks");
  await err(page, wrong);
  while (await unsent.count()) {
    const id = await unsent.first().getAttribute("id");
    await unsent.first().click();
    await expect(page.locator(`[id="${id}"]`)).toHaveText("Send again", { timeout: 60_000 });
    await expect(checks.locator("xpath=self::*[not(@data-check='held')]")).toHaveCount(0, { timeout: 60_000 });
    await err(page, wrong);
  }
  for (const outcome of await step.locator(".outcome").all()) {
    await expect(outcome).toHaveAttribute("data-outcome", "wrong");
    await expect(outcome.locator(".because").first()).not.toBeEmpty();
  }
}

for (const lesson of ["conflicts", "watch"]) {
  test(`all of ${lesson}, with every prediction wrong`, async ({ page, api }) => {
    test.setTimeout(240_000);
    const wrong = wrongs(lesson);
    const predictions = wrong.length;
    await page.goto(`/learn/${lesson}`);
    await ready(page);
    await page.getByRole("button", { name: "Begin", exact: true }).click();
    await expect(page.locator("[data-phase=ready]")).toBeVisible({ timeout: 60_000 });
    const namespace = (await inSight(page).locator(".http-request [data-var=namespace]").first().innerText()).trim();
    const next = page.locator(".leaf [rel=next]");
    while (await next.count()) {
      await work(page, wrong);
      const title = await inSight(page).getByRole("heading", { level: 2 }).innerText();
      await next.click();
      await expect(inSight(page).getByRole("heading", { level: 2 })).not.toHaveText(title);
    }
    await expect(inSight(page)).toContainText("What you know now");
    expect(wrong).toEqual([]);
    // With all of it done, the lesson tidies up by itself.
    await expect(page.locator("[data-phase=over]")).toBeVisible({ timeout: 30_000 });
    await expect(page.locator("#tally")).toContainText(`Predictions: 0 of ${predictions} correct.`);
    await expect.poll(() => api.get(`/api/v1/namespaces/${namespace}`).then((n) => n.status?.phase, () => "gone")).not.toBe("Active");
    await page.goto("/learn");
    await ready(page);
    await expect(page.locator(`[data-lesson="${lesson}"]`)).toHaveAttribute("data-state", "done");
  });
}
