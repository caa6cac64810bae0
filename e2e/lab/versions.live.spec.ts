// The version laboratory: every cell of the tables as a request to a real API server. The cluster is one of this file's own: old
// versions are made to go in it.
import { type Page } from "@playwright/test";
import { announced, expect, ready, texts } from "../harness/live.ts";
import { test } from "../harness/owncluster.ts";

const cell = (page: Page, id: string) => page.locator(`[id="${id}"]`);
const panel = (page: Page) => page.locator("#cell");
const score = (page: Page) => page.locator("#score");
const choose = async (page: Page, id: string) => {
  await cell(page, id).click();
  await expect(cell(page, id)).toHaveAttribute("aria-current", "true");
};

/** The versions page of a namespace with some ConfigMaps. */
const open = async (page: Page, path: string) => {
  await page.goto(`/c/practice/-/versions?path=${encodeURIComponent(path)}`);
  await ready(page);
};

test.describe.configure({ mode: "serial" });
test.use({ provoked: /^(400|410|422|504) for / });

test("predict, send, compare", async ({ page, api, namespace, shot }) => {
  test.setTimeout(90_000);
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  for (const name of ["a", "b", "c"]) await api.create(path, { metadata: { name } });
  await open(page, path);
  await api.create(path, { metadata: { name: "d" } });
  await page.getByRole("button", { name: "Get new values" }).click();

  await test.step("right", async () => {
    await choose(page, "list-limit.old");
    await page.keyboard.press("4");
    await expect(panel(page).getByRole("button", { name: "Exact", exact: true })).toHaveAttribute("aria-pressed", "true");
    await page.keyboard.press("s");
    await expect(panel(page)).toContainText("Correct. The request means: Exact");
    await expect(panel(page)).toContainText("200: the state at exactly the requested version");
    await expect(panel(page)).toContainText(`1 object at version ${await page.getByRole("textbox", { name: "Old" }).inputValue()}`);
    await expect(score(page)).toHaveText("Predictions: 1 of 1 correct.");
  });
  await test.step("wrong, and the limit passed over", async () => {
    await choose(page, "list-limit.zero");
    await panel(page).getByRole("button", { name: "Most Recent" }).click();
    await panel(page).getByRole("button", { name: "Send" }).click();
    await expect(panel(page)).toContainText("You said “Most Recent”. The request means: Any");
    await expect(panel(page)).toContainText("The server ignored the limit");
    await expect(score(page)).toHaveText("Predictions: 1 of 2 correct.");
  });
  await test.step("400, and what the documents have as 400", async () => {
    await choose(page, "list-continue.old");
    await page.keyboard.press("6");
    await page.keyboard.press("s");
    await expect(cell(page, "list-continue.old")).toHaveText("Invalid · 400");
    await expect(panel(page).locator("blockquote")).toContainText("specifying resource version is not allowed when using continue");
    await page.keyboard.press("j");
    await page.keyboard.press("h");
    await page.keyboard.press("s");
    await expect(cell(page, "list-exact.zero")).toHaveText("Invalid · 422");
    await expect(panel(page)).toContainText("The documentation says 400 Bad Request. This server responds with 422");
  });
  await announced(page);
  await test.step("504, its Retry-After counted down, and sent again", async () => {
    const countdown = await texts(page, "#retry");
    await choose(page, "list.future");
    await page.keyboard.press("3");
    await page.keyboard.press("s");
    await expect(panel(page).locator("blockquote")).toContainText("Too large resource version", { timeout: 15_000 });
    await expect(panel(page)).toContainText("ResourceVersionTooLarge");
    await shot("versions-early");
    await expect(page.locator("#retry")).toContainText("Sent 3 times", { timeout: 15_000 });
    expect(await countdown()).toEqual(expect.arrayContaining(["Retry-After: 1 s. Sent again in 1 s (2 of 3).", "Retry-After: 1 s. Sent again in 1 s (3 of 3)."]));
    expect((await announced(page)).every((words) => words === "504: refused, because the server doesn’t have the version yet")).toBe(true);
  });
});

test("all are sent, and each is as this server is known to answer", async ({ page, api, namespace, shot }) => {
  test.setTimeout(120_000);
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  for (const name of ["a", "b", "c"]) await api.create(path, { metadata: { name } });
  await open(page, path);
  await page.keyboard.press("S");
  await expect(page.locator(".cell.agrees")).toHaveCount(80, { timeout: 90_000 });
  for (const [id, text] of Object.entries({
    "get.unset": "Most Recent · 200",
    "get.future": "Not older than · 504",
    "list-continue.unset": "Continue Token, Exact · 200",
    "list-exact.future": "Exact · 504",
    "watch.unset": "Get State and Start at Most Recent · 200",
    "watch.future": "Start at Exact · 200",
    "watch-send-notolder.future": "Get State and Start Not older than · 504",
    "watch-send.unset": "Invalid · 422",
  }))
    await expect(cell(page, id)).toHaveText(text);
  await choose(page, "watch-send-notolder.unset");
  await expect(panel(page)).toContainText("then a bookmark after the last one");
  await choose(page, "watch.future");
  await expect(panel(page)).toContainText("The watch sends nothing until the store reaches that version");
  await shot("versions-all");
});

test("old versions expire: Exact becomes 410", async ({ page, api, namespace }) => {
  test.setTimeout(120_000);
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  for (const name of ["a", "b", "c"]) await api.create(path, { metadata: { name } });
  await open(page, path);
  await choose(page, "list-exact.old");
  await page.keyboard.press("s");
  await expect(cell(page, "list-exact.old")).toHaveText("Exact · 200");
  await api.create(path, { metadata: { name: "d" } });
  await page.getByRole("button", { name: "Compact etcd now" }).click();
  await expect(page.locator("[data-compaction=done]")).toBeVisible({ timeout: 60_000 });
  await page.keyboard.press("s");
  await expect(cell(page, "list-exact.old")).toHaveText("Exact · 410");
  await expect(panel(page)).toContainText("410: refused, because the server no longer keeps the version");
  await choose(page, "list.old");
  await page.keyboard.press("s");
  await expect(cell(page, "list.old")).toHaveText("Not older than · 200");
  await page.getByRole("textbox", { name: "Old" }).fill("1");
  await choose(page, "list-exact.old");
  await expect(panel(page).getByRole("region", { name: "The request as curl" })).toContainText("resourceVersion=1&");
});

test("without the program, a cell is a link and all meanings are there", async ({ browser, own }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, storageState: own.session, baseURL: own.origin });
  const page = await context.newPage();
  await page.goto("/c/practice/-/versions?path=/api/v1/configmaps");
  await expect(cell(page, "list-notolder.zero").locator(".without-program")).toHaveText("Any");
  await expect(cell(page, "list-notolder.zero").getByText("?")).toBeHidden();
  await cell(page, "list-exact.zero").click();
  await expect(panel(page)).toContainText("The request means: Invalid");
  await expect(panel(page).getByRole("region", { name: "The request as curl" })).toContainText("resourceVersion=0&resourceVersionMatch=Exact");
  await context.close();
});
