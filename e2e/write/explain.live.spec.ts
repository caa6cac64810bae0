// With the program of the page: the palette and the apply preview lead from a refusal to its explanation.
import { expectAccessible } from "../harness/axe.ts";
import { expect, settled, test } from "../harness/live.ts";

test.use({ provoked: /^409 for / }); // the conflict

test("the palette takes a refusal of several lines to its explanation", async ({ page }) => {
  await page.goto("/c/practice/api/v1/pods");
  await settled(page);
  await page.keyboard.press("Control+k");
  await expect(page.locator("#palette-input")).toBeFocused();
  await page.locator("#palette-input").evaluate((field, text) => {
    const data = new DataTransfer();
    data.setData("text", text);
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, 'Apply failed with 2 conflicts: conflicts with "nobody-at-all" using apps/v1:\n- .spec.replicas\n- .spec.paused');
  await expect(page.getByRole("option", { name: "Explain this refusal" })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/c/practice/-/explain");
  await expect(page.locator("[data-path]")).toHaveCount(2);
  await settled(page);
  await expectAccessible(page);
});

test("a conflict in the preview leads to its explanation", async ({ page, namespace, api }) => {
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments/web`;
  const manifest = (replicas: number): string =>
    `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: ${namespace}}\nspec:\n  replicas: ${String(replicas)}\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec: {containers: [{name: app, image: x}]}\n`;
  await api.apply(path, manifest(1), "somebody");
  await page.goto(`/c/practice/-/apply?manifest=${encodeURIComponent(manifest(2))}&manager=me`);
  await page.getByRole("button", { name: "Explain this refusal" }).click();
  await expect(page).toHaveURL("/c/practice/-/explain");
  await expect(page.locator(".explanation > h2")).toContainText(`An apply for Deployment ${namespace}/web as me was refused`);
  await expect(page.locator("[data-path='.spec.replicas']")).toContainText("live 1 manifest 2");
});
