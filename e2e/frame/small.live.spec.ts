// Small windows: those of phones, upright and on their side, and windows that are zoomed to 200 %, which have half of the pixels in each
// direction. On each kind of page, the content can have two thirds of the height, and nothing is wider than the window.
import { type Page } from "@playwright/test";
import { expect, openLive, settled, test } from "../harness/live.ts";
import { names, pieces } from "../harness/look.ts";
import { kinds } from "../harness/pages.ts";

const core = "/c/practice/api/v1";
const storefront = "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront";

const windows = { phone: { width: 390, height: 844 }, lying: { width: 844, height: 390 }, zoomed: { width: 640, height: 360 }, "zoomed-wide": { width: 700, height: 450 } };

// Pages that have another layout. The others differ from one of these in their words and rows.
const laidOut =
  /^(home|learn|glossary|overview|explain|contention|chunks|versions|requests|requests-none-pass|watch|discovery|discovery-(type|raw)|apply-object|check|request|representations-object|compare|lesson|lesson-step|group|collection|collection-(cluster|none-match)|forbidden|object-(fields|field|yaml|events|related|schema|unowned|untrusted|unknown)|delete|assist-hand-over|secret-revealed|find-ambiguous|cluster-unreachable|sign-in)$/;
const pages = [...kinds.filter(({ name }) => laidOut.test(name)), { name: "object-timeline", path: `${storefront}?tab=timeline` }];

/**
 * What stays in sight when the page is scrolled to its content, the height that content has then, whether all of the content is in sight,
 * and what sticks out.
 */
function measured(): { kept: number; content: number; whole: boolean; wider: string[] } {
  const main = document.querySelector<HTMLElement>("#main")!;
  const scroller = [main, main.parentElement!].find((one) => one.scrollHeight > one.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(one).overflowY)) ?? main;
  scroller.scrollTop = 0;
  const height = (selector: string) => document.querySelector(selector)?.getBoundingClientRect().height ?? 0;
  const kept = height(".top") + height(".bottom");
  const head = main.querySelector(".page-head");
  if (head) scroller.scrollTop += head.getBoundingClientRect().bottom - scroller.getBoundingClientRect().top;
  const [seen, end] = [scroller.getBoundingClientRect(), head?.getBoundingClientRect().bottom ?? 0];
  const content = seen.bottom - Math.max(seen.top, end);
  const atEnd = scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 1;
  const whole = atEnd && [...main.querySelectorAll(".scroll, .code")].every((part) => part.scrollHeight <= part.clientHeight + 1);
  const wider = [...document.querySelectorAll("html, body, #app, body header, .frame, main, main > *:not(.scroll, .code)")]
    .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > innerWidth + 1)
    .map((one) => {
      const out = [...one.querySelectorAll("*")].find((inner) => inner.getBoundingClientRect().right > innerWidth + 1 && !inner.closest(".scroll, .code, .tabs, .visually-hidden"));
      return `${one.tagName}.${one.className}: ${one.scrollWidth} of ${one.clientWidth}, by ${out?.tagName}.${out?.getAttribute("class")}`;
    });
  return { kept, content, whole, wider };
}

/** The targets of a finger or a pointer in the bar, the head and the tabs that are smaller than 24 pixels. */
const tiny = (page: Page) =>
  page.locator(".top :is(a, button, summary), .page-head :is(button, .button, summary), .tabs a, main > .foot :is(button, .button, summary), #wire > summary").evaluateAll((all) =>
    all
      .map((one) => [one, one.getBoundingClientRect()] as const)
      .filter(([one, { width, height }]) => width > 0 && one.checkVisibility({ visibilityProperty: true }) && (width < 23.5 || height < 23.5))
      .map(([one, { width, height }]) => `${one.tagName}.${one.className} ${one.textContent?.trim().slice(0, 20)}: ${width} × ${height}`),
  );

for (const piece of pieces(pages, 10)) {
  test(`content has two thirds of the height, from ${piece[0]!.name} on`, async ({ page, shot }) => {
    test.slow(); // page by page
    for (const { name, path } of piece) {
      await page.goto(path);
      await settled(page);
      for (const [what, size] of Object.entries(windows)) {
        await page.setViewportSize(size);
        const { kept, content, whole, wider } = await page.evaluate(measured);
        expect.soft(kept / size.height, `what of ${name} stays in sight, ${what}`).toBeLessThanOrEqual(1 / 3);
        // Where all of the content is in sight, the head stays.
        if (!whole) expect.soft(content / size.height, `the content’s part of ${name}, ${what}`).toBeGreaterThanOrEqual(0.66);
        expect.soft(wider, `what of ${name} is too wide, ${what}`).toEqual([]);
        expect.soft(await tiny(page), `what of ${name} is too small to hit, ${what}`).toEqual([]);
        await shot(`small-${what}-${name}`);
      }
    }
  });
}

