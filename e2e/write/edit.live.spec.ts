// “Edit…” on an object: only what the reader changes is applied. And what leads to the apply preview from elsewhere.
import { type Locator, type Page } from "@playwright/test";
import { type KubeObject } from "../harness/api.ts";
import { expect, ready, test } from "../harness/live.ts";

// Previews of conflicts and errors have such status codes. They are no errors of the page.
test.use({ provoked: /^(4\d\d|5\d\d) for \S*\/clusters\// });

const editor = (page: Page): Locator => page.locator(".cm-content");
const doc = (page: Page): Locator => page.locator("#doc-0");
const applies = (page: Page): Locator => page.getByRole("button", { name: "Apply", exact: true });

const path = (namespace: string): string => `/apis/apps/v1/namespaces/${namespace}/deployments/web`;

const deployment = (namespace: string): string =>
  [
    "apiVersion: apps/v1", "kind: Deployment", "metadata:", "  name: web", `  namespace: ${namespace}`, "spec:", "  replicas: 0", "  selector:", "    matchLabels: {app: web}",
    "  template:", "    metadata:", "      labels: {app: web}", "    spec:", "      containers:", "      - name: web", "        image: registry.test/web:1", "        env:",
    "        - name: COLOR", '          value: "blue"', "      - name: log", "        image: registry.test/log:1", "",
  ].join("\n");

/** Opens an object with “Edit…” on its page. */
async function edit(page: Page, of: string): Promise<void> {
  await page.goto(`/c/practice${of}`);
  await ready(page);
  await page.getByRole("link", { name: "Edit…" }).click();
  await ready(page);
  await expect(editor(page)).toBeVisible();
  await expect(doc(page)).toContainText("Only your changes are applied");
}

/** Changes a text in the editor, and waits for the preview of the new text. */
async function change(page: Page, from: string, to: string): Promise<void> {
  const text = await editor(page).evaluate((element) => (element.closest("[data-editor]") as any).editor.view.state.doc.toString() as string);
  expect(text).toContain(from);
  await editor(page).press("Control+a");
  await page.keyboard.insertText(text.replace(from, to));
}

const fieldsOf = (object: KubeObject, manager: string): unknown =>
  (object.metadata["managedFields"] as { manager: string; operation: string; fieldsV1: any }[]).find((entry) => entry.manager === manager && entry.operation === "Apply")?.fieldsV1;

const image = (container: string): unknown => ({ [`k:{"name":"${container}"}`]: { ".": {}, "f:name": {}, "f:image": {} } });
const owned = (containers: object): unknown => ({ "f:spec": { "f:template": { "f:spec": { "f:containers": containers } } } });

test("an edit applies one field, and the next one keeps it", async ({ page, api, namespace }) => {
  await api.apply(path(namespace), deployment(namespace), "bob");
  await edit(page, path(namespace));
  await expect(page.locator("#sum")).toHaveText("No changes");
  await expect(page.locator("#unready")).toHaveText("You have changed nothing.");
  await expect(applies(page)).toBeDisabled();

  await change(page, "registry.test/log:1", "registry.test/log:2");
  await expect(page.locator("#sum")).toContainText("1 conflict");
  await page.locator(".conflict").getByRole("button", { name: "Overwrite" }).click();
  await expect(doc(page).locator("[data-sends]")).toContainText("force=true");
  const yours = doc(page).getByRole("table", { name: "Your changes" }).locator("tbody tr");
  await expect(yours.filter({ hasText: "image" })).toHaveAttribute("data-change", "changed");
  await page.getByRole("button", { name: "Apply, overwrite 1" }).click();
  await expect(doc(page)).toContainText("Applied.");
  expect(fieldsOf(await api.get(path(namespace)), "fieldmark")).toEqual(owned(image("log") as object));
  await expect(page.locator("#unready")).toHaveText("You have changed nothing.");

  await change(page, "replicas: 0", "replicas: 0\n  minReadySeconds: 7");
  await expect(page.locator("#sum")).toHaveText(/1 change$/);
  await expect(doc(page).locator('[data-path=".spec.minReadySeconds"]')).toHaveAttribute("data-cause", "you");
  await applies(page).click();
  await expect(doc(page)).toContainText("Applied.");
  await expect(async () => {
    const stored = fieldsOf(await api.get(path(namespace)), "fieldmark") as any;
    expect(Object.keys(stored["f:spec"]).sort()).toEqual(["f:minReadySeconds", "f:template"]);
  }).toPass();
});

test("a removed line of another manager stays, and the page says so", async ({ page, api, namespace }) => {
  await api.apply(path(namespace), deployment(namespace), "bob");
  await edit(page, path(namespace));
  await change(page, "  replicas: 0\n", "");
  await expect(doc(page)).toContainText("One removed field stays, because you don’t own it.");
  await expect(doc(page).locator(".staying")).toContainText(".spec.replicas");
  await expect(doc(page).locator(".staying")).toContainText("bob");
  await expect(applies(page)).toBeDisabled();
});

test("the whole document is applied only after a question", async ({ page, api, namespace }) => {
  await api.apply(path(namespace), deployment(namespace), "bob");
  await edit(page, path(namespace));
  await page.getByRole("button", { name: "Apply the whole document instead" }).click();
  const asked = page.getByRole("group", { name: "Apply the whole document" });
  await expect(asked).toContainText(/fieldmark would become an owner of \d+ more fields with the values they have now/);
  await asked.getByRole("button", { name: "Apply the whole document" }).click();
  await expect(page.locator("#sum")).toContainText("fields shared without a change");
  await expect(doc(page).locator(".shared-rows > summary")).toContainText("fields shared without a change");
  await expect(doc(page)).toContainText("The whole document is applied, as it is written.");
  await page.getByRole("button", { name: "Apply only what differs instead" }).click();
  await expect(page.locator("#unready")).toHaveText("You have changed nothing.");
});

test("one field is shared on purpose", async ({ page, api, namespace }) => {
  await api.apply(path(namespace), deployment(namespace), "bob");
  await edit(page, path(namespace));
  await change(page, "replicas: 0", "replicas: 1");
  await page.locator('[data-conflict=".spec.replicas"]').getByRole("button", { name: "Share" }).click();
  await expect(doc(page)).toContainText("You share 1 field without a change: .spec.replicas");
  await expect(applies(page)).toBeEnabled();
  await applies(page).click();
  await expect(doc(page)).toContainText("Applied.");
  expect(fieldsOf(await api.get(path(namespace)), "fieldmark")).toEqual({ "f:spec": { "f:replicas": {} } });
});

test("errors are listed with their lines and with the name that was meant", async ({ page, namespace }) => {
  await page.goto("/c/practice/-/apply?example=1");
  await ready(page);
  await editor(page).press("Control+a");
  await page.keyboard.insertText(deployment(namespace).replace("replicas: 0", "repilcas: 0").replace("        env:", "        imagPullPolicy: Always\n        env:"));
  const issues = doc(page).locator(".issues > li");
  await expect(issues).toHaveCount(2);
  await expect(issues.nth(0)).toContainText("Did you mean replicas?");
  await expect(issues.nth(1)).toContainText("Did you mean imagePullPolicy?");
  await issues.nth(1).getByRole("button", { name: "Line 17" }).click();
  await expect(editor(page)).toBeFocused();
  await expect(page.locator(".cm-activeLineGutter").filter({ hasText: "17" })).toBeVisible();
});

test("a conflict in the console and in the wire log opens in the preview", async ({ page, api, namespace }) => {
  await api.apply(path(namespace), deployment(namespace), "bob");
  const text = `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 5\n`;
  const query = new URLSearchParams({ method: "PATCH", path: `${path(namespace)}?fieldManager=ada`, contentType: "application/apply-patch+yaml", body: text });
  await page.goto(`/c/practice/-/request?${query}`);
  await ready(page);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const see = page.getByRole("button", { name: "See the conflict in the apply preview" });
  await expect(see).toBeVisible();
  const log = await page.getByRole("link", { name: "Show in the wire log" }).getAttribute("href");
  await see.click();
  await ready(page);
  await expect(page.locator('[data-conflict=".spec.replicas"]')).toContainText("bob");
  await expect(page.getByLabel("Field manager")).toHaveValue("ada");
  await page.goto(log!);
  await ready(page);
  await see.click();
  await ready(page);
  await expect(page.locator('[data-conflict=".spec.replicas"]')).toContainText("bob");
});
