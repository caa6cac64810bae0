// Helpers to find elements of a page.
import { type Locator, type Page } from "@playwright/test";

/** The rows of the page's collection. */
export const rows = (page: Page): Locator => page.locator("tr[data-uid]");

/** The names in the rows, in their order. */
export const names = (page: Page): Promise<string[]> => attributes(rows(page), "data-name");

/** The columns that can be seen, in their order. */
export const columns = (page: Page): Promise<string[]> => attributes(page.locator("th[data-column]:visible"), "data-column");

/** One attribute of each of the elements. */
export const attributes = (elements: Locator, name: string): Promise<string[]> =>
  elements.evaluateAll((all, of) => all.map((element) => element.getAttribute(of) ?? ""), name);

/** The notice above the content of a page, or in its place. */
export const notice = (page: Page): Locator => page.locator(".notice");

/** The menu at the top with the label: "cluster" or "namespace". */
export const menu = (page: Page, label: string): Locator =>
  page.locator("details.menu", { has: page.locator("summary .soft", { hasText: label }) });

/** Opens the menu with the actions that a page's bar has no room for. */
export async function moreActions(page: Page): Promise<Locator> {
  const more = page.locator(".more-actions");
  if (!(await more.evaluate((one: HTMLDetailsElement) => one.open))) await more.locator("> summary").click();
  return more;
}

/** An object's document. */
export const code = (page: Page): Locator => page.locator(".code");

/** Cuts the list into pieces, so that several workers share the work and a test isn't as short as its set-up. */
export function pieces<T>(list: readonly T[], size: number): T[][] {
  const cut: T[][] = [];
  for (let at = 0; at < list.length; at += size) cut.push(list.slice(at, at + size));
  return cut;
}
