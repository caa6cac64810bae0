// The home page says how healthy the clusters are, from requests that the record shows.
import { expect, ready, test } from "../harness/live.ts";

test("a context says whether the API server and the nodes are ready", async ({ page }) => {
  await page.goto("/");
  const health = (cluster: string) => page.locator(`[data-cluster="${cluster}"]`);
  await expect(health("practice")).toContainText("API server ready");
  await expect(health("practice")).toContainText(/\d+ nodes ready/);
  await expect(health("practice-viewer")).toContainText("API server ready");
  await expect(health("practice-viewer")).toContainText("You may not list nodes");
  await expect(health("dead-server"), "a cluster that isn’t connected is not asked").not.toContainText(/nodes|API server ready/);
  await page.goto("/c/practice/-/requests");
  await ready(page);
  await expect(page.locator("main")).toContainText("/readyz?verbose");
});
