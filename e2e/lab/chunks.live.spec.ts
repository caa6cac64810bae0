// The chunk stepper on a real collection of 1,253 pods, and what becomes of its token when etcd forgets. The cluster is one of this
// file's own: everybody's tokens expire in it.
import { type Page } from "@playwright/test";
import { announced, expect, ready } from "../harness/live.ts";
import { holds, scenarios, test } from "../harness/owncluster.ts";
import { moreActions } from "../harness/look.ts";

const open = async (page: Page, path: string, limit: number) => {
  await page.goto(`/c/practice/-/chunks?path=${encodeURIComponent(path)}&limit=${limit}`);
  await ready(page);
};
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const shots = (page: Page) => page.locator(".shot");
const sum = (page: Page) => page.locator("#sum");

/** The cells of a kind, one for each chunk. */
const told = async (page: Page, what: string): Promise<string[]> =>
  (await page.locator(`.shot [data-${what}]`).allInnerTexts()).map((text) => text.trim().split(/\s+/)[0] ?? "");

test.describe.configure({ mode: "serial" });
test.use({ provoked: /^(410|403) for / });

test("1,253 pods by 500: 500, 500, 253", async ({ page, api, namespace, shot }) => {
  test.setTimeout(180_000);
  const path = `/api/v1/namespaces/${namespace}/pods`;
  const fill = { namespace, kind: "Pod", count: 1253 };
  await api.create(scenarios, { apiVersion: "practice.fieldmark.dev/v1alpha1", kind: "Scenario", metadata: { name: namespace }, spec: { faults: [{ name: "many", fill }] } });
  try {
    await holds(api, namespace);
    await open(page, path, 500);
    await button(page, "Request the first chunk").click();
    await expect(sum(page)).toHaveText("500 so far, 753 left");
    await page.keyboard.press("l");
    await expect(sum(page)).toHaveText("1,000 so far, 253 left");
    await button(page, "Next chunk").click();
    await expect(sum(page)).toHaveText("1,253 objects in 3 chunks");
    expect(await told(page, "items")).toEqual(["500", "500", "253"]);
    expect(await told(page, "remaining")).toEqual(["753", "253", "Absent:"]);
    expect(new Set(await told(page, "version")).size, "one snapshot").toBe(1);
    await expect(button(page, "Next chunk")).toBeDisabled();
    expect(await announced(page)).toEqual(["500 objects, 500 so far", "500 objects, 1,000 so far", "The last chunk: 1,253 objects in all"]);

    await shots(page).first().getByText("Decode the token").click();
    await expect(shots(page).first().locator(".peek")).toContainText("Never rely on this.");
    await expect(shots(page).first().locator(".peek dd").nth(1)).toHaveText((await told(page, "version"))[0] ?? "");
    await shots(page).first().getByText("HTTP", { exact: true }).click();
    await expect(shots(page).first().getByRole("region", { name: "Request" })).toContainText(`GET ${path}?limit=500`);
    await shot("chunks");

    await test.step("with a selector nobody counts", async () => {
      await open(page, `${path}?labelSelector=practice.fieldmark.dev/scenario`, 1000);
      await button(page, "To the end").click();
      await expect(sum(page)).toHaveText("1,253 objects in 2 chunks");
      await expect(page.locator(".shot [data-remaining]").first()).toHaveText("Absent: with a selector, the API server doesn’t know how many objects match.");
    });

    await test.step("play asks for one a second", async () => {
      await open(page, path, 400);
      await button(page, "Play").click();
      await expect(sum(page)).toHaveText("1,253 objects in 4 chunks", { timeout: 20_000 });
    });
  } finally {
    await api.delete(`${scenarios}/${namespace}`);
  }
});

test("changes during the list are not in the snapshot, and the watch sends them", async ({ page, api, namespace, shot }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  for (const name of ["a", "c", "e", "g"]) await api.create(path, { metadata: { name } });
  await expect.poll(async () => (await api.list(path)).length).toBe(5);
  await open(page, path, 2);
  await button(page, "Request the first chunk").click();
  await expect(sum(page)).toHaveText("2 so far, 3 left");
  await api.create(path, { metadata: { name: "d-new" } });
  await api.delete(`${path}/e`);
  await button(page, "To the end").click();
  await expect(sum(page)).toHaveText("5 objects in 3 chunks"); // e is in it, d-new is not
  await button(page, /^Watch from version/).click();
  const stream = page.getByRole("list", { name: "Events" });
  await expect(stream.locator("[data-event=ADDED]")).toContainText("d-new");
  await expect(stream.locator("[data-event=DELETED]")).toContainText(`${namespace}/e`);
  await api.create(path, { metadata: { name: "z-later" } });
  await expect(stream.locator("[data-event=ADDED]")).toHaveCount(2);
  await expect(page.locator("[data-fate=born]")).toHaveCount(2);
  await expect(page.locator("[data-fate=gone]")).toContainText("was deleted after the snapshot, and is still in the list");
  await expect(page.getByText("5 objects in 3 chunks at 1 version. Since the snapshot: 2 created, 0 changed, 1 deleted.")).toBeVisible();
  await shot("chunks-meanwhile");
  await button(page, "Stop watching").click();
  await expect(page.getByText("Stopped.")).toBeVisible();
});

