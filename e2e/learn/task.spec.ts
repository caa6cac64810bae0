// A task without scripts: the server judges it each time the page is loaded.
import { signInByToken } from "../harness/session.ts";
import { expect, test } from "../harness/test.ts";

test.use({ storageState: { cookies: [], origins: [] } });

test.beforeEach(async ({ page, fieldmark }) => {
  await signInByToken(page, fieldmark.token);
});

test("goal, hints and solution are there, and Check now says how it stands", async ({ page, shot }) => {
  await page.goto("/learn/handing-over");
  await page.getByRole("link", { name: "Hand the number of replicas to another manager" }).click();
  await expect(page.locator(".task-lead")).toContainText("Make scaler the only owner");
  await page.getByText("The idea").click();
  await expect(page.getByText("A field can have two owners for a while.")).toBeVisible();
  await shot("task");
  await page.getByRole("button", { name: "Begin" }).click();
  await expect(async () => {
    await page.getByRole("link", { name: "Check now" }).click();
    await expect(page.locator("#main [data-goal='0']")).toContainText("Owners of .spec.replicas: ada.", { timeout: 2000 });
  }).toPass({ timeout: 60_000 });
  await page.goto("/c/practice/api/v1/namespaces/shop/pods");
  const card = page.getByRole("complementary", { name: "Your task" });
  await card.locator("summary").first().click();
  await expect(card).toContainText("Make scaler the only owner");
  await card.getByRole("button", { name: "End the task" }).click();
  await expect(page.getByRole("button", { name: "Begin" })).toBeVisible();
});

test("a lesson without a task, and another cluster", async ({ page }) => {
  expect((await page.goto("/learn/nosuch/task"))?.status()).toBe(404);
  await expect(page.locator(".notice")).toContainText("There is no task nosuch");
});
