// Every kind of page, with its program running: it doesn't violate its own policy, has no scripts, styles or console messages except ours,
// has the headers, and has no serious or critical finding of axe. `make eye` measures the colors.
import { createHash } from "node:crypto";
import { type Page, type Response } from "@playwright/test";
import { toField } from "../harness/keyboard.ts";
import { expectAccessible } from "../harness/axe.ts";
import { liveness, settled } from "../harness/live.ts";
import { menu, pieces, rows } from "../harness/look.ts";
import { kinds } from "../harness/pages.ts";
import { expect, test } from "../harness/test.ts";

// Equal for axe: pages that differ from another page only in their words or rows.
const alike = new Set(["groups", "group-version", "collection-plain", "collection-cluster", "collection-none-match", "type-unknown", "cluster-untrusted", "object-unreadable"]);

async function accessible(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await settled(page);
  await expectAccessible(page);
}

/** Unexpected events of the page: dialogs, and messages in the console. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("dialog", (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    // A page that says 404 is reported, too; it is meant.
    const own = message.location().url === page.url() && message.text().startsWith("Failed to load resource");
    if (message.type() !== "info" && !own) complaints.push(`${page.url()}: ${message.text()}`);
  });
  return complaints;
}

/** Every page forbids all that it doesn't need. */
async function expectHeaders(response: Response, name: string): Promise<void> {
  const headers = await response.allHeaders();
  const policy = headers["content-security-policy"] ?? "";
  for (const rule of ["default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]) {
    expect.soft(policy, `policy of ${name}`).toContain(rule);
  }
  expect.soft(policy, `policy of ${name}`).not.toContain("unsafe-inline");
  expect.soft(headers, `headers of ${name}`).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
  });
}

async function expectOwnMarkup(page: Page, name: string, policy: string): Promise<void> {
  const scripts = page.locator('script:not([src^="/static/"]):not([type="application/json"])');
  for (const text of await scripts.allTextContents()) {
    const hash = createHash("sha256").update(text).digest("base64");
    expect.soft(policy, `a script in ${name} that its policy doesn't name`).toContain(`'sha256-${hash}'`);
  }
  await expect.soft(page.locator("[style]:not([data-mounted] *), style"), `styles in ${name}`).toHaveCount(0);
  const ids = await page.locator("[id]").evaluateAll((all) => all.map(({ id }) => id));
  expect.soft(ids.filter((id, at) => ids.indexOf(id) !== at), `doubled ids in ${name}`).toEqual([]);
}

/** The content has all of the room beside the list of types, or all of the width where there is no list. The document has nothing to scroll. */
async function expectRoom(page: Page, name: string): Promise<void> {
  const gaps = await page.locator(".frame > .content").evaluateAll((all) =>
    all.map((content) => {
      const { left, right } = content.getBoundingClientRect();
      const side = content.parentElement!.querySelector(":scope > .side")?.getBoundingClientRect();
      return [left - (side?.width ? side.right : 0), document.documentElement.clientWidth - right];
    }),
  );
  const over = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  expect.soft(over, `below the window, where focus would scroll ${name}`).toBeLessThan(2);
  for (const gap of gaps.flat()) expect.soft(Math.abs(gap), `room beside the content of ${name}`).toBeLessThan(2);
}

for (const piece of pieces(kinds, 5)) {
  test(`nothing to complain of, and accessible, from ${piece[0]!.name} on`, async ({ page }) => {
    const complaints = complaintsOf(page);
    for (const { name, path, status } of piece) {
      await test.step(name, async () => {
        const response = await page.goto(path);
        expect.soft(response?.status(), `status of ${name}`).toBe(status ?? 200);
        await expectHeaders(response!, name);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await settled(page);
        await expectRoom(page, name);
        await expectOwnMarkup(page, name, response!.headers()["content-security-policy"] ?? "");
        if (!alike.has(name)) await expectAccessible(page, "none");
      });
    }
    expect(complaints).toEqual([]);
  });
}

test("accessible with everything opened", async ({ page }) => {
  await page.goto("/c/practice");
  for (const feature of await page.locator("[data-feature] summary").all()) await feature.click();
  await page.locator("details.wire > summary").click();
  await menu(page, "namespace").locator("summary").click();
  await expectAccessible(page);
});

test("accessible with the palette and the help over the page", async ({ page }) => {
  await page.goto("/c/practice/api/v1/namespaces/shop/pods");
  await expect(liveness(page)).toHaveText(/^\s*live/);
  await rows(page).first().hover();
  await toField(page, "Control+k");
  await page.keyboard.type("storefront");
  await expect(page.getByRole("option").first()).toContainText("storefront");
  await expectAccessible(page);
  await page.keyboard.type("nosuch");
  await expect(page.getByRole("dialog")).toContainText("No result for");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys and help" })).toBeVisible();
  await expectAccessible(page);
});

test.describe("without the program", () => {
  test.use({ provoked: /Failed to fetch/ });

  test("accessible", async ({ page }) => {
    await page.route(/\.wasm$/, (route) => route.abort());
    await page.goto("/c/practice/api/v1/namespaces/shop/pods");
    await expect(page.getByRole("alert")).toBeVisible();
    await expectAccessible(page);
  });
});

test("accessible for strangers", async ({ page, context }) => {
  await context.clearCookies();
  await accessible(page, "/c/practice");
});
