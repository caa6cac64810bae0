// An act on 500 objects: chosen at once, tried, sent, and each with a result of its own.
import { type Page } from "@playwright/test";
import { type Api } from "../harness/api.ts";
import { pieces } from "../harness/look.ts";
import { expect, openLive, ready, row, test } from "../harness/live.ts";

// One request is refused on purpose, because its object has changed, and another one fails. A reader has no permission.
test.use({ provoked: /^(403|404|409|503) for .*\/clusters\// });

const patience = { timeout: 120_000 };
const sum = (page: Page) => page.locator("#sum");
const tried = (page: Page) => expect(page.locator("#unready")).toBeEmpty(patience);

async function fill(api: Api, namespace: string, count: number): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const all = Array.from({ length: count }, (_, n) => `config-${String(n).padStart(3, "0")}`);
  for (const some of pieces(all, 10)) await Promise.all(some.map((name) => api.create(path, { metadata: { name, labels: { team: "red" } } })));
  return path;
}

/** Opens a list with boxes, without the ConfigMap that Kubernetes adds to each namespace. */
async function openList(page: Page, path: string): Promise<void> {
  await openLive(page, `/c/practice${path}?choose=1&filter=config-`);
}

async function act(page: Page, objects: number, name: string): Promise<void> {
  await page.getByRole("link", { name: `Act on ${objects} objects…` }).click();
  await ready(page);
  await page.getByRole("navigation", { name: "Acts" }).getByRole("link", { name, exact: true }).click(patience);
  await ready(page);
}

test("500 objects get a label, and one that changes in between is refused and told", async ({ page, api, namespace, shot }) => {
  test.setTimeout(300_000);
  const path = await fill(api, namespace, 500);
  await openList(page, path);
  await page.getByRole("checkbox", { name: "Choose all rows" }).click();
  await expect(page.locator("#chosen")).toHaveText("No more than 500 objects at once.");
  await act(page, 500, "Label");
  await page.getByRole("textbox", { name: "Label" }).fill("team=blue");
  await expect(page.locator(".acted-on tbody tr")).toHaveCount(500, patience);
  await tried(page);
  await expect(page.locator("#tally")).toContainText("500 with a field that somebody loses");
  await shot("act-many");
  await api.apply(`${path}/config-007`, JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "config-007" }, data: { by: "ben" } }), "ben");
  await page.getByRole("button", { name: "Label all 500" }).click();
  await expect(sum(page)).toContainText("499 of 500 objects done. The API server refused 1 request, because the objects had changed.", patience);
  await expect(row(page, "config-007")).toContainText("It wrote nothing.");
  await expect(row(page, "config-007").locator('[data-path^=".data"]')).toContainText("ben");
  const labels = async () => (await api.list(path)).filter((o) => o.metadata.name.startsWith("config-")).map((o) => (o.metadata["labels"] as Record<string, string>)["team"]);
  expect((await labels()).filter((team) => team === "blue")).toHaveLength(499);
  await page.getByRole("button", { name: "Label 1 of 500" }).click(patience);
  await expect(row(page, "config-007")).toHaveAttribute("data-state", "done", patience);
  expect((await labels()).filter((team) => team !== "blue")).toEqual([]);
});

test("a range is chosen with Shift, deleted, and what failed is done again", async ({ page, api, namespace }) => {
  const path = await fill(api, namespace, 12);
  await openList(page, path);
  await page.getByRole("checkbox", { name: "Choose config-002" }).click();
  await page.getByRole("checkbox", { name: "Choose config-005" }).click({ modifiers: ["Shift"] });
  await expect(page.locator("#chosen")).toHaveText("4 rows are chosen.");
  for (const name of ["config-002", "config-003", "config-005"]) await expect(page.getByRole("checkbox", { name: `Choose ${name}` })).toBeChecked();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("X");
  await expect(page.locator("#chosen")).toHaveText("6 rows are chosen.");
  await act(page, 6, "Delete");
  await tried(page);
  expect((await api.list(path)).filter((o) => o.metadata.name.startsWith("config-")), "after the dry runs").toHaveLength(12);
  // One request doesn't reach the API server.
  await page.route(/configmaps\/config-004$/, (route) => (route.request().method() === "DELETE" ? route.fulfill({ status: 503, body: "{}" }) : route.fallback()));
  await page.getByRole("button", { name: "Delete all 6" }).click();
  await expect(sum(page)).toContainText("5 of 6 objects done. 1 failed.", patience);
  await expect(row(page, "config-004")).toHaveAttribute("data-state", "refused");
  await page.unroute(/configmaps\/config-004$/);
  await page.getByRole("button", { name: "Plan the 1 that failed again" }).click();
  await page.getByRole("button", { name: "Delete 1 of 6" }).click(patience);
  await expect(sum(page)).toContainText("6 of 6 objects done.", patience);
  expect((await api.list(path)).filter((o) => o.metadata.name.startsWith("config-"))).toHaveLength(6);
});

test("a reader without permissions sees in the table that nothing can be sent", async ({ page }) => {
  await page.goto("/c/practice-viewer/-/act?act=label&in=/apis/apps/v1/namespaces/shop/deployments&objects=catalog+storefront&pairs=a%3Db");
  await ready(page);
  await expect(page.getByText("Not allowed. You don’t have permission to patch deployments")).toHaveCount(2, patience);
  await expect(page.getByRole("button", { name: "Label all 2" })).toBeDisabled();
});
