// The map of the field guide as it lives: how far one is, and what the palette finds of it.
import { type Page } from "@playwright/test";
import { toField } from "../harness/keyboard.ts";
import { expect, test } from "../harness/test.ts";

const done = { done: true };
const underWay = { cluster: "practice", step: "nowhere", attempt: 1 };

/** Opens the map in a browser that has kept something. */
async function kept(page: Page, lessons: Record<string, unknown>): Promise<void> {
  await page.goto("/learn");
  await page.evaluate((book) => localStorage.setItem("fieldmark.learn", book), JSON.stringify({ learner: "bcdfg", lessons }));
  await page.reload();
  await ready(page);
}

async function ready(page: Page): Promise<void> {
  await expect(page.locator("html")).toHaveAttribute("data-wasm", "ready");
}

const row = (page: Page, id: string) => page.locator(`[data-lesson="${id}"]`);

test("how far one is", async ({ page }) => {
  await kept(page, { "kinds-and-resources": done, watch: underWay });
  await expect(row(page, "kinds-and-resources")).toHaveAttribute("data-state", "done");
  await expect(row(page, "watch")).toHaveAttribute("data-state", "under");
  await expect(row(page, "watch")).toContainText(/step 1 of \d/);
  await expect(row(page, "paths")).toHaveAttribute("data-state", "new");
  await expect(page.locator("#how-far")).toHaveText(/^Done: 1 of \d+ lessons\. Started: 1\. Time left: about/);
  const goOn = page.getByRole("region", { name: "Continue where you stopped" });
  await expect(goOn.getByRole("link").first()).toHaveAttribute("href", "/learn/watch");
  await expect(goOn.getByRole("link", { name: /^Next: / })).toHaveAttribute("href", "/learn/paths");
  await page.getByRole("link", { name: /^Operators \d/ }).click();
  await expect(page).toHaveURL("/learn?path=operators");
  await expect(row(page, "watch")).toHaveAttribute("data-state", "under");
  await page.goBack();
  await expect(page).toHaveURL("/learn");
});

test("the drawing shows how far one is", async ({ page }) => {
  await kept(page, { "kinds-and-resources": done, paths: done, verbs: underWay });
  const stop = (id: string) => page.locator(`.guide-chart [data-stop="${id}"]`);
  await expect(stop("paths")).toHaveClass("stop done");
  await expect(stop("verbs")).toHaveClass("stop under");
  await expect(stop("representations")).toHaveClass("stop new next");
  await expect(page.locator(".edge.gone")).toHaveCount(2);
  await page.getByRole("link", { name: /^Operators \d/ }).click();
  await expect(stop("paths")).toHaveClass("stop done off");
  await stop("subresources").click();
  await expect(page).toHaveURL(/\/learn\/subresources/);
});

test("j and k go from lesson to lesson, and Enter opens one", async ({ page }) => {
  await page.goto("/learn?path=operators");
  await ready(page);
  const link = (id: string) => row(page, id).getByRole("heading").getByRole("link");
  const first = await page.locator("[data-lesson]").first().getAttribute("data-lesson");
  const last = await page.locator("[data-lesson]").last().getAttribute("data-lesson");
  await page.keyboard.press("j");
  await expect(link(first!)).toBeFocused();
  await page.keyboard.press("G");
  await expect(link(last!)).toBeFocused();
  await expect(link(last!)).toBeInViewport();
  await page.keyboard.press("g");
  for (let down = 0; down < 3; down++) await page.keyboard.press("j");
  await expect(link("expired")).toBeFocused();
  await expect(link("expired")).toBeInViewport();
  await page.keyboard.press("k");
  await expect(link("watch")).toBeFocused();
  await page.keyboard.press("?");
  const help = page.getByRole("dialog");
  await expect(help.getByText("Next and previous lesson")).toBeVisible();
  await expect(help.getByText("Open the lesson")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(link("watch")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/learn\/watch/);
});

test("progress is forgotten, if that is meant", async ({ page }) => {
  await kept(page, { "kinds-and-resources": done });
  await page.getByRole("button", { name: "Forget progress…" }).click();
  await expect(page.getByRole("button", { name: "Keep progress" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Forget progress…" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Forget progress", exact: true }).click();
  await expect(page.locator("#how-far")).toHaveText(/^Done: 0 of /);
  await expect(page.getByRole("heading", { name: "New here?" })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem("fieldmark.learn"))).toBeNull();
});

test("the glossary is filtered as one types", async ({ page }) => {
  await page.goto("/learn/glossary");
  await ready(page);
  await toField(page, "/");
  await page.keyboard.type("fetches the next");
  await expect(page.locator(".glossary > section")).toHaveCount(2); // chunk, continue token
  await expect(page).toHaveURL("/learn/glossary?filter=fetches+the+next");
});

for (const [where, path] of [
  ["a collection", "/c/practice/api/v1/namespaces/shop/pods"],
  ["the list of clusters", "/"],
] as const) {
  test(`Ctrl-K finds terms and lessons from ${where}`, async ({ page }) => {
    await page.goto(path);
    await ready(page);
    await toField(page, "Control+k");
    await page.keyboard.type("streaming list");
    const palette = page.getByRole("dialog");
    await expect(palette.locator(".palette-title", { hasText: /^Glossary$/ })).toBeVisible();
    const option = palette.getByRole("option", { name: /^streaming list( new tab)?$/ });
    // An option moves while lists arrive, and a click would open what stands there then.
    await expect.poll(() => page.locator("#announcer").textContent()).toMatch(/^\d+ results?/);
    let last = -1;
    const steady = async () => last === (last = (await option.boundingBox())?.y ?? -1);
    await expect.poll(steady, { intervals: [500] }).toBe(true);
    // A page of a cluster may be recording: it stays, and the guide is beside it.
    const opened = path === "/" ? Promise.resolve(page) : page.context().waitForEvent("page");
    await option.click();
    const guide = await opened;
    await expect(guide).toHaveURL("/learn/glossary#streaming-list");
    await expect(guide.locator("#streaming-list")).toBeInViewport();
  });
}
