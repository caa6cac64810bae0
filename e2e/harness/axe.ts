import { AxeBuilder } from "@axe-core/playwright";
import { type Page, expect } from "@playwright/test";

const standard = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Fails if axe finds anything serious or critical against WCAG AA, and says where. Only in projects named axe-…. */
export async function expectAccessible(page: Page): Promise<void> {
  // Without frames in it, a page needs no second one to gather what axe found in each: half the time.
  expect(page.frames(), "frames of the page").toHaveLength(1);
  const axe = new AxeBuilder({ page }).options({ resultTypes: ["violations"] }).withTags(standard).setLegacyMode(true);
  const { violations } = await axe.analyze();
  const grave = violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary ?? ""}`).join("\n")}`);
  expect(grave, `axe on ${page.url()}`).toEqual([]);
}
