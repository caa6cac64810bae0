// The wire log with a request opened has no serious finding of axe's, in light and in dark.
import { expectAccessible } from "../harness/axe.ts";
import { live } from "../harness/live.ts";
import { expect, test } from "../harness/test.ts";

test("a request opened is accessible", async ({ page }) => {
  await page.goto("/c/practice/api/v1/namespaces/shop/pods");
  await page.goto("/c/practice/-/requests?text=shop/pods+table");
  await live(page);
  await page.locator("tr[data-request] a").first().click();
  await expect(page.locator("#entry .wire-side")).toHaveCount(2);
  for (const summary of await page.locator(".copy-as > summary").all()) await summary.click();
  await expectAccessible(page);
  await page.locator("details.wire > summary").click();
  await expect(page.locator("#wire-lines li").first()).toBeVisible();
  await expectAccessible(page);
});
