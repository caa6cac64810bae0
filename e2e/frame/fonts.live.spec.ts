// The fonts may be late: the page is there in other letters, and nothing moves when they come.
import { expect, ready, test } from "../harness/live.ts";

/** How far what was in sight has moved without the reader, as Chromium counts it. */
const shift = () =>
  new Promise<number>((told) => {
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) sum += entry.value;
      told(sum);
    }).observe({ type: "layout-shift", buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(told, 500, 0))); // where nothing has moved, nothing is told
  });

for (const [name, path] of [
  ["a collection", "/c/practice/api/v1/namespaces/shop/pods"],
  ["an object", "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront"],
  ["a lesson", "/learn/verbs"],
] as const)
  test(`${name} has its letters late, and stays where it is`, async ({ page }) => {
    let release = (): void => undefined;
    const held = new Promise<void>((done) => (release = done));
    let asked = 0;
    await page.route("**/*.woff2", async (route) => {
      asked++;
      await held;
      await route.continue();
    });
    await page.goto(path, { waitUntil: "commit" }); // the document is loaded when its fonts are
    await ready(page);
    await expect(page.locator("main h1"), "the text waits for no font").toBeVisible();
    expect(asked, "the head asks for both fonts, once").toBe(2);
    const began = await page.evaluate(shift);
    release();
    await page.evaluate(() => document.fonts.ready);
    await expect.poll(() => page.evaluate(() => [...document.fonts].filter(({ family, status }) => status === "loaded" && /^"?(Inter|JetBrains)/.test(family)).length)).toBe(2);
    const moved = (await page.evaluate(shift)) - began;
    expect(moved).toBeLessThan(0.02);
  });
