// No page has a serious or critical finding of axe's, in light and in dark.
import { type Page } from "@playwright/test";
import { toField } from "../harness/keyboard.ts";
import { expectAccessible } from "../harness/axe.ts";
import { liveness, settled } from "../harness/live.ts";
import { menu, pieces, rows } from "../harness/look.ts";
import { kinds } from "../harness/pages.ts";
import { expect, test } from "../harness/test.ts";

test.use({ provoked: /Failed to fetch/ });

// Alike in all that axe looks at: pages that differ from another of these only in their words or rows.
const alike = new Set(["groups", "group-version", "collection-plain", "collection-cluster", "collection-none-match", "type-unknown", "cluster-untrusted", "object-unreadable"]);

async function accessible(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await settled(page);
  await expectAccessible(page);
}

for (const piece of pieces(kinds.filter(({ name }) => !alike.has(name)), 5)) {
  test(`accessible, from ${piece[0]!.name} on`, async ({ page }) => {
    for (const { name, path } of piece) await test.step(name, () => accessible(page, path));
  });
}

test("accessible with everything opened", async ({ page }) => {
  await page.goto("/c/practice");
  for (const feature of await page.locator("[data-feature] summary").all()) await feature.click();
  await page.locator("details.wire > summary").click();
  await menu(page, "namespace").locator("summary").click();
  await expectAccessible(page);
});

test("accessible with the palette and the help over the page", async ({ page }) => {
  await page.goto("/c/practice/api/v1/namespaces/shop/pods");
  await expect(liveness(page)).toHaveText(/^\s*live/);
  await rows(page).first().hover();
  await toField(page, "Control+k");
  await page.keyboard.type("storefront");
  await expect(page.getByRole("option").first()).toContainText("storefront");
  await expectAccessible(page);
  await page.keyboard.type("nosuch");
  await expect(page.getByRole("dialog")).toContainText("Nothing is called");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys and help" })).toBeVisible();
  await expectAccessible(page);
});

test("accessible without the program", async ({ page }) => {
  await page.route(/\.wasm$/, (route) => route.abort());
  await page.goto("/c/practice/api/v1/namespaces/shop/pods");
  await expect(page.getByRole("alert")).toBeVisible();
  await expectAccessible(page);
});

test("accessible for strangers", async ({ page, context }) => {
  await context.clearCookies();
  await accessible(page, "/c/practice");
});
