// No component has a serious or critical finding of axe's, in any of its states.
import { expectAccessible } from "../harness/axe.ts";
import { expect, test } from "../harness/test.ts";

test("accessible, every component", async ({ page }) => {
  test.slow(); // the page is as long as twenty screens
  await page.goto("/-/components");
  await expect(page.getByRole("heading", { level: 1, name: "Components" })).toBeVisible();
  await expectAccessible(page, "as it is");
});
