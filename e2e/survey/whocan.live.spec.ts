// Who can with the program of the browser, by keyboard: the form changes the page, and its filter stays in the address.
import { expect, ready, test } from "../harness/live.ts";

test("the form works by keyboard", async ({ page }) => {
  await page.goto("/c/practice/-/who-can?path=/apis/apps/v1/deployments");
  await ready(page);
  await page.keyboard.press("/");
  await expect(page.getByRole("textbox", { name: "Filter" })).toBeFocused();
  await page.keyboard.type("system:masters");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/filter=system/);
  await ready(page);
  await expect(page.locator("#subjects")).toContainText("1 of ");
});
