// The discovery explorer: what the real API server says it serves.
import { toField } from "../harness/keyboard.ts";
import { expect, ready, test } from "../harness/live.ts";

const explorer = "/c/practice/-/discovery";

test("types are filtered, and one is shown with its subresources", async ({ page, shot }) => {
  await page.goto(explorer);
  await ready(page);
  await toField(page, "/");
  await page.keyboard.type("apps scale");
  await expect(page.locator('[data-type="deployments.apps"]')).toBeVisible();
  await expect(page.locator('[data-type="daemonsets.apps"]')).toHaveCount(0);
  await expect(page).toHaveURL(/filter=apps\+scale/);
  await page.getByRole("link", { name: "deployments", exact: true }).last().click();
  await expect(page.getByRole("heading", { name: /^Deployment/ })).toBeVisible();
  await expect(page.locator("[data-subresource=scale]")).toContainText("Scale autoscaling/v1");
  await expect(page.locator("[data-subresource=scale]")).toContainText(/get\s+patch\s+update/);
  await expect(page.locator("[data-subresource=status]")).toContainText("Deployment apps/v1");
  await expect(page.locator("[data-version=v1] td.mono")).toHaveText(/^[\w+/=]{12}$/);
  await expect(page.locator("[data-subresource=scale] a").first()).toHaveAttribute("href", /-\/request\?method=GET&path=.*deployments%2FNAME%2Fscale/);
  await shot("discovery-type");
});

test("two versions side by side", async ({ page }) => {
  await page.goto(`${explorer}?type=horizontalpodautoscalers.autoscaling`);
  await expect(page.locator('[data-path=".spec.targetCPUUtilizationPercentage"]')).toContainText(/–\s*integer \(int32\)/);
  await expect(page.locator('[data-path=".spec.metrics"]')).toContainText("list of MetricSpec");
  const hashes = await page.locator("[data-version] td.mono").allInnerTexts();
  expect(hashes).toHaveLength(2);
  expect(hashes[0]).toBe(hashes[1]);
});

test("a custom resource whose old version is deprecated warns, and says so beside the new one", async ({ page, api, shot }, info) => {
  const group = `w${info.testId.slice(-6)}r${info.retry}.example.org`;
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const version = (name: string, size: string, more: object): object => ({
    name,
    served: true,
    storage: name === "v1",
    schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties: { size: { type: size } } } } } },
    ...more,
  });
  await api.create(definitions, {
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "widgets", singular: "widget", kind: "Widget" },
      versions: [version("v1", "integer", {}), version("v1beta1", "string", { deprecated: true, deprecationWarning: "widgets v1beta1 is old, use v1" })],
    },
  });
  try {
    await expect
      .poll(
        async () => {
          await page.goto(`${explorer}?type=widgets.${group}`);
          return page.locator("[data-version]").count();
        },
        { timeout: 30_000, intervals: [1000] },
      )
      .toBe(2);
    await expect(page.locator("[data-version=v1beta1]")).toContainText("widgets v1beta1 is old, use v1");
    await expect
      .poll(
        async () => {
          await page.reload();
          return page.locator('[data-path=".spec.size"]').count();
        },
        { timeout: 40_000, intervals: [2000] },
      )
      .toBe(1);
    await expect(page.locator('[data-path=".spec.size"]')).toContainText(/integer\s*string/);
    await shot("discovery-versions");

    await page.goto(`${explorer}?tab=deprecated&filter=widget`);
    await ready(page);
    await page.getByRole("button", { name: "Check 2 types" }).click();
    await expect(page.locator("[data-warned]")).toHaveCount(1);
    await expect(page.locator("[data-warned]")).toContainText("widgets v1beta1 is old, use v1");
  } finally {
    await api.delete(`${definitions}/widgets.${group}`);
  }
});

test("deprecations that the server reports", async ({ page }) => {
  await page.goto(`${explorer}?tab=deprecated&filter=componentstatuses`);
  await ready(page);
  await page.locator("[data-do=deprecated]").click();
  await expect(page.locator('[data-warned="/api/v1/componentstatuses"]')).toContainText("v1 ComponentStatus is deprecated");
});

test.describe("all OpenAPI documents", () => {
  test.use({ provoked: /^404 for .*\/openapi\/v3\/apis\/w\w+\.example\.org\// }); // types that other tests make and take away again

  test("open, and their sizes are seen", async ({ page }) => {
    await page.goto(`${explorer}?tab=openapi`);
    await ready(page);
    const apps = page.locator('[data-document="apis/apps/v1"]');
    const href = await apps.getByRole("link", { name: /^Open/ }).getAttribute("href");
    expect(href).toMatch(/^\/clusters\/practice\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]+$/);
    const answer = await page.request.get(href!);
    expect(answer.status()).toBe(200);
    expect(await answer.json()).toHaveProperty("components.schemas");
    await page.locator("[data-do=sizes]").click();
    await expect(page.locator("[data-batch=sizes]")).toHaveAttribute("data-over", "true", { timeout: 45_000 });
    await expect(apps.locator(".number")).toHaveText(/\d+ kB|MB/);
  });
});

test("raw discovery, aggregated and not, measured", async ({ page, shot }) => {
  await page.goto(`${explorer}?tab=raw`);
  await ready(page);
  await page.locator("[data-do=raw]").click();
  await expect(page.locator("[data-over]")).toHaveAttribute("data-over", "true", { timeout: 45_000 });
  await expect(page.locator("[data-measure=requests] td").first()).toContainText("2");
  expect(Number(await page.locator("[data-measure=requests] td .number").last().innerText())).toBeGreaterThan(20);
  await page.locator("[data-do=peek]").click();
  await expect(page.locator("#aggregated")).toContainText('"kind": "APIGroupDiscoveryList"');
  await shot("discovery-raw");
});

test("features of the server are detected with requests", async ({ page }) => {
  await page.goto(`${explorer}?tab=offered`);
  await ready(page);
  await page.getByRole("link", { name: "Detect features" }).click();
  for (const name of ["Streaming lists", "Tables", "CBOR", "Server-side apply", "Aggregated discovery", "OpenAPI v3"])
    await expect(page.locator(`[data-offer="${name}"]`)).toContainText("yes");
  await ready(page);
});
