// Logs as they are written: following, restarts, filters, and links to lines.
import { type Page } from "@playwright/test";
import { expect, openLive, test } from "../harness/live.ts";

const rows = (page: Page) => page.locator(".log-grid tbody tr:not(.room)");
const lines = async (page: Page) => Number((await page.locator("#count").innerText()).replace(/^.* of /, "").replaceAll(",", "").split(" ")[0]);
const storefront = "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront?tab=logs";

test("lines come as they are written, and a reader who scrolls up stays there", async ({ page }) => {
  await openLive(page, storefront);
  const first = await lines(page);
  await expect.poll(() => lines(page), { timeout: 30_000 }).toBeGreaterThan(first + 5);
  const region = page.getByRole("log");
  const left = () => region.evaluate((e) => e.scrollHeight - e.clientHeight - e.scrollTop);
  expect(await left(), "the end is in view").toBeLessThan(40);
  await region.hover();
  await page.mouse.wheel(0, -600);
  const end = page.getByRole("button", { name: "Go to the end" });
  await expect(end).toBeVisible();
  const top = await region.evaluate((e) => e.scrollTop);
  const then = await lines(page);
  await expect.poll(() => lines(page), { timeout: 30_000 }).toBeGreaterThan(then + 3);
  expect(await region.evaluate((e) => e.scrollTop)).toBe(top);
  await end.click();
  await expect.poll(left).toBeLessThan(40);

  await page.keyboard.press("/");
  await page.keyboard.type("healthz");
  await expect(page.locator("#count")).toContainText(" of ");
  await expect(rows(page).locator("mark").first()).toHaveText("healthz");
  await expect(page).toHaveURL(/filter=healthz/);
  await page.keyboard.press("Escape");
  await page.keyboard.press("f");
  await expect(page).toHaveURL(/follow=false/);
  await expect(page.getByText("running, not followed").first()).toBeVisible();
  await page.keyboard.press("w");
  await expect(page).toHaveURL(/wrap=true/);
});

test("a link to a line reads from there and marks the line", async ({ page }) => {
  await openLive(page, storefront);
  const link = rows(page).nth(20).locator(".log-time a");
  const text = await rows(page).nth(20).locator(".log-text").innerText();
  const address = await link.getAttribute("href");
  await openLive(page, address as string);
  await expect(page.locator(".log-grid tr[aria-current] .log-text")).toHaveText(text);
  await expect(page.locator("#missing")).toHaveCount(0);
});

test("a container that crashes is told with its exit code, and the log goes on with its next run", async ({ page, api, namespace }) => {
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  await api.create(pods, {
    metadata: { name: "crasher", annotations: { "practice.fieldmark.dev/crash": "Error", "practice.fieldmark.dev/crash-after": "6s" } },
    spec: { containers: [{ name: "app", image: "postgres:17" }] },
  });
  await openLive(page, `/c/practice${pods}/crasher?tab=logs`);
  const told = page.locator(".log-note");
  await expect(told.filter({ hasText: "ended: exit code 1 (Error)" }).first()).toBeVisible({ timeout: 60_000 });
  await expect(told.filter({ hasText: "started again" }).first()).toBeVisible({ timeout: 60_000 });
  await expect(told.filter({ hasText: "missing" })).toHaveCount(0);
  await expect(rows(page).filter({ hasText: "starting postgres" }).nth(1), "the first line of the next run").toBeVisible();
  // Each line once. What the page tells may repeat: on a slow machine the container has crashed again.
  const texts = await page.locator(".log-grid tr:not(.log-note) .log-text").allInnerTexts();
  expect(new Set(texts).size).toBe(texts.length);

  await page.keyboard.press("p");
  await expect(page).toHaveURL(/previous=true/);
  await expect(rows(page).last()).toContainText("exit code 1, Error");
});

test("pods that come while a Deployment is followed have a mark of their own", async ({ page, api, namespace }) => {
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  await api.create(path, {
    metadata: { name: "web" },
    spec: { replicas: 1, selector: { matchLabels: { app: "web" } }, template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "app", image: "example.com/storefront:2" }] } } },
  });
  await openLive(page, `/c/practice${path}/web?tab=logs`);
  const origins = page.getByRole("list", { name: "Logs on this page" }).getByRole("listitem");
  await expect(origins).toHaveCount(1, { timeout: 60_000 });
  await api.fetch(`${path}/web`, { method: "PATCH", headers: { "Content-Type": "application/merge-patch+json" }, body: JSON.stringify({ spec: { replicas: 2 } }) });
  await expect(origins).toHaveCount(2, { timeout: 60_000 });
  await expect.poll(async () => new Set(await rows(page).locator(".log-who").allInnerTexts()).size, { timeout: 60_000 }).toBe(2);
  const pods = await api.list(`/api/v1/namespaces/${namespace}/pods`);
  await api.delete(`/api/v1/namespaces/${namespace}/pods/${pods[0]?.metadata.name}`);
  await expect(page.locator(".log-note", { hasText: "was deleted" }).first()).toBeVisible({ timeout: 60_000 });
});
