// Who can has no serious finding of axe's, with an answer and without permissions.
import { expectAccessible } from "../harness/axe.ts";
import { ready } from "../harness/live.ts";
import { expect, test } from "../harness/test.ts";

test("who can is accessible", async ({ page }) => {
  await page.goto("/c/practice/-/who-can?path=/apis/apps/v1/deployments");
  await ready(page);
  await expect(page.locator("#subjects")).toContainText("subjects");
  await expectAccessible(page);
  await page.goto("/c/practice-viewer/-/who-can?path=/api/v1/nodes");
  await ready(page);
  await expect(page.locator("#unread")).toBeVisible();
  await expectAccessible(page);
});
