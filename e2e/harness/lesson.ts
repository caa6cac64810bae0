// Lessons, as tests go through them.
import { type Page } from "@playwright/test";
import { expect } from "./test.ts";

/**
 * Goes to the next step of a lesson, or to the previous one, and waits until the page shows it. Otherwise an action can find its button in the
 * step that is about to be hidden, and Playwright then waits for that button.
 */
export async function turn(page: Page, key: "j" | "k"): Promise<void> {
  const progress = page.locator("#progress");
  const before = await progress.innerText();
  await page.keyboard.press(key);
  await expect(progress).not.toHaveText(before);
}
