// The list of types without scripts.
import { expect, test } from "../harness/test.ts";

test("the list of types shows the current one when a page is loaded", async ({ page }) => {
  await page.goto("/c/practice/apis/storage.k8s.io/v1/storageclasses");
  const current = page.locator("#types [aria-current]");
  await expect(current).toHaveText("StorageClasses");
  await expect(current).toBeInViewport({ ratio: 1 });
});
