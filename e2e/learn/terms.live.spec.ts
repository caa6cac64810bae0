// Terms of the glossary open beside where they stand, by mouse, key and touch, and what the page does goes on.
import { type Page } from "@playwright/test";
import { expect, ready, test } from "../harness/live.ts";

const step = (page: Page) => page.locator(".place:not([hidden])");
const button = (page: Page, name: string | RegExp) => step(page).locator(".block:not([hidden])").getByRole("button", { name });
const card = (page: Page) => page.locator("#term");

test.use({ provoked: /^404 for / });

test("a term opens in place, and the lesson's stream continues", async ({ page, shot }) => {
  test.setTimeout(120_000);
  await page.goto("/learn/watch");
  await ready(page);
  await page.getByRole("button", { name: "Begin", exact: true }).click();
  await expect(page.locator("[data-phase=ready]")).toBeVisible({ timeout: 60_000 });
  for (const n of [1, 2]) {
    await test.step(`step ${n}`, async () => {
      await expect(page.locator("#progress")).toHaveText(new RegExp(`^step ${n} of`));
      await button(page, "Send").click();
      await expect(step(page).locator(".checks[data-check=held]").first()).toBeVisible();
      await page.keyboard.press("j");
    });
  }
  await expect(page.locator("#progress")).toHaveText(/^step 3 of/);
  await button(page, /don.t know/).click();
  await button(page, "Send").click();
  await expect(step(page).locator(".checks").first()).toHaveAttribute("data-check", "held");
  const term = step(page).locator("a.term[href$='#watch']").first();

  await test.step("by mouse; a click elsewhere closes it, and so does another on the term", async () => {
    await term.click();
    await expect(card(page)).toBeVisible();
    await expect(card(page)).toHaveAccessibleName("watch");
    await expect(card(page).locator("p")).toHaveText((await term.getAttribute("title"))!);
    await shot("term");
    await term.click();
    await expect(card(page)).toBeHidden();
    await term.click();
    await step(page).getByRole("heading", { level: 2 }).click();
    await expect(card(page)).toBeHidden();
  });

  await test.step("by key; Esc gives the focus back", async () => {
    await term.focus();
    await page.keyboard.press("Enter");
    await expect(card(page)).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(card(page)).toBeHidden();
    await expect(term).toBeFocused();
  });

  await test.step("the glossary opens in a tab of its own, at the entry", async () => {
    await term.click();
    const [glossary] = await Promise.all([page.context().waitForEvent("page"), card(page).getByRole("link").click()]);
    await expect(glossary).toHaveURL("/learn/glossary#watch");
    await expect(glossary.locator("#watch")).toBeInViewport();
    await glossary.close();
  });

  await test.step("the stream has gone on", async () => {
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await expect(page.locator("#progress")).toHaveText(/^step 4 of/);
    await button(page, /don.t know/).click();
    await button(page, "Send").click();
    await expect(step(page).locator(".checks").nth(1)).toHaveAttribute("data-check", "held", { timeout: 20_000 });
  });
});

test("a link to an entry of the glossary keeps its place, there and back", async ({ page }) => {
  await page.goto("/learn");
  await ready(page);
  // At once, because the program's next paint removes the link.
  await page.locator("main").evaluate((main) => {
    const link = Object.assign(document.createElement("a"), { href: "/learn/glossary#watch", textContent: "watch" });
    main.prepend(link);
    link.click();
  });
  await expect(page).toHaveURL("/learn/glossary#watch");
  await expect(page.locator("#watch")).toBeInViewport();
  expect(await page.locator("#watch").evaluate((entry) => entry.matches(":target"))).toBe(true);
  await page.goBack();
  await expect(page).toHaveURL("/learn");
});

test("a touch opens a term in a narrow window", async ({ browser, page }) => {
  const { origin } = new URL(page.url() === "about:blank" ? (await page.goto("/learn/paths"), page.url()) : page.url());
  const context = await browser.newContext({ hasTouch: true, viewport: { width: 390, height: 800 }, storageState: await page.context().storageState() });
  const narrow = await context.newPage();
  await narrow.goto(`${origin}/learn/paths`);
  await ready(narrow);
  const term = narrow.locator("a.term:visible").first();
  await term.tap();
  await expect(card(narrow)).toBeVisible();
  const box = (await card(narrow).boundingBox())!;
  expect(box.x).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width).toBeLessThanOrEqual(390);
  await context.close();
});
