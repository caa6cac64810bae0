// The check of manifests without scripts: a form with one text. The response has all findings.
import { expect, test } from "../harness/test.ts";

const map = (namespace: string, name: string, data: object): string => JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data });

test("a pasted text is checked by the server", async ({ page, api, namespace, shot }) => {
  await api.apply(`/api/v1/namespaces/${namespace}/configmaps/held`, map(namespace, "held", { x: "1" }), "helm");
  await page.goto("/c/practice/-/check");
  await expect(page.locator("#types a", { hasText: "Check manifests" })).toHaveAttribute("aria-current", "page");
  await shot("check");
  await page.getByLabel(/^Paste manifests/).fill(`${map(namespace, "held", { x: "2" })}\n---\n${map(namespace, "new", {})}\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: keys, namespace: ${namespace}}\nstringData: {word: hunter22}\n`);
  await page.getByRole("textbox", { name: "Field manager" }).fill("ada");
  await page.getByRole("button", { name: "Check the text" }).click();
  await expect(page).toHaveURL("/c/practice/-/check");
  await expect(page.locator("#sum")).toHaveText("3 documents: 1 conflict, 2 created");
  const conflict = page.locator('[data-finding="conflict"]');
  await expect(conflict).toHaveAttribute("data-path", ".data.x");
  await expect(conflict).toContainText("helm");
  await conflict.getByText("Expect the finding").click();
  await expect(conflict).toContainText("reason: Say here why you expect this.");
  await expect(page.locator(".check-full")).toContainText("kubectl fieldmark check -f - --manager ada");
  await expect(page.locator(".check-full")).not.toContainText("hunter22");
  expect((await api.fetch(`/api/v1/namespaces/${namespace}/configmaps/new`)).status, "nothing is stored").toBe(404);
  await shot("check-found");
});
