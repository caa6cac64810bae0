// The pages of one pass have no serious or critical finding of axe's. The session is the test's own: a session has one census of a cluster.
import { expectAccessible } from "../harness/axe.ts";
import { readCluster } from "../harness/census.ts";
import { settled } from "../harness/live.ts";
import { signInByToken } from "../harness/session.ts";
import { expect, test } from "../harness/test.ts";

test.use({ storageState: { cookies: [], origins: [] } });

test("accessible before the cluster was read, and after it", async ({ page, fieldmark }) => {
  await signInByToken(page, fieldmark.token);
  await page.goto("/c/practice/-/managers");
  await settled(page);
  await expectAccessible(page);
  await readCluster(page);
  await settled(page);
  await expectAccessible(page);
  await page.getByRole("gridcell", { name: /^kube-controller-manager owns .* of deployments/ }).click();
  await expect(page.locator(".managers-panel tbody tr").first()).toBeVisible();
  await settled(page);
  await expectAccessible(page);
  for (const tool of ["upgrade-check?to=1.40", "unappliable", "migrate"]) {
    await page.goto(`/c/practice/-/${tool}`);
    await settled(page);
    await expectAccessible(page);
  }
});
