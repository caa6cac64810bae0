// What the reader sees of a page whose response is on its way: what the page before knows of it.
import { type Page } from "@playwright/test";
import { rows } from "../harness/look.ts";
import { expect, openLive, pageType, ready, row, test } from "../harness/live.ts";

const shop = "/c/practice/apis/apps/v1/namespaces/shop/deployments";
const waiting = (page: Page) => page.locator("#main > [data-coming]");

/** Holds back the responses with pages until the returned function is called. */
async function holdBack(page: Page): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/*", async (route) => {
    if (route.request().headers()["accept"] === pageType) await held;
    await route.fallback();
  });
  return release;
}

/** What must not change when the page comes: its titles, its path, the names of its tabs, and the entry of the list of types. */
const frame = (page: Page) =>
  page.evaluate(() => {
    const words = (element: Element | undefined) => element?.textContent?.trim() ?? "";
    const all = (selector: string) => [...document.querySelectorAll(selector)].map((element) => words(element));
    const heading = document.querySelector("#main h1");
    const title = heading?.querySelector(":scope > .name") ?? heading?.firstChild;
    return {
      title: document.title,
      heading: title?.textContent?.trim() ?? "",
      path: all("#main .anatomy a, #main .anatomy [aria-current]"),
      tab: all("#main .tabs [aria-current]").map((text) => text.replace(/ \(.*\)$/, "")),
      type: all("#types [aria-current]"),
      at: Math.round(heading?.getBoundingClientRect().top ?? 0),
      // Without the row of the object, its line above the tabs isn't known.
      tabsAt: document.getElementById("row") && Math.round(document.querySelector("#main .tabs")?.getBoundingClientRect().top ?? 0),
    };
  });

const links: [what: string, from: string, selector: string][] = [
  ["a collection", shop, "#types a[href$='/api/v1/namespaces/shop/services'], #types a[href$='/api/v1/services']"],
  ["an object", shop, "#rows tr[data-name='storefront'] td a"],
  ["the logs of an object", `${shop}/storefront`, "#main .tabs a[href*='tab=logs']"],
  ["an object from its logs", `${shop}/storefront?tab=logs`, `#main .tabs a[href="${shop}/storefront"]`],
  ["the collection of an object", `${shop}/storefront`, `#main a[href="${shop}"]`],
];

for (const [what, from, selector] of links) {
  test(`${what} shows its name, its path and its tabs at once, and they stay`, async ({ page }) => {
    await openLive(page, from);
    const link = page.locator(selector).first();
    const to = (await link.getAttribute("href"))!;
    const release = await holdBack(page);
    await link.click();
    await expect(waiting(page)).toBeVisible();
    await expect(page).toHaveURL(to);
    const known = await frame(page);
    release();
    await expect(waiting(page)).toHaveCount(0);
    await ready(page);
    const { tabsAt, ...rest } = await frame(page);
    expect({ ...rest, tabsAt: known.tabsAt && tabsAt }).toEqual(known);
    await page.goBack();
    await expect(page, "it is one step").toHaveURL(from);
  });
}

test.describe("of the tools", () => {
  test.use({ provoked: /409 for / }); // the preview begins with a change that conflicts

  test("each tool of the list shows its title at once, and it stays", async ({ page }) => {
    await openLive(page, shop);
    const tools = await page.locator("#types a[href*='/-/']").evaluateAll((all) => all.map((a) => a.getAttribute("href")!.split("?")[0]!));
    expect(new Set(tools).size).toBeGreaterThan(8);
    for (const tool of new Set(tools)) {
      const release = await holdBack(page);
      await page.locator(`#types a[href="${tool}"], #types a[href^="${tool}?"]`).first().evaluate((link: HTMLElement) => link.click());
      await expect(waiting(page), tool).toBeVisible();
      const { title, heading } = await frame(page);
      release();
      await expect(waiting(page), tool).toHaveCount(0);
      await expect(page).toHaveTitle(title);
      expect.soft((await frame(page)).heading, tool).toBe(heading);
    }
  });
});

test("the state of an object is known from its row", async ({ page }) => {
  await openLive(page, "/c/practice/api/v1/namespaces/shop/pods");
  const name = (await rows(page).first().getAttribute("data-name"))!;
  const release = await holdBack(page);
  await row(page, name).getByRole("link").first().click();
  await expect(page.locator("#row [data-column=Status]")).toBeVisible();
  const known = await page.locator("#row").innerText();
  release();
  await expect(waiting(page)).toHaveCount(0);
  expect(await page.locator("#row").innerText()).toBe(known);
});

test("keys wait for the page that comes", async ({ page }) => {
  await openLive(page, "/c/practice/api/v1/namespaces/shop/pods");
  const release = await holdBack(page);
  await page.locator("#types a[href$='/services']").first().click();
  await expect(waiting(page)).toBeVisible();
  await page.keyboard.press("j");
  await expect(page.locator(".told-briefly")).toHaveText("Waiting for the page: j");
  release();
  await expect(rows(page).first().getByRole("link").first()).toBeFocused();
});

test("back leads at once to the page before, at its place", async ({ page }) => {
  await openLive(page, "/c/practice/apis/rbac.authorization.k8s.io/v1/clusterroles");
  const region = page.locator("#rows");
  await region.evaluate((element) => (element.scrollTop = 300));
  const release = await holdBack(page);
  await row(page, "system:controller:job-controller").getByRole("link").click();
  await expect(waiting(page)).toBeVisible();
  await page.goBack();
  await expect(page).toHaveTitle("ClusterRoles · Fieldmark");
  await expect.poll(() => region.evaluate((element) => element.scrollTop)).toBe(300);
  release();
});
