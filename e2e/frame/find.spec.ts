// Finding a type by any of its names.
import { type Page } from "@playwright/test";
import { notice } from "../harness/look.ts";
import { expect, test } from "../harness/test.ts";

async function jump(page: Page, word: string): Promise<void> {
  await page.goto("/c/practice");
  await page.getByRole("combobox", { name: "Jump to a resource type" }).fill(word);
  await page.keyboard.press("Enter");
}

for (const [what, word, there] of [
  ["a short name", "po", "/api/v1/pods"],
  ["a kind", "Deployment", "/apis/apps/v1/deployments"],
  ["a singular", "configmap", "/api/v1/configmaps"],
  ["a full name", "promotions.shop.example.com", "/apis/shop.example.com/v1/promotions"],
  ["a custom short name", "promo", "/apis/shop.example.com/v1/promotions"],
  ["a name with space around", " svc ", "/api/v1/services"],
] as const) {
  test(`by ${what}`, async ({ page }) => {
    await jump(page, word);
    await expect(page).toHaveURL(`/c/practice${there}`);
  });
}

test("a word that nothing is called by", async ({ page }) => {
  await jump(page, "deploymint");
  await expect(notice(page)).toContainText('No type is called "deploymint"');
  await notice(page).getByRole("link", { name: "deployments.apps" }).click();
  await expect(page).toHaveURL("/c/practice/apis/apps/v1/deployments");
});

test("a word that several are called by", async ({ page }) => {
  await jump(page, "events");
  await expect(notice(page)).toContainText('Several types are called "events"');
  await expect(notice(page).getByRole("link")).toHaveCount(2);
  await notice(page).getByRole("link", { name: "events.events.k8s.io" }).click();
  await expect(page).toHaveURL("/c/practice/apis/events.k8s.io/v1/events");
});

test("markup as a word is but a word", async ({ page }) => {
  await jump(page, "<b>\"'&amp;");
  await expect(notice(page)).toContainText("<b>");
  await expect(notice(page).locator("b")).toHaveCount(0);
});
