// The apply page: a manifest's changes before the apply, each way out of a conflict, and the result in the
// cluster.
import { type Locator, type Page } from "@playwright/test";
import { type Api, type KubeObject } from "../harness/api.ts";
import { expectAccessible } from "../harness/axe.ts";
import { expect, ready, test } from "../harness/live.ts";

// Previews of missing objects, conflicts and errors have such status codes. They are no errors of the page.
test.use({ provoked: /^(4\d\d|5\d\d) for \S*\/clusters\// });

const address = "/c/practice/-/apply";

const editor = (page: Page): Locator => page.locator(".cm-content");
const preview = (page: Page): Locator => page.locator("#preview");
const doc = (page: Page, n = 0): Locator => page.locator(`#doc-${n}`);
const applies = (page: Page): Locator => page.locator("button[data-do=apply]");

async function open(page: Page, query = ""): Promise<void> {
  await page.goto(address + query);
  await ready(page);
  await expect(editor(page)).toBeVisible();
}

/** Puts a text into the editor, and waits for its preview. */
async function write(page: Page, text: string): Promise<void> {
  await editor(page).press("Control+a");
  await page.keyboard.insertText(text);
  await expect(page.locator("#sum")).not.toHaveText("Nothing to preview");
  await expect(preview(page), "the page's example").not.toContainText("shop/storefront");
  await settled(page);
}

async function settled(page: Page): Promise<void> {
  await expect(preview(page)).not.toContainText("waiting for the");
}

const map = (namespace: string, name: string, data: Record<string, string>): string =>
  [
    "apiVersion: v1", "kind: ConfigMap", "metadata:", `  name: ${name}`, `  namespace: ${namespace}`, "data:",
    ...Object.entries(data).map(([key, value]) => `  ${key}: "${value}" # of ${key}`), "",
  ].join("\n");

const path = (namespace: string, name: string): string => `/api/v1/namespaces/${namespace}/configmaps/${name}`;

/** The owners of a key of a ConfigMap, from the server's managedFields. */
function ownersOf(object: KubeObject, key: string): string[] {
  const record = object.metadata["managedFields"] as { manager: string; operation: string; fieldsV1: any }[];
  return record.filter(({ fieldsV1 }) => fieldsV1["f:data"]?.[`f:${key}`]).map(({ manager, operation }) => `${manager} ${operation}`).sort();
}

test("the preview opens with a conflict, and a draft comes before the example", async ({ page, namespace }) => {
  await open(page);
  await expect(editor(page)).toContainText("name: storefront");
  await expect(doc(page)).toContainText("1 conflict");
  await expect(doc(page)).toContainText("argocd-controller");
  await expect(applies(page)).toBeDisabled();
  await write(page, map(namespace, "mine", { x: "1" }));
  await expect(doc(page)).toContainText("will be created");
  await open(page);
  await expect(editor(page)).toContainText("name: mine");
  await open(page, "?example=1");
  await expect(editor(page)).toContainText("name: storefront");
});

test("a new object is previewed, stored by nobody, and then created", async ({ page, api, namespace }) => {
  await open(page, "?manager=ada");
  await write(page, map(namespace, "fresh", { x: "1" }));
  await expect(doc(page)).toContainText("will be created");
  await expect(doc(page).locator('[data-path=".data.x"]')).toHaveAttribute("data-change", "added");
  await expect(doc(page).locator('[data-path=".data.x"]')).toHaveAttribute("data-cause", "you");
  expect((await api.fetch(path(namespace, "fresh"))).status, "a preview stores nothing").toBe(404);
  await expect(applies(page)).toBeEnabled();
  await applies(page).click();
  await expect(doc(page)).toContainText("Created.");
  await expect(page.locator("#sum")).toHaveText("Created. No more changes");
  await expect(doc(page)).toContainText("No more changes");
  expect(ownersOf(await api.get(path(namespace, "fresh")), "x")).toEqual(["ada Apply"]);
});

for (const [way, value, owners] of [
  ["Overwrite", "2", ["ada Apply"]],
  ["Give up", "1", ["bob Apply"]],
  ["Share", "1", ["ada Apply", "bob Apply"]],
] as const) {
  test(`a conflict, and out of it by keyboard: ${way}`, async ({ page, api, namespace }) => {
    await api.apply(path(namespace, "shared"), map(namespace, "shared", { x: "1" }), "bob");
    await open(page, "?manager=ada");
    await write(page, map(namespace, "shared", { x: "2", z: "9" }));
    const row = page.locator('[data-conflict=".data.x"]');
    await expect(row.locator(".holder")).toContainText(/^\s*Owned by\s.*bob\s+Apply\s+· last wrote/);
    await expect(page.locator("#sum")).toContainText("1 conflict");
    await expect(applies(page)).toBeDisabled();
    await expect(page.locator("#unready")).toContainText("Choose Overwrite, Give up or Share for each conflict");
    await expect(page.locator("#unready"), "it reads as text, not as a mark").toHaveCSS("white-space", "normal");
    await expect(editor(page).locator(".cm-lintRange")).toHaveText("x");
    await row.getByRole("button", { name: way }).focus();
    await page.keyboard.press("Enter");
    await expect(row.getByRole("button", { name: way }), "a choice stays in sight").toHaveAttribute("aria-pressed", "true");
    await expect(applies(page)).toBeEnabled();
    if (way === "Give up") await expect(editor(page)).not.toContainText("# of x");
    if (way === "Share") await expect(editor(page)).toContainText('x: "1" # of x');
    await expect(editor(page)).toContainText('z: "9" # of z');
    await settled(page);
    const shown = await doc(page).locator("code[data-sends]").innerText();
    expect(shown.includes("force=true")).toBe(way === "Overwrite");
    const sent = page.waitForRequest((request) => request.method() === "PATCH" && !request.url().includes("dryRun"));
    await applies(page).focus();
    await page.keyboard.press("Enter");
    expect(`PATCH ${new URL((await sent).url()).pathname.replace("/clusters/practice", "")}${new URL((await sent).url()).search}`).toBe(shown);
    await expect(doc(page)).toContainText("Applied.");
    const stored = await api.get(path(namespace, "shared"));
    expect(stored["data"]).toEqual({ x: value, z: "9" });
    expect(ownersOf(stored, "x")).toEqual(owners);
  });
}

const deployment = (namespace: string, of: { image: string; env: string; replicas: number; tier: string }): string =>
  [
    "apiVersion: apps/v1", "kind: Deployment", "metadata:", "  name: storefront", `  namespace: ${namespace}`, "  labels:", `    tier: ${of.tier} # of the tier`, "spec:", `  replicas: ${of.replicas}`,
    `  minReadySeconds: ${of.replicas}`, `  progressDeadlineSeconds: ${of.replicas + 600}`, "  selector:", "    matchLabels: {app: web}", "  template:", "    metadata:", "      labels: {app: web}",
    "    spec:", `      terminationGracePeriodSeconds: ${of.replicas + 30}`, "      containers:", "      - name: web", `        image: ${of.image} # of the image`, "        env:",
    "        - name: LOG_LEVEL", `          value: ${of.env}`, "        resources:", "          limits:", `            memory: ${of.replicas}Gi`, "          requests:", `            cpu: ${of.replicas}m`,
    `            memory: ${of.replicas}Mi`, "",
  ].join("\n");

test.describe("ten conflicts", () => {
  test.use({ viewport: { width: 1400, height: 900 } });

  const first = { image: "registry.test/store/front:1.8.2", env: "info", replicas: 1, tier: "front" };
  const second = { image: "registry.test/store/front:1.9.0", env: "debug", replicas: 2, tier: "web" };
  const apiPath = (namespace: string): string => `/apis/apps/v1/namespaces/${namespace}/deployments/storefront`;

  async function disputed(page: Page, api: Api, namespace: string): Promise<Locator> {
    await api.apply(apiPath(namespace), deployment(namespace, first), "gitops");
    await open(page, "?manager=ada");
    await write(page, deployment(namespace, second));
    await expect(page.locator("#sum")).toContainText("10 conflicts");
    return page.locator(".conflict");
  }

  test("they fit a window, and every place has the same number", async ({ page, api, namespace }) => {
    const rows = await disputed(page, api, namespace);
    await expect(rows).toHaveCount(10);
    const seen = await rows.evaluateAll((all) => {
      const panel = document.querySelector("#preview")!.getBoundingClientRect();
      return all.filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return top >= panel.top && bottom <= panel.bottom;
      }).length;
    });
    expect(seen, "rows in sight").toBe(10);
    await expect(doc(page).locator("h3")).toContainText("10 conflicts");
    await expect(applies(page)).toHaveText("Apply, 10 undecided");
    await rows.nth(2).getByRole("button", { name: "Give up" }).click();
    await settled(page);
    await expect(page.locator("#sum")).toContainText("10 conflicts (9 undecided)");
    await expect(doc(page).locator("h3")).toContainText("10 conflicts (9 undecided)");
    await expect(applies(page)).toHaveText("Apply, 9 undecided");
    await expectAccessible(page);
  });

  test("one choice for all rows, another one for two of them by keyboard, and the manifest comes back", async ({ page, api, namespace }) => {
    const rows = await disputed(page, api, namespace);
    const text = await editor(page).innerText();
    const all = page.getByRole("group", { name: "Choice for all conflicts" });
    await all.getByRole("button", { name: "Give up" }).click();
    await expect(editor(page)).not.toContainText("of the image");
    await settled(page);
    await expect(page.locator("#sum")).toContainText("10 conflicts decided");
    await all.getByRole("button", { name: "Overwrite" }).click();
    await expect(editor(page)).toContainText("# of the image");
    await settled(page);
    expect(await editor(page).innerText()).toBe(text);
    await expect(applies(page)).toHaveText("Apply, overwrite 10");

    await rows.first().getByRole("button", { name: "Overwrite" }).focus();
    await page.keyboard.press("2");
    await expect(rows.first()).toHaveAttribute("data-choice", "give-up");
    await settled(page);
    await page.keyboard.press("j");
    await expect(rows.nth(1).getByRole("button", { name: "Overwrite" })).toBeFocused();
    await page.keyboard.press("3");
    await expect(rows.nth(1)).toHaveAttribute("data-choice", "share");
    await settled(page);
    await expect(applies(page)).toHaveText("Apply, overwrite 8");
    const [given, shared] = [await rows.first().getAttribute("data-conflict"), await rows.nth(1).getAttribute("data-conflict")];
    expect([given, shared]).toEqual([".metadata.labels.tier", ".spec.minReadySeconds"]);
    await applies(page).click();
    await expect(doc(page)).toContainText("Applied.");
    await expect(rows).toHaveCount(0);
    const stored = (await api.get(apiPath(namespace))) as any;
    expect([stored.metadata.labels.tier, stored.spec.minReadySeconds, stored.spec.replicas]).toEqual(["front", 1, 2]);
    const fields = (manager: string): any => stored.metadata.managedFields.find((entry: any) => entry.manager === manager && entry.operation === "Apply").fieldsV1;
    expect(Object.keys(fields("ada")["f:spec"])).toContain("f:minReadySeconds");
    expect(Object.keys(fields("gitops")["f:spec"])).toContain("f:minReadySeconds");
    expect(fields("ada")["f:metadata"]).toBeUndefined();
    expect(Object.keys(fields("gitops")["f:spec"])).not.toContain("f:replicas");
  });

  test.describe("in a window of a phone", () => {
    test.use({ viewport: { width: 390, height: 844 } });

    test("rows are as wide as the window, and a choice can be made", async ({ page, api, namespace }) => {
      const rows = await disputed(page, api, namespace);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
      for (const box of await rows.getByRole("button").evaluateAll((all) => all.map((button) => button.getBoundingClientRect().toJSON()))) {
        expect(box.left).toBeGreaterThanOrEqual(0);
        expect(box.right).toBeLessThanOrEqual(390);
      }
      await rows.first().getByRole("button", { name: "Share" }).click();
      await expect(rows.first()).toHaveAttribute("data-choice", "share");
    });
  });
});

