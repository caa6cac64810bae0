// Working with the keyboard only: the focus is always visible.
import { type Page } from "@playwright/test";
import { seen, tabTo } from "../harness/keyboard.ts";
import { menu, names, rows } from "../harness/look.ts";
import { expect, test } from "../harness/test.ts";

const pods = "/c/practice/api/v1/pods";

/** Presses Tab this many times, and fails if the focus isn't visible. */
async function tabAndLook(page: Page, times: number): Promise<void> {
  for (let pressed = 0; pressed < times; pressed++) {
    await page.keyboard.press("Tab");
    if ((await page.locator(":focus").count()) === 0) return; // past the last
    expect.soft(await seen(page)).toMatchObject({ seen: true });
  }
}

test("the first Tab leads past the menus", async ({ page }) => {
  await page.goto(pods);
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${pods}#main`);
  await page.keyboard.press("Tab");
  expect(await page.locator(":focus").evaluate((element) => element.closest("main") !== null), "the next stop is in the content").toBe(true);
});

test("choose a namespace, filter, open an object, go through its tabs", async ({ page }) => {
  test.setTimeout(180_000); // key by key through all that can be focused
  await page.goto(pods);
  await tabTo(page, menu(page, "namespace").locator("summary"));
  await page.keyboard.press("Enter");
  const shop = menu(page, "namespace").getByRole("link", { name: "shop" });
  await tabTo(page, shop);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/c/practice/api/v1/namespaces/shop/pods");

  const filter = page.locator('input[name="filter"]');
  await tabTo(page, filter);
  await page.keyboard.type("catalog");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/[?&]filter=catalog/);
  await expect(rows(page)).toHaveCount(2);

  const [first] = await names(page);
  await tabTo(page, page.getByRole("link", { name: first!, exact: true }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toContainText(first!);

  for (const [tab, address] of [["JSON", "json"], ["Events", "events"], ["Related", "related"]] as const) {
    await tabTo(page, page.getByRole("navigation", { name: "Views of this object" }).getByRole("link", { name: tab }));
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`\\?tab=${address}$`));
  }
});

test("menus open and close", async ({ page }) => {
  await page.goto(pods);
  const list = menu(page, "cluster").getByRole("link", { name: "All clusters…" });
  await tabTo(page, menu(page, "cluster").locator("summary"));
  await page.keyboard.press("Space");
  await expect(list).toBeVisible();
  await page.keyboard.press("Space");
  await expect(list).toBeHidden();
});

test("each scroll area can be scrolled", async ({ page }) => {
  await page.goto("/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront?managed=1#main");
  const code = page.locator(".code");
  await tabTo(page, code);
  await page.keyboard.press("End");
  await expect.poll(() => code.evaluate((element) => element.scrollTop)).toBeGreaterThan(0);
});

for (const [what, path] of [
  ["choosing a cluster", "/"],
  ["the overview", "/c/practice"],
  ["a collection", "/c/practice/api/v1/namespaces/shop/pods?limit=2"],
  ["an object", "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront?tab=related"],
  ["a Secret", "/c/practice/api/v1/namespaces/shop/secrets/carts-db"],
] as const) {
  test(`the focus is always seen on ${what}`, async ({ page }) => {
    await page.goto(path);
    await tabAndLook(page, 24);
    // The side is long and alike: go on from the content.
    await page.goto(`${path}#main`);
    await tabAndLook(page, 24);
  });
}
