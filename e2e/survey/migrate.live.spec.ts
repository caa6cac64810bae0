// The plan for moving to server-side apply, with the program: an owner, its prediction, and back.
import { readCluster } from "../harness/census.ts";
import { expect, settled, test } from "../harness/live.ts";
import { signInByToken } from "../harness/session.ts";
import { expectAccessible } from "../harness/axe.ts";

test.use({ storageState: { cookies: [], origins: [] } });

test("owners, a prediction, and back", async ({ page, api, namespace, fieldmark, shot }) => {
  const annotation = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings", namespace }, data: { a: "1" } });
  const made = await api.fetch(`/api/v1/namespaces/${namespace}/configmaps?fieldManager=kubectl-client-side-apply`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ metadata: { name: "settings", annotations: { "kubectl.kubernetes.io/last-applied-configuration": annotation } }, data: { a: "1", b: "2" } }),
  });
  expect(made.status).toBe(201);
  await signInByToken(page, fieldmark.token);
  await page.goto("/c/practice/-/migrate");
  await settled(page);
  await expectAccessible(page);
  await readCluster(page, namespace);
  await settled(page);
  await expectAccessible(page);
  await page.getByRole("link", { name: "objects of kubectl" }).click();
  await expect(page).toHaveURL(/owner=kubectl/);
  await page.getByRole("button", { name: "Predict by dry runs" }).click();
  const object = page.locator("[data-object=settings]");
  await expect(object).toContainText("The apply removes 1 field.");
  await page.getByRole("link", { name: "Will break 1" }).click();
  await expect(page).toHaveURL(/#migrate-part-0$/);
  await object.locator("summary").first().press("Enter");
  await object.locator("summary", { hasText: "removed" }).press("Enter");
  await expect(object.getByRole("row", { name: /^\.data\.b / })).toContainText("removed");
  await settled(page);
  await expectAccessible(page);
  await shot("migrate-live");
  await page.getByRole("link", { name: "All owners" }).click();
  await expect(page.getByRole("heading", { name: /^Who applies objects today/ })).toBeVisible();
});
