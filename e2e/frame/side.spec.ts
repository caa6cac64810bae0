// The list of types without scripts.
import { expect, test } from "../harness/test.ts";

test("the list of types shows the current one when a page is loaded", async ({ page }) => {
  await page.goto("/c/practice/apis/storage.k8s.io/v1/storageclasses");
  const current = page.locator("#types [aria-current]");
  await expect(current).toHaveText("StorageClasses");
  await expect(current).toBeInViewport({ ratio: 1 });
});

test("groups fold, the current one is open, and a star changes the favorites", async ({ page }) => {
  await page.goto("/c/practice/apis/storage.k8s.io/v1/storageclasses");
  const group = (name: string) => page.locator(`#types details[data-fold="${name}"]`);
  await expect(group("storage.k8s.io")).toHaveAttribute("open", "");
  await expect(group("policy")).not.toHaveAttribute("open");
  await group("policy").locator("summary").click();
  await expect(group("policy").getByRole("link", { name: "PodDisruptionBudgets" })).toBeVisible();
  await page.locator("#main").getByRole("button", { name: "Add StorageClasses to favorites" }).click();
  await expect(page).toHaveURL("/c/practice/apis/storage.k8s.io/v1/storageclasses");
  await expect(group("favorites").getByRole("link", { name: "StorageClasses" })).toHaveAttribute("aria-current", "page");
  await page.locator("#main").getByRole("button", { name: "Remove StorageClasses from favorites" }).click();
  await expect(group("favorites").getByRole("link", { name: "StorageClasses" })).toHaveCount(0);
  await expect(page.locator("#views"), "views need scripts").toBeHidden();
});