test("a change between preview and apply is not overwritten, and the draft stays", async ({ page, api, namespace }) => {
  await api.apply(path(namespace, "raced"), map(namespace, "raced", { x: "1" }), "bob");
  await open(page, "?manager=ada");
  await write(page, map(namespace, "raced", { z: "9" }));
  await expect(applies(page)).toBeEnabled();
  const moved = await api.apply(path(namespace, "raced"), map(namespace, "raced", { x: "5" }), "bob");
  await applies(page).click();
  await expect(doc(page)).toContainText("The object has changed since the preview, so nothing was written");
  expect((await api.get(path(namespace, "raced"))).metadata["resourceVersion"]).toBe(moved.metadata["resourceVersion"]);
  await expect(editor(page)).toContainText('z: "9" # of z');
  await settled(page);
  await applies(page).click();
  await expect(doc(page)).toContainText("Applied.");
  expect((await api.get(path(namespace, "raced")))["data"]).toEqual({ x: "5", z: "9" });
});

test("three documents of which one fails: stop, or go on", async ({ page, api, namespace }) => {
  await open(page, "?manager=ada");
  const three = [map(namespace, "one", { x: "1" }), map(namespace, "two", { x: "1" }), map(namespace, "three", { x: "1" })].join("---\n");
  await write(page, three);
  await expect(page.locator("#sum")).toContainText("3 new objects");
  await page.route(`**${path(namespace, "two")}?*`, async (route) => {
    const dry = new URL(route.request().url()).searchParams.has("dryRun");
    // The second is made by somebody else at the last moment, with another value: what was previewed is no more.
    if (!dry && route.request().method() === "PATCH") await api.apply(path(namespace, "two"), map(namespace, "two", { x: "7" }), "bob");
    await route.fallback();
  });
  await applies(page).click();
  await expect(doc(page, 0)).toContainText("Created.");
  await expect(doc(page, 1)).toContainText("conflict");
  await expect(doc(page, 2)).toContainText("Fieldmark didn’t send this document");
  expect((await api.fetch(path(namespace, "three"))).status).toBe(404);
});

