// What pods and nodes use: columns in collections, and graphs of one object. The practice cluster measures every 10 seconds.
import { type Page } from "@playwright/test";
import { expect, openLive, ready, row, test } from "../harness/live.ts";
import { rows, notice } from "../harness/look.ts";

const metrics = "/apis/metrics.k8s.io/v1beta1";

async function openView(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await ready(page);
}

/** Two measurements of a container may take this long. */
const measured = { timeout: 45_000 };

test("pods have columns for CPU and memory, which sort", async ({ page }) => {
  await openLive(page, "/c/practice/api/v1/namespaces/shop/pods");
  const cpu = row(page, "carts-db-0").locator("td").nth(5);
  await expect(page.locator("th[data-column=CPU]")).toBeVisible(measured);
  await expect(cpu).toHaveText(/^\d+m$/, measured);
  await expect(page.locator("tr[data-name^=storefront] svg.meter title").first()).toHaveText(/in use, 100m requested, no limit/);
  await page.locator("th[data-column=CPU] a").click();
  const used = (await rows(page).locator("td:nth-child(6)").allInnerTexts()).filter((text) => text.trim()).map((text) => parseInt(text));
  expect(used.length).toBeGreaterThan(3);
  expect(used).toEqual([...used].sort((a, b) => a - b));
});

test("a view of a pod shows each container beside its requests and limits, and grows while it is open", async ({ page, api }) => {
  const [pod] = await api.list("/api/v1/namespaces/shop/pods?labelSelector=app%3Dstorefront");
  const name = pod!.metadata.name!;
  await expect(async () => expect(JSON.stringify(await api.get(`${metrics}/namespaces/shop/pods`))).toContain(name)).toPass(measured);
  await openView(page, `/c/practice/api/v1/namespaces/shop/pods/${name}?tab=usage`);
  const app = page.getByRole("region", { name: "app" });
  await expect(app.locator("svg")).toHaveCount(2);
  await expect(app).toContainText(/of its request \(100m\)\. No limit\./);
  await expect(app).toContainText(/of its limit \(256Mi\)/);
  const points = async () => (await app.locator("polyline").first().getAttribute("points"))!.split(" ").length;
  const before = await points();
  await expect.poll(points, measured).toBeGreaterThan(before);
  await page.getByText("Figures of the graphs").click();
  await expect(page.getByRole("row", { name: /app Memory \d+Mi \d+Mi \d+Mi 128Mi 256Mi/ })).toBeVisible();
});

test("a node is shown with its largest pods", async ({ page }) => {
  await openView(page, "/c/practice/api/v1/nodes/node-1?tab=usage");
  await expect(page.getByRole("region", { name: "node-1" })).toContainText("of what pods can have");
  await expect(page.locator(".usage-row")).not.toHaveCount(1, measured);
});

test.describe("without figures", () => {
  test.use({ provoked: /^404 for .*metrics\.k8s\.io/ });

  test("a finished pod says why", async ({ page, api }) => {
    const [pod] = await api.list("/api/v1/namespaces/shop/pods?labelSelector=job-name%3Dimport-products");
    const name = pod!.metadata.name!;
    await openView(page, `/c/practice/api/v1/namespaces/shop/pods/${name}?tab=usage`);
    await expect(notice(page)).toContainText("The pod doesn’t run");
  });
});
