// The home page says how healthy the clusters are, from requests that the record shows. In a session of its own, because the record of the other tests'
// session forgets what is older than 5,000 requests; and found by a filter, because the requests of programs are in everybody's record.
import { expect, ready, test } from "../harness/live.ts";
import { signInByToken } from "../harness/session.ts";

test.use({ storageState: { cookies: [], origins: [] } });

test("a context says whether the API server and the nodes are ready", async ({ page, fieldmark }) => {
  await signInByToken(page, fieldmark.token);
  await page.goto("/");
  const health = (cluster: string) => page.locator(`[data-cluster="${cluster}"]`);
  await expect(health("practice")).toContainText("API server ready");
  await expect(health("practice")).toContainText(/\d+ nodes ready/);
  await expect(health("practice-viewer")).toContainText("API server ready");
  await expect(health("practice-viewer")).toContainText("You may not list nodes");
  await expect(health("dead-server"), "a cluster that isn’t connected is not asked").not.toContainText(/nodes|API server ready/);
  await page.goto("/c/practice/-/requests?text=readyz");
  await ready(page);
  await expect(page.locator("main")).toContainText("/readyz?verbose");
});
