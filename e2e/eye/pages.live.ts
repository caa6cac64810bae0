// Every kind of page of a practice cluster, as it is there: at rest at four widths in light and dark, and its controls in their states.
import { pieces } from "../harness/look.ts";
import { kinds } from "../harness/pages.ts";
import { expect, test } from "../harness/test.ts";
import { atRest, inStates, Report } from "./looking.ts";

const known = new Set<string>();
const all = pieces(kinds, 12);
for (const [i, some] of all.entries())
  test(`what is wrong to see on pages of a cluster, ${i + 1} of ${all.length}`, async ({ page, context }) => {
    const report = new Report();
    const cdp = await context.newCDPSession(page);
    await cdp.send("DOM.enable");
    await cdp.send("CSS.enable");
    for (const { name, path } of some) {
      await atRest(page, path, name, report);
      await inStates(page, cdp, name, report, known);
    }
    await cdp.detach();
    expect(report.lines.join("\n"), "what is wrong to see").toBe("");
  });
