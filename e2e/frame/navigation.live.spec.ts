// Moving between pages without loading a document. Links still work as links.
import { type Page } from "@playwright/test";
import { code, menu, names, notice, rows } from "../harness/look.ts";
import { slowly } from "../harness/network.ts";
import { announced, born, expect, live, openLive, pagesAsked, pageType, ready, row, test } from "../harness/live.ts";

const core = "/c/practice/api/v1";
const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const type = (page: Page, name: string) => page.getByRole("navigation", { name: "Resource types" }).getByRole("link", { name, exact: true }).first();
const tab = (page: Page, name: string) => page.getByRole("navigation", { name: "Views of this object" }).getByRole("link", { name });

/** The content has the focus, so the next Tab is in it, and the new page is announced. */
async function arrived(page: Page, title: string): Promise<void> {
  await expect(page).toHaveTitle(`${title} · Fieldmark`);
  await expect(page.locator("#main")).toBeFocused();
  await expect.poll(() => page.locator("#announcer").textContent()).toContain(title);
}

test("a walk through every kind of page in one document, and back", async ({ page }) => {
  await page.goto("/");
  await ready(page);
  const document = await born(page);
  await page.locator('[data-cluster="practice"]').getByRole("link", { name: "practice", exact: true }).click();
  await expect(page).toHaveURL("/c/practice");
  await arrived(page, "practice");
  await type(page, "Pods").click();
  await expect(page).toHaveURL(`${core}/pods`);
  await arrived(page, "Pods");
  await live(page);
  await menu(page, "namespace").locator("summary").click();
  await menu(page, "namespace").getByRole("link", { name: "shop" }).click();
  await expect(page).toHaveURL(`${core}/namespaces/shop/pods`);
  await arrived(page, "Pods");
  await expect(menu(page, "namespace").getByRole("link", { name: "shop" }), "the menu has closed").toBeHidden();
  const [first] = await names(page);
  await page.getByRole("link", { name: first!, exact: true }).click();
  await arrived(page, first!);
  await expect(code(page)).toContainText("kind: Pod");
  await tab(page, "Related").click();
  await expect(page.getByRole("region", { name: "Owners and dependents" })).toContainText("controller");
  expect(await born(page)).toBe(document);

  for (const [address, words] of [
    [`${core}/namespaces/shop/pods/${first}`, first!],
    [`${core}/namespaces/shop/pods`, "Pods"],
    [`${core}/pods`, "Pods"],
    ["/c/practice", "practice"],
  ] as const) {
    await page.goBack();
    await expect(page).toHaveURL(address);
    await expect(heading(page)).toContainText(words);
  }
  await page.goForward();
  await expect(page).toHaveURL(`${core}/pods`);
  await expect(heading(page)).toContainText("Pods");
  await live(page);
  expect(await born(page)).toBe(document);
});

test("back is where one was: the rows are scrolled as they were", async ({ page }) => {
  await openLive(page, "/c/practice/apis/rbac.authorization.k8s.io/v1/clusterroles");
  const region = page.locator("#rows");
  await region.evaluate((element) => (element.scrollTop = 300));
  await row(page, "system:controller:job-controller").getByRole("link").click();
  await expect(heading(page)).toContainText("system:controller:job-controller");
  await page.goBack();
  await expect.poll(() => region.evaluate((element) => element.scrollTop)).toBe(300);
  // Steps within a page keep where one was, too.
  await page.locator('th[data-column="Name"]').getByRole("link").click();
  await expect(page).toHaveURL(/sort=Name/);
  await page.goBack();
  await expect(page).not.toHaveURL(/sort=Name/);
  await expect.poll(() => region.evaluate((element) => element.scrollTop)).toBe(300);
});

test("problems are pages, too", async ({ page }) => {
  await page.goto("/c/practice");
  await ready(page);
  const document = await born(page);
  await menu(page, "cluster").locator("summary").click();
  await menu(page, "cluster").getByRole("link", { name: "dead-server" }).click();
  await expect(notice(page)).toBeVisible();
  await page.getByRole("link", { name: "Choose another cluster" }).click();
  await expect(page).toHaveURL("/");
  await page.locator('[data-cluster="practice-viewer"]').getByRole("link", { name: "practice-viewer", exact: true }).click();
  await type(page, "Secrets").click();
  await expect(notice(page)).toContainText("You don’t have permission to list secrets in the whole cluster");
  expect(await born(page)).toBe(document);
});

