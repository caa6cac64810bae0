// From the palette to the search of all clusters, and on to an object.
import { expectAccessible } from "../harness/axe.ts";
import { expect, ready, test } from "../harness/live.ts";

test("the palette leads to the search of all clusters", async ({ page }) => {
  await page.goto("/c/practice");
  await ready(page);
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog", { name: "Find anything" })).toBeVisible();
  await page.keyboard.type("storefront");
  await expect(page.getByRole("option", { name: /^Search all \d+ clusters/ })).toBeVisible();
  await page.keyboard.press("ArrowUp"); // from the first option to the last. The options move while responses come
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/-/search?q=storefront");
  await expect(page.locator("#summary")).toContainText(/^\d+ results in 1 of \d+ contexts\./);
  await expectAccessible(page);
  await page.getByLabel("Namespace", { exact: true }).fill("shop");
  await page.locator("#filter").fill("viewer");
  await page.keyboard.press("Enter");
  await expect(page.locator("#summary")).toContainText(/in 1 of 1 context\.$/);
  await page.getByRole("row", { name: /Deployment/ }).getByRole("link", { name: "storefront", exact: true }).click();
  await expect(page).toHaveURL("/c/practice-viewer/apis/apps/v1/namespaces/shop/deployments/storefront");
});
