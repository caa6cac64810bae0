import { type Locator, type Page, expect } from "@playwright/test";

/** Presses Tab until the element has the focus, and fails if it never has. */
export async function tabTo(page: Page, target: Locator, atMost = 150): Promise<void> {
  let element = await target.elementHandle(); // looking for it by its role takes longer than the key
  for (let pressed = 0; pressed < atMost; pressed++) {
    const { connected, focused } = await element!.evaluate((one) => ({ connected: one.isConnected, focused: one === one.ownerDocument.activeElement }));
    if (focused) return;
    if (!connected) element = await target.elementHandle();
    else await page.keyboard.press("Tab");
  }
  await expect(target, `reachable by ${atMost} presses of Tab`).toBeFocused({ timeout: 1 });
}

/** The element with the focus, and whether the focus is visible: by an outline of the element, or of the frame around it. */
export function seen(page: Page): Promise<{ what: string; seen: boolean }> {
  return page.locator(":focus").evaluate((element) => {
    const frames = [element, element.closest(".field")].filter((one) => one !== null);
    const outlined = frames.some((one) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return outlineStyle !== "none" && parseFloat(outlineWidth) >= 1;
    });
    const box = element.getBoundingClientRect();
    const within = box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
    return { what: element.outerHTML.slice(0, 120), seen: outlined && within };
  });
}

/** Presses the key that leads to a field, and waits until what is typed next arrives there: a program that is busy takes up keys later. */
export async function toField(page: Page, key: "/" | ":" | "Control+k"): Promise<void> {
  await page.keyboard.press(key);
  await expect(page.locator(key === "/" ? "input:focus" : "[role=dialog] input:focus")).toBeVisible();
}
