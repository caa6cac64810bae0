// The page is shown before its program is loaded. The program then starts without moving anything, or says that it can't start.
import { type Page } from "@playwright/test";
import { type Api } from "../harness/api.ts";
import { pieces, rows } from "../harness/look.ts";
import { born, expect, live, liveness, ready, row, shifted, test } from "../harness/live.ts";

const core = "/c/practice/api/v1";
const shop = `${core}/namespaces/shop/pods`;
const storefront = "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront";

const addresses = [
  "/",
  "/c/practice",
  "/c/practice/apis/apps",
  `${core}/pods`,
  `${core}/pods?wide=1&sort=-Age&filter=running`,
  `${core}/namespaces/shop/replicationcontrollers`,
  "/c/practice/apis/rbac.authorization.k8s.io/v1/clusterroles",
  storefront,
  `${storefront}?tab=events`,
  `${storefront}?tab=related`,
  "/c/practice/-/delete?path=/api/v1/namespaces/shop/configmaps/storefront",
  "/c/practice/-/assist?path=/api/v1/namespaces/shop/configmaps/storefront",
  `${core}/namespaces/shop/secrets/carts-db`,
  `${core}/namespaces/shop/pods/nosuch`,
];

/** Marks elements of the first document with a property, to recognize exactly these elements later. */
function markAsItCame(): void {
  document.addEventListener("DOMContentLoaded", () => {
    for (const element of document.querySelectorAll("h1, main tbody tr, main .code li")) Object.assign(element, { came: true });
  });
}

for (const piece of pieces(addresses, 4)) {
  test(`nothing moves as the program takes over, from ${piece[0]} on`, async ({ page }) => {
    await page.addInitScript(markAsItCame);
    for (const address of piece) {
      await page.goto(address);
      await ready(page);
      if (await liveness(page).count()) await live(page);
      expect.soft(await shifted(page), `CLS of ${address}`).toBeLessThanOrEqual(0.02);
      const kept = await page.locator("h1, main tbody tr[data-uid], main .code li").evaluateAll((all) => all.filter((element) => !("came" in element)).map(({ outerHTML }) => outerHTML.slice(0, 100)));
      expect.soft(kept, `what is not as it came on ${address}`).toEqual([]);
    }
  });
}

/** Makes ConfigMaps that need several screens, and gives the address of their collection. */
async function severalScreens(api: Api, namespace: string): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const made = Array.from({ length: 120 }, (_, n) => `many-${String(n).padStart(3, "0")}`);
  await Promise.all(made.map((name) => api.create(path, { metadata: { name, labels: { of: "many" } } })));
  return `/c/practice${path}?labelSelector=of%3Dmany`;
}

test("of several screens the first one comes as rows, and nothing moves as the program takes over", async ({ page, api, namespace }) => {
  const address = await severalScreens(api, namespace);
  await page.addInitScript(markAsItCame);
  await page.goto(address);
  await live(page);
  expect(await shifted(page)).toBeLessThanOrEqual(0.02);
  const made = await rows(page).evaluateAll((all) => all.filter((element) => !("came" in element)).length);
  expect(made, "rows that the program made again").toBe(0);
  const document = await page.request.get(address).then((response) => response.text());
  const [first, others] = document.split("<noscript>");
  const height = 29 * (120 + 1); // with the heads
  expect(first!.split(" data-uid=").length - 1, "rows of the first screen").toBeLessThan(80);
  expect(others!.split(" data-uid=").length - 1 + first!.split(" data-uid=").length - 1).toBe(120);
  expect(await page.locator("#rows").evaluate((element) => element.scrollHeight), "the height of all rows").toBe(height);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await expect(row(page, "many-001").getByRole("link")).toBeFocused();
  await page.locator("#rows").evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect(row(page, "many-119")).toBeVisible();
});