test("warnings and refusals stand on their lines", async ({ page, namespace }) => {
  await open(page);
  await write(page, map(namespace, "typo", { x: "1" }).replace("\ndata:", "\nimutable: true\ndata:"));
  const ranges = editor(page).locator(".cm-lintRange");
  await expect(ranges).toHaveText(["imutable"]);
  await expect(doc(page)).toContainText("imutable");
  await write(page, map(namespace, "number", { x: "1" }).replace('"1"', "1"));
  await expect(doc(page)).toContainText("The API server refused the request");
  await write(page, map(namespace, "Not a name", { x: "1" }));
  await expect(doc(page)).toContainText("invalid");
  await expect(ranges.first()).toHaveText("name");
});

const nested = (depth: number): string => "a: " + "{b: ".repeat(depth) + "1" + "}".repeat(depth);

for (const [name, text, says] of [
  ["an alias bomb", ["apiVersion: v1", "kind: ConfigMap", "metadata: {name: bomb}", "a: &a [x, x, x, x, x, x, x, x, x]", ...[..."bcdefghi"].map((key, i) => `${key}: &${key} [${Array(9).fill(`*${"abcdefgh"[i]}`).join(", ")}]`)].join("\n"), /alias|anchor|expand|larger/i],
  ["deep nesting", nested(20_000), /deep|nest/i],
  ["tabs", "apiVersion: v1\n\tkind: ConfigMap\n", /tab/i],
  ["duplicate keys", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  x: '1'\n  x: '2'\n", /twice|duplicate|already/i],
  ["an unclosed bracket", "apiVersion: v1\nkind: [ConfigMap\n", /./],
  ["a list", "- apiVersion: v1\n", /object/i],
] as const) {
  test(`hostile text is told on its line, and the editor lives: ${name}`, async ({ page, namespace }) => {
    await open(page);
    await page.locator("input[type=file][name=manifest]").setInputFiles({ name: "hostile.yaml", mimeType: "text/yaml", buffer: Buffer.from(text) });
    const marker = page.locator(".cm-lint-marker").first();
    await expect(async () => {
      await page.mouse.move(0, 0); // the marker may be that of the text before
      await marker.hover();
      await expect(page.locator(".cm-tooltip-lint")).toContainText(says, { timeout: 2_000 });
    }).toPass();
    await page.mouse.move(0, 0);
    await write(page, map(namespace, "well", { x: "é 日本 🦊" }).replaceAll("\n", "\r\n"));
    await expect(doc(page)).toContainText("will be created");
  });
}

test("a text of more than 3 MB is refused in words, and the editor lives", async ({ page, namespace }) => {
  await open(page);
  await page.locator("input[type=file][name=manifest]").setInputFiles({ name: "huge.yaml", mimeType: "text/yaml", buffer: Buffer.alloc(3 * 1024 * 1024 + 1, "a: b\n") });
  await expect(page.getByText("The file huge.yaml is too large")).toBeVisible();
  await page.locator("input[type=file][name=manifest]").setInputFiles({ name: "good.yaml", mimeType: "text/yaml", buffer: Buffer.from(map(namespace, "good", { x: "1" })) });
  await expect(editor(page)).toContainText("name: good");
  await expect(doc(page)).toContainText("will be created");
});

test("an object can be edited as the manifest of one of its managers", async ({ page }) => {
  await page.goto("/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront");
  await ready(page);
  await page.getByRole("link", { name: "Edit…" }).click();
  await ready(page);
  await expect(editor(page)).toContainText("kind: Deployment");
  await page.getByLabel("Part to load").selectOption({ label: await page.getByLabel("Part to load").locator("option", { hasText: "argocd-controller" }).first().innerText() });
  await page.getByRole("button", { name: "Load" }).click();
  await expect(page).toHaveURL(/as=argocd-controller/);
  await expect(page.getByLabel("Field manager")).toHaveValue("argocd-controller");
  await expect(doc(page)).toContainText("No changes");
  await expect(editor(page)).not.toContainText("restartedAt");
});

test("a draft is kept over a reload, one with a Secret is not", async ({ page, namespace }) => {
  await open(page);
  await write(page, map(namespace, "kept", { x: "1" }));
  await page.reload();
  await ready(page);
  await expect(editor(page)).toContainText("name: kept");
  await expect(doc(page)).toContainText("will be created");
  await write(page, `apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n  namespace: ${namespace}\nstringData:\n  p: hunter2\n`);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain("hunter2");
  await expect(preview(page)).not.toContainText("hunter2");
  await page.reload();
  await ready(page);
  await expect(editor(page)).not.toContainText("hunter2");
});

test("the same edit as a PUT and as patches", async ({ page, api, namespace }) => {
  await api.apply(path(namespace, "same"), map(namespace, "same", { x: "1" }), "bob");
  await open(page, "?manager=ada");
  await write(page, map(namespace, "same", { z: "9" }));
  await page.getByRole("button", { name: "The same edit as…" }).click();
  const ways = page.getByRole("group", { name: "Ways" });
  for (const way of ["PUT", "JSON Patch", "merge patch", "strategic merge patch"]) {
    await ways.getByRole("button", { name: way, exact: true }).click();
    await expect(page.locator(".same [data-path='.data.z']")).toHaveAttribute("data-change", "added");
  }
  await ways.getByRole("button", { name: "JSON Patch" }).click();
  await expect(page.locator(".same .body")).toContainText('"op": "add"');
  await page.getByRole("button", { name: "Send it as JSON Patch" }).click();
  await expect(page.locator(".same")).toContainText("The API server accepted the request.");
  const stored = await api.get(path(namespace, "same"));
  expect(stored["data"]).toEqual({ x: "1", z: "9" });
  expect(ownersOf(stored, "z")).toEqual(["ada Update"]);
});

test("completion and explanation come from the server's schema", async ({ page, namespace }) => {
  await open(page);
  await write(page, `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  namespace: ${namespace}\nspec:\n  `);
  await editor(page).press("Control+End");
  await editor(page).press("Control+Space");
  await expect(page.locator(".cm-tooltip-autocomplete li").first()).toHaveText(/selector/);
  await page.keyboard.type("repl");
  await expect(page.locator(".cm-tooltip-autocomplete li[aria-selected=true]")).toHaveText(/replicas/);
  await expect(page.locator(".cm-completionInfo")).toContainText("Number of desired pods");
});

test("an admission policy: its changes are the server's, and its refusals are shown", async ({ page, api, namespace }) => {
  const group = "/apis/admissionregistration.k8s.io/v1";
  const name = `apply-${namespace}`;
  const matchConstraints = {
    resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: ["configmaps"] }],
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
  };
  await api.create(`${group}/validatingadmissionpolicies`, {
    metadata: { name },
    spec: { failurePolicy: "Fail", matchConstraints, validations: [{ expression: "!('forbidden' in object.data)", message: "no forbidden keys here" }] },
  });
  await api.create(`${group}/validatingadmissionpolicybindings`, { metadata: { name }, spec: { policyName: name, validationActions: ["Deny"] } });
  try {
    await open(page);
    await expect(async () => {
      await write(page, map(namespace, "policed", { forbidden: String(Date.now()) }));
      await expect(doc(page)).toContainText("no forbidden keys here", { timeout: 2000 });
    }).toPass({ timeout: 60_000 });
    await expect(applies(page)).toBeDisabled();
  } finally {
    await api.delete(`${group}/validatingadmissionpolicybindings/${name}`);
    await api.delete(`${group}/validatingadmissionpolicies/${name}`);
  }
});

