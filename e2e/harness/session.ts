import { type Page, expect } from "@playwright/test";

/** Opens the one-visit URL that Fieldmark printed: the token is traded for a cookie and is gone from the address. */
export async function signIn(page: Page, oneVisitURL: string): Promise<void> {
  const response = await page.goto(oneVisitURL);
  expect(response?.status(), "the page after the one-visit URL").toBe(200);
  expect(page.url(), "the address after the one-visit URL").not.toContain("token");
}
