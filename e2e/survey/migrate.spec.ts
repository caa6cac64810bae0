// The plan for moving to server-side apply: owners, a prediction after a click, and what then really happens. Each test has a session of its own, since a
// session has one census of a cluster.
import type { Page } from "@playwright/test";
import type { Api } from "../harness/api.ts";
import { readCluster } from "../harness/census.ts";
import { signInByToken } from "../harness/session.ts";
import { expect, test } from "../harness/test.ts";

test.use({ storageState: { cookies: [], origins: [] } });

test.beforeEach(async ({ page, fieldmark }) => {
  await signInByToken(page, fieldmark.token);
});

const helm = (name: string, data: object): object => ({
  metadata: { name, labels: { "app.kubernetes.io/managed-by": "Helm" }, annotations: { "meta.helm.sh/release-name": "web", "meta.helm.sh/release-namespace": "NAMESPACE" } },
  data,
});

/** Makes a ConfigMap as a tool that updates. */
async function updates(api: Api, namespace: string, manager: string, object: object): Promise<void> {
  const body = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", ...object }).replaceAll("NAMESPACE", namespace);
  const response = await api.fetch(`/api/v1/namespaces/${namespace}/configmaps?fieldManager=${manager}`, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  expect(response.status).toBe(201);
}

/** Applies client-side, as kubectl does it, a ConfigMap whose annotation says something else than its data. */
async function applies(api: Api, namespace: string, name: string, live: object, stated: object): Promise<void> {
  const annotation = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data: stated });
  await updates(api, namespace, "kubectl-client-side-apply", { metadata: { name, annotations: { "kubectl.kubernetes.io/last-applied-configuration": annotation } }, data: live });
}

async function read(page: Page, namespace: string): Promise<void> {
  await page.goto("/c/practice/-/migrate");
  await readCluster(page, namespace);
}

test("what kubectl applies is planned from its annotation, and that happens", async ({ page, api, namespace, shot }) => {
  await applies(api, namespace, "safe", { a: "1" }, { a: "1" });
  await applies(api, namespace, "loses", { a: "1", b: "2" }, { a: "1" });
  await applies(api, namespace, "fought", { a: "1" }, { a: "1" });
  await api.merge(`/api/v1/namespaces/${namespace}/configmaps/fought?fieldManager=ops`, { data: { a: "9" } });
  await read(page, namespace);
  await shot("migrate-owners");
  await page.getByRole("link", { name: "objects of kubectl" }).click();
  const owner = page.getByRole("region", { name: /^kubectl/ });
  await expect(owner).toContainText("A dry run stores nothing");
  await expect(page.getByRole("row", { name: /^safe / })).toContainText("kubectl-client-side-apply (Update)");
  await shot("migrate-owner");
  await owner.getByRole("button", { name: "Predict by dry runs" }).click();
  const breaks = page.getByRole("region", { name: /^Will break/ });
  await expect(breaks.locator("[data-object=fought]")).toContainText("The API server refuses the apply");
  await expect(breaks.locator("[data-object=loses]")).toContainText("removes 1 field");
  const safe = page.getByRole("region", { name: /^Safe now/ }).locator("[data-object=safe]");
  await expect(safe).toContainText("removes nothing");
  await breaks.locator("[data-object=fought] summary").first().click();
  await expect(breaks.locator("[data-object=fought]")).toContainText("ops (Update)");
  await expect(breaks.locator("[data-object=fought]").getByRole("link", { name: "Open the request" })).toHaveAttribute("href", /dryRun%3DAll/);
  await breaks.locator("[data-object=loses] summary").first().click();
  await shot("migrate-plan");

  const manifest = (name: string): string => JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data: { a: "1" } });
  const apply = (name: string): Promise<Response> =>
    api.fetch(`/api/v1/namespaces/${namespace}/configmaps/${name}?fieldManager=kubectl`, { method: "PATCH", headers: { "Content-Type": "application/apply-patch+yaml" }, body: manifest(name) });
  expect((await apply("fought")).status).toBe(409);
  expect((await apply("safe")).status).toBe(200);
});

test("a release of Helm is read after a click, and nothing of it is shown", async ({ page, api, namespace, shot }) => {
  await updates(api, namespace, "helm", helm("web", { a: "1" }));
  const manifest = `---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\ndata:\n  a: a-value-of-the-release\n`;
  const release = Buffer.from(JSON.stringify({ name: "web", namespace, version: 1, manifest })).toString("base64");
  await api.create(`/api/v1/namespaces/${namespace}/secrets`, {
    metadata: { name: "sh.helm.release.v1.web.v1", labels: { owner: "helm", status: "deployed", name: "web", version: "1" } },
    type: "helm.sh/release.v1",
    data: { release: Buffer.from(release).toString("base64") },
  });
  await read(page, namespace);
  await page.getByRole("link", { name: `${namespace}/web` }).click();
  await page.getByRole("button", { name: "Predict by dry runs" }).click();
  await expect(page.getByRole("region", { name: /^Needs a decision/ })).toContainText("No manifest of the object is known");
  await page.getByRole("button", { name: "Read the stored release, and predict" }).click();
  const object = page.locator("[data-object=web]");
  await expect(object).toContainText("The apply conflicts with nobody, and removes nothing.");
  await object.locator("summary").first().click();
  await expect(object).toContainText("Manifest: the stored release");
  await expect(object).toContainText("--server-side=true");
  await expect(page.getByRole("button", { name: "Read the stored release, and predict" })).toHaveCount(0);
  expect(await page.content()).not.toContain("a-value-of-the-release");
  await shot("migrate-release");
  await page.goto("/c/practice/-/requests");
  await expect(page.locator("#main")).toContainText("sh.helm.release.v1.web.v1");
  expect(await page.content()).not.toContain(release.slice(0, 40));
});

test("an owner that isn't known says so", async ({ page, namespace }) => {
  await read(page, namespace);
  await expect(page.locator("#main")).toContainText("No object was found that kubectl, Helm, Argo CD or Flux applies.");
  await page.goto("/c/practice/-/migrate?owner=helm+shop%2Fgone");
  await expect(page.locator("#main")).toContainText("No object of it was found.");
});