test("a type, a namespace and an object of both are applied in stages, and stage 2 is predicted first", async ({ page, api, namespace }) => {
  test.setTimeout(120_000);
  const group = `${namespace}.example.com`;
  const zone = `${namespace}-zone`;
  const definition = [
    "apiVersion: apiextensions.k8s.io/v1", "kind: CustomResourceDefinition", "metadata:", `  name: sightings.${group}`, "spec:", `  group: ${group}`, "  scope: Namespaced", "  names: {plural: sightings, kind: Sighting}",
    "  versions:", "  - name: v1", "    served: true", "    storage: true", "    schema:", "      openAPIV3Schema:", "        type: object", "        properties:", "          spec:", "            type: object",
    "            required: [bird]", "            properties:", "              bird: {type: string}", "",
  ].join("\n");
  const text = (field: string): string =>
    [`apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ${zone}\n`, definition, `apiVersion: ${group}/v1\nkind: Sighting\nmetadata:\n  name: wren\n  namespace: ${zone}\nspec:\n  ${field}: "wren"\n`].join("---\n");
  try {
    await open(page, "?manager=ada");
    await write(page, text("brid"));
    await expect(doc(page, 2)).toContainText(`No API server of this cluster serves Sighting in ${group}/v1. Document 2 defines the type.`);
    await expect(doc(page, 2)).toContainText("Predicted from the schema in document 2: 2 problems.");
    await expect(doc(page, 2).locator(".issues > li").first()).toContainText(/Line \d+ Warning, predicted .*brid|Line \d+\s*Error, predicted/);
    await write(page, text("bird"));
    await expect(doc(page, 2)).toContainText("Predicted from the schema in document 2: no problem.");
    await expect(page.locator("#sum")).toHaveText("2 new objects, 1 document in stage 2");
    await expect(applies(page)).toHaveText("Apply 2 documents, stage 1 of 2");
    await applies(page).click();
    await expect(applies(page)).toHaveText("Apply 1 document, stage 2 of 2", { timeout: 45_000 });
    await expect(applies(page)).toBeEnabled();
    await expect(doc(page, 2)).toContainText("will be created");
    await expect(doc(page, 2)).not.toContainText("redicted");
    expect((await api.fetch(`/apis/${group}/v1/namespaces/${zone}/sightings/wren`)).status, "stage 2 was only tried").toBe(404);
    await applies(page).click();
    await expect(doc(page, 2)).toContainText("Created.");
    expect((await api.get(`/apis/${group}/v1/namespaces/${zone}/sightings/wren`))["spec"]).toEqual({ bird: "wren" });
  } finally {
    await api.fetch(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/sightings.${group}`, { method: "DELETE" });
    await api.fetch(`/api/v1/namespaces/${zone}`, { method: "DELETE" });
  }
});
