// A mark that asks why opens two sentences in place, by mouse, key and touch, and the page stays.
import { expect, ready, test } from "../harness/live.ts";

const object = "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront";
const brief = /^(?!Explained in the guide).{20,}[.!?]$/;

test("a mark opens in place, and leads on to the guide in a tab of its own", async ({ page, shot }) => {
  await page.goto(object);
  await ready(page);
  const card = page.locator("#term");
  const mark = page.locator(".tabs-line a.why");

  await test.step("by mouse", async () => {
    await mark.click();
    await expect(card.locator("p")).toHaveText(brief);
    await expect(card).toHaveAccessibleName(/^why\? /);
    await shot("why");
    await mark.click();
    await expect(card).toBeHidden();
  });

  await test.step("by key; Esc gives the focus back", async () => {
    await mark.focus();
    await page.keyboard.press("Enter");
    await expect(card).toBeFocused();
    await expect(card.locator("p")).toHaveText(brief);
    await page.keyboard.press("Escape");
    await expect(card).toBeHidden();
    await expect(mark).toBeFocused();
  });

  await test.step("the guide has a tab of its own", async () => {
    await mark.click();
    const [guide] = await Promise.all([page.context().waitForEvent("page"), card.getByRole("link", { name: "Open in the glossary" }).click()]);
    await expect(guide).toHaveURL("/learn/glossary#ownership");
    await guide.close();
  });

  await test.step("and so has the task that practises it", async () => {
    await expect(card, "it is still open").toBeVisible();
    const [task] = await Promise.all([page.context().waitForEvent("page"), card.getByRole("link", { name: "Practise it" }).click()]);
    await expect(task).toHaveURL("/learn/managed-fields/task");
    await task.close();
  });
  expect(new URL(page.url()).pathname).toBe(object);
});

test("few marks are in sight, and those of columns and controls appear with the pointer and the focus", async ({ page }) => {
  await page.goto(object);
  await ready(page);
  const inSight = () =>
    page.locator("a.why").evaluateAll((marks) => marks.filter((m) => m.checkVisibility({ opacityProperty: true }) && m.getBoundingClientRect().top < innerHeight).length);
  await page.mouse.move(0, 0);
  await expect.poll(inSight).toBeLessThanOrEqual(7);
  const edit = page.locator('.action-bar > .with-why:has-text("Edit…")');
  const of = edit.locator("a.why");
  await expect(of).toHaveCSS("opacity", "0");
  await edit.hover();
  await expect(of).toHaveCSS("opacity", "1");
  await page.mouse.move(0, 0);
  await of.focus();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab"); // with a key, so that the focus is one to be seen
  await expect(of).toHaveCSS("opacity", "1");
});

test.describe("by touch", () => {
  test.use({ hasTouch: true });
  test("a mark opens", async ({ page }) => {
    await page.goto(object);
    await ready(page);
    await page.locator(".tabs-line a.why").tap();
    await expect(page.locator("#term p")).toHaveText(brief);
    expect(new URL(page.url()).pathname).toBe(object);
  });
});
