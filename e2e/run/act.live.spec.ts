// Acts on objects: each is planned and tried as a dry run first, then sent as shown, and followed until its goal.
import { type Page, type Request } from "@playwright/test";
import { type Api } from "../harness/api.ts";
import { expect, openLive, ready, test } from "../harness/live.ts";

// One request is refused on purpose, and evictions are until a budget allows them.
test.use({ provoked: /^(404|409|429) for .*\/clusters\// });

const collection = (namespace: string): string => `/apis/apps/v1/namespaces/${namespace}/deployments`;

async function deploy(api: Api, namespace: string, name: string): Promise<string> {
  const path = `${collection(namespace)}/${name}`;
  const object = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: "app", image: "registry.test/app:1" }] } },
    },
  };
  await api.apply(path, JSON.stringify(object), "ada");
  return path;
}

/** The writes that a page sends from now on, without dry runs and reviews. */
function writes(page: Page): URL[] {
  const all: URL[] = [];
  page.on("request", (request: Request) => {
    const url = new URL(request.url());
    const harmless = request.method() === "GET" || url.searchParams.get("dryRun") === "All" || url.pathname.endsWith("selfsubjectaccessreviews");
    if (url.pathname.startsWith("/clusters/") && !harmless) all.push(url);
  });
  return all;
}

const sum = (page: Page) => page.locator("#sum");
const patience = { timeout: 60_000 };

