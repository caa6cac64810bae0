// Looking at a page at rest, at each width and in each theme, and at the states of its controls.
import { type CDPSession, type Page } from "@playwright/test";
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
      const place = finding.theme ? `${seen}, ${finding.theme}` : seen;
      if (known) known.seen.add(place);
      else this.#all.set(key, { ...finding, seen: new Set([place]) });
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

const themes = ["light", "dark"] as const;

/** Makes a page ready to be looked at: nothing moves, and the protocol can force states. */
export async function eyed(page: Page): Promise<CDPSession> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("DOM.enable");
  await cdp.send("CSS.enable");
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  return cdp;
}

/**
 * Chromium lays out for a new width with the next frame. A transition would show colors of the former theme, and what is laid out only when it is seen has no width
 * before a frame.
 */
async function widened(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.evaluate(async () => {
    const still = new CSSStyleSheet();
    still.replaceSync("*, *::before, *::after { transition: none !important; animation: none !important; content-visibility: visible !important }");
    if (document.adoptedStyleSheets.length === 0) document.adoptedStyleSheets = [still];
    await Promise.all([...document.fonts].map((font) => font.load()));
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  });
}

/** Looks at the open page at rest, at each width. Where something lies doesn't depend on the theme, so it is measured once; colors are looked at in both themes. */
export async function atRest(page: Page, name: string, report: Report): Promise<void> {
  for (const size of windows) {
    await widened(page, size);
    report.add(await page.evaluate(look, { kinds, themes }), `${name} at ${size.width}`);
  }
}

export interface Sample {
  readonly name: string;
  readonly html: string;
}

/**
 * Looks at samples, which all have the same stylesheet: the page that is open stays, and takes the body of one after the other. So the stylesheet and the fonts are
 * read once, the window changes four times, and no frame is painted between two samples.
 */
export async function samplesAtRest(page: Page, samples: readonly Sample[], report: Report, sizes: readonly { width: number; height: number }[] = windows, wanted: readonly Kind[] = kinds): Promise<void> {
  for (const size of sizes) {
    await widened(page, size);
    const found = await page.evaluate(
      ({ all, options, source }) => {
        const see = new Function(`return ${source}`)() as typeof look;
        return all.map((html) => {
          document.body.replaceWith(new DOMParser().parseFromString(html, "text/html").body);
          return see(options);
        });
      },
      { all: samples.map(({ html }) => html), options: { kinds: wanted, themes }, source: look.toString() },
    );
    for (const [i, findings] of found.entries()) report.add(findings, `${samples[i]!.name} at ${size.width}`);
  }
}

const inState: Options = { kinds: ["contrast", "cut", "covered"], within: "[data-eye]" };
const states = ["hover", "focus", "active"] as const;

/**
 * Finds the elements whose look the stylesheet changes in a state, one for each rule and component that is in the page and not in `known`. The attribute data-eye of
 * each has its states. Returns the rules.
 */
function changing(known: string[]): string[] {
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
  for (const [one, set] of of) one.setAttribute("data-eye", [...set].join(" "));
  return rules;
}

/** Looks at each control of the open page in the states that the stylesheet knows, in the widest window and without moving a mouse. `known` are the rules that were looked at before. */
export async function inStates(page: Page, cdp: CDPSession, name: string, report: Report, known: Set<string>): Promise<void> {
  const rules = await page.evaluate(changing, [...known]);
  for (const rule of rules) known.add(rule);
  if (rules.length === 0) return;
  const { root } = await cdp.send("DOM.getDocument", { depth: 0 });
  for (const state of states) {
    const { nodeIds: chosen } = await cdp.send("DOM.querySelectorAll", { nodeId: root.nodeId, selector: `[data-eye~="${state.slice(0, 5)}"]` });
    if (chosen.length === 0) continue;
    // A page that is alive may replace an element at any time. Then there is nothing to look at.
    const force = (forcedPseudoClasses: string[]): Promise<unknown> => Promise.allSettled(chosen.map((nodeId) => cdp.send("CSS.forcePseudoState", { nodeId, forcedPseudoClasses })));
    await force(state === "focus" ? ["focus", "focus-visible", "focus-within"] : state === "active" ? ["hover", "active"] : ["hover"]);
    report.add(await page.evaluate(look, inState), `${name}, ${state}`);
    await force([]);
  }
}
