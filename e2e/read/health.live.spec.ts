// The cards of the home page say how healthy their clusters are, from requests that the record shows.
import { expect, ready, test } from "../harness/live.ts";

test("a card says whether the API server and the nodes are ready", async ({ page }) => {
  await page.goto("/");
  const health = (cluster: string) => page.locator(`[data-cluster="${cluster}"] [data-health]`);
  await expect(health("practice")).toContainText("API server ready");
  await expect(health("practice")).toContainText(/\d+ nodes ready/);
  await expect(health("practice-viewer")).toContainText("API server ready");
  await expect(health("practice-viewer")).toContainText("You may not list nodes");
  await expect(health("dead-server"), "a cluster that isn’t connected is not asked").toHaveCount(0);
  await page.goto("/c/practice/-/requests");
  await ready(page);
  await expect(page.locator("main")).toContainText("/readyz?verbose");
});
