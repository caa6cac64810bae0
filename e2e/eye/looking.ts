// Looking at a page at rest, at each width and in each theme, and at the states of its controls.
import { type CDPSession, type Page } from "@playwright/test";
import { settled } from "../harness/live.ts";
import { exceptions } from "./exceptions.ts";
import { type Finding, type Kind, kinds, look, type Options } from "./look.ts";

export const windows = [
  { width: 1400, height: 900 },
  { width: 1024, height: 900 },
  { width: 700, height: 900 },
  { width: 390, height: 844 },
] as const;

/** Findings by kind and place, with where each was seen. */
export class Report {
  readonly #all = new Map<string, Finding & { readonly seen: Set<string> }>();
  readonly #used = new Set<number>();

  add(findings: readonly Finding[], seen: string): void {
    for (const finding of findings) {
      const excused = exceptions.findIndex(({ kind, where }) => kind === finding.kind && where.test(finding.where));
      if (excused >= 0) {
        this.#used.add(excused);
        continue;
      }
      const key = `${finding.kind} ${finding.where}`;
      const known = this.#all.get(key);
      if (known) known.seen.add(seen);
      else this.#all.set(key, { ...finding, seen: new Set([seen]) });
    }
  }

  /** The indexes of the exceptions that something needed. */
  get used(): number[] {
    return [...this.#used];
  }

  get lines(): string[] {
    return [...this.#all.values()]
      .sort((a, b) => (a.kind + a.where).localeCompare(b.kind + b.where))
      .map(({ kind, where, what, seen }) => `${kind}: ${where}\n    ${what}\n    ${[...seen].slice(0, 3).join("; ")}${seen.size > 3 ? `; and ${seen.size - 3} more` : ""}`);
  }
}

const geometry: readonly Kind[] = kinds.filter((kind) => kind !== "contrast");

/**
 * Looks at the page at rest. Where something lies doesn't depend on the theme, so that is measured once for each width; colors are looked at in both themes. The
 * page is loaded in each theme, because Chromium can keep colors of the former theme for a while.
 */
export async function atRest(page: Page, address: string, name: string, report: Report, sizes: readonly { width: number; height: number }[] = windows, wanted: readonly Kind[] = kinds): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    const now = colorScheme === "light" ? wanted : wanted.filter((kind) => !geometry.includes(kind));
    if (now.length === 0) continue;
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.goto(address);
    await settled(page);
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    for (const size of sizes) {
      await page.setViewportSize(size);
      // Chromium lays out for the new width with the next frame.
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      report.add(await page.evaluate(look, { kinds: now }), `${name} at ${size.width}, ${colorScheme}`);
    }
  }
}

const inState: Options = { kinds: ["contrast", "cut", "covered"], within: "[data-eye]" };
const states = ["hover", "focus", "active"] as const;

/**
 * The elements whose look the stylesheet changes in a state, one for each rule and component that is in the page and not in `known`. Each gets a number in
 * data-eye. Returns the states of each.
 */
function changing(known: string[]): { rules: string[]; states: string[][] } {
  const rules: string[] = [];
  const of = new Map<Element, Set<string>>();
  const visit = (list: CSSRuleList): void => {
    for (const rule of list) {
      if ("selectorText" in rule) {
        for (const selector of (rule as CSSStyleRule).selectorText.split(/,(?![^(]*\))/)) {
          const at = /:(hover|active|focus(?:-visible|-within)?)\b(?!\s*>?[^(]*\)\s*$)/.exec(selector);
          if (!at || selector.includes("&")) continue;
          const compound = selector.slice(0, at.index) + (/^[^\s>+~]*/.exec(selector.slice(at.index + at[0].length))?.[0] ?? "");
          const key = `${compound.trim()} ${at[1]!.slice(0, 5)}`;
          if (known.includes(key) || rules.includes(key)) continue;
          try {
            const one = [...document.querySelectorAll(compound.trim())].find((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && element.getClientRects().length > 0);
            if (!one) continue;
            rules.push(key);
            if (!of.has(one)) of.set(one, new Set());
            of.get(one)!.add(at[1]!.slice(0, 5));
          } catch {
            // a selector that only exists with its state
          }
        }
      }
      if ("cssRules" in rule) visit((rule as CSSGroupingRule).cssRules);
    }
  };
  for (const sheet of document.styleSheets) visit(sheet.cssRules);
  let n = 0;
  const all: string[][] = [];
  for (const [one, set] of of) {
    one.setAttribute("data-eye", String(n++));
    all.push([...set]);
  }
  return { rules, states: all };
}

/** Looks at each control of the page in the states that the stylesheet knows, without moving a mouse. `known` are the rules that were looked at before. */
export async function inStates(page: Page, cdp: CDPSession, name: string, report: Report, known: Set<string>): Promise<void> {
  await page.setViewportSize(windows[0]);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  const { rules, states: of } = await page.evaluate(changing, [...known]);
  for (const rule of rules) known.add(rule);
  if (of.length === 0) return;
  const { root } = await cdp.send("DOM.getDocument", { depth: 0 });
  const { nodeIds } = await cdp.send("DOM.querySelectorAll", { nodeId: root.nodeId, selector: "[data-eye]" });
  const numbers: number[] = await page.evaluate(() => [...document.querySelectorAll("[data-eye]")].map((one) => Number(one.getAttribute("data-eye"))));
  for (const state of states) {
    const chosen = nodeIds.filter((_, i) => of[numbers[i]!]!.includes(state.slice(0, 5)));
    if (chosen.length === 0) continue;
    const forced = state === "focus" ? ["focus", "focus-visible", "focus-within"] : state === "active" ? ["hover", "active"] : ["hover"];
    for (const nodeId of chosen) await cdp.send("CSS.forcePseudoState", { nodeId, forcedPseudoClasses: forced });
    report.add(await page.evaluate(look, inState), `${name}, ${state}`);
    for (const nodeId of chosen) await cdp.send("CSS.forcePseudoState", { nodeId, forcedPseudoClasses: [] });
  }
}