test("a Deployment is scaled from its page: preview, request, and what became of it", async ({ page, api, namespace }) => {
  const path = await deploy(api, namespace, "web");
  const sent = writes(page);
  await openLive(page, `/c/practice${path}`);
  await page.getByRole("link", { name: "Act…" }).click();
  await ready(page);
  await page.getByRole("navigation", { name: "Acts" }).getByRole("link", { name: "Scale" }).click();
  await ready(page);
  await page.getByRole("textbox", { name: "Replicas" }).fill("3");
  await expect(page.locator('.touches [data-path=".spec.replicas"]')).toContainText("ada (Apply) loses the field");
  await expect(page.locator(".act-steps")).toContainText("dry run passed", patience);
  expect(sent, "writes before the button").toEqual([]);
  // Somebody else writes in between: the page says so, and plans again.
  await api.apply(path, JSON.stringify({ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web", labels: { by: "ben" } } }), "ben");
  await page.getByRole("button", { name: "Scale", exact: true }).click();
  await expect(page.locator("[data-raced]")).toContainText("ben", patience);
  await expect(page.locator("#unready")).toBeEmpty(patience);
  expect((await api.get(path)).spec.replicas).toBe(1);
  await page.getByRole("button", { name: "Scale", exact: true }).click();
  await expect(sum(page)).toContainText("Done.", patience);
  await expect(page.locator(".act-steps [data-progress]")).toContainText("3 replicas");
  expect((await api.get(path)).spec.replicas).toBe(3);
  expect(sent.map((url) => url.pathname)).toEqual([`/clusters/practice${path}/scale`, `/clusters/practice${path}/scale`]);
});

test("an object that a finalizer holds leads to the act that removes it, which says what stays behind", async ({ page, api, namespace, shot }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps/held`;
  await api.apply(path, JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "held", finalizers: ["example.com/cleanup", "example.com/other"] } }), "operator");
  await api.delete(path);
  const sent = writes(page);
  await openLive(page, `/c/practice${path}`);
  await page.locator("#going").getByRole("link", { name: "What removing one would do…" }).click();
  await ready(page);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("held");
  await expect(page.locator("main")).toContainText("What that controller would have cleaned up stays behind");
  await expect(page.locator("main")).toContainText("It was put there by operator.");
  await expect(page.locator(".act-steps")).toContainText("dry run passed", patience);
  expect(sent, "writes before the button").toEqual([]);
  await shot("act-finalizer");
  await page.getByRole("button", { name: "Remove a finalizer", exact: true }).click();
  await expect(sum(page)).toContainText("Done.", patience);
  expect((await api.get(path)).metadata["finalizers"]).toEqual(["example.com/other"]);
  await openLive(page, `/c/practice/-/act?act=remove-finalizer&path=${encodeURIComponent(path)}`);
  await expect(page.locator(".act-steps")).toContainText("dry run passed", patience);
  await page.getByRole("button", { name: "Remove a finalizer", exact: true }).click();
  await expect(sum(page)).toContainText("Done.", patience);
  await expect.poll(async () => (await api.fetch(path)).status).toBe(404);
});

test("rows are chosen with a box and a key, and each has its result", async ({ page, api, namespace }) => {
  for (const name of ["one", "three", "two"]) await deploy(api, namespace, name);
  await openLive(page, `/c/practice${collection(namespace)}`);
  await expect(page.locator("tbody tr[data-uid]")).toHaveCount(3);
  await page.keyboard.press("g");
  await page.keyboard.press("x");
  await expect(page).toHaveURL(/choose=1/);
  await page.getByRole("checkbox", { name: "Choose two" }).click();
  await expect(page.getByRole("checkbox", { name: "Choose two" })).toBeChecked();
  await expect(page.getByRole("checkbox", { name: "Choose three" })).not.toBeChecked();
  await page.getByRole("link", { name: "Act on 2 objects…" }).click();
  await ready(page);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("2 Deployments");
  await page.getByRole("navigation", { name: "Acts" }).getByRole("link", { name: "Scale" }).click();
  await ready(page);
  await page.getByRole("textbox", { name: "Replicas" }).fill("2");
  await page.getByRole("button", { name: "Scale all 2" }).click(patience);
  for (const name of ["one", "two"]) await expect(page.locator(`.acted-on tr[data-name="${name}"]`)).toHaveAttribute("data-state", "done", patience);
  for (const [name, replicas] of [["one", 2], ["two", 2], ["three", 1]] as const) expect((await api.get(`${collection(namespace)}/${name}`)).spec.replicas).toBe(replicas);
});

test("a Deployment is restarted, and rolled back with its difference", async ({ page, api, namespace }) => {
  test.setTimeout(150_000);
  const path = await deploy(api, namespace, "web");
  const act = (name: string): string => `/c/practice/-/act?act=${name}&path=${path}`;
  await openLive(page, act("rollback"));
  await expect(page.locator("[data-nothing]")).toContainText("no earlier revision");
  await openLive(page, act("restart"));
  await expect(page.locator(".effect")).toContainText("restartedAt", patience);
  await page.getByRole("button", { name: "Restart", exact: true }).click();
  await expect(sum(page)).toContainText("Done.", patience);
  expect((await api.get(path)).status.updatedReplicas).toBe(1);
  await openLive(page, act("rollback"));
  await expect(page.locator(".touches li")).toContainText("restartedAt");
  await expect(page.locator("#unready")).toBeEmpty(patience);
  await page.getByRole("button", { name: "Roll back", exact: true }).click();
  await expect(sum(page)).toContainText("Done.", patience);
  expect((await api.get(path)).spec.template.metadata.annotations).toBeUndefined();
});

test("a drain that a budget blocks is tried again, stopped, and taken back", async ({ page, api, namespace }) => {
  test.setTimeout(150_000);
  const node = `drained-${namespace}`;
  // A node without a kubelet: its Pods run nowhere, and disturb nobody.
  await api.apply(`/api/v1/nodes/${node}`, JSON.stringify({ apiVersion: "v1", kind: "Node", metadata: { name: node } }), "ada");
  try {
    const labels = { app: "kept" };
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "kept", labels }, spec: { nodeName: node, containers: [{ name: "app", image: "registry.test/app:1" }] } };
    await api.create(`/api/v1/namespaces/${namespace}/pods`, pod);
    const status = JSON.stringify({ status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] } });
    const told = await api.fetch(`/api/v1/namespaces/${namespace}/pods/kept/status`, { method: "PATCH", headers: { "Content-Type": "application/merge-patch+json" }, body: status });
    expect(told.status).toBe(200);
    const budget = { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata: { name: "all" }, spec: { minAvailable: 1, selector: { matchLabels: labels } } };
    await api.create(`/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`, budget);
    await openLive(page, `/c/practice/-/act?act=drain&path=/api/v1/nodes/${node}`);
    await expect(page.locator('[data-wrong="force"]')).toContainText(`${namespace}/kept`);
    await page.getByRole("checkbox", { name: /Pods without a controller/ }).click();
    await expect(page.locator(".act-steps > li").nth(1)).toContainText("dry run refused for now", patience);
    await page.getByRole("button", { name: "Drain", exact: true }).click(patience);
    await expect(page.locator(".act-steps > li").nth(1)).toHaveAttribute("data-state", "waiting", patience);
    expect((await api.get(`/api/v1/nodes/${node}`)).spec.unschedulable).toBe(true);
    // The browser asks before the page is left, and the reader stays.
    const asked = page.waitForEvent("dialog");
    page.once("dialog", (dialog) => void dialog.dismiss());
    await page.getByRole("link", { name: `Node ${node}` }).click({ noWaitAfter: true });
    expect((await asked).type()).toBe("beforeunload");
    await page.getByRole("button", { name: "Stop" }).click();
    await expect(sum(page)).toContainText("1 of 2 steps done. 1 request was stopped.");
    await page.getByRole("button", { name: "Uncordon the node" }).click();
    await expect(sum(page)).toContainText("Done.", patience);
    expect((await api.get(`/api/v1/nodes/${node}`)).spec.unschedulable).toBeUndefined();
    expect((await api.get(`/api/v1/namespaces/${namespace}/pods/kept`)).metadata["deletionTimestamp"]).toBeUndefined();
  } finally {
    await api.delete(`/api/v1/nodes/${node}`);
  }
});
