// Live collections: rows appear, change and disappear by themselves, and never under the pointer.
import { type Page } from "@playwright/test";
import { names, notice, rows } from "../harness/look.ts";
import { announced, born, expect, live, liveness, marked, openLive, pagesAsked, row, test } from "../harness/live.ts";

const field = (page: Page, name: "filter" | "labelSelector" | "fieldSelector") => page.locator(`.toolbar input[name="${name}"]`);
const head = (page: Page, column: string) => page.locator(`th[data-column="${column}"]`);
const configMaps = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps`;
const merge = { method: "PATCH", headers: { "Content-Type": "application/merge-patch+json" } };

/** Moves the pointer away from the rows, and from everything else that reacts. */
const leave = (page: Page) => page.mouse.move(2, 2);

test("rows come, change and go by themselves, marked for a moment, and nothing is said of each", async ({ page, api, namespace }) => {
  const path = configMaps(namespace);
  await openLive(page, `/c/practice${path}?filter=mine`);
  const document = await born(page);
  const asked = pagesAsked(page);
  await expect(notice(page)).toContainText("No row matches the filter");

  await api.create(path, { metadata: { name: "mine" }, data: { one: "1" } });
  await expect(row(page, "mine").locator("td").nth(1)).toHaveText("1");
  expect(await marked(page)).toEqual([expect.stringMatching(/^mine\b/)]);
  await expect(row(page, "mine"), "the mark goes").not.toHaveClass(/fresh/);

  await api.fetch(`${path}/mine`, { ...merge, body: '{"data":{"two":"2"}}' });
  await expect(row(page, "mine").locator("td").nth(1)).toHaveText("2");
  expect(await marked(page)).toEqual([expect.stringMatching(/^mine\b/)]);

  const age = row(page, "mine").locator("td").last();
  const young = await age.textContent();
  await expect(age, "ages go on").not.toHaveText(young!);

  await api.delete(`${path}/mine`);
  await expect(row(page, "mine")).toHaveCount(0);
  await expect(notice(page)).toContainText("No row matches the filter");
  expect(await announced(page)).toEqual([]);
  expect(asked, "no page was asked for").toEqual([]);
  expect(await born(page)).toBe(document);
});

test("an empty collection fills, its number follows, and it empties again", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/secrets`;
  await openLive(page, `/c/practice${path}`);
  await expect(notice(page)).toContainText("No Secrets in the namespace");
  await api.create(path, { metadata: { name: "first" } });
  await expect(row(page, "first")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("1 object");
  await api.create(path, { metadata: { name: "second" } });
  await expect(page.getByRole("heading", { level: 1 })).toContainText("2 objects");
  await expect(page.locator(".foot")).toContainText("2 rows");
  await api.delete(`${path}/first`);
  await api.delete(`${path}/second`);
  await expect(notice(page)).toContainText("No Secrets in the namespace");
});

test("two tabs see the same, each in its own order", async ({ page, context, api, namespace }) => {
  const path = configMaps(namespace);
  const other = await context.newPage();
  await openLive(page, `/c/practice${path}`);
  await openLive(other, `/c/practice${path}?sort=-Name`);
  for (const name of ["a", "b"]) await api.create(path, { metadata: { name } });
  for (const tab of [page, other]) for (const name of ["a", "b"]) await expect(row(tab, name)).toBeVisible();
  expect((await names(page)).filter((name) => name.length === 1)).toEqual(["a", "b"]);
  expect((await names(other)).filter((name) => name.length === 1)).toEqual(["b", "a"]);
  await other.close();
  await api.delete(`${path}/a`);
  await expect(row(page, "a")).toHaveCount(0);
});

test("nothing moves under the pointer, and the page says how many changes wait", async ({ page, api, namespace }) => {
  const path = configMaps(namespace);
  for (const name of ["m", "n", "o"]) await api.create(path, { metadata: { name }, data: { key: "value" } });
  await openLive(page, `/c/practice${path}?sort=Name`);
  await expect(row(page, "o")).toBeVisible();
  await expect(row(page, "kube-root-ca.crt")).toBeVisible();
  const before = await names(page);

  await row(page, "n").hover();
  const place = await row(page, "n").boundingBox();
  for (const name of ["a", "b"]) await api.create(path, { metadata: { name } });
  await expect(liveness(page)).toContainText("2 new rows held back while you point");
  await api.delete(`${path}/b`);
  await expect(liveness(page), "one that went again is not held any more").toContainText("1 new row held back");
  await api.delete(`${path}/m`);
  await expect(page.locator("tr.gone")).toContainText("deleted");
  await api.fetch(`${path}/n`, { ...merge, body: '{"data":{"another":"value"}}' });
  await expect(row(page, "n").locator("td").nth(1), "what changed is shown in its place").toHaveText("2");
  expect(await rows(page).count()).toBe(before.length);
  expect(await row(page, "n").boundingBox()).toEqual(place);

  await leave(page);
  await expect(row(page, "a")).toBeVisible();
  await expect(page.locator("tr.gone")).toHaveCount(0);
  await expect(liveness(page)).not.toContainText("held back");
  expect(await names(page)).toEqual(["a", "kube-root-ca.crt", "n", "o"]);

  // The pointer stays over the table when it goes from a head to the rows.
  await head(page, "Name").getByRole("link").click();
  await expect(head(page, "Name")).toHaveAttribute("aria-sort", "descending");
  await row(page, "n").hover();
  await api.create(path, { metadata: { name: "z" } });
  await expect(liveness(page)).toContainText("1 new row held back");
  expect(await names(page)).toEqual(["o", "n", "kube-root-ca.crt", "a"]);
});

