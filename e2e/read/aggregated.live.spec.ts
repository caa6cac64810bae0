// An API behind the API server that speaks plain JSON and nothing else: no Table, no metadata by itself, no OpenAPI, no patch.
import { expect, announced, born, liveness, openLive, pagesAsked, ready, row, test } from "../harness/live.ts";
import { moreActions, names, notice, rows } from "../harness/look.ts";

const group = "/apis/legacy.practice.fieldmark.dev/v1";
const reading = (name: string) => ({ metadata: { name, labels: { station: "greenhouse" } }, spec: { station: "greenhouse", value: "21" } });

// The test requests an object after it was deleted.
test.use({ provoked: /^404 for .*\/clusters\// });

test("a collection without a Table says so, and lives all the same", async ({ page, api, namespace }) => {
  const path = `${group}/namespaces/${namespace}/readings`;
  await openLive(page, `/c/practice${path}`);
  await expect(notice(page)).toContainText("No Readings in the namespace");
  const document = await born(page);
  const asked = pagesAsked(page);
  for (const name of ["noon", "evening", "morning"]) await api.create(path, reading(name));
  await expect(rows(page)).toHaveCount(3);
  await expect(page.locator("th")).toHaveText(["Name", "Age"]);
  await expect(page.locator(".foot")).toContainText("3 rows · this server has no Table for this type, so Fieldmark shows the name and the age");
  await expect(page.getByRole("link", { name: /all columns/i })).toHaveCount(0);

  const age = row(page, "noon").locator("td").last();
  const young = await age.textContent();
  await expect(age, "ages go on").not.toHaveText(young!);
  await api.delete(`${path}/evening`);
  await expect(row(page, "evening")).toHaveCount(0);
  await expect(page.locator(".foot")).toContainText("2 rows");
  await page.locator("th").filter({ hasText: "Name" }).getByRole("link").click();
  await expect.poll(() => names(page)).toEqual(["morning", "noon"]);
  expect(asked, "no page was asked for").toEqual([]);
  expect(await announced(page)).toEqual(["Sorted by Name"]);
  expect(await born(page)).toBe(document);
});

test("an object of which the server keeps no owners, and publishes no schema, is shown, followed and deleted", async ({ page, api, namespace }) => {
  const path = `${group}/namespaces/${namespace}/readings`;
  await api.create(path, reading("noon"));
  await openLive(page, `/c/practice${path}/noon`);
  await expect(notice(page).first()).toContainText("No managed fields");
  await expect(notice(page).first()).toContainText("a server without such records");
  await page.getByRole("link", { name: "Schema", exact: true }).click();
  await expect(notice(page)).toContainText("No schema is published for legacy.practice.fieldmark.dev/v1");
  await page.getByRole("link", { name: "YAML", exact: true }).click();
  await expect(page.locator(".code")).toContainText("value: \"21\"");

  await (await moreActions(page)).getByRole("link", { name: "Delete…" }).click();
  await ready(page);
  await expect(page.locator("#verdict")).toContainText("The object is deleted at once.");
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(page.locator("#gone")).toBeVisible();
  expect((await api.fetch(`${path}/noon`)).status).toBe(404);
});

test("a collection that can't be watched is not called live", async ({ page }) => {
  await page.goto(`/c/practice${group}/stations`);
  await ready(page);
  await expect(rows(page)).toHaveCount(2);
  await expect(liveness(page)).toHaveCount(0);
  await row(page, "greenhouse").getByRole("link").first().click();
  await expect(page.locator(".code")).toContainText("among the seedlings");
});

test("its types are listed, with their verbs and their number of objects", async ({ page }) => {
  await page.goto(`/c/practice${group}`);
  await expect(page.locator('tr[data-resource="readings.legacy.practice.fieldmark.dev"]')).toContainText("create delete get list watch");
  const stations = page.locator('tr[data-resource="stations.legacy.practice.fieldmark.dev"]');
  await expect(stations).toContainText("cluster");
  await expect(stations).toContainText("get list");
  await expect(stations.locator("td").nth(2), "counted, though the server gives no metadata by itself").toHaveText("2");
});
