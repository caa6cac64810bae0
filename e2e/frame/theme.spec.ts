// Light and dark mode without scripts: the system's choice, unless the user chooses one.
import { type Page } from "@playwright/test";
import { expect, test } from "../harness/test.ts";

const here = "/c/practice/api/v1/namespaces/shop/pods?filter=catalog&sort=-Name";

/** Whether the browser paints the page's background dark. */
async function dark(page: Page): Promise<boolean> {
  const colour = await page.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor);
  const parts = (colour.match(/[\d.]+/g) ?? []).map(Number);
  return (parts[0]! + parts[1]! + parts[2]!) / 3 < 128;
}

test("follows the system", async ({ page }) => {
  await page.goto("/");
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await expect.poll(() => dark(page)).toBe(colorScheme === "dark");
  }
});

test("the switch has three states, is remembered, and leads back to the same page", async ({ page }) => {
  await page.goto(here);
  const choose = async (next: string, theme: string | null) => {
    await page.getByRole("button", { name: `Change colors to ${next}` }).click();
    await expect(page).toHaveURL(here);
    if (theme === null) await expect(page.locator("html")).not.toHaveAttribute("data-theme");
    else await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
  };
  await choose("light", "light");
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await dark(page), "the choice outdoes the system").toBe(false);
  await choose("dark", "dark");
  await page.emulateMedia({ colorScheme: "light" });
  expect(await dark(page), "the choice outdoes the system").toBe(true);
  await page.goto("/");
  expect(await dark(page), "the choice is kept on other pages").toBe(true);
  await page.goto(here);
  await choose("the system’s setting", null);
  expect(await dark(page)).toBe(false);
});
