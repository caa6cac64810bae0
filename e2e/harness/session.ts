import { type Page, expect } from "@playwright/test";

/** Opens the link that Fieldmark printed. Fieldmark exchanges its code for a cookie, and removes the code from the address. */
export async function signIn(page: Page, link: string): Promise<void> {
  const response = await page.goto(link);
  expect(response?.status(), "the page after the one-visit link").toBe(200);
  expect(page.url(), "the address after the one-visit link").not.toContain("code");
}
