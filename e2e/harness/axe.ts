import { AxeBuilder } from "@axe-core/playwright";
import { type Page, expect } from "@playwright/test";

const standard = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
// The rules about colors. All other rules find the same in dark and light mode.
const ofColor = ["color-contrast", "link-in-text-block"];

/** In which colors axe looks at a page: as it is, in light and in dark, or in none, because `make eye` measures the colors of every page in every state. */
export type Colors = "as it is" | "light and dark" | "none";

/** Fails if axe finds anything serious or critical against WCAG AA in the page, and says where. */
export async function expectAccessible(page: Page, colors: Colors = "light and dark"): Promise<void> {
  const all = axe(page).withTags(standard);
  await expectNothingGrave(page, colors === "none" ? all.disableRules("color-contrast") : all, "in the light");
  if (colors !== "light and dark") return;
  await page.emulateMedia({ colorScheme: "dark" });
  await expectNothingGrave(page, axe(page).withRules(ofColor), "in the dark");
  await page.emulateMedia({ colorScheme: "light" });
}

// The pages have no frames, so axe needs no second page to collect findings of frames. This halves the time.
const axe = (page: Page): AxeBuilder => new AxeBuilder({ page }).options({ resultTypes: ["violations"] }).setLegacyMode(true);

async function expectNothingGrave(page: Page, builder: AxeBuilder, where: string): Promise<void> {
  expect(page.frames(), "frames of the page").toHaveLength(1);
  const { violations } = await builder.analyze();
  const grave = violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary ?? ""}`).join("\n")}`);
  expect(grave, `axe on ${page.url()} ${where}`).toEqual([]);
}
