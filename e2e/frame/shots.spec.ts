// A picture of every kind of page, for people, in e2e/screenshots/. The test can only check that the pictures are
// not blank.
import { statSync } from "node:fs";
import { join } from "node:path";
import { root } from "../harness/fieldmark.ts";
import { pieces } from "../harness/look.ts";
import { kinds } from "../harness/pages.ts";
import { expect, test } from "../harness/test.ts";

for (const piece of pieces(kinds, 10)) {
  test(`pictures from ${piece[0]!.name} on`, async ({ page, shot }, info) => {
    for (const { name, path } of piece) {
      await test.step(name, async () => {
        await page.goto(path);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await shot(name);
        const file = join(root, "e2e", "screenshots", `${name}-${info.project.name}.png`);
        expect.soft(statSync(file).size, `bytes of the picture of ${name}`).toBeGreaterThan(8_000);
      });
    }
  });
}
