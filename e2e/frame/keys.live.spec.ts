// Keys for the palette, the help and the rows.
import { type Page } from "@playwright/test";
import { seen, tabTo, toField } from "../harness/keyboard.ts";
import { code, menu, names, rows } from "../harness/look.ts";
import { born, expect, live, openLive, pagesAsked, ready, row, test } from "../harness/live.ts";

const core = "/c/practice/api/v1";
const shop = `${core}/namespaces/shop`;
const palette = (page: Page) => page.getByRole("dialog", { name: "Find anything" });
const field = (page: Page) => page.getByRole("dialog").getByRole("combobox");
const option = (page: Page) => page.getByRole("option");
const chosen = (page: Page) => page.locator('[role="option"][aria-selected="true"]');
const head = (page: Page, column: string) => page.locator(`th[data-column="${column}"]`);

test("the palette finds types, objects and namespaces, and gives the focus back", async ({ page }) => {
  await openLive(page, `${shop}/pods`);
  const document = await born(page);
  const link = rows(page).first().getByRole("link").first();
  await link.focus();
  await page.keyboard.press("Control+k");
  await expect(field(page)).toBeFocused();
  await expect(page.locator("#app")).toHaveJSProperty("inert", true);
  await page.keyboard.type("storefront");
  await expect(chosen(page)).toContainText("storefront");
  // Results come from several lists. The best one of all is first once they are here, and what is announced is there.
  await expect(chosen(page)).toHaveAttribute("href", "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront");
  await expect.poll(() => page.locator("#announcer").textContent()).toMatch(/^\d+ results?, first storefront/);
  const first = await chosen(page).getAttribute("href");
  await page.keyboard.press("ArrowDown");
  await expect(chosen(page)).not.toHaveAttribute("href", first!);
  await page.keyboard.press("ArrowUp");
  await expect(chosen(page)).toHaveAttribute("href", first!);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(link).toBeFocused();
  await expect(page.locator("#app")).toHaveJSProperty("inert", false);

  for (const [words, there] of [
    ["deploy", "/c/practice/apis/apps/v1/namespaces/shop/deployments"],
    ["storefront deployment", "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront"],
    ["payments", "/c/practice/apis/apps/v1/namespaces/payments/deployments"],
  ] as const) {
    await toField(page, "Control+k");
    await page.keyboard.type(words);
    await expect(option(page).first()).toBeVisible();
    await expect(chosen(page)).toHaveAttribute("href", new RegExp(`${there}$`));
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page).toHaveURL(new RegExp(`${there}$`));
    await expect(page.locator("#main")).toBeFocused();
  }

  // With the mouse, too.
  await page.getByRole("button", { name: "Find anything" }).click();
  await page.keyboard.type("nodes");
  await expect(option(page).first()).toHaveAttribute("href", /\/nodes$/);
  await option(page).first().click();
  await expect(page).toHaveURL(`${core}/nodes`);
  await page.getByRole("button", { name: "Find anything" }).click();
  await page.keyboard.type("qqqq");
  await expect(palette(page)).toContainText("No result for “qqqq”");
  await page.mouse.click(5, 400);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(await born(page)).toBe(document);
});

test("the palette finds an object of a rare type, and says how far it has looked", async ({ page, api, namespace, shot }) => {
  const name = `spring-sale-${namespace}`;
  const closed = async (): Promise<void> => {
    await page.keyboard.press("Escape");
    await expect(palette(page)).toBeHidden();
  };
  const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
  await api.create(leases, { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name } });
  await openLive(page, `${shop}/pods`);
  await toField(page, "Control+k");
  await page.keyboard.type(name);
  await expect(option(page).first()).toHaveAttribute("href", `/c/practice${leases}/${name}`);
  await expect(palette(page)).toContainText(/Looked at [\d,]+ objects of \d+ of \d+ types/);
  await shot("palette-searched");
  await closed();

  // By the name of the type, without being asked first.
  await toField(page, "Control+k");
  await page.keyboard.type(`lease ${name}`);
  await expect(chosen(page)).toHaveAttribute("href", `/c/practice${leases}/${name}`);
  await closed();

  for (const tool of ["Apply preview", "Requests", "Discovery", "Watch laboratory"]) {
    await toField(page, "Control+k");
    await page.keyboard.type(tool);
    await expect(chosen(page)).toContainText(tool);
    await closed();
  }
});

