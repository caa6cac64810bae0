// Who can, for readers without scripts: a form asks, the answer has links, and the filter is in the address.
import { expect, test } from "../harness/test.ts";

const whoCan = "/c/practice/-/who-can";

test("the page says who could change an object, and what it doesn't see", async ({ page, shot }) => {
  await page.goto(`${whoCan}?path=/apis/apps/v1/namespaces/shop/deployments/storefront`);
  await expect(page.getByRole("heading", { name: /^Who can update or patch deployments\.apps storefront/ })).toBeVisible();
  await expect(page.getByRole("region", { name: "In the whole cluster, by ClusterRoleBindings" })).toContainText("system:masters");
  await expect(page.locator("#unseen")).toBeVisible();
  await shot("who-can");
  await page.locator("select[name=verb]").selectOption("delete");
  await page.locator("#filter").fill("cluster-admin");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/verb=delete/);
  await expect(page).toHaveURL(/filter=cluster-admin/);
  await expect(page.locator("#subjects")).toContainText(" of ");
  await page.getByRole("link", { name: "ClusterRole cluster-admin" }).first().click();
  await expect(page).toHaveURL("/c/practice/apis/rbac.authorization.k8s.io/v1/clusterroles/cluster-admin");
});
