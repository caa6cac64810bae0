import { type Locator, type Page, expect } from "@playwright/test";

/** Presses Tab until the element has the focus, as someone without a mouse does, and fails if it never gets there. */
export async function tabTo(page: Page, target: Locator, atMost = 100): Promise<void> {
  for (let pressed = 0; pressed < atMost; pressed++) {
    if (await hasFocus(target)) return;
    await page.keyboard.press("Tab");
  }
  await expect(target, `reachable by ${atMost} presses of Tab`).toBeFocused({ timeout: 1 });
}

function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === element.ownerDocument.activeElement);
}