test("no key is lost when typing fast: each counts for what the key before has opened", async ({ page }) => {
  await openLive(page, `${shop}/pods`);
  /** Presses keys without a pause: the program handles none before all are pressed. */
  const press = (...keys: string[]) =>
    page.evaluate((keys) => {
      for (const key of keys) {
        const ctrl = key.startsWith("Control+");
        document.activeElement!.dispatchEvent(new KeyboardEvent("keydown", { key: ctrl ? key.slice(8) : key, ctrlKey: ctrl, bubbles: true, cancelable: true }));
      }
    }, keys);
  const palette = page.locator("#palette-input");
  const link = (n: number) => rows(page).nth(n).getByRole("link").first();
  await press("Control+k", "d", "e", "p");
  await expect(palette).toHaveValue("dep");
  await expect(palette).toBeFocused();
  await press("Escape", "j");
  await expect(palette).toBeHidden();
  await expect(link(0)).toBeFocused();
  await press("j", "j", "?", "Escape", "k");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(link(1)).toBeFocused();
  await press(":", "c", "m", "Enter");
  await expect(page).toHaveURL(`${shop}/configmaps`);
  await expect(row(page, "storefront")).toBeVisible();
  await press("j", "Enter");
  await expect(page).toHaveURL(/configmaps\/.+/);
});

test("a colon jumps to types", async ({ page }) => {
  await openLive(page, `${shop}/pods`);
  await page.keyboard.press(":");
  await expect(page.getByRole("dialog", { name: "Jump to a resource type" })).toBeVisible();
  await page.keyboard.type("cm");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${shop}/configmaps`);
  await expect(row(page, "storefront")).toBeVisible();
});

test("a key opens a page about the row, and none acts on it at once", async ({ page }) => {
  test.slow(); // it loads twelve documents
  const pod = /^http:\/\/[^/]+\/c\/practice\/api\/v1\/namespaces\/shop\/pods\/[^/?]+/;
  for (const [key, query] of [["f", /pods\/[^/?]+$/], ["d", /\?tab=describe$/], ["y", /\?tab=yaml$/], ["l", /\?tab=logs/], ["t", /\?tab=shell/]] as const) {
    await openLive(page, `${shop}/pods`);
    await page.keyboard.press(key);
    await expect.poll(() => page.locator("#announcer").textContent(), "without a row").toContain("Go to a row first");
    await page.keyboard.press("j");
    await expect(rows(page).first().getByRole("link").first()).toBeFocused();
    await page.keyboard.press(key);
    await expect(page).toHaveURL(pod);
    await expect(page).toHaveURL(query);
  }
  for (const [key, address] of [["e", /\/-\/apply\?edit=/], ["Delete", /\/-\/delete\?path=/]] as const) {
    await openLive(page, `${shop}/pods`);
    await page.keyboard.press("j");
    await expect(rows(page).first().getByRole("link").first()).toBeFocused();
    await page.keyboard.press(key);
    await expect(page).toHaveURL(address);
    await ready(page);
    await page.keyboard.press("Escape");
    await expect(page, "Escape leads to the object").toHaveURL(pod);
  }
});

test("from the filter to the rows, and from a line to its card", async ({ page }) => {
  await openLive(page, "/c/practice/apis/apps/v1/namespaces/shop/deployments");
  await page.keyboard.press("/");
  await page.keyboard.type("storefr");
  await expect(rows(page)).toHaveCount(1);
  await page.keyboard.press("ArrowDown");
  await expect(row(page, "storefront").getByRole("link").first()).toBeFocused();
  await page.keyboard.press("f");
  await expect(page).toHaveURL(/deployments\/storefront/);
  await live(page);
  for (const line of [1, 2, 3]) {
    await page.keyboard.press("j");
    await expect(page.locator("#lines > li").nth(line - 1).getByRole("link").first()).toBeFocused();
  }
  await page.keyboard.press("Tab");
  await expect(page.getByRole("region", { name: "Owners of this object" })).toBeFocused();
});

test("the help lists the keys of the page", async ({ page }) => {
  await openLive(page, `${shop}/pods`);
  await page.keyboard.press("j");
  await expect(rows(page).first().getByRole("link").first()).toBeFocused();
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keys and help" });
  await expect(help).toContainText("Next and previous row");
  await expect(help.getByRole("button", { name: "Close" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement === document.body || document.activeElement?.closest("[role=dialog]") !== null), "the page behind is out of reach").toBe(true);
  await page.keyboard.press("Escape");
  await expect(help).toHaveCount(0);
  await expect(rows(page).first().getByRole("link").first()).toBeFocused();
  await page.getByRole("button", { name: "Keys and help" }).click();
  await help.getByRole("button", { name: "Close" }).click();
  await expect(help).toHaveCount(0);
  await expect(page).toHaveURL(`${shop}/pods`);
});

test("from row to row, sorted, filtered, opened, and back up", async ({ page }) => {
  await openLive(page, `${core}/services`);
  const document = await born(page);
  const asked = pagesAsked(page);
  const link = (name: string) => row(page, name).locator("td a:not(.quiet)");
  const all = await names(page);
  await page.keyboard.press("j");
  await expect(link(all[0]!).first()).toBeFocused();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  await expect(link(all[1]!).first()).toBeFocused();
  await page.keyboard.press("G");
  await expect(rows(page).last().locator("td a:not(.quiet)")).toBeFocused();
  await page.keyboard.press("g");
  await expect(rows(page).first().locator("td a:not(.quiet)")).toBeFocused();

  await page.keyboard.press("s");
  await expect(head(page, "Namespace")).toHaveAttribute("aria-sort", "ascending");
  await page.keyboard.press("s");
  await expect(head(page, "Namespace")).toHaveAttribute("aria-sort", "descending");
  await page.keyboard.press("S");
  await expect(head(page, "Namespace")).toHaveAttribute("aria-sort", "ascending");
  await page.keyboard.press("S");
  await expect(page.locator("th[aria-sort]")).toHaveCount(0);
  await page.keyboard.press("w");
  await expect(head(page, "Selector")).toBeVisible();
  await page.keyboard.press("w");
  await expect(head(page, "Selector")).toHaveCount(0);

  await toField(page, "/");
  await page.keyboard.type("jgsw storefront");
  await expect(page.locator("#filter"), "letters in a field are text").toHaveValue("jgsw storefront");
  await page.locator("#filter").fill("storefront");
  await expect(rows(page)).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(page.locator("#filter")).not.toBeFocused();
  await expect(page.locator("#filter")).toHaveValue("storefront");
  await page.keyboard.press("j");
  await expect(link("storefront")).toBeFocused();
  expect(asked, "no page was asked for").toEqual([]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${shop}/services/storefront`);
  await expect(code(page)).toContainText("kind: Service");
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(`${shop}/services`);
  await live(page);
  await toField(page, "/");
  await page.keyboard.type("nosuch");
  await expect(page).toHaveURL(/filter=nosuch/);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(`${shop}/services`);
  await expect(page.locator("#filter")).toHaveValue("");
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL("/c/practice");
  expect(await born(page)).toBe(document);
});