test("etcd forgets: 410, and both ways on", async ({ page, api, namespace, shot }) => {
  test.setTimeout(120_000);
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  for (const name of ["a", "c", "e", "g"]) await api.create(path, { metadata: { name } });
  await expect.poll(async () => (await api.list(path)).length).toBe(5);
  const compacted = async () => {
    const { metadata } = await api.get(`${path}?limit=1`);
    await api.create(path, { metadata: { generateName: "b-new-" } }); // so that there is a newer version
    await button(page, "Compact etcd now").click();
    // The page may still show that an earlier compaction is done.
    const old = `${path}?limit=1&resourceVersionMatch=Exact&resourceVersion=${metadata.resourceVersion}`;
    await expect.poll(async () => (await api.fetch(old)).status, { timeout: 60_000 }).toBe(410);
    await expect(page.locator("[data-compaction=done]")).toBeVisible({ timeout: 60_000 });
  };
  await open(page, path, 2);
  await button(page, "Request the first chunk").click();
  await expect(sum(page)).toHaveText("2 so far, 3 left");
  const [version] = await told(page, "version");
  await compacted();
  await button(page, "Next chunk").click();
  const expired = page.locator("#expired");
  await expect(expired).toContainText("410: the token has expired");
  await expect(expired.locator("blockquote")).toContainText("The provided continue parameter is too old");
  await expired.getByText("Decode the token").click();
  await expect(expired.locator(".peek dd").nth(1)).toHaveText("-1");
  await shot("chunks-expired");

  await expired.getByRole("button", { name: "Continue with an inconsistent list" }).click();
  await expect(shots(page).last()).toContainText("not the version of the chunk before");
  await button(page, "To the end").click();
  await expect(sum(page)).toHaveText("5 objects in 3 chunks"); // b-new stands before the place where it went on
  await button(page, /^Watch from version/).click();
  await expect(page.getByText("Only a new list is complete")).toBeVisible();
  await shot("chunks-inconsistent");

  await button(page, "Start over").click();
  await expect(sum(page)).toHaveText("2 so far, 4 left");
  expect((await told(page, "version"))[0]).not.toBe(version);
  await compacted();
  await button(page, "Next chunk").click();
  await expired.getByRole("button", { name: "Start over" }).click();
  await button(page, "To the end").click();
  await expect(sum(page)).toHaveText("7 objects in 4 chunks");
  await expect.poll(async () => (await api.list(scenarios)).length, { message: "the Scenarios are gone" }).toBe(0);
});

test("a refusal is told in the server's words", async ({ page }) => {
  await page.goto("/c/practice-viewer/-/chunks?path=/api/v1/secrets");
  await ready(page);
  await button(page, "Request the first chunk").click();
  await expect(page.locator(".notice-bad")).toContainText("403: the API server refused the request");
  await expect(page.locator(".notice-bad blockquote")).toContainText("secrets is forbidden");
});

test("without the program, the page shows how to step by hand", async ({ browser, own }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, storageState: own.session, baseURL: own.origin });
  const page = await context.newPage();
  await page.goto("/c/practice/-/chunks?path=/api/v1/configmaps&limit=7");
  await expect(page.getByRole("region", { name: "The first request as curl" })).toContainText(`curl -H "Authorization: Bearer $FIELDMARK_TOKEN" -H 'Accept: application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' '${own.origin}/clusters/practice/api/v1/configmaps?limit=7'`);
  await page.getByRole("spinbutton", { name: "Limit" }).fill("9");
  await page.getByRole("button", { name: "Load" }).click();
  await expect(page.getByRole("region", { name: "The first request as curl" })).toContainText("limit=9");
  await context.close();
});

test("a collection's page leads here", async ({ page }) => {
  await page.goto("/c/practice/api/v1/namespaces/shop/configmaps");
  await (await moreActions(page)).getByRole("link", { name: "Chunks" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Chunk stepper");
  await expect(page.getByLabel("Collection")).toHaveValue("/api/v1/namespaces/shop/configmaps");
});
