// Accessible on a phone, too: tables turn their columns or lie in lines there, tabs scroll, and the bar has two rows.
import { expectAccessible } from "../harness/axe.ts";
import { settled } from "../harness/live.ts";
import { pieces } from "../harness/look.ts";
import { kinds } from "../harness/pages.ts";
import { expect, test } from "../harness/test.ts";

const turned = /^(home|learn|overview|collection|requests|contention|discovery|discovery-type|apply-object|check|request|representations-object|compare|watch|lesson-step|object-(fields|yaml|events|related|schema)|delete|assist-hand-over|secret)$/;

for (const piece of pieces(kinds.filter(({ name }) => turned.test(name)), 8)) {
  test(`accessible on a phone, from ${piece[0]!.name} on`, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const { name, path } of piece) {
      await test.step(name, async () => {
        await page.goto(path);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await settled(page);
        await expectAccessible(page, "none");
      });
    }
  });
}
