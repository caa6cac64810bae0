// A refusal is pasted and explained, without scripts and with the keyboard only.
import { attributes } from "../harness/look.ts";
import { expect, test } from "../harness/test.ts";

const conflict = 'error: Apply failed with 1 conflict: conflict with "argocd-controller": .spec.template.spec.containers[name="app"].env[name="LOG_LEVEL"].value';
const manifest = `apiVersion: apps/v1
kind: Deployment
metadata: {name: storefront, namespace: shop}
spec: {template: {spec: {containers: [{name: app, env: [{name: LOG_LEVEL, value: loud}]}]}}}
`;

test("a pasted conflict is explained, with its object, owners, values and ways out", async ({ page, shot }) => {
  await page.goto("/c/practice/-/explain");
  await expect(page.locator("#types a", { hasText: "Explain a refusal" })).toHaveAttribute("aria-current", "page");
  await shot("explain-none");
  await page.getByLabel("The text of the refusal").fill(conflict);
  await page.getByText("Add the manifest that was refused").click();
  await page.getByLabel("The manifest").fill(manifest);
  await page.getByLabel("Field manager").fill("ci");
  await page.getByRole("button", { name: "Explain", exact: true }).press("Enter");
  await expect(page).toHaveURL("/c/practice/-/explain");
  await expect(page.locator(".explanation > h2")).toContainText("An apply for Deployment shop/storefront as ci was refused");
  expect(await attributes(page.locator("[data-path]"), "data-path")).toEqual(['.spec.template.spec.containers[name="app"].env[name="LOG_LEVEL"].value']);
  await expect(page.locator("[data-path]")).toContainText("manifest \"loud\"");
  await expect(page.locator("[data-way=give-up]").first()).toContainText("LOG_LEVEL");
  await shot("explain-conflict");
  await page.getByRole("link", { name: "Deployment shop/storefront" }).click();
  await expect(page).toHaveURL("/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront");
});

test("a text that isn't understood is repeated", async ({ page, shot }) => {
  await page.goto("/c/practice/-/explain");
  await page.getByLabel("The text of the refusal").fill("Fehler: das Objekt wurde geändert");
  await page.getByRole("button", { name: "Explain", exact: true }).click();
  await expect(page.locator(".notice")).toContainText("No refusal was found");
  await expect(page.locator("blockquote")).toContainText("Fehler: das Objekt wurde geändert");
  await shot("explain-nothing");
});

test("a page that is refused leads to its explanation", async ({ page, shot }) => {
  await page.goto("/c/practice-viewer/api/v1/secrets");
  await page.getByRole("button", { name: "Explain this refusal" }).click();
  await expect(page).toHaveURL("/c/practice-viewer/-/explain");
  await expect(page.locator(".explanation > h2")).toContainText("may not list secrets in the whole cluster");
  await expect(page.locator("[data-way=grant]")).toContainText("kind: ClusterRole");
  await shot("explain-forbidden");
});