test("rows held back are those that the filter lets pass", async ({ page, api, namespace }) => {
  const path = configMaps(namespace);
  await api.create(path, { metadata: { name: "pass-1" } });
  await openLive(page, `/c/practice${path}?filter=pass`);
  await row(page, "pass-1").hover();
  await api.create(path, { metadata: { name: "stopped" } });
  await api.create(path, { metadata: { name: "pass-2" } });
  await expect(liveness(page)).toContainText("1 new row held back");
});

test("sorting and filtering are the page's own, and the address follows", async ({ page, api }) => {
  const pods = await api.list("/api/v1/pods");
  await openLive(page, "/c/practice/api/v1/services?filter=shop");
  const unsorted = await names(page);
  const asked = pagesAsked(page);
  for (const [order, want] of [["ascending", [...unsorted].sort()], ["descending", [...unsorted].sort().reverse()]] as const) {
    await head(page, "Name").getByRole("link").click();
    await expect(head(page, "Name")).toHaveAttribute("aria-sort", order);
    expect(await names(page)).toEqual(want);
    await expect(page).toHaveURL(order === "ascending" ? /sort=Name/ : /sort=-Name/);
  }
  expect(await announced(page)).toEqual(["Sorted by Name", "Sorted by Name, descending"]);
  await page.getByRole("link", { name: "All columns" }).click();
  await expect(head(page, "Selector")).toBeVisible();
  await expect(page).toHaveURL(/wide=1/);
  expect(asked, "no page was asked for").toEqual([]);
  await page.goBack();
  await expect(head(page, "Selector")).toHaveCount(0);
  await expect(head(page, "Name")).toHaveAttribute("aria-sort", "descending");

  await openLive(page, "/c/practice/api/v1/pods");
  asked.length = 0;
  for (const [at, letter] of [..."running ledg"].entries()) {
    await field(page, "filter").press(letter === " " ? "Space" : letter);
    await expect.poll(() => new URL(page.url()).searchParams.get("filter")).toBe("running ledg".slice(0, at + 1));
  }
  await expect(rows(page)).toHaveCount(2);
  await expect(page.locator(".foot")).toContainText(`2 of ${pods.length} rows`);
  await expect(field(page, "filter")).toBeFocused();
  await expect(field(page, "filter")).toHaveValue("running ledg");
  expect(asked, "no page was asked for").toEqual([]);
});

test("input is kept while the page changes around it, and sent with Show", async ({ page, api, namespace }) => {
  const path = configMaps(namespace);
  await api.create(path, { metadata: { name: "chosen", labels: { app: "web" } } });
  await api.create(path, { metadata: { name: "other" } });
  await openLive(page, `/c/practice${path}`);
  const document = await born(page);
  await field(page, "fieldSelector").fill("metadata.name!=none");
  await field(page, "labelSelector").pressSequentially("app=");
  await api.create(path, { metadata: { name: "new", labels: { app: "web" } } });
  await expect(row(page, "new")).toBeVisible();
  await expect(field(page, "fieldSelector")).toHaveValue("metadata.name!=none");
  await expect(field(page, "labelSelector")).toBeFocused();
  await page.keyboard.type("web");
  await expect(field(page, "labelSelector")).toHaveValue("app=web");

  await page.getByRole("button", { name: "Show" }).click();
  await expect(page).toHaveURL(/labelSelector=app%3Dweb/);
  await expect(page).toHaveURL(/fieldSelector=metadata.name%21%3Dnone/);
  await live(page);
  expect((await names(page)).sort()).toEqual(["chosen", "new"]);
  expect(await born(page), "the form is taken over").toBe(document);

  // A row that the selector no longer chooses is gone from this page.
  await api.fetch(`${path}/new`, { ...merge, body: '{"metadata":{"labels":{"app":null}}}' });
  await expect(row(page, "new")).toHaveCount(0);
  await expect(row(page, "chosen")).toBeVisible();
});
