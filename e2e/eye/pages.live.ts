// Every kind of page of a practice cluster, as it is there: at rest at four widths in light and dark, and its controls in their states.
import { pieces } from "../harness/look.ts";
import { kinds } from "../harness/pages.ts";
import { expect, test } from "../harness/test.ts";
import { atRest, eyed, inStates, Report, windows } from "./looking.ts";
import { settled } from "../harness/live.ts";

const known = new Set<string>();
const all = pieces(kinds, 12);
for (const [i, some] of all.entries())
  test(`what is wrong to see on pages of a cluster, ${i + 1} of ${all.length}`, async ({ page }) => {
    const report = new Report();
    const cdp = await eyed(page);
    for (const { name, path } of some) {
      await page.goto(path);
      await settled(page);
      await atRest(page, name, report);
      await page.setViewportSize(windows[0]);
      await inStates(page, cdp, name, report, known);
    }
    await cdp.detach();
    expect(report.lines.join("\n"), "what is wrong to see").toBe("");
  });
