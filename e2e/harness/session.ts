import { type Page, expect } from "@playwright/test";

/** Opens the link that Fieldmark printed. Fieldmark exchanges its code for a cookie, and removes the code from the address. */
export async function signIn(page: Page, link: string): Promise<void> {
  const response = await page.goto(link);
  expect(response?.status(), "the page after the one-visit link").toBe(200);
  expect(page.url(), "the address after the one-visit link").not.toContain("code");
}

/** Signs in with the launch token, for a session of the test's own. Its storage state must be empty. */
export async function signInByToken(page: Page, token: string): Promise<void> {
  await page.goto("/-/sign-in");
  await page.getByRole("textbox").fill(token);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
}
