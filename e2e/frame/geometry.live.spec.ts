// The layout: nothing covers another element, names aren't cut, a phone is wide enough, a printed page has the text but
// no buttons, and the current type is visible.
import { type Page } from "@playwright/test";
import { toField } from "../harness/keyboard.ts";
import { expect, live, openLive, ready, test } from "../harness/live.ts";

const storefront = "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront";

/** The texts of elements that cover an element, at points all over it. */
const coverers = (page: Page, selector: string) =>
  page.locator(selector).first().evaluate((bar) => {
    const { left, right, top, bottom } = bar.getBoundingClientRect();
    const found = new Set<string>();
    for (let x = left + 4; x < right - 4; x += 24)
      for (const y of [top + 2, (top + bottom) / 2, bottom - 2]) {
        const there = document.elementFromPoint(x, y);
        if (there && !bar.contains(there)) found.add(`${there.tagName}.${there.className} at ${Math.round(x)}, ${Math.round(y)}: ${there.textContent?.trim().slice(0, 40)}`);
      }
    return [...found];
  });

for (const [height, width] of [
  [900, 1400],
  [700, 1100],
] as const) {
  test(`with the drawer open, nothing lies on the actions at ${width} × ${height}`, async ({ page, shot }) => {
    test.slow(); // page by page
    await page.setViewportSize({ width, height });
    for (const query of ["?field=.spec.replicas", "", "?tab=yaml", "?tab=schema", "?tab=timeline", "?tab=events"]) {
      await page.goto(storefront + query);
      await ready(page);
      await page.locator("#wire > summary").click();
      await expect(page.locator("#wire")).toHaveAttribute("open", "");
      const bar = page.locator(".action-bar");
      await expect(bar).toBeInViewport();
      expect.soft(await coverers(page, ".action-bar"), `what lies on the actions with ${query}`).toEqual([]);
      // What there is to read has room: none of the panels is squeezed to nothing.
      const panels = await page.locator("main :is(.fields, .versions, .outline) > *").evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().height)));
      for (const room of panels) expect.soft(room, `the height of a panel with ${query}`).toBeGreaterThan(50);
      if (query === "?field=.spec.replicas") await shot(`geometry-drawer-${width}`);
    }
  });
}

test("names of managers break between their words only", async ({ page, api, namespace, shot }) => {
  test.slow(); // three widths
  const path = `/api/v1/namespaces/${namespace}/configmaps/many-hands`;
  await api.apply(path, JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "many-hands" }, data: { level: "0" } }), "gitops");
  await openLive(page, `/c/practice${path}?tab=timeline`);
  const managers = ["kube-controller-manager", "argocd-application-controller", "horizontalpodautoscaler", "x".repeat(100)];
  for (const [i, manager] of managers.entries()) {
    const answer = await api.fetch(`${path}?fieldManager=${manager}`, { method: "PATCH", headers: { "Content-Type": "application/merge-patch+json" }, body: JSON.stringify({ data: { level: String(i + 1) } }) });
    expect(answer.status).toBe(200);
  }
  await expect(page.locator(".version")).toHaveCount(managers.length + 1);
  for (const width of [1400, 700, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const broken = await page.locator(".version .manager b, .last-writes .manager b").evaluateAll((names) =>
      names.flatMap((name) => {
        const text = name.firstChild as Text;
        if (text.data.startsWith("xxx")) return [];
        return [...text.data.matchAll(/[^-]+/g)].flatMap(({ 0: word, index }) => {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1 ? [`${word} of ${text.data}`] : [];
        });
      }),
    );
    expect.soft(broken, `words that are broken at ${width} pixels`).toEqual([]);
    const wide = await page.locator(".steps-scroll").evaluate((list) => list.scrollWidth - list.clientWidth);
    expect.soft(wide, `what sticks out of the list at ${width} pixels`).toBeLessThanOrEqual(0);
    await shot(`geometry-managers-${width}`);
  }
});

const onPhone = ["/", "/learn", "/learn/glossary", "/learn/verbs", "/learn/conflicts?cluster=practice&step=red", "/c/practice", "/c/practice/api/v1/namespaces/shop/pods", storefront, `${storefront}?tab=timeline`];

test("a phone's page is not wider than the phone", async ({ page, shot }) => {
  test.slow(); // page by page
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of onPhone) {
    await page.goto(path);
    await ready(page);
    const wider = await page.locator("html, body, #app, body header, .frame, main, main > *:not(.scroll, .code)").evaluateAll((all) =>
      all
        .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > innerWidth + 1)
        .map((one) => {
          const out = [...one.querySelectorAll("*")].find((inner) => inner.getBoundingClientRect().right > innerWidth + 1 && !inner.closest(".scroll, .code, .visually-hidden"));
          return `${one.tagName}.${one.className}: ${one.scrollWidth} of ${one.clientWidth}, by ${out?.tagName}.${out?.getAttribute("class")}`;
        }),
    );
    expect.soft(wider, `what is too wide on ${path}`).toEqual([]);
    if (path === "/learn") await shot("geometry-phone-learn");
  }
});

