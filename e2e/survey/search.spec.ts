// The search of all clusters, without scripts: each context has a state, and an object that two contexts have can be compared.
import { expect, test } from "../harness/test.ts";

test("an object is found in each context that has it, and broken contexts say so", async ({ page, shot }) => {
  await page.goto("/-/search");
  await page.getByLabel("Name", { exact: true }).fill("storefront");
  await page.getByLabel("Namespace", { exact: true }).fill("shop");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.locator("#summary")).toHaveText(/^\d+ results in 2 of \d+ contexts\. \d+ contexts? couldn’t be searched\.$/);
  await shot("search");
  const here = page.locator('section[data-cluster="practice"]');
  await expect(here.getByRole("row", { name: /Deployment/ })).toContainText("storefront");
  await expect(page.locator('section[data-cluster="dead-server"]')).toContainText("not searched");
  await here.getByRole("row", { name: /Deployment/ }).getByRole("link", { name: "Compare with practice-viewer" }).click();
  await expect(page.locator("#outcome")).toHaveText(/^All values and owners are equal/);
});
