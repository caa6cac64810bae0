// Two responses with differences have no serious finding of axe's, in light and in dark.
import { expectAccessible } from "../harness/axe.ts";
import { ready } from "../harness/live.ts";
import { expect, test } from "../harness/test.ts";

test("two responses are accessible", async ({ page }) => {
  await page.goto("/c/practice/-/compare?with=practice-viewer&path=/api/v1/namespaces/shop/secrets&all=1");
  await ready(page);
  await expect(page.locator("#outcome")).toContainText("The responses differ");
  await page.getByRole("button", { name: "Leave out what always differs" }).click();
  await page.getByRole("button", { name: "Show equal lines" }).click();
  await page.locator(".all-headers > summary").click();
  await page.locator(".varying > summary").click();
  await expectAccessible(page);
  await page.goto("/c/practice/-/compare?with=practice-viewer&method=DELETE&path=/api/v1/namespaces/nosuch");
  await ready(page);
  await page.getByRole("button", { name: "Send to both" }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await expectAccessible(page);
});
