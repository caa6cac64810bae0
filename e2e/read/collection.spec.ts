// Collections: the server's Table, selected, filtered, sorted and in chunks, and a clear message if it is empty.
import { type Page } from "@playwright/test";
import { attributes, columns, menu, names, notice, rows } from "../harness/look.ts";
import { expect, test } from "../harness/test.ts";

const core = "/c/practice/api/v1";
const custom = "/c/practice/apis/shop.example.com/v1";

const field = (page: Page, name: "filter" | "labelSelector" | "fieldSelector") => page.locator(`.toolbar input[name="${name}"]`);
const show = (page: Page) => page.getByRole("button", { name: "Show" }).click();
const head = (page: Page, column: string) => page.locator(`th[data-column="${column}"]`);

test("the pods of all namespaces", async ({ page, api }) => {
  const pods = await api.list("/api/v1/pods");
  await page.goto(`${core}/pods`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Pods ${pods.length} objects`);
  expect(await columns(page)).toEqual(["Namespace", "Name", "Ready", "Status", "Restarts", "Age"]);
  const shown = await Promise.all(["data-uid", "data-namespace", "data-name"].map((name) => attributes(rows(page), name)));
  const want = pods.map(({ metadata: { uid, namespace, name } }) => [uid, namespace, name].join(" "));
  expect(shown[0]!.map((uid, at) => [uid, shown[1]![at], shown[2]![at]].join(" ")).sort()).toEqual(want.sort());
  for (const version of await attributes(rows(page), "data-rv")) expect(version).toMatch(/^\d+$/);
});

test("the pods of one namespace", async ({ page, api }) => {
  const pods = await api.list("/api/v1/namespaces/payments/pods");
  await page.goto(`${core}/namespaces/payments/pods`);
  expect(await columns(page)).not.toContain("Namespace");
  expect((await names(page)).sort()).toEqual(pods.map(({ metadata }) => metadata.name).sort());
  await page.getByRole("link", { name: pods[0]!.metadata.name, exact: true }).click();
  await expect(page).toHaveURL(`${core}/namespaces/payments/pods/${pods[0]!.metadata.name}`);
});

test("the menu shows the same type in another namespace", async ({ page }) => {
  await page.goto("/c/practice/apis/apps/v1/deployments");
  const namespaces = menu(page, "namespace");
  await expect(namespaces.getByRole("link", { name: "payments" })).toBeHidden();
  await namespaces.locator("summary").click();
  await namespaces.getByRole("link", { name: "payments" }).click();
  await expect(page).toHaveURL("/c/practice/apis/apps/v1/namespaces/payments/deployments");
  await expect(namespaces.locator("summary b")).toHaveText("payments");
  await namespaces.locator("summary").click();
  await namespaces.getByRole("link", { name: "All namespaces" }).click();
  await expect(page).toHaveURL("/c/practice/apis/apps/v1/deployments");
});

test("label and field selectors, through the form", async ({ page }) => {
  await page.goto(`${core}/pods`);
  await field(page, "labelSelector").fill("app in (storefront,catalog),app!=catalog");
  await show(page);
  await expect(page).toHaveURL(/labelSelector=app\+in\+/);
  for (const name of await names(page)) expect(name).toMatch(/^storefront-/);
  await expect(rows(page)).toHaveCount(3);
  await field(page, "labelSelector").fill("");
  await field(page, "fieldSelector").fill("status.phase=Succeeded");
  await show(page);
  await expect(page).toHaveURL(/fieldSelector=status.phase/);
  await expect(rows(page).first()).toBeVisible();
  for (const name of await names(page)) expect(name).toMatch(/^import-products-/);
});

test("selectors that choose nothing, and the way back", async ({ page }) => {
  await page.goto(`${core}/pods?labelSelector=app%3Dnosuch&sort=Name`);
  await expect(notice(page)).toContainText("No object matches");
  await page.getByRole("link", { name: "Clear the selectors" }).click();
  await expect(page).toHaveURL(`${core}/pods?sort=Name`);
  await expect(rows(page).first()).toBeVisible();
});

test("malformed selectors", async ({ page }) => {
  for (const query of ["labelSelector=%3D%3D%3D", "labelSelector=a+in+(", "fieldSelector=nosuchfield%3Dx", "fieldSelector=x"]) {
    expect((await page.goto(`${core}/pods?${query}`))?.status(), query).toBe(400);
    await expect(notice(page)).toContainText("The API server can’t read the request");
    await expect(notice(page).locator(".quoted blockquote")).not.toBeEmpty();
  }
  await expect(field(page, "fieldSelector"), "what was typed can be mended").toHaveValue("x");
  await page.getByRole("link", { name: "Clear the selectors" }).click();
  await expect(rows(page).first()).toBeVisible();
});

test("the heads sort up, down, and not at all", async ({ page }) => {
  // Services, whose names hold no digits: runs of digits sort as numbers, and the names of pods are drawn by lot.
  await page.goto(`${core}/services?filter=shop`);
  const unsorted = await names(page);
  const up = [...unsorted].sort();
  expect(up.length).toBeGreaterThan(2);
  for (const [order, want] of [["ascending", up], ["descending", [...up].reverse()]] as const) {
    await head(page, "Name").getByRole("link").click();
    await expect(head(page, "Name")).toHaveAttribute("aria-sort", order);
    expect(await names(page)).toEqual(want);
  }
  await head(page, "Name").getByRole("link").click();
  await expect(head(page, "Name")).not.toHaveAttribute("aria-sort");
  await expect(page).toHaveURL(`${core}/services?filter=shop`);
  expect(await names(page)).toEqual(unsorted);
});

test("the filter keeps the rows that have all its words", async ({ page, api }) => {
  const pods = await api.list("/api/v1/pods");
  await page.goto(`${core}/pods`);
  await field(page, "filter").fill("RUNNING ledger");
  await show(page);
  await expect(rows(page)).toHaveCount(2);
  await expect(page.locator(".foot")).toContainText(`2 of ${pods.length} rows`);
  await field(page, "filter").fill("nosuchword");
  await show(page);
  await expect(notice(page)).toContainText("No row matches the filter");
  await page.getByRole("link", { name: "Clear the filter" }).click();
  await expect(rows(page)).toHaveCount(pods.length);
});

test("all columns, and fewer again", async ({ page }) => {
  await page.goto(`${core}/pods?filter=ledger`);
  await page.getByRole("link", { name: "All columns" }).click();
  await expect.poll(() => columns(page)).toEqual(expect.arrayContaining(["IP", "Node", "Readiness Gates"]));
  await expect(rows(page), "the filter stays").toHaveCount(2);
  await page.getByRole("link", { name: "Fewer columns" }).click();
  await expect.poll(() => columns(page)).not.toContain("IP");
});

test("a custom type with columns of its own", async ({ page }) => {
  await page.goto(`${custom}/promotions`);
  expect(await columns(page)).toEqual(["Namespace", "Name", "Discount", "Active", "Ends", "Age"]);
  expect((await names(page)).sort()).toEqual(["early-bird", "free-pots", "spring-sale"]);
  await expect(page.locator('tr[data-name="spring-sale"]')).toContainText("20");
  await head(page, "Discount").getByRole("link").click();
  await expect(head(page, "Discount")).toHaveAttribute("aria-sort", "ascending");
  expect(await names(page), "numbers are sorted as numbers").toEqual(["early-bird", "free-pots", "spring-sale"]);
  await page.getByRole("link", { name: "All columns" }).click();
  expect(await columns(page)).toContain("Products");
  await expect(page.locator('tr[data-name="spring-sale"]')).toContainText("bulbs");
});

test("a custom type without columns", async ({ page }) => {
  await page.goto(`${custom}/regions`);
  expect(await columns(page)).toEqual(["Name", "Age"]);
  expect((await names(page)).sort()).toEqual(["europe", "north-america", "oceania"]);
  await expect(page.getByRole("link", { name: "All columns" })).toHaveCount(0);
});

test("a namespace that isn't there", async ({ page }) => {
  expect((await page.goto(`${core}/namespaces/nosuch/pods`))?.status()).toBe(404);
  await expect(notice(page)).toContainText('There is no namespace "nosuch"');
  await notice(page).getByRole("link", { name: "Look in all namespaces" }).click();
  await expect(page).toHaveURL(`${core}/pods`);
});

test("a type that isn't served says where it may be meant", async ({ page }) => {
  expect((await page.goto(`${core}/deployments`))?.status()).toBe(404);
  await expect(notice(page)).toContainText('This cluster serves no type "deployments" in v1');
  await notice(page).getByRole("link", { name: "deployments.apps" }).click();
  await expect(page).toHaveURL("/c/practice/apis/apps/v1/deployments");
  expect((await page.goto(`${core}/nosuchthings`))?.status()).toBe(404);
  await expect(notice(page).getByRole("link", { name: "All types" })).toBeVisible();
});

test("an empty collection", async ({ page }) => {
  expect((await page.goto(`${core}/namespaces/shop/replicationcontrollers`))?.status()).toBe(200);
  await expect(notice(page)).toContainText("No ReplicationControllers in the namespace shop");
  await notice(page).getByRole("link", { name: "Look in all namespaces" }).click();
  await expect(notice(page)).toContainText("No ReplicationControllers");
});

test("a new object is shown, and an object that is being deleted is marked", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  await api.create(path, { metadata: { name: "held", finalizers: ["e2e.example.com/hold"] } });
  try {
    await page.goto(`/c/practice${path}`);
    await expect(page.locator('tr[data-name="held"]')).toBeVisible();
    await api.delete(`${path}/held`);
    await page.reload();
    await expect(page.locator('tr[data-name="held"]')).toContainText("deleting");
    await page.getByRole("link", { name: "held", exact: true }).click();
    await expect(page.locator(".banner")).toContainText(/It waits for this finalizer:\s*e2e.example.com\/hold/);
  } finally {
    const headers = { "Content-Type": "application/merge-patch+json" };
    await api.fetch(`${path}/held`, { method: "PATCH", headers, body: '{"metadata":{"finalizers":null}}' });
  }
});

test("chunk by chunk to the end, every object is seen exactly once", async ({ page, api }) => {
  const pods = (await api.list("/api/v1/pods")).map(({ metadata }) => metadata.uid);
  const seen: string[] = [];
  await page.goto(`${core}/pods?limit=5`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(`${pods.length} objects`);
  const next = page.getByRole("link", { name: /^Next \d/ });
  for (;;) {
    const chunk = await attributes(rows(page), "data-uid");
    expect(chunk.length).toBeLessThanOrEqual(5);
    seen.push(...chunk);
    if ((await next.count()) === 0) break;
    await next.click();
    await expect(rows(page).first()).not.toHaveAttribute("data-uid", chunk[0]!);
  }
  expect(seen.sort()).toEqual(pods.sort());
  await page.getByRole("link", { name: "First chunk" }).click();
  await expect(page).toHaveURL(`${core}/pods?limit=5`);
});

test("a chunk of several screens has all of its rows, in one table", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const wanted = Array.from({ length: 120 }, (_, n) => `many-${String(n).padStart(3, "0")}`);
  await Promise.all(wanted.map((name) => api.create(path, { metadata: { name, labels: { of: "many" } } })));
  await page.goto(`/c/practice${path}?labelSelector=of%3Dmany`);
  expect(await names(page)).toEqual(wanted);
  await expect(page.locator("main tbody")).toHaveCount(1);
  await expect(page.locator("#room-below"), "no room in the place of rows").toBeHidden();
  await expect(page.locator(".unscripted"), "nothing is missing").toBeHidden();
  const last = page.getByRole("link", { name: "many-119", exact: true });
  await last.scrollIntoViewIfNeeded();
  await expect(page.locator("thead th").first(), "the heads stay in sight").toBeInViewport();
  await last.click();
  await expect(page).toHaveURL(`/c/practice${path}/many-119`);
});

test("sorting a chunk says that it sorts the chunk only", async ({ page }) => {
  await page.goto(`${core}/pods?limit=5&sort=Name&filter=o`);
  await expect(page.getByRole("note")).toContainText("Sorted and filtered only within this chunk of 5 rows");
});

test("the address is all that one needs to share", async ({ page, context }) => {
  await page.goto(`${core}/namespaces/shop/pods`);
  await field(page, "labelSelector").fill("app!=carts-db");
  await field(page, "filter").fill("running");
  await show(page);
  await head(page, "Name").getByRole("link").click();
  await page.getByRole("link", { name: "All columns" }).click();
  await expect(page).toHaveURL(/wide=1/);
  const other = await context.newPage();
  await other.goto(page.url());
  expect(await names(other)).toEqual(await names(page));
  expect(await columns(other)).toEqual(await columns(page));
  await expect(head(other, "Name")).toHaveAttribute("aria-sort", "ascending");
  await expect(field(other, "labelSelector")).toHaveValue("app!=carts-db");
  await expect(field(other, "filter")).toHaveValue("running");
});

test("without the program, the link to the API call fills in the request console", async ({ page }) => {
  await page.goto(`${core}/namespaces/shop/pods?labelSelector=app%3Dcatalog`);
  await page.getByRole("link", { name: "API call" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Request console");
  await expect(page.getByLabel("Path", { exact: true })).toHaveValue(/^\/api\/v1\/namespaces\/shop\/pods\?labelSelector=app%3Dcatalog&limit=\d+$/);
  await expect(page.locator("main")).toContainText("as=Table");
});
