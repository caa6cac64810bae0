// A lesson as a text to read: without the program every step is there, in its order, with what is checked and what comes.
import { expect, test } from "../harness/test.ts";

test("all steps of a lesson are there to read", async ({ page }) => {
  expect((await page.goto("/learn/conflicts"))?.status()).toBe(200);
  await expect(page.locator(".builds")).toHaveText(/^\s*This lesson builds on:\s+\S.*\S\s*$/);
  const steps = page.locator(".place:not([hidden]) > h2");
  expect(await steps.count()).toBeGreaterThan(3);
  await expect(page.locator(".http-request").first()).toContainText("PATCH");
  await expect(page.locator(".http-request").first().locator("[data-var=namespace]")).toHaveText("namespace");
  await expect(page.getByRole("button", { name: "Send", exact: true })).toHaveCount(0);
  await page.getByText("What happens, and why").first().click();
  await expect(page.locator(".truth").first()).toContainText("Correct answer:");
  await page.getByRole("navigation", { name: "Steps of the lesson" }).getByRole("link", { name: "settings" }).click();
  await expect(page).toHaveURL(/step=.*#place-1$/);
});

test("there is no such lesson", async ({ page }) => {
  expect((await page.goto("/learn/nosuch"))?.status()).toBe(404);
  await expect(page.locator(".notice")).toContainText("There is no lesson nosuch");
});
