// Who runs a cluster, with the page's program: it follows the reading, filters with each key, and squares are reached by keys.
import { readCluster } from "../harness/census.ts";
import { settled } from "../harness/live.ts";
import { expect, test } from "../harness/live.ts";
import { signInByToken } from "../harness/session.ts";

test.use({ storageState: { cookies: [], origins: [] } });

test.beforeEach(async ({ page, fieldmark }) => {
  await signInByToken(page, fieldmark.token);
  await page.goto("/c/practice/-/managers");
  await settled(page);
  await readCluster(page);
  await settled(page);
});

test("each key filters, and the address follows", async ({ page }) => {
  const rows = page.locator("tr[data-manager]");
  await page.keyboard.press("/");
  await page.keyboard.type("kube-sched");
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL(/text=kube-sched/);
  await page.getByLabel("Operation").selectOption("Apply");
  await expect(page.locator("#main")).toContainText("No manager matches the filter");
  await page.getByRole("link", { name: /^Show all \d+ managers/ }).click();
  await expect(page.locator("tr[data-manager=kube-controller-manager]")).toBeVisible();
});

test("squares are reached by keys, and lead to their objects and back", async ({ page }) => {
  const row = page.getByRole("row", { name: "kube-controller-manager", exact: true });
  await page.getByRole("gridcell").first().focus();
  const focused = page.locator(":focus");
  await page.keyboard.press("End");
  await page.keyboard.press("Home");
  for (let n = 0; n < 60 && !(await row.locator(":focus").count()); n++) await page.keyboard.press("ArrowDown");
  await expect(row.locator(":focus")).toHaveCount(1);
  await page.keyboard.press("Home");
  const first = ((await focused.textContent()) ?? "").replace(/, last write.*/s, ""); // its age grows
  await page.keyboard.press("ArrowRight");
  await expect(focused).not.toContainText(first);
  await page.keyboard.press("ArrowLeft");
  await expect(focused).toContainText(first);
  await page.keyboard.press("Enter");
  const panel = page.locator(".managers-panel");
  await expect(panel.getByRole("heading")).toBeFocused();
  await expect(panel.locator("tbody tr").first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await expect(focused).toContainText(first);
});
