// Who runs a cluster, for readers without scripts. Each test has a session of its own, since a session has one census of a cluster.
import { readCluster } from "../harness/census.ts";
import { attributes } from "../harness/look.ts";
import { signInByToken } from "../harness/session.ts";
import { expect, test } from "../harness/test.ts";

test.use({ storageState: { cookies: [], origins: [] } });

test.beforeEach(async ({ page, fieldmark }) => {
  await signInByToken(page, fieldmark.token);
});

test("a cluster is read, filtered, and leads to its objects", async ({ page, shot }) => {
  await page.goto("/c/practice/-/managers");
  await expect(page.locator("#types a", { hasText: "Who runs this cluster" })).toHaveAttribute("aria-current", "page");
  await expect(page.locator("#main")).toContainText("Nothing has been read yet");
  await expect(page.locator("#main")).toContainText(/one list for each of \d+ types/);
  await shot("managers-none");
  await readCluster(page);
  await expect(page).toHaveURL("/c/practice/-/managers");
  await expect(page.locator("tr[data-manager=kube-controller-manager]")).toBeVisible();
  await page.goto("/c/practice");
  const small = page.getByRole("region", { name: "Who runs this cluster" }).first();
  await expect(small.getByRole("row", { name: /^Kubernetes [\d,]+ \d+ % kube-controller-manager/ })).toBeVisible();
  await small.getByRole("link", { name: "See all of them" }).click();
  await expect(page.getByRole("grid").getByRole("gridcell", { name: /^kube-controller-manager owns .* of deployments/ })).toHaveCount(1);
  await shot("managers");
  await page.getByRole("textbox", { name: "Filter" }).fill("kube-controller");
  await page.getByLabel("Subresource").selectOption("status");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await expect(page).toHaveURL(/subresource=status/);
  await expect(page.locator("tr[data-manager]").first()).toBeVisible();
  expect(await attributes(page.locator("tr[data-manager]"), "data-manager")).toEqual(["kube-controller-manager"]);
  await page.getByRole("gridcell", { name: /of deployments/ }).click();
  await expect(page).toHaveURL(/manager=kube-controller-manager&.*type=deployments\.apps/);
  const panel = page.getByRole("region", { name: /kube-controller-manager/ });
  await expect(panel.getByRole("link", { name: "storefront", exact: true })).toHaveAttribute("href", /deployments\/storefront\?manager=kube-controller-manager&tab=fields$/);
  await shot("managers-objects");
  await panel.getByRole("link", { name: "kube-controller-manager" }).click();
  await expect(page).not.toHaveURL(/type=/);
  await expect(panel.getByRole("columnheader", { name: "Type" })).toBeVisible();
  await panel.getByRole("link", { name: "deployments.apps" }).click();
  await expect(panel.getByRole("link", { name: "storefront", exact: true })).toBeVisible();
  await panel.getByRole("link", { name: "Close" }).click();
  await expect(panel).toHaveCount(0);
  await page.getByRole("link", { name: "Show all" }).first().click();
  await page.getByRole("columnheader", { name: "Manager" }).getByRole("link").click();
  await expect(page.getByRole("columnheader", { name: "Manager" })).toHaveAttribute("aria-sort", "ascending");
});

test("an export has all of it", async ({ page }) => {
  await page.goto("/c/practice/-/managers");
  await readCluster(page, "shop");
  const json = await page.request.get("/c/practice/-/managers?export=json");
  expect(json.headers()["content-disposition"]).toContain("attachment");
  expect(await json.json()).toMatchObject({ kind: "Census", namespaces: ["shop"], phase: "done" });
  const csv = await page.request.get("/c/practice/-/managers?export=csv");
  expect(await csv.text()).toContain("kube-controller-manager");
});

test("types without permission are named", async ({ page, shot }) => {
  await page.goto("/c/practice-viewer/-/managers");
  await readCluster(page, "shop");
  const missing = page.locator("[data-finding=missing]");
  await missing.getByText("Show the types").click();
  await expect(missing).toContainText(/403 Forbidden: .*secrets/);
  await shot("managers-forbidden");
});

test("a namespace that no cluster can have is refused, and the form keeps it", async ({ page }) => {
  await page.goto("/c/practice/-/managers");
  await page.getByRole("combobox", { name: "Namespaces" }).fill("shop, No_Such");
  await page.getByRole("button", { name: "Read the cluster" }).click();
  await expect(page.locator(".notice")).toContainText("No_Such");
  await expect(page.getByRole("combobox", { name: "Namespaces" })).toHaveValue("shop, No_Such");
});
