// Columns that a reader adds: by keyboard with suggestions, kept by a saved view, read for the visible rows only, and never the data of a Secret.
import type { Page } from "@playwright/test";
import { expectAccessible } from "../harness/axe.ts";
import { expect, openLive, row, test } from "../harness/live.ts";

const header = (page: Page, name: string) => page.locator(`th[data-column='${name}']`);
const foot = (page: Page) => page.locator(".foot");

/** The requests for objects that the page sends from now on. */
function reads(page: Page): string[] {
  const all: string[] = [];
  page.on("request", (r) => {
    const [, path] = r.url().split("/clusters/practice");
    if (path?.includes("pretty=false")) all.push(path);
  });
  return all;
}

/** Opens the menu and goes to its field, by keyboard. */
async function toColumns(page: Page): Promise<void> {
  await page.locator("#columns > summary").focus();
  await page.keyboard.press("Enter");
  for (let n = 0; n < 20 && !(await page.locator("#own-column").evaluate((field) => field === document.activeElement)); n++) await page.keyboard.press("Tab");
  await expect(page.locator("#own-column")).toBeFocused();
}

const suggestions = (page: Page) => page.locator("#column-options option").evaluateAll((all) => all.map((o) => (o as HTMLOptionElement).value));

test("a field becomes a column, by keyboard", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  for (const [name, color] of [["a", "10"], ["b", "9"], ["c", ""]]) {
    await api.create(path, { metadata: { name, annotations: { team: `core-${name}` }, labels: { tier: "front" } }, data: color ? { color } : {} });
  }
  await openLive(page, `/c/practice${path}`);
  await toColumns(page);
  await expect.poll(() => suggestions(page)).toEqual(expect.arrayContaining(["label:tier", "annotation:team", ".data", ".metadata"]));
  await page.keyboard.type(".metadata.gen");
  await expect.poll(() => suggestions(page)).toEqual([".metadata.generateName", ".metadata.generation"]);
  await page.locator("#own-column").fill("");
  await page.keyboard.type("data.color");
  await page.keyboard.press("Enter");
  await expect(header(page, ".data.color")).toBeVisible();
  await expect(row(page, "a")).toContainText("10");
  await expect(row(page, "c").locator("td").last()).toHaveText("–");
  await expect(page).toHaveURL(/\?col=\.data\.color$/);
  await expect(foot(page)).toContainText(/your columns: \d+ requests?, [\d.]+ k?B for \d+ objects/);

  await test.step("a change of the object arrives", async () => {
    await api.merge(`${path}/c`, { data: { color: "11" } });
    await expect(row(page, "c").locator("td").last()).toHaveText("11");
  });
  await test.step("numbers are sorted as numbers", async () => {
    await page.locator("#columns > summary").click(); // it would cover the header
    await header(page, ".data.color").getByRole("link").click();
    await expect(page.locator("tbody tr[data-name]").filter({ hasNotText: "kube-root-ca" }).locator("td:first-child")).toHaveText(["b", "a", "c"]);
  });
  await test.step("the filter finds the value", async () => {
    await page.locator("#filter").fill(".data.color=11");
    await expect(page.locator("tbody tr[data-name]")).toHaveCount(1);
    await page.locator("#filter").fill("");
  });
  await test.step("a saved view keeps it", async () => {
    await page.locator("#views > summary").click();
    await page.locator("input[name=view-name]").fill("colors");
    await page.locator("form.view-save").getByRole("button", { name: "Save" }).click();
    await openLive(page, `/c/practice${path}`);
    await expect(header(page, ".data.color")).toHaveCount(0);
    await page.locator("#views > summary").click();
    await page.locator("#views").getByRole("link", { name: /colors.*with \.data\.color/ }).click();
    await expect(header(page, ".data.color")).toBeVisible();
  });
  await test.step("it can be removed", async () => {
    await page.locator("#columns > summary").click();
    await expectAccessible(page, "none");
    await page.getByRole("link", { name: "Remove .data.color" }).click();
    await expect(header(page, ".data.color")).toHaveCount(0);
  });
});

test("only visible rows are read, and the order says so", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const names = Array.from({ length: 400 }, (_, n) => `many-${String(n).padStart(3, "0")}`);
  for (let n = 0; n < names.length; n += 20) {
    await Promise.all(names.slice(n, n + 20).map((name) => api.create(path, { metadata: { name }, data: { back: name.split("").reverse().join("") } })));
  }
  await openLive(page, `/c/practice${path}?col=.data.back`);
  const asked = reads(page);
  await expect(row(page, "many-003")).toContainText("300-ynam");
  await page.keyboard.press("G");
  await expect(row(page, "many-399")).toContainText("993-ynam");
  expect(asked.length, asked.join("\n")).toBeLessThan(60);

  await header(page, ".data.back").getByRole("link").click();
  const note = page.locator(".knowing");
  await expect(note).toContainText(/Sorted by the values of the \d+ of 401 rows that Fieldmark has read/);
  await note.getByRole("button", { name: /Read the rest \(about \d+ requests?, [\d.]+ k?B\)/ }).click();
  await expect(note).toHaveCount(0);
  await page.keyboard.press("g");
  await expect(page.locator("tbody tr[data-name]").first()).toContainText("000-ynam");
});

test("the data of a Secret is no column", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/secrets`;
  const password = Buffer.from("correct horse battery").toString("base64");
  await api.create(path, { metadata: { name: "hidden", annotations: { team: "core-a" } }, data: { password } });
  await openLive(page, `/c/practice${path}?col=annotation:team`);
  await expect(row(page, "hidden")).toContainText("core-a");
  const bodies: string[] = [];
  page.on("response", async (r) => void (r.url().includes("/clusters/") && bodies.push(await r.text().catch(() => ""))));
  for (const text of [".data.password", "data", '["data"]']) {
    await toColumns(page);
    await page.locator("#own-column").fill(text);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("alert").first()).toContainText("isn’t shown: the data of a Secret can’t be a column");
    await page.locator("#columns > summary").click();
  }
  await api.merge(`${path}/hidden`, { metadata: { annotations: { team: "core-b" } } });
  await expect(row(page, "hidden")).toContainText("core-b");
  expect(bodies.join("\n")).not.toContain(password);
});

test("somebody who may only read has columns, too", async ({ page }) => {
  await openLive(page, "/c/practice-viewer/apis/apps/v1/namespaces/shop/deployments?col=annotation:deployment.kubernetes.io/revision&col=.spec.replicas");
  await expect(row(page, "storefront").locator("td").last()).toHaveText(/^\d+$/);
  await expect(row(page, "storefront").locator("td").nth(-2)).toHaveText(/^\d+$/);
  await expect(foot(page)).toContainText("your columns: 1 request");
});
