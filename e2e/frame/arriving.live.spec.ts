// Scripts and programs that don't arrive are asked for again. What is missing in the end is said, with a way to reload.
import { copyPicture, faults, faulty, giveArchive, halted, needed, referred, tried } from "../harness/arriving.ts";
import { runningPod } from "../harness/shell.ts";
import { expect, live, ready, test } from "../harness/live.ts";

const shop = "/c/practice/api/v1/namespaces/shop/pods";
const check = "/c/practice/-/check";

test.use({ provoked: /409 for .*dryRun|503 for .*\/static\/|Failed to fetch|didn’t arrive|MIME type|HTTP status code/ });

const deployment = "/apis/apps/v1/namespaces/shop/deployments/storefront";

test("every script, program and stylesheet is tried", async ({ page }) => {
  expect(await referred(async (path) => (await page.request.get(path)).text(), shop)).toEqual(Object.keys(needed).sort());
});

test.describe("once", () => {
  test.beforeEach(({ context }) => context.grantPermissions(["clipboard-read", "clipboard-write"]));
  test.afterEach(({ context }) => context.clearPermissions()); // the next test has the same context

  for (const file of Object.keys(needed))
    for (const fault of faults)
      test(`${file} is ${fault}`, async ({ page, api, namespace }) => {
        await tried(page, { list: shop, deployment, pod: () => runningPod(api, namespace) }, file, fault);
      });
});

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
  await page.getByRole("navigation", { name: "Resource types" }).getByRole("link", { name: "Check manifests", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(check));
  await ready(page);
  expect(asked(), "a page at rest may have asked for it before").toBeGreaterThanOrEqual(3);
  expect(asked()).toBeLessThanOrEqual(4);
});

test("without the script that copies pictures, the page says so", async ({ page }) => {
  await faulty(page, "copying.js", "missing", 5);
  await page.goto(`/c/practice${deployment}`);
  await copyPicture(page);
  await expect(halted(page)).toContainText("A part of this page is missing. The script that copies pictures didn’t arrive. Reload to ask for it again.", { timeout: 30_000 });
});

test("without the script that reads folders, the page says so", async ({ page }) => {
  await faulty(page, "folder.js", "of another version", 5);
  await page.goto(check);
  await giveArchive(page);
  await expect(halted(page)).toContainText("A part of this page is missing. The script that reads folders didn’t arrive. Reload to ask for it again.", { timeout: 30_000 });
});

test("without the editor, the field in its place works, and the page says so", async ({ page }) => {
  await faulty(page, "editor.js", "missing", 5);
  await page.goto("/c/practice/-/apply");
  await ready(page);
  await expect(halted(page)).toContainText("A part of this page is missing. The editor didn’t arrive.", { timeout: 30_000 });
  await expect(page.locator("[data-editor] textarea").first()).toBeEditable();
});
