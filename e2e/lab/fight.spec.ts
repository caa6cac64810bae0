// The fight on the practice cluster's page, for readers without scripts: the commands take the button's place.
import { expect, test } from "../harness/test.ts";

test("without scripts the page has the commands", async ({ page, shot }) => {
  await page.goto("/c/practice");
  const card = page.getByRole("region", { name: /^Two managers, one field/ });
  await expect(card.getByRole("button")).toBeDisabled();
  await expect(card).toContainText("The button needs JavaScript. You can use kubectl instead.");
  await expect(card.locator("pre")).toBeHidden();
  await card.locator("summary").click();
  await expect(card.locator("pre")).toContainText("kubectl create -f -");
  await expect(card.locator("pre")).toContainText("kubectl delete scenario fight");
  await shot("fight-without-scripts");
});
