// What a scan found has no serious or critical finding of axe's. The session is the test's own: a session has one scan of a
// cluster.
import { expectAccessible } from "../harness/axe.ts";
import { settled } from "../harness/live.ts";
import { signInByToken } from "../harness/session.ts";
import { expect, test } from "../harness/test.ts";

test.use({ storageState: { cookies: [], origins: [] } });

test("accessible while a scan runs, and when it is over", async ({ page, fieldmark }) => {
  await signInByToken(page, fieldmark.token);
  await page.goto("/c/practice/-/contention");
  await settled(page);
  await page.getByRole("button", { name: "Start the scan" }).click();
  await expect(page.locator("#liveness")).toContainText(/watching, \d:\d\d left/);
  await page.getByText("The types of this scan").click();
  await settled(page);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Stop the scan" }).click();
  await expect(page.locator("#liveness")).toContainText("stopped after");
  await settled(page);
  await expectAccessible(page);
});