test.describe("", () => {
  // The API's answers are shown in a sandbox, which lets no script run: not even the one that these tests put into pages.
  test.use({ provoked: /^Blocked script execution in '[^']*\/clusters\// });

  test("links stay links", async ({ page, context }) => {
    await openLive(page, `${core}/namespaces/shop/pods`);
    const asked = pagesAsked(page);
    const link = rows(page).first().getByRole("link").first();
    const to = (await link.getAttribute("href"))!;
    for (const how of [{ modifiers: ["ControlOrMeta"] }, { button: "middle" }] as const) {
      const opening = context.waitForEvent("page");
      await link.click(how as Parameters<typeof link.click>[0]);
      const other = await opening;
      await expect(other).toHaveURL(to);
      await other.close();
    }
    expect(asked, "this tab stays").toEqual([]);
    await expect(page).toHaveURL(`${core}/namespaces/shop/pods`);

    // The first Tab leads past the menus, within the page.
    await page.getByRole("link", { name: "Skip to content" }).press("Enter");
    await expect(page).toHaveURL(`${core}/namespaces/shop/pods#main`);
    await expect(page.locator("#main")).toBeFocused();
    expect(asked, "a link within the page asks for none").toEqual([]);

    await page.getByRole("link", { name: "API call" }).click();
    const panel = page.getByRole("dialog", { name: "API call" });
    await expect(panel).toContainText('"kind": "Table"');
    await panel.getByRole("button", { name: "Close" }).click();
    await expect(panel).toHaveCount(0);
  });
});

test("the switch for colors leads back to the same page", async ({ page }) => {
  await openLive(page, `${core}/pods?filter=ledger`);
  await page.locator('th[data-column="Name"]').getByRole("link").click();
  await expect(page).toHaveURL(`${core}/pods?filter=ledger&sort=Name`);
  await page.getByRole("button", { name: "Change colors to light" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  await expect(page).toHaveURL(`${core}/pods?filter=ledger&sort=Name`);
  await live(page);
});

test("a page that takes its time says so, but not at once", async ({ page }) => {
  await openLive(page, `${core}/pods`);
  await slowly(page, { latency: 1000, throughput: 40_000 }, async () => {
    await type(page, "ConfigMaps").click();
    await expect(page.locator("html")).toHaveAttribute("data-busy", "true");
    await expect(page.locator("#main")).toHaveAttribute("aria-busy", "true");
    await expect(page.locator("#main > [data-coming]"), "its name is there, and room for the rest").toBeVisible();
    await expect(heading(page)).toContainText("ConfigMaps");
    await live(page);
  });
  await expect(page.locator("html")).not.toHaveAttribute("data-busy");
  await expect(page.locator("#main")).not.toHaveAttribute("aria-busy");
  expect(await page.evaluate(() => window.seen.busyAfter)).toBeGreaterThanOrEqual(190);
});

test("of two pages asked for, the last is shown", async ({ page }) => {
  await openLive(page, `${core}/pods`);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/api\/v1\/configmaps$/, async (route) => {
    expect(route.request().headers()["accept"]).toBe(pageType);
    await held;
    await route.continue();
  });
  await type(page, "ConfigMaps").click();
  await expect(page.locator("html")).toHaveAttribute("data-busy", "true");
  await type(page, "Services").click();
  await expect(heading(page)).toContainText("Services");
  const answered = page.waitForResponse(/\/configmaps$/);
  release();
  await (await answered).finished();
  await expect(page).toHaveURL(`${core}/services`);
  await expect(heading(page)).toContainText("Services");
  await expect(page.locator("html")).not.toHaveAttribute("data-busy");
  await page.goBack();
  await expect(page).toHaveURL(`${core}/pods`);
  await ready(page);
  expect(await announced(page)).not.toContain("ConfigMaps");
});

test("an unknown tab is told, until the reader opens a tab", async ({ page }) => {
  const told = page.getByRole("heading", { name: "There is no tab “timelin” here" });
  await openLive(page, "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront?tab=timelin");
  await expect(told).toBeVisible();
  await expect(page.locator("#main")).toContainText("Did you mean timeline?");
  await tab(page, "Timeline").click();
  await expect(told).toBeHidden();
});
