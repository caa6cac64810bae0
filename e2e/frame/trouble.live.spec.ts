// Failures while a page is open: the page says what happened, and recovers by itself if it can.
import { type Page } from "@playwright/test";
import { rows } from "../harness/look.ts";
import { announced, born, expect, live, liveness, openLive, ready, row, test } from "../harness/live.ts";

const shop = "/c/practice/api/v1/namespaces/shop/pods";
const alert = (page: Page) => page.getByRole("alert");
const head = (page: Page, column: string) => page.locator(`th[data-column="${column}"]`);

/** Tells the page that the network is back, like browsers do. Then the page doesn't wait for its next attempt. */
const online = (page: Page) => page.evaluate(() => dispatchEvent(new Event("online")));

test.describe("connections", () => {
  // The page asks why it gets none.
  test.use({ provoked: / for http.*\/socket$/ });

  test("none, or one that breaks: the page says so, stays usable, and catches up", async ({ page, tap, api, namespace }) => {
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    await api.create(path, { metadata: { name: "before" } });
    tap.through = false;
    await page.goto(`/c/practice${path}`);
    await ready(page);
    const document = await born(page);
    await expect(liveness(page)).toContainText(/connection lost, reconnecting (now|in \d+ s)/);
    await expect(liveness(page)).toContainText(/stale since \d\d:\d\d:\d\d/);
    await expect(row(page, "before")).toBeVisible();
    tap.through = true;
    await online(page);
    await live(page);

    tap.through = false;
    await tap.cut();
    await expect(liveness(page)).toContainText("connection lost");
    await api.create(path, { metadata: { name: "meanwhile" } });
    await api.delete(`${path}/before`);
    await head(page, "Name").getByRole("link").click();
    await expect(head(page, "Name"), "the page is usable").toHaveAttribute("aria-sort", "ascending");
    await expect(row(page, "before"), "what was known is still shown").toBeVisible();
    await page.mouse.move(2, 2); // over the table, rows would be held
    tap.through = true;
    await online(page);
    await live(page);
    await expect(row(page, "meanwhile")).toBeVisible();
    await expect(row(page, "before")).toHaveCount(0);

    expect(await announced(page)).toEqual([
      "Connection lost. The page shows the last known state",
      "Live",
      "Connection lost. The page shows the last known state",
      "Sorted by Name",
      "Live",
    ]);
    expect(await born(page)).toBe(document);
  });

  test("other pages can be opened without a connection, and live once there is one", async ({ page, tap }) => {
    tap.through = false;
    await page.goto(shop);
    await ready(page);
    const document = await born(page);
    await rows(page).first().getByRole("link").first().click();
    await expect(page.locator(".code")).toContainText("kind: Pod");
    await expect(liveness(page)).toContainText("connection lost");
    tap.through = true;
    await online(page);
    await live(page);
    expect(await born(page)).toBe(document);
  });
});

test.describe("a bug in the program", () => {
  test.use({ provoked: /^panic: |exit code: 2/ });

  test("is said plainly, and the page stays readable", async ({ page, tap }) => {
    await openLive(page, shop);
    const shown = await rows(page).count();
    tap.say("this is no message");
    await expect(page.locator(".told-briefly")).toContainText("stopped because of a bug, and was started again");
    await live(page);
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("dialog")).toBeVisible();
    tap.say("and another bug at once");
    await expect(page.locator("html")).toHaveAttribute("data-wasm", "failed");
    await expect(alert(page)).toContainText("This page is no longer updated. Fieldmark’s program stopped because of a bug. You can still read this page.");
    await expect(liveness(page)).toHaveText("no longer live");
    await expect(page.getByRole("dialog"), "nothing lies over the page").toHaveCount(0);
    expect(await rows(page).count()).toBe(shown);

    const document = await born(page);
    await rows(page).first().hover();
    await page.keyboard.press("j");
    await rows(page).first().getByRole("link").first().click();
    await expect(page.locator(".code")).toContainText("kind: Pod");
    expect(await born(page), "links load documents again").not.toBe(document);
    await live(page);
    for (const words of ["this neither", "nor this"]) {
      await live(page);
      tap.say(words);
      await expect(page.locator("html")).not.toHaveAttribute("data-wasm", "ready");
    }
    await expect(alert(page)).toBeVisible();
    await page.getByRole("button", { name: "Reload" }).click();
    await live(page);
    await expect(alert(page)).toBeHidden();
  });
});

test("a tab of an older build takes the next page as a document, or itself anew when nobody looks", async ({ page, tap }) => {
  tap.tamper = (message) => (message.type === "hello" ? { ...message, build: "newer" } : message);
  await openLive(page, shop);
  let document = await born(page);
  await head(page, "Name").getByRole("link").click();
  await expect(head(page, "Name")).toHaveAttribute("aria-sort", "ascending");
  expect(await born(page), "what the page does itself it still does").toBe(document);
  await rows(page).first().getByRole("link").first().click();
  await expect(page.locator(".code")).toContainText("kind: Pod");
  expect(await born(page), "the next page is a document").not.toBe(document);

  // A line's address must not keep it from loading.
  await page.goto(`${page.url()}#L3`);
  await live(page);
  document = await born(page);
  tap.tamper = (message) => message;
  await page.evaluate(() => {
    Object.defineProperty(window.document, "visibilityState", { value: "hidden" });
    window.document.dispatchEvent(new Event("visibilitychange"));
  });
  await expect.poll(() => born(page).catch(() => document)).not.toBe(document);
  await live(page);
});
