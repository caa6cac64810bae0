// Every page in every state, from files that `make eye` has written: at rest at four widths in light and dark, and each control once in its states.
import { test, expect, type Page } from "@playwright/test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { pieces } from "../harness/look.ts";
import { eyed, inStates, Report, type Sample, samplesAtRest, windows } from "./looking.ts";

const folder = process.env["FIELDMARK_SAMPLES"] ?? "";
const names = (of: string): string[] => (folder === "" ? [] : readdirSync(join(folder, of)).filter((name) => name.endsWith(".html")).sort());
const read = (of: string, some: readonly string[]): Sample[] => some.map((name) => ({ name: `${of} ${name}`, html: readFileSync(join(folder, of, name), "utf8") }));
/** Opens one sample, which gives all others its stylesheet. */
const opened = (page: Page): Promise<unknown> => page.goto(pathToFileURL(join(folder, "usual", names("usual")[0]!)).href);

function tell(report: Report): void {
  for (const one of report.used) writeFileSync(join(folder, `needed-${one}`), "");
  expect(report.lines.join("\n"), "what is wrong to see").toBe("");
}

// The longest test comes first: each control in its states. Each rule of the stylesheet is tried once, in the first sample that has an element for it.
test("what is wrong to see of controls in their states", async ({ page }) => {
  const report = new Report();
  const known = new Set<string>();
  await opened(page);
  const cdp = await eyed(page);
  await page.setViewportSize(windows[0]);
  for (const { name, html } of read("usual", names("usual"))) {
    await page.evaluate((text) => document.body.replaceWith(new DOMParser().parseFromString(text, "text/html").body), html);
    await inStates(page, cdp, name, report, known);
  }
  await cdp.detach();
  tell(report);
});

const usual = pieces(names("usual"), 52);
for (const [i, some] of usual.entries())
  test(`what is wrong to see at rest, ${i + 1} of ${usual.length}`, async ({ page }) => {
    const report = new Report();
    await opened(page);
    await samplesAtRest(page, read("usual", some), report);
    tell(report);
  });

// Names as long as Kubernetes allows: what they push out of its place. Colors don't depend on them.
const long = pieces(names("long"), 92);
for (const [i, some] of long.entries())
  test(`what is wrong to see with long names, ${i + 1} of ${long.length}`, async ({ page }) => {
    const report = new Report();
    await opened(page);
    await samplesAtRest(page, read("long", some), report, [windows[0], windows[3]], ["cut", "covered", "outside", "sideways", "nested"]);
    tell(report);
  });