/** The buttons and fields on a printed page, and its largest stretch without text. */
function printed(): { controls: string[]; gap: number; after: string; sideways: number } {
  const visible = (element: Element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && element.getClientRects().length > 0;
  const controls = [...document.querySelectorAll("button, input, select, textarea, summary, progress, .button, a.why, .menu, .skip, nav")]
    .filter((one) => visible(one) && !one.matches(".version > button, .anatomy, .visually-hidden, details > summary:not(.menu > summary, .wire > summary)") && !one.matches(".lesson-page :is(.part, .choice, .value input)"))
    .map((one) => `${one.tagName}.${one.className} ${one.textContent?.trim().slice(0, 30)}`);
  const lines: { top: number; bottom: number; text: string }[] = [];
  const walker = document.createTreeWalker(document.querySelector("main")!, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode as Text;
    if (!text.data.trim() || !visible(text.parentElement!) || text.parentElement!.closest(".visually-hidden")) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const { top, bottom, height } of range.getClientRects()) if (height > 0) lines.push({ top, bottom, text: text.data.trim().slice(0, 40) });
  }
  for (const picture of document.querySelectorAll("main svg")) if (visible(picture)) lines.push({ ...picture.getBoundingClientRect().toJSON(), text: "a picture" });
  lines.sort((a, b) => a.top - b.top);
  let [gap, after, end, last] = [0, "", 0, "the top"];
  for (const { top, bottom, text } of lines) {
    if (top - end > gap) [gap, after] = [top - end, last];
    if (bottom > end) [end, last] = [bottom, text];
  }
  const rest = document.querySelector("main")!.getBoundingClientRect().bottom - end;
  if (rest > gap) [gap, after] = [rest, `${last} (the end)`];
  return { controls, gap: Math.round(gap), after, sideways: document.documentElement.scrollWidth - innerWidth };
}

const onPaper: Record<string, string> = {
  object: `${storefront}?field=.spec.replicas`,
  yaml: `${storefront}?tab=yaml`,
  timeline: `${storefront}?tab=timeline`,
  collection: "/c/practice/api/v1/namespaces/shop/pods",
  long: "/c/practice/apis/rbac.authorization.k8s.io/v1/clusterroles",
  learn: "/learn",
  lesson: "/learn/conflicts?cluster=practice&step=red",
};

test("a printed page has the text, no buttons and no gaps", async ({ page, api, shot }) => {
  test.slow(); // page by page
  for (const [name, path] of Object.entries(onPaper)) {
    await page.emulateMedia({ media: "screen" });
    await page.goto(path);
    await ready(page);
    if (name === "timeline") {
      await live(page);
      const headers = { "Content-Type": "application/merge-patch+json" };
      const seen = JSON.stringify({ metadata: { annotations: { "e2e/printed": String(Date.now()) } } });
      expect((await api.fetch("/apis/apps/v1/namespaces/shop/deployments/storefront?fieldManager=printer", { method: "PATCH", headers, body: seen })).ok).toBe(true);
      await expect(page.locator(".version").nth(1)).toBeVisible();
    }
    if (name === "long") await expect(page.locator("tr.room").last(), "rows out of sight are not laid out").toBeAttached();
    await page.emulateMedia({ media: "print" });
    await page.setViewportSize({ width: 760, height: 1000 }); // about what a sheet is wide
    const found = await page.evaluate(printed);
    expect.soft(found.controls, `what is printed of ${name} and can be pressed`).toEqual([]);
    expect.soft(found.gap, `the largest gap on ${name}, after “${found.after}”`).toBeLessThan(110);
    expect.soft(found.sideways, `what is cut off at the right of ${name}`).toBeLessThanOrEqual(0);
    await shot(`geometry-print-${name}`);
    await page.setViewportSize({ width: 1400, height: 900 });
  }
});

/** How far the current type is out of the part of the list that can be seen; 0: it is in sight. */
const out = (page: Page) =>
  page.locator("#types [aria-current]").evaluate((current) => {
    const [at, box] = [current.getBoundingClientRect(), document.querySelector("#types")!.getBoundingClientRect()];
    return Math.max(0, box.top - at.top, at.bottom - box.bottom);
  });

test("the list of types shows the current one", async ({ page, shot }) => {
  await openLive(page, "/c/practice/apis/storage.k8s.io/v1/storageclasses");
  expect(await out(page), "when the page is loaded").toBe(0);
  expect(await page.evaluate(() => [scrollY, document.querySelector("main")!.scrollTop, document.querySelector("#app")!.scrollTop]), "the page stays").toEqual([0, 0, 0]);
  expect(await page.evaluate(() => document.activeElement?.tagName), "nothing takes the focus").toBe("BODY");
  await shot("geometry-side");
  for (const [type, path] of [["pods", "/api/v1/pods"], ["priorityclasses", "/apis/scheduling.k8s.io/v1/priorityclasses"]] as const) {
    await toField(page, "Control+k");
    await page.keyboard.type(type);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`/c/practice${path}`);
    await expect(page.locator("#main")).toBeFocused();
    await expect.poll(() => out(page), { message: `after going to ${type}` }).toBe(0);
    expect(await page.evaluate(() => [scrollY, document.querySelector("main")!.scrollTop]), "the page stays").toEqual([0, 0]);
  }
  // What is in sight already does not move.
  const at = () => page.locator("#types").evaluate((list) => list.scrollTop);
  await expect.poll(at, { message: "the list is scrolled" }).toBeGreaterThan(0);
  const before = await at();
  await page.locator("#types a[aria-current]").click();
  await live(page);
  expect(await at()).toBe(before);
});