test("a part that is scrolled sends the head away, and brings it back", async ({ page }) => {
  await page.setViewportSize(windows.zoomed);
  for (const [path, part] of [["/c/practice/apis/rbac.authorization.k8s.io/v1/clusterroles", "#rows"], [`${storefront}?tab=yaml`, "#document"], [storefront, "#document"]] as const) {
    await openLive(page, path);
    const head = page.locator(".page-head");
    await expect(head).toBeInViewport();
    const box = (await page.locator(part).boundingBox())!;
    await page.mouse.move(box.x + 200, Math.min(box.y + 20, 325));
    await expect(async () => {
      await page.mouse.wheel(0, 120);
      await expect(head).not.toBeInViewport({ timeout: 500 });
    }).toPass();
    const room = await page.locator(part).evaluate((one) => one.getBoundingClientRect().height / innerHeight);
    expect.soft(room, `the part of the window that ${part} of ${path} has`).toBeGreaterThan(0.6);
    await expect(async () => {
      await page.mouse.wheel(0, -2000);
      await expect(head).toBeInViewport({ timeout: 500 });
    }).toPass();
  }
});

test("the row with the focus is in sight", async ({ page }) => {
  await page.setViewportSize(windows.zoomed);
  await openLive(page, `${core}/pods`);
  for (let n = 0; n < 12; n++) {
    await page.keyboard.press("j");
    await expect(page.locator("#rows tr:focus-within, #rows tr:focus")).toHaveCount(1);
    await expect(page.locator("#rows tr:focus-within td:nth-child(2), #rows tr:focus td:nth-child(2)")).toBeInViewport({ ratio: 0.9 });
    const hidden = await page.locator("#rows tr:focus-within, #rows tr:focus").evaluate((row) => row.getBoundingClientRect().bottom - document.querySelector(".bottom")!.getBoundingClientRect().top);
    expect(hidden, `how far row ${n + 1} is below the bar`).toBeLessThanOrEqual(1);
  }
});

test("tables of a phone begin with the name, then the status, and scroll within themselves", async ({ page, shot }) => {
  await page.setViewportSize(windows.phone);
  await openLive(page, `${core}/pods`);
  const left = (column: string) => page.locator(`#rows th[data-column="${column}"]`).evaluate((head) => Math.round(head.getBoundingClientRect().left));
  const lefts: number[] = [];
  for (const column of ["Name", "Ready", "Status", "Restarts", "Namespace"]) lefts.push(await left(column));
  expect(lefts, "the columns from left to right").toEqual([...lefts].sort((a, b) => a - b));
  expect(lefts[0]).toBe(0);
  expect(lefts[2], "a status is in sight").toBeLessThan(330);
  // Screen readers and tests read the server's order.
  await expect(page.locator("#rows th").first()).toHaveText("Namespace");
  const rows = page.locator("#rows");
  await rows.evaluate((table) => (table.scrollLeft = 2000));
  expect(await left("Name"), "the name stays").toBe(0);
  const end = page.locator("#rows tbody tr td:first-child").first();
  await expect(end).toBeInViewport({ ratio: 0.9 });
  expect(await end.evaluate((cell) => cell.getBoundingClientRect().right)).toBeLessThanOrEqual(391);
  expect(await page.evaluate(() => [scrollX, document.querySelector("#main")!.scrollLeft]), "the page stays").toEqual([0, 0]);
  // The cell that is on top at a row's name is that name.
  const first = (await names(page))[0]!;
  const there = await page.locator(`tr[data-name="${first}"] td:nth-child(2)`).evaluate((cell) => {
    const { left, top, height } = cell.getBoundingClientRect();
    return cell.contains(document.elementFromPoint(left + 20, top + height / 2));
  });
  expect(there, "the name is not covered").toBe(true);
  await shot("small-table-end");
});

test("menus of a phone are in sight", async ({ page }) => {
  await page.setViewportSize(windows.phone);
  for (const path of [`${core}/pods`, `${storefront}?tab=yaml`, "/c/practice/-/discovery?type=deployments.apps"]) {
    await page.goto(path);
    await settled(page);
    for (const menu of await page.locator("details.menu").all()) {
      await menu.locator("summary").scrollIntoViewIfNeeded();
      await menu.locator("summary").click();
      const list = menu.locator(".menu-list");
      await expect(list).toBeVisible();
      const { x, width } = (await list.boundingBox())!;
      expect.soft(x, `the left edge of ${await menu.locator("summary").innerText()} on ${path}`).toBeGreaterThanOrEqual(0);
      expect.soft(x + width, `the right edge of ${await menu.locator("summary").innerText()} on ${path}`).toBeLessThanOrEqual(390);
      await page.keyboard.press("Escape");
    }
  }
});
