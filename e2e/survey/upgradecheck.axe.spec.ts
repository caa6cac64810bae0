// The pages of one pass have no serious or critical finding of axe's. The session is the test's own: a session has one census of a cluster.
import { expectAccessible } from "../harness/axe.ts";
import { settled } from "../harness/live.ts";
import { signInByToken } from "../harness/session.ts";
import { expect, test } from "../harness/test.ts";

test.use({ storageState: { cookies: [], origins: [] } });

test("accessible before the cluster was read, and after it", async ({ page, fieldmark }) => {
  await signInByToken(page, fieldmark.token);
  await page.goto("/c/practice/-/upgrade-check?to=1.40");
  await settled(page);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Read the cluster" }).click();
  await expect(page.locator("#liveness")).toContainText("read in");
  await settled(page);
  await expectAccessible(page);
  await page.goto("/c/practice/-/unappliable");
  await settled(page);
  await expectAccessible(page);
});