/** The page works with links and forms, and each loads a document. */
async function usable(page: Page): Promise<void> {
  const document = await born(page);
  await page.locator('input[name="filter"]').fill("catalog");
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page).toHaveURL(`${shop}?filter=catalog`);
  await expect(rows(page)).toHaveCount(2);
  await page.locator('th[data-column="Name"]').getByRole("link").click();
  await expect(page).toHaveURL(`${shop}?filter=catalog&sort=Name`);
  await rows(page).first().getByRole("link").first().click();
  await expect(page.locator(".code")).toContainText("kind: Pod");
  expect(await born(page), "it was loaded").not.toBe(document);
}

test.describe("without the program", () => {
  test.use({ provoked: /Failed to fetch/ });

  test("blocked, the page says so, stays usable, and reloads", async ({ page, api }) => {
    await page.route(/\.wasm$/, (route) => route.abort());
    await page.goto(shop);
    await expect(page.locator("html")).toHaveAttribute("data-wasm", "failed");
    await expect(page.getByRole("alert")).toContainText("This page is no longer updated. Fieldmark’s program didn’t arrive.");
    await expect(page.getByRole("button", { name: "Find anything" })).toBeHidden();
    await expect(page.getByRole("combobox", { name: "Jump to a resource type" })).toBeVisible();
    expect(await rows(page).count()).toBe((await api.list("/api/v1/namespaces/shop/pods")).length);
    await usable(page);
    await expect(page.getByRole("alert"), "it is said once the program was asked for several times").toBeVisible();
    await page.unroute(/\.wasm$/);
    await page.getByRole("button", { name: "Reload" }).click();
    await live(page);
    await expect(page.getByRole("alert")).toBeHidden();
  });
});

test("if the program comes late, the rows of all screens are there without it", async ({ page, api, namespace }) => {
  const address = await severalScreens(api, namespace);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\.wasm$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(address, { waitUntil: "domcontentloaded" });
  await expect(rows(page)).toHaveCount(120);
  await expect(page.locator("html")).toHaveAttribute("data-wasm", "loading");
  await row(page, "many-119").scrollIntoViewIfNeeded();
  await expect(row(page, "many-119")).toBeInViewport();
  release();
  await live(page);
  await expect(row(page, "many-119"), "the place stays").toBeInViewport();
});

test.describe("without the scripts", () => {
  test.use({ provoked: /Failed to fetch/ });

  test("the page says so, has all its rows, and works with links and forms", async ({ page, api, namespace }) => {
    const address = await severalScreens(api, namespace);
    await page.route(/\/static\/.*\.js(\?|$)/, (route) => route.abort());
    await page.goto(address);
    await expect(page.getByRole("alert")).toContainText("This page is no longer updated.");
    await expect(page.locator("html")).toHaveAttribute("data-wasm", "failed");
    await expect(rows(page)).toHaveCount(120);
    await page.goto(shop);
    await expect(page.getByRole("combobox", { name: "Jump to a resource type" })).toBeVisible();
    await usable(page);
  });
});

test("input is not lost while the program starts", async ({ page, api, namespace }) => {
  // The program comes late: what was opened and typed meanwhile stays.
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  await api.create(path, { metadata: { name: "early" } });
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\.wasm$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`/c/practice${path}`, { waitUntil: "domcontentloaded" });
  await expect(row(page, "early")).toBeVisible();
  await page.locator("details.wire > summary").click();
  const typed = (name: string) => page.locator(`form.toolbar input[name="${name}"]`);
  await typed("labelSelector").fill("app=web");
  await typed("filter").fill("ear");
  await api.create(path, { metadata: { name: "earlier" } });
  release();
  await live(page);
  await expect(row(page, "earlier"), "what happened meanwhile is there").toBeVisible();
  await expect(page.locator("details.wire")).toHaveAttribute("open");
  await expect(typed("labelSelector")).toHaveValue("app=web");
  await expect(typed("filter")).toHaveValue("ear");
  await expect(row(page, "kube-root-ca.crt"), "the filter that was typed holds").toHaveCount(0);
});