test("without a mouse, and always seeing where one is", async ({ page }) => {
  await openLive(page, `${shop}/pods`);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter"); // past the menus
  for (let pressed = 0; pressed < 19; pressed++) {
    await page.keyboard.press("Tab");
    expect.soft(await seen(page)).toMatchObject({ seen: true });
  }
  await page.keyboard.press("j");
  await expect.poll(() => seen(page), "the program moves the focus").toMatchObject({ seen: true });
  await page.keyboard.press("Enter");
  await expect(code(page)).toContainText("kind: Pod");
  await tabTo(page, page.getByRole("navigation", { name: "Views of this object" }).getByRole("link", { name: "JSON" }));
  await page.keyboard.press("Enter");
  await expect(code(page)).toContainText('"kind": "Pod"');
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toBeVisible();
  expect.soft(await seen(page)).toMatchObject({ seen: true });
  await page.keyboard.press("Escape");
  await page.goto("/");
  await ready(page);
  for (let pressed = 0; pressed < 8; pressed++) {
    await page.keyboard.press("Tab");
    expect.soft(await seen(page)).toMatchObject({ seen: true });
  }
});

test("a menu closes by Escape, by a click elsewhere, and when the focus leaves it", async ({ page }) => {
  await openLive(page, `${shop}/pods`);
  const namespaces = menu(page, "namespace");
  const inside = namespaces.getByRole("link", { name: "All namespaces" });
  const open = async () => {
    await namespaces.locator("summary").click();
    await expect(inside).toBeVisible();
  };
  await open();
  await inside.focus();
  await page.keyboard.press("Escape");
  await expect(inside).toBeHidden();
  await expect(namespaces.locator("summary")).toBeFocused();
  await open();
  await page.getByRole("heading", { level: 1 }).click();
  await expect(inside).toBeHidden();
  await open();
  await rows(page).first().getByRole("link").first().focus();
  await expect(inside).toBeHidden();
  await open();
  await menu(page, "cluster").locator("summary").click();
  await expect(inside).toBeHidden();
});
