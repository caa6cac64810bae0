// The reader acts as soon as the page is painted: before its program has arrived, and when it never arrives.
import { type Page } from "@playwright/test";
import { pieces, rows } from "../harness/look.ts";
import { born, expect, live, ready, test } from "../harness/live.ts";
import { kinds } from "../harness/pages.ts";

const shop = "/c/practice/api/v1/namespaces/shop";
const storefront = "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront";
const waiting = (page: Page) => page.locator("#waiting");
const link = (page: Page, n: number) => rows(page).nth(n).getByRole("link").first();
const brief = (page: Page) => page.locator(".told-briefly");

/** Holds the programs back until the returned function is called. */
async function holdBack(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\.wasm$/, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** Opens a page whose program is held back. */
async function openEarly(page: Page, path: string): Promise<() => void> {
  const release = await holdBack(page);
  await page.goto(path, { waitUntil: "domcontentloaded" });
  await expect(page.locator("html")).toHaveAttribute("data-wasm", "loading");
  return release;
}

test("keys go through the rows at once, and the program goes on from there", async ({ page }) => {
  const release = await openEarly(page, `${shop}/pods`);
  for (const [key, n] of [["j", 0], ["j", 1], ["j", 2], ["k", 1], ["G", -1], ["g", 0], ["j", 1]] as const) {
    await page.keyboard.press(key);
    await expect(link(page, n), key).toBeFocused();
  }
  await expect(waiting(page)).toHaveCount(0);
  release();
  await live(page);
  await expect(link(page, 1), "the focus stays").toBeFocused();
  await page.keyboard.press("j");
  await expect(link(page, 2)).toBeFocused();
});

test("Enter opens the row without the program", async ({ page }) => {
  await openEarly(page, `${shop}/configmaps`);
  await page.keyboard.press("j");
  const name = await link(page, 0).textContent();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${shop}/configmaps/${name}`);
});

test("the filter, a menu and a copy need no program, and a text is never lost", async ({ page }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const release = await openEarly(page, `${shop}/pods`);
  const filter = page.locator('form.toolbar input[name="filter"]');
  await page.keyboard.press("/");
  await expect(filter).toBeFocused();
  await page.keyboard.type("jkg?:");
  await expect(filter, "in a field, keys are text").toHaveValue("jkg?:");
  await filter.fill("catalog");
  await page.keyboard.press("ArrowDown");
  await expect(link(page, 0)).toBeFocused();
  await page.keyboard.press("/");
  await page.keyboard.press("Escape");
  await expect(page.locator("#main")).toBeFocused();
  const menu = page.locator("details.menu").first();
  await menu.locator("summary").click();
  await page.keyboard.press("Escape");
  await expect(menu).not.toHaveAttribute("open");
  await expect(menu.locator("summary")).toBeFocused();
  await expect(waiting(page)).toHaveCount(0);
  release();
  await live(page);
  await expect(filter).toHaveValue("catalog");
  await expect(rows(page), "the program filters by it").toHaveCount(2);
});

test("what needs the program waits, is shown, and counts once and in its order", async ({ page }) => {
  const release = await openEarly(page, `${shop}/pods`);
  const document = await born(page);
  await page.keyboard.press("j");
  await page.keyboard.press("Control+k");
  await expect(waiting(page)).toHaveText("Waiting for Fieldmark’s program: Ctrl K");
  await page.keyboard.type("nodes");
  await expect(waiting(page)).toHaveText("Waiting for Fieldmark’s program: Ctrl K n o d e s");
  await page.keyboard.press("Enter");
  release();
  await expect(page).toHaveURL("/c/practice/api/v1/nodes");
  await expect(waiting(page)).toHaveCount(0);
  expect(await born(page), "the program did it").toBe(document);
});

test("a switch that waits is switched once", async ({ page }) => {
  const release = await openEarly(page, `${storefront}?tab=yaml`);
  await page.keyboard.press("m");
  await expect(waiting(page)).toHaveText("Waiting for Fieldmark’s program: m");
  release();
  await expect(page).toHaveURL(`${storefront}?managed=1&tab=yaml`);
  await live(page);
  await expect(page, "once").toHaveURL(`${storefront}?managed=1&tab=yaml`);
});

test.describe("while a program is started again", () => {
  test.use({ provoked: /killed by the test/ });

  test("a button waits, and is pressed once, unless it is gone", async ({ page }) => {
    await page.goto("/c/practice/-/versions?path=/api/v1/configmaps");
    await ready(page);
    const all = page.getByRole("button", { name: "Show all meanings" });
    await expect(all).toHaveAttribute("aria-pressed", "false");
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(/-\/versions/, async (route) => {
      await released;
      await route.continue();
    });
    await page.workers().at(-1)!.evaluate(() => queueMicrotask(() => { throw new Error("killed by the test"); }));
    await expect(page.locator("html")).toHaveAttribute("data-wasm", "loading");
    await page.evaluate(() => document.getElementById("main")!.insertAdjacentHTML("beforeend", '<button type="button" data-do="nowhere">Nowhere</button>'));
    await page.getByRole("button", { name: "Nowhere" }).click();
    await all.click();
    await expect(waiting(page)).toHaveText("Waiting for Fieldmark’s program: Nowhere Show all meanings");
    release();
    await expect(all).toHaveAttribute("aria-pressed", "true");
    await expect(brief(page)).toHaveText("Not done: Nowhere. The page has changed.");
    await expect(waiting(page)).toHaveCount(0);
  });
});

test("a key counts for its row, and for no other", async ({ page }) => {
  const release = await openEarly(page, `${shop}/pods`);
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await link(page, 2).focus();
  release();
  await expect(brief(page)).toHaveText("Not done: x. The page has changed.");
  await live(page);
  await expect(page.locator("#main input:checked"), "no row was chosen").toHaveCount(0);
});

test("a key that waits opens the page of its row", async ({ page }) => {
  const release = await openEarly(page, `${shop}/pods`);
  await page.keyboard.press("j");
  const address = await link(page, 0).getAttribute("href");
  await page.keyboard.press("y");
  release();
  await expect(page).toHaveURL(`${address}?tab=yaml`);
});

test("after a step beyond the first screen, a key counts for the row that the step leads to", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const made = Array.from({ length: 120 }, (_, n) => `many-${String(n).padStart(3, "0")}`);
  await Promise.all(made.map((name) => api.create(path, { metadata: { name, labels: { of: "many" } } })));
  const release = await openEarly(page, `/c/practice${path}?labelSelector=of%3Dmany`);
  await page.keyboard.press("G");
  await page.keyboard.press("y");
  await expect(waiting(page)).toHaveText("Waiting for Fieldmark’s program: G y");
  release();
  await expect(page).toHaveURL(`/c/practice${path}/many-119?tab=yaml`);
});

test.describe("if the program never arrives", () => {
  test.use({ provoked: /Failed to fetch/ });

  test("the page says what wasn’t done, and steps and links still work", async ({ page }) => {
    await page.route(/\.wasm$/, (route) => route.abort());
    await page.goto(`${shop}/pods`, { waitUntil: "domcontentloaded" });
    await page.keyboard.press("s");
    await page.keyboard.press("?");
    await expect(waiting(page)).toHaveText("Waiting for Fieldmark’s program: s ?");
    await expect(page.getByRole("alert")).toContainText("Not done: s, ?.");
    await expect(waiting(page)).toHaveCount(0);
    await page.keyboard.press("s");
    await expect(waiting(page), "nothing waits for what will not come").toHaveCount(0);
    await page.keyboard.press("j");
    await expect(link(page, 0)).toBeFocused();
  });
});

/** What a key can change in sight: the focus, what waits, and how far anything is scrolled. */
const sight = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: at } = document;
    return `${at?.localName} ${at?.id} ${(at as HTMLAnchorElement)?.href} ${document.getElementById("waiting")?.textContent} ${document.getElementById("rows")?.scrollTop}`;
  });

/** Waits until two frames are painted. */
const twoFrames = (page: Page) => page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))));

const shown = kinds.filter(({ status, name }) => (status ?? 200) === 200 && name !== "sign-in" && name !== "handout");
for (const piece of pieces(shown, 16)) {
  test(`every key of the help works or waits, from ${piece[0]!.name} on`, async ({ page }) => {
    await holdBack(page);
    for (const { path, name } of piece) {
      await page.goto(path, { waitUntil: "domcontentloaded" });
      const named = (await page.locator("script[data-keys]").getAttribute("data-keys"))!.split(" ");
      expect(named.length, name).toBeGreaterThanOrEqual(3);
      for (const key of named) {
        const before = await sight(page);
        await page.keyboard.press(key);
        await twoFrames(page);
        expect.soft(await sight(page), `${key} on ${name}`).not.toBe(before);
      }
    }
  });
}

test("a step that comes before the rows is done as soon as they are there", async ({ page }) => {
  // Keys are pressed while the document is still read: its first script does it.
  await page.addInitScript(() => {
    const pressed = () => document.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true, cancelable: true }));
    new MutationObserver((_, observer) => {
      if (!("fieldmark" in globalThis)) return;
      observer.disconnect();
      pressed();
      pressed();
    }).observe(document, { childList: true, subtree: true });
  });
  await openEarly(page, `${shop}/pods`);
  await expect(link(page, 1)).toBeFocused();
  await expect(waiting(page)).toHaveCount(0);
});
