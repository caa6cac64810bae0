// Scripts and programs that don't arrive are asked for again. What is missing in the end is said, with a way to reload.
import { type Page } from "@playwright/test";
import { faults, faulty, halted, needed } from "../harness/arriving.ts";
import { openShell, runningPod } from "../harness/shell.ts";
import { rows } from "../harness/look.ts";
import { expect, live, openLive, ready, test, texts } from "../harness/live.ts";

const shop = "/c/practice/api/v1/namespaces/shop/pods";
const check = "/c/practice/-/check";

test.use({ provoked: /409 for .*dryRun|503 for .*\/static\/|Failed to fetch|didn’t arrive|MIME type|HTTP status code/ });

for (const file of needed) {
  for (const fault of faults) {
    test(`${file} is ${fault} once`, async ({ page }) => {
      const { asked, release } = await faulty(page, file, fault);
      await page.goto(shop, { waitUntil: "commit" });
      if (fault === "slow") {
        await expect.poll(asked).toBe(1);
        if (file !== "fieldmark.css") await expect(rows(page).first(), "the page can be read meanwhile").toBeVisible();
        release();
      }
      await live(page);
      await page.keyboard.press("Control+k");
      await expect(page.getByRole("dialog")).toBeVisible();
      await expect(halted(page)).toBeHidden();
      expect(asked()).toBe(fault === "slow" ? 1 : 2);
      expect(await page.locator("#main").evaluate((main) => getComputedStyle(main).overflowY), "the stylesheet counts").toBe("auto");
    });
  }
}

for (const [file, words] of [
  ["fieldmark.js", "Fieldmark’s script didn’t arrive."],
  ["worker.js", "Fieldmark’s program didn’t arrive."],
  ["read.wasm", "Fieldmark’s program didn’t arrive."],
] as const) {
  test(`without ${file}, the page says so, and reloads`, async ({ page }) => {
    const { asked } = await faulty(page, file, "of another version", 5);
    await page.goto(shop);
    await expect(halted(page)).toContainText(`This page is no longer updated. ${words} You can still read pages and open links. Reload to ask for it again.`, { timeout: 30_000 });
    expect(asked()).toBe(5);
    await page.getByRole("button", { name: "Reload" }).click();
    await live(page);
    await expect(halted(page)).toBeHidden();
  });
}

test("the program of another page is asked for again", async ({ page }) => {
  const { asked } = await faulty(page, "write.wasm", "missing", 2);
  await page.goto(shop);
  await live(page);
  await page.getByRole("navigation", { name: "Resource types" }).getByRole("link", { name: "Check", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(check));
  await ready(page);
  expect(asked(), "a page at rest may have asked for it before").toBeGreaterThanOrEqual(3);
  expect(asked()).toBeLessThanOrEqual(4);
});

// Each page has one of five programs; read.wasm is among those above.
for (const [file, path] of [
  ["write.wasm", check],
  ["lab.wasm", "/c/practice/-/discovery"],
  ["learn.wasm", "/learn/verbs"],
  ["run.wasm", "/c/practice/-/act?act=scale&replicas=5&path=/apis/apps/v1/namespaces/shop/deployments/storefront"],
] as const) {
  for (const fault of faults) {
    test(`${file} is ${fault} once`, async ({ page }) => {
      const { asked, release } = await faulty(page, file, fault);
      await page.goto(path, { waitUntil: "commit" });
      await expect.poll(asked).toBeGreaterThan(0);
      release();
      await ready(page);
      await expect(halted(page)).toBeHidden();
      expect(asked()).toBe(fault === "slow" ? 1 : 2);
    });
  }
}

/** Uses the menu that copies the lines of an object as an image. */
async function copyPicture(page: Page): Promise<void> {
  await openLive(page, "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront");
  const menu = page.locator(".foot .copying");
  await menu.locator("summary").click();
  await menu.getByRole("button", { name: "Copy as image" }).click();
}

test.describe("pictures", () => {
  test.beforeEach(({ context }) => context.grantPermissions(["clipboard-read", "clipboard-write"]));
  test.afterEach(({ context }) => context.clearPermissions()); // the next test has the same context

  for (const fault of faults)
    test(`the script that copies pictures is ${fault} once`, async ({ page }) => {
      const { asked, release } = await faulty(page, "copying.js", fault);
      await copyPicture(page);
      const brief = await texts(page, ".told-briefly");
      await expect.poll(asked).toBeGreaterThan(0);
      release();
      await expect.poll(brief).toContain("Copied as an image.");
      expect(asked()).toBe(fault === "slow" ? 1 : 2);
      await expect(halted(page)).toBeHidden();
    });

  test("without the script that copies pictures, the page says so", async ({ page }) => {
    await faulty(page, "copying.js", "missing", 5);
    await copyPicture(page);
    await expect(halted(page)).toContainText("A part of this page is missing. The script that copies pictures didn’t arrive. Reload to ask for it again.", { timeout: 30_000 });
  });
});

test("without the script that reads folders, the page says so", async ({ page }) => {
  await faulty(page, "folder.js", "of another version", 5);
  await page.goto(check);
  await ready(page);
  await page.locator('input[name="files"]').setInputFiles({ name: "none.zip", mimeType: "application/zip", buffer: Buffer.from("no archive at all") });
  await expect(halted(page)).toContainText("A part of this page is missing. The script that reads folders didn’t arrive. Reload to ask for it again.", { timeout: 30_000 });
});

for (const fault of faults) {
  test(`the editor is ${fault} once`, async ({ page }) => {
    const { release } = await faulty(page, "editor.js", fault);
    await page.goto("/c/practice/-/apply");
    await ready(page);
    release();
    await expect(page.locator(".cm-content")).toBeVisible();
    await expect(halted(page)).toBeHidden();
  });

  test(`the terminal is ${fault} once`, async ({ page, api, namespace }) => {
    const { release } = await faulty(page, "terminal.js", fault);
    await page.goto(`/c/practice${await runningPod(api, namespace)}?tab=shell`);
    await ready(page);
    release();
    await openShell(page);
    await expect(halted(page)).toBeHidden();
  });

  test(`the script that reads folders is ${fault} once`, async ({ page }) => {
    const { release } = await faulty(page, "folder.js", fault);
    await page.goto(check);
    await ready(page);
    await page.locator('input[name="files"]').setInputFiles({ name: "none.zip", mimeType: "application/zip", buffer: Buffer.from("no archive at all, and long enough to have an end") });
    release();
    await expect(page.locator(".banner", { hasText: "Fieldmark can’t read none.zip" })).toBeVisible();
  });
}

test("without the editor, the field in its place works, and the page says so", async ({ page }) => {
  await faulty(page, "editor.js", "missing", 5);
  await page.goto("/c/practice/-/apply");
  await ready(page);
  await expect(halted(page)).toContainText("A part of this page is missing. The editor didn’t arrive.", { timeout: 30_000 });
  await expect(page.locator("[data-editor] textarea").first()).toBeEditable();
});
