// No page has a serious or critical finding of axe's, in light and in dark.
import { type Page } from "@playwright/test";
import { expectAccessible } from "./harness/axe.ts";
import { menu, pieces } from "./harness/look.ts";
import { kinds } from "./harness/pages.ts";
import { expect, test } from "./harness/test.ts";

// Alike in all that axe looks at: pages that differ from another of these only in their words or rows.
const alike = new Set(["groups", "group-version", "collection-plain", "collection-cluster", "collection-none-match", "type-unknown", "cluster-untrusted", "object-unreadable"]);

async function accessible(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expectAccessible(page);
}

for (const piece of pieces(kinds.filter(({ name }) => !alike.has(name)), 8)) {
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

test("accessible for strangers", async ({ page, context }) => {
  await context.clearCookies();
  await accessible(page, "/c/practice");
});
