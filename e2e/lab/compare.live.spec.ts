// One request to two clusters: both responses beside each other, and how they differ. The two contexts of the practice cluster serve as two clusters:
// they are the same server, and their users have other permissions.
import { type Locator, type Page } from "@playwright/test";
import { expect, ready, test } from "../harness/live.ts";
import { moreActions } from "../harness/look.ts";

// Some requests are refused on purpose.
test.use({ provoked: /^(403|404|406|409|410|422|503) for .*\/clusters\// });

const outcome = (page: Page): Locator => page.locator("#outcome");
const server = (page: Page, side: "left" | "right"): Locator => page.locator(`#server-${side}`);
const marked = (page: Page, mark: string): Locator => page.locator(`.compared-bodies tr[data-mark="${mark}"]`);

async function open(page: Page, query: Record<string, string> = {}): Promise<void> {
  await page.goto(`/c/practice/-/compare?${new URLSearchParams({ with: "practice-viewer", ...query })}`);
  await ready(page);
}

test("one user may list, and the other may not", async ({ page }) => {
  await open(page, { path: "/api/v1/namespaces/shop/secrets?limit=1" });
  await expect(outcome(page)).toHaveText(/^The responses differ in the status and \d+ lines\.$/);
  await expect(server(page, "left")).toContainText("200");
  await expect(server(page, "left").locator(".server-version")).toHaveText(/^v1\.\d+/);
  await expect(server(page, "right")).toContainText("403: Not allowed (Forbidden)");
  await expect(page.locator("#may")).toContainText("You don’t have permission to list secrets in the namespace shop on practice-viewer.");
  await expect(page.locator(".compared-bodies")).toContainText("bytes, hidden)");
  await page.getByRole("link", { name: "Swap the sides" }).click();
  await expect(server(page, "left")).toContainText("403: Not allowed (Forbidden)");
  await expect(server(page, "right")).toContainText("200");
});

test("a request written by keyboard goes to both, and what always differs is left out", async ({ page, api, namespace }) => {
  await api.create(`/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: "compared" }, data: { a: "b" } });
  await open(page, { with: "practice" });
  await expect(page.getByRole("heading", { name: "Both requests go to the same context" })).toBeVisible();
  await page.getByLabel("Path", { exact: true }).focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(`/api/v1/namespaces/${namespace}/configmaps/compared`);
  const sent = ["practice"].map((slug) => page.waitForResponse((r) => r.url().endsWith(`/clusters/${slug}/api/v1/namespaces/${namespace}/configmaps/compared`)));
  await page.keyboard.press("Enter");
  await Promise.all(sent);
  await expect(outcome(page)).toHaveText("All values and owners are equal.");
  await expect(page.locator("#left-out")).toHaveText(/^\d differences? (is|are) left out\.$/);
  await expect(page).toHaveURL(new RegExp(`path=[^&]*${namespace}`));
  await page.getByRole("button", { name: "Leave out what always differs" }).click();
  await expect(outcome(page)).toHaveText(/^All values and owners are equal\. The responses differ in \d headers?\.$/);
  await expect(page.locator("#headers-title + .scroll")).toContainText("audit-id");
  await expect(page).toHaveURL(/all=1/);
  await page.getByRole("button", { name: "Show equal lines" }).click();
  await expect(page.locator(".compared-bodies")).toContainText('"name": "compared"');
  await server(page, "right").getByRole("link", { name: "Show in the wire log" }).click();
  await expect(page.locator("#entry")).toContainText("configmaps/compared");
});

test("two objects are compared field by field, with the owners of both", async ({ page, api, namespace, shot }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const apply = (name: string, manager: string, data: object): Promise<unknown> =>
    api.apply(`${path}/${name}`, JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data }), manager);
  await apply("here", "team-a", { size: "small", color: "red", shape: "round" });
  await apply("there", "team-b", { size: "large", color: "red", shape: "round" });
  await page.goto(`/c/practice${path}/here`);
  await ready(page);
  await (await moreActions(page)).getByRole("link", { name: "Compare with another object" }).click();
  await ready(page);
  await page.locator("#with").selectOption("practice");
  await page.getByLabel("Second path").fill(`${path}/there`);
  await page.keyboard.press("Enter");
  await expect(outcome(page)).toHaveText(/^The objects differ in the values of 2 fields\. In \d fields, the values are equal and the owners differ\.$/);
  const row = page.locator(".pair-table tr", { hasText: ".data.size" });
  await expect(row).toContainText(/"small".*team-a/);
  await expect(row).toContainText(/"large".*team-b/);
  await page.locator(".pair-paths summary").first().click();
  await expect(page.locator(".pair-paths").first()).toContainText(".data.color");
  await shot("compare-objects");
  await page.getByRole("link", { name: "Swap the sides" }).click();
  await expect(row.locator("td").first()).toContainText('"large"');
});

test("a write is confirmed, because both clusters get it", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  await open(page, { path, method: "POST", body: JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "written" } }) });
  await expect(outcome(page)).toHaveText("Nothing is sent yet");
  await page.getByRole("button", { name: "Send to both" }).click();
  const asks = page.getByRole("alertdialog", { name: "This request changes both clusters: practice and practice-viewer." });
  await expect(asks).toBeVisible();
  await asks.getByRole("button", { name: "Don’t send" }).click();
  await expect(asks).toBeHidden();
  await expect(api.get(`${path}/written`)).rejects.toThrow("404");
  await page.getByRole("button", { name: "Send to both" }).click();
  await asks.getByRole("button", { name: "Send to both for real" }).click();
  await expect(server(page, "left")).toContainText("201");
  await expect(server(page, "right")).toContainText("403");
  await api.get(`${path}/written`);
});

test("CBOR is written out, and a watch ends by itself", async ({ page }) => {
  await open(page, { path: "/api/v1/namespaces/shop/services?limit=1", accept: "CBOR" });
  await expect(outcome(page)).toHaveText("Both servers sent the same response, apart from what always differs.");
  await page.getByRole("button", { name: "Show equal lines" }).click();
  await expect(page.locator(".compared-bodies")).toContainText("'kind': 'ServiceList'");
  await page.getByRole("link", { name: "A watch that begins with the state" }).click();
  await expect(outcome(page)).toHaveText("Nothing is sent yet");
  await page.getByLabel("Path", { exact: true }).fill("/api/v1/namespaces?watch=true");
  await page.getByRole("button", { name: "Send to both" }).click();
  await expect(page.locator(".remark").first()).toContainText("The page stopped it after 5 seconds", { timeout: 20_000 });
});

test("another cluster is chosen, and it is unreachable", async ({ page }) => {
  await open(page, { path: "/version" });
  await page.getByLabel("Other cluster").selectOption("dead-server");
  await expect(server(page, "right").locator(".server-version")).toHaveText("The server doesn’t tell its version.");
  await page.getByRole("button", { name: "Send to both" }).click();
  await expect(server(page, "right")).toContainText("Nothing listens at the API server's address");
  await expect(server(page, "left")).toContainText("200");
  await expect(page).toHaveURL(/with=dead-server/);
  await page.reload();
  await expect(outcome(page)).toHaveText("There is nothing to compare, because a server sent no response.");
});

test("lines that differ are marked, wide and narrow", async ({ page }) => {
  await open(page, { path: "/api/v1/namespaces/shop/secrets?limit=1" });
  await expect(marked(page, "changes").first()).toBeVisible();
  await page.setViewportSize({ width: 700, height: 900 });
  await expect(marked(page, "goes").first().locator(".old .key, .old code").first()).toBeVisible();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(wide).toBeLessThanOrEqual(0);
});

test("a response that is too long for the document is requested again", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps/long`;
  await api.create(`/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: "long" }, data: { text: "x".repeat(200 << 10) } });
  const sent = page.waitForRequest((r) => r.url().endsWith(`/clusters/practice${path}`));
  await open(page, { path, with: "practice" });
  await sent;
  await expect(outcome(page)).toHaveText("All values and owners are equal.");
  await expect(page.locator(".remark")).toHaveCount(0);
});
