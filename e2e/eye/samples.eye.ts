// Every page in every state, from files that `make eye` has written: at rest at four widths in light and dark, and each control once in its states.
import { test, expect } from "@playwright/test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { pieces } from "../harness/look.ts";
import { atRest, inStates, Report, windows } from "./looking.ts";

const folder = process.env["FIELDMARK_SAMPLES"] ?? "";
const pages = (of: string): string[] => (folder === "" ? [] : readdirSync(join(folder, of)).filter((name) => name.endsWith(".html")).sort());
const address = (of: string, name: string): string => pathToFileURL(join(folder, of, name)).href;

const known = new Set<string>();

// One test looks at many pages, so that a page is opened often and a browser's tab seldom.
const usual = pieces(pages("usual"), 24);
for (const [i, names] of usual.entries())
  test(`what is wrong to see, ${i + 1} of ${usual.length}`, async ({ page, context }) => {
    const report = new Report();
    const cdp = await context.newCDPSession(page);
    await cdp.send("DOM.enable");
    await cdp.send("CSS.enable");
    for (const name of names) {
      await atRest(page, address("usual", name), name, report);
      await inStates(page, cdp, name, report, known);
    }
    await cdp.detach();
    for (const one of report.used) writeFileSync(join(folder, `needed-${one}`), "");
    expect(report.lines.join("\n"), "what is wrong to see").toBe("");
  });

// Names as long as Kubernetes allows: what they push out of its place. Colours don't depend on them.
const long = pieces(pages("long"), 46);
for (const [i, names] of long.entries())
  test(`what is wrong to see with long names, ${i + 1} of ${long.length}`, async ({ page }) => {
    const report = new Report();
    for (const name of names) {
      await atRest(page, address("long", name), `long ${name}`, report, [windows[0], windows[3]], ["cut", "covered", "outside", "sideways", "nested"]);
    }
    for (const one of report.used) writeFileSync(join(folder, `needed-${one}`), "");
    expect(report.lines.join("\n"), "what is wrong to see").toBe("");
  });
