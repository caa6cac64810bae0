// Pictures of the twelve screens that matter, from samples with a fixed time. `make pictures` keeps them in docs/pictures/.
import { expect, test } from "@playwright/test";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { eyed } from "./looking.ts";

/** The name of each picture, and the sample that it shows. */
const screens: Readonly<Record<string, string>> = {
  home: "clusters",
  overview: "in-a-cluster",
  collection: "in-a-collection-of-one-namespace",
  fields: "in-an-object-fields-alive-of-a-deployment",
  timeline: "in-an-object-timeline-alive",
  schema: "in-an-object-schema",
  conflicts: "in-an-apply-preview-conflict",
  check: "in-a-check-found",
  contention: "in-a-scan",
  act: "in-acts-alive-several",
  delete: "in-a-deletion-of-a-namespace-tried",
  lesson: "in-a-lesson-with-answers",
};

const samples = process.env["FIELDMARK_SAMPLES"] ?? "";
const taken = process.env["FIELDMARK_PICTURES"] ?? "";

test.use({
  viewport: { width: 1400, height: 900 },
  deviceScaleFactor: 1,
  // One thread draws all of a page, and none of it twice: else an edge has another shade now and then.
  launchOptions: async ({ launchOptions }, use) => use({ ...launchOptions, args: [...(launchOptions.args ?? []), "--num-raster-threads=1", "--disable-partial-raster", "--disable-low-res-tiling", "--force-color-profile=srgb"] }),
});

for (const [name, sample] of Object.entries(screens))
  test(`a picture of ${name}`, async ({ page }) => {
    await (await eyed(page)).detach();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      // Anew for each: where Chromium draws only what a theme changes, some edges become a shade different from run to run.
      await page.goto(pathToFileURL(join(samples, "usual", `${sample}.html`)).href);
      await expect(page.locator("main")).toBeVisible();
      await page.evaluate(() => document.fonts.ready);
      // Laid out anew: the text of a select that was laid out before its font had come stays a pixel higher.
      await page.evaluate(() => {
        document.body.style.display = "none";
        document.body.getBoundingClientRect();
        document.body.style.display = "";
      });
      await page.screenshot({ path: join(taken, `${name}-${colorScheme}.png`), animations: "disabled", caret: "hide" });
    }
  });
