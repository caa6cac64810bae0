// A user with few permissions: allowed pages are shown, and others say which permission is missing.
import { names, notice } from "../harness/look.ts";
import { expect, test } from "../harness/test.ts";

const shop = "/c/practice-viewer/api/v1/namespaces/shop";

test("a type that: you don’t have permission to list them says which verb is missing", async ({ page }) => {
  expect((await page.goto("/c/practice-viewer/api/v1/secrets"))?.status()).toBe(403);
  await expect(notice(page)).toContainText("You don’t have permission to list secrets in the whole cluster");
  await expect(notice(page)).toContainText('practice-viewer doesn’t have permission for the verb "list" on secrets');
  await expect(notice(page).locator(".quoted")).toContainText("secrets is forbidden");
});

test("a namespace that one has no rights in", async ({ page }) => {
  expect((await page.goto("/c/practice-viewer/api/v1/namespaces/payments/pods"))?.status()).toBe(403);
  await expect(notice(page)).toContainText("You don’t have permission to list pods in the namespace payments");
});

test("an object that may not be read", async ({ page }) => {
  expect((await page.goto(`${shop}/secrets/carts-db`))?.status()).toBe(403);
  await expect(notice(page)).toContainText("You don’t have permission to get secrets in the namespace shop");
});

test("the pods of the shop are all there", async ({ page, api }) => {
  const pods = (await api.list("/api/v1/namespaces/shop/pods")).map(({ metadata }) => metadata.name);
  expect((await page.goto(`${shop}/pods`))?.status()).toBe(200);
  expect((await names(page)).sort()).toEqual(pods.sort());
  await page.getByRole("link", { name: pods[0]!, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(pods[0]!);
});

test("owned objects are looked for where one may look, and the rest is named", async ({ page }) => {
  await page.goto("/c/practice-viewer/apis/apps/v1/namespaces/shop/deployments/storefront?tab=related");
  const leftOut = page.locator("details.left-out");
  await leftOut.locator("summary").click();
  await expect(leftOut).toContainText("replicasets");
});

test("the overview shows what may be listed, and says what may not", async ({ page }) => {
  expect((await page.goto("/c/practice-viewer"))?.status()).toBe(200);
  await expect(page.locator("main")).toContainText(/You don’t have permission to list nodes.* across the cluster/);
  await expect(page.locator('[data-tile="workloads"]')).toContainText("not read");
  await page.locator(".places").getByRole("link", { name: "shop" }).click();
  await expect(page).toHaveURL("/c/practice-viewer?namespace=shop");
  await expect(page.locator("main")).toContainText("in the namespace shop.");
  await expect(page.locator('[data-tile="workloads"]')).toContainText(/\d+\s*(of \d+ not )?ready/);
});

test("Discovery counts what it may, and says so where it may not", async ({ page }) => {
  await page.goto("/c/practice-viewer/-/discovery");
  const count = (type: string) => page.locator(`tr[data-type="${type}"] td.number`);
  await expect(count("secrets")).toHaveText("–");
  await expect(count("namespaces")).toHaveText(/^\d+$/);
});
