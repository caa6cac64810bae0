// The picture and the table have no serious or critical finding of axe's. The session is the test's own: a session has one census of a cluster.
import { expectAccessible } from "../harness/axe.ts";
import { settled } from "../harness/live.ts";
import { signInByToken } from "../harness/session.ts";
import { expect, test } from "../harness/test.ts";

test.use({ storageState: { cookies: [], origins: [] } });

test("accessible before a census, after it, and with the objects of a square", async ({ page, fieldmark }) => {
  await signInByToken(page, fieldmark.token);
  await page.goto("/c/practice/-/managers");
  await settled(page);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Read the cluster" }).click();
  await expect(page.locator("#liveness")).toContainText("read in");
  await settled(page);
  await expectAccessible(page);
  await page.getByRole("gridcell", { name: /^kube-controller-manager owns .* of deployments/ }).click();
  await expect(page.locator(".managers-panel tbody tr").first()).toBeVisible();
  await settled(page);
  await expectAccessible(page);
});
