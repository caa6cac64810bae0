// A scan of a cluster for readers without scripts: a form begins it, a link shows how far it is, a form ends it. Each test
// has a session of its own, since a session has one scan of a cluster.
import { attributes } from "../harness/look.ts";
import { signInByToken } from "../harness/session.ts";
import { expect, test } from "../harness/test.ts";

test.use({ storageState: { cookies: [], origins: [] } });

test.beforeEach(async ({ page, fieldmark }) => {
  await signInByToken(page, fieldmark.token);
});

test("a scan begins, is looked at, and is stopped", async ({ page, shot }) => {
  await page.goto("/c/practice/-/contention");
  await expect(page.locator("#types a", { hasText: "Contention scan" })).toHaveAttribute("aria-current", "page");
  await expect(page.locator("#main")).toContainText("nothing has been scanned yet");
  await shot("contention-none");
  await page.getByRole("textbox", { name: "Types", exact: true }).fill("deploy, promotions");
  await page.getByLabel("Namespace", { exact: true }).fill("shop");
  await page.getByLabel("Watch for").selectOption("900");
  await page.getByRole("button", { name: "Start the scan" }).click();
  await expect(page).toHaveURL("/c/practice/-/contention");
  await expect(page.locator(".facts")).toContainText("deploy, promotions, namespace shop");
  await expect(async () => {
    await page.getByRole("link", { name: "Show the progress" }).click();
    await expect(page.locator("#liveness")).toContainText("watching, 1", { timeout: 1000 });
  }).toPass();
  await page.getByText("The types of this scan").click();
  await expect(page.getByRole("region", { name: "Types of this scan, one by one" })).toBeVisible();
  expect(await attributes(page.locator("[data-type]"), "data-type")).toEqual(["deployments.apps", "promotions.shop.example.com"]);
  expect(await attributes(page.locator("[data-type]"), "data-state")).toEqual(["followed", "followed"]);
  expect((await attributes(page.locator("[data-finding=weight] td:first-child + td"), "class")).length).toBe(2);
  await shot("contention-watching");
  await page.getByRole("button", { name: "Stop the scan" }).click();
  await expect(page.locator("#liveness")).toContainText("stopped after");
  await expect(page.getByRole("textbox", { name: "Types", exact: true })).toHaveValue("deploy, promotions");
  await expect(page.locator("#main")).toContainText("No field went back and forth between managers");
});

test("each object leads to its timeline, and a full record to its fields", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps/crowd`;
  await api.create(path.slice(0, path.lastIndexOf("/")), { metadata: { name: "crowd" }, data: { begun: "x" } });
  for (let n = 0; n < 11; n++)
    await api.fetch(`${path}?fieldManager=updater-${n}`, { method: "PATCH", headers: { "Content-Type": "application/merge-patch+json" }, body: JSON.stringify({ data: { [`key-${n}`]: "x" } }) });
  await page.goto(`/c/practice/-/contention?namespace=${namespace}`);
  await page.getByRole("textbox", { name: "Types", exact: true }).fill("cm");
  await page.getByRole("button", { name: "Start the scan" }).click();
  const crowded = page.locator("[data-finding=crowded]");
  await expect(async () => {
    await page.getByRole("link", { name: "Show the progress" }).click();
    await expect(crowded).toContainText("ancient-changes", { timeout: 1000 });
  }).toPass();
  expect(await attributes(crowded.getByRole("link"), "href")).toEqual([`/c/practice${path}?tab=timeline`, `/c/practice${path}?tab=fields`]);
  await crowded.getByRole("link", { name: "crowd" }).click();
  await expect(page.getByRole("navigation", { name: "Views of this object" }).getByRole("link", { name: "Timeline" })).toHaveAttribute("aria-current", "page");
  await page.goBack();
  await page.getByRole("button", { name: "Stop the scan" }).click();
});

test("types without permission are named", async ({ page, shot }) => {
  await page.goto("/c/practice-viewer/-/contention?namespace=shop");
  await page.getByRole("button", { name: "Start the scan" }).click();
  await expect(async () => {
    await page.getByRole("link", { name: "Show the progress" }).click();
    await expect(page.locator("#liveness")).toContainText("watching", { timeout: 1000 });
  }).toPass();
  const notice = page.locator(".notice");
  await expect(notice).toContainText("Not scanned: ");
  await expect(notice).toContainText(/403 Forbidden: .*secrets/);
  await shot("contention-forbidden");
  await page.getByRole("button", { name: "Stop the scan" }).click();
  await page.getByLabel("Namespace", { exact: true }).fill("payments");
  await page.getByRole("button", { name: "Scan again" }).click();
  await expect(async () => {
    await page.reload();
    await expect(notice).toContainText("Nothing could be scanned", { timeout: 1000 });
  }).toPass();
});

test("an impossible scan is refused, and the form keeps its input", async ({ page }) => {
  await page.goto("/c/practice/-/contention");
  await page.getByRole("textbox", { name: "Types", exact: true }).fill("nosuch");
  await page.getByRole("button", { name: "Start the scan" }).click();
  await expect(page.locator(".notice")).toContainText('No resource type "nosuch" can be listed and watched here');
  await expect(page.getByRole("textbox", { name: "Types", exact: true })).toHaveValue("nosuch");
});
