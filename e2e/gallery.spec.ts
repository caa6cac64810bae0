// Every component in its states, for people to look at: in light, dark and narrow.
import { type Page } from "@playwright/test";
import { expect, test } from "./harness/test.ts";

const address = "/-/components";

const colourOf = (page: Page, selector: string): Promise<string> =>
  page.locator(selector).first().evaluate((element) => getComputedStyle(element).backgroundColor);

test("every specimen in its two halves", async ({ page, shot }, info) => {
  test.slow(); // pictures of a page as long as twenty screens
  await page.goto(address);
  const specimens = page.locator("article.specimen[id]");
  expect(await specimens.count()).toBeGreaterThan(50);
  for (const theme of ["light", "dark"]) {
    await expect(page.locator(`article.specimen[id] .half[data-theme="${theme}"]`)).toHaveCount(await specimens.count());
  }
  expect(await colourOf(page, ".half[data-theme=light]")).not.toBe(await colourOf(page, ".half[data-theme=dark]"));
  await shot("gallery");
  if (info.project.name !== "nojs-light") return;
  await page.emulateMedia({ colorScheme: "dark" });
  await shot("gallery-around-dark");
});

test("nothing sticks out", async ({ page }) => {
  await page.goto(address);
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(wider, "pixels that the page is too wide").toBe(0);
});

test("a specimen has an address", async ({ page }) => {
  await page.goto(`${address}#live-progress`);
  await expect(page.locator("#live-progress")).toBeInViewport();
  await expect(page.locator("#live-progress progress").first()).toHaveAttribute("max", "10000");
});
