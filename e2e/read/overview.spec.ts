// A cluster as a whole: its version, what isn't ready and why, warnings, recent writes, fights, nodes. And the pages of its API groups.
import { notice } from "../harness/look.ts";
import { expect, test } from "../harness/test.ts";

test("the version, and who one is there", async ({ page, api }) => {
  const version = await api.get("/version");
  await page.goto("/c/practice");
  await expect(page.locator(".facts")).toContainText(version["gitVersion"]);
  await expect(page.locator(".facts")).toContainText("practice-admin");
});

test("a workload that isn't ready says why, and its warning leads to it", async ({ page, api, namespace }) => {
  await api.create(`/apis/apps/v1/namespaces/${namespace}/deployments`, {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "needs-much" },
    spec: {
      selector: { matchLabels: { app: "needs-much" } },
      template: {
        metadata: { labels: { app: "needs-much" } },
        spec: { containers: [{ name: "app", image: "example.com/app", resources: { requests: { cpu: "4000" } } }] },
      },
    },
  });
  const row = page.locator(`tr[data-namespace="${namespace}"][data-name="needs-much"]`);
  await expect(async () => {
    await page.goto(`/c/practice?namespace=${namespace}`);
    await expect(row).toContainText("1 pod Pending", { timeout: 500 });
    await expect(row).toContainText("Insufficient cpu", { timeout: 500 });
  }).toPass();
  await expect(row).toContainText("0 of 1");
  await expect(page.locator('[data-tile="workloads"]')).toHaveText(/Workloads\s*1\s*of 1 not ready/);
  await expect(page.getByRole("region", { name: "Warnings", exact: true })).toContainText("FailedScheduling");
  await expect(page.getByRole("region", { name: "Written in the last 10 minutes", exact: true })).toContainText("kube-controller-manager");
  await row.getByRole("link").first().click();
  await expect(page).toHaveURL(`/c/practice/apis/apps/v1/namespaces/${namespace}/deployments/needs-much`);
});

test("who wrote lately is named, and whether the nodes are ready", async ({ page, api, namespace }) => {
  await api.apply(`/api/v1/namespaces/${namespace}/configmaps/settings`, "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, data: {a: b}}", "front-door-test");
  await page.goto(`/c/practice?namespace=${namespace}`);
  const wrote = page.locator('tr[data-manager="front-door-test"]');
  await expect(wrote).toContainText("configmap/settings");
  await expect(wrote.locator("svg.tempo rect"), "the ground, and a bar").toHaveCount(2);
  await expect(wrote.locator("svg.tempo ~ .visually-hidden"), "the same in words").toHaveText(/^1 object \d+s ago$/);
  await expect(page.locator("#nodes"), "a namespace has no nodes").toHaveCount(0);
  await page.getByRole("link", { name: "show the whole cluster" }).click();
  await expect(page).toHaveURL("/c/practice");
  await expect(page.locator('[data-tile="nodes"]')).toHaveText(/Nodes\s*\d+\s*(of \d+ not )?ready/);
  await page.getByRole("link", { name: "Discovery lists them" }).click();
  await expect(page).toHaveURL("/c/practice/-/discovery");
});

test("the overview sends few requests", async ({ page }) => {
  await page.goto("/c/practice");
  const wire = page.locator("details.wire");
  await wire.locator("summary").click();
  await expect(wire.locator("li").first()).toBeVisible();
  expect(await wire.locator("li").count()).toBeLessThanOrEqual(20);
});

test("the discovery paths are the same page, narrowed", async ({ page }) => {
  const groups = () => page.locator("section.group > h2 > a").allTextContents();
  await page.goto("/c/practice/apis");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("API groups");
  expect(await groups()).toContain("apps/v1");
  expect(await groups()).not.toContain("core, v1");
  for (const [path, heading, only, told] of [
    ["/api", "Core API group", "core, v1", ["core, v1"]],
    ["/api/v1", "Core API group, v1", "core, v1", []],
    ["/apis/apps", "apps", "apps/v1", ["apps/v1"]],
    ["/apis/apps/v1", "apps/v1", "apps/v1", []],
  ] as const) {
    await page.goto(`/c/practice${path}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading);
    await expect(page.getByRole("region", { name: /^Resource types of/ })).toHaveAccessibleName(`Resource types of ${only}`);
    expect(await groups(), "said once only").toEqual(told);
  }
});

test("the parts of the path lead to their pages", async ({ page }) => {
  await page.goto("/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront");
  const parts = page.getByRole("navigation", { name: "API path of this page" });
  for (const [part, there] of [
    ["deployments", "/apis/apps/v1/namespaces/shop/deployments"],
    ["v1", "/apis/apps/v1"],
    ["apps", "/apis/apps"],
    ["apis", "/apis"],
  ] as const) {
    await parts.getByRole("link", { name: part, exact: true }).click();
    await expect(page).toHaveURL(`/c/practice${there}`);
  }
});

test("a group or version that isn't served", async ({ page }) => {
  expect((await page.goto("/c/practice/apis/nosuch.example.com"))?.status()).toBe(404);
  await expect(notice(page)).toContainText("doesn’t serve apis/nosuch.example.com");
  expect((await page.goto("/c/practice/apis/apps/v9"))?.status()).toBe(404);
  await expect(notice(page)).toContainText("The cluster serves apps/v1.");
  await page.getByRole("link", { name: "Show all groups and versions" }).click();
  await expect(page).toHaveURL("/c/practice/-/discovery");
});

test("the requests that a page made are there to see", async ({ page }) => {
  await page.goto("/c/practice/api/v1/namespaces/shop/pods");
  const wire = page.locator("details.wire");
  await expect(wire.locator("summary")).toContainText("GET /api/v1/namespaces/shop/pods");
  await expect(wire.locator("ol")).toBeHidden();
  await wire.locator("summary").click();
  await expect(wire.locator("li").first()).toBeVisible();
  await expect(wire.locator("li").first()).toContainText("200");
});
