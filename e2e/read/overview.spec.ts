// The overview of a cluster: its version, the features of its server, and every type with its number of objects.
import { attributes, columns, notice } from "../harness/look.ts";
import { expect, test } from "../harness/test.ts";

test("the version, and who one is there", async ({ page, api }) => {
  const version = await api.get("/version");
  await page.goto("/c/practice");
  await expect(page.locator(".facts")).toContainText(version["gitVersion"]);
  await expect(page.locator(".facts")).toContainText("practice-admin");
});

test("every feature was found by asking, and the details open without scripts", async ({ page }) => {
  await page.goto("/c/practice");
  const features = page.locator("[data-feature]");
  expect(await attributes(features, "data-feature")).toEqual([
    "Streaming lists", "Tables", "CBOR", "Protobuf", "Aggregated discovery", "Server-side apply", "OpenAPI v3",
  ]);
  expect(new Set(await attributes(features, "data-offered"))).toEqual(new Set(["yes"]));
  for (const feature of await features.all()) {
    await expect(feature.locator("code")).toBeHidden();
    await feature.locator("summary").click();
    await expect(feature.locator("code")).toContainText(/^(GET|PATCH|POST) \//);
  }
});

test("types and counts, by group", async ({ page, api }) => {
  const deployments = await api.list("/apis/apps/v1/deployments");
  const regions = await api.list("/apis/shop.example.com/v1/regions");
  await page.goto("/c/practice");
  const row = (type: string) => page.locator(`tr[data-resource="${type}"]`);
  await expect(row("deployments.apps").locator("td").nth(2)).toHaveText(String(deployments.length));
  await expect(row("deployments.apps")).toContainText("scale");
  await expect(row("regions.shop.example.com").locator("td").nth(2)).toHaveText(String(regions.length));
  await expect(row("regions.shop.example.com")).toContainText("cluster");
  await expect(row("pods").locator("td").nth(4)).toHaveText("po");
  await expect(row("bindings").getByRole("link")).toHaveCount(0);
  await row("promotions.shop.example.com").getByRole("link").click();
  await expect(page).toHaveURL("/c/practice/apis/shop.example.com/v1/promotions");
  expect(await columns(page)).toContain("Discount");
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
  await expect(notice(page)).toContainText("serves no apis/nosuch.example.com");
  expect((await page.goto("/c/practice/apis/apps/v9"))?.status()).toBe(404);
  await expect(notice(page)).toContainText("It serves apps/v1.");
  await page.getByRole("link", { name: "Show all groups and versions" }).click();
  await expect(page).toHaveURL("/c/practice");
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
