// An editor on a page of Fieldmark, under the page's policy and beside its program: in markup of components.Editor, with
// the test in place of the page that receives its messages.
import { type Locator, type Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./fieldmark.ts";

/** The messages of an editor, in order. */
export interface Told {
  what: "typed" | "asked" | "file";
  values: (string | number)[];
}

/** A question, as the page gets it. */
export interface Question {
  id: number;
  what: "complete" | "hover";
  document: number;
  apiVersion: string;
  kind: string;
  path: string[];
  present: string[];
  prefix: string;
  value: boolean;
}

interface Shim {
  editing(tell: (what: Told["what"], fields: Record<string, string | number>) => void): void;
  editor(name: "edit" | "mark" | "answer", ...values: unknown[]): void;
  show(element: Element, html: string): void;
  keep(key: string, value: string): void;
  kept(key: string): string | null;
}

declare global {
  interface Window {
    fieldmark: Shim;
    told: Told[];
    /** What editors had screen readers say: it stands there for a moment only. */
    said: string[];
    /** Answers by the path that is asked about; null: none comes. */
    answers: Record<string, object | null>;
  }
}

const golden = readFileSync(join(root, "components", "testdata", "editor.html"), "utf8");

/** The markup of an editor. */
export function markup({ text, valueId = "", most, extra = "" }: { text: string; valueId?: string; most?: number; extra?: string }): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return (
    golden
      .replace(/(<textarea[^>]*>)[^]*(<\/textarea>)/, (_, begins, ends) => `${begins}\n${escaped}${ends}`)
      .replace(/data-value-id="[^"]*"/, `data-value-id="${valueId}"${most ? ` data-most="${most}"` : ""}`) + extra
  );
}

/** Puts HTML into a part of the document that is the test's own, as a page's view is. */
export const show = (page: Page, html: string): Promise<void> =>
  page.evaluate((html) => window.fieldmark.show(document.getElementById("desk")!, html), html);

/** Opens a page with a part of the test's own, and begins to hear of editors there. */
export async function openDesk(page: Page, html: string): Promise<void> {
  await page.goto("/");
  await page.locator('html[data-wasm="ready"]').waitFor();
  await page.evaluate(() => {
    const desk = document.createElement("section");
    desk.id = "desk";
    desk.ariaLabel = "Desk";
    Object.assign(desk.style, { position: "fixed", inset: "80px 24px 24px", zIndex: "50", display: "flex", flexDirection: "column", background: "var(--paper)" });
    document.getElementById("app")!.after(desk); // the page's own paints would take away what it does not know of
  });
  await show(page, html);
  await page.evaluate(() => {
    window.told = [];
    window.said = [];
    new MutationObserver((changes) => {
      for (const { target } of changes) if ((target as Element).closest?.("[aria-live]")) window.said.push(target.textContent ?? "");
    }).observe(document.getElementById("desk")!, { childList: true, subtree: true });
    window.answers = {};
    window.fieldmark.editing((what, fields) => {
      const values = Object.entries(fields).filter(([name]) => name !== "field").map(([, value]) => value);
      window.told.push({ what, values });
      if (what !== "asked") return;
      const { id, field, path } = JSON.parse(String(values[0])) as { id: number; field: string; path: string[] };
      const answer = window.answers[path.join(".")] ?? {};
      window.fieldmark.editor("answer", field, id, JSON.stringify(answer));
    });
  });
  await page.locator("#desk [data-mounted]").waitFor();
}

/** Where the text is edited. */
export const text = (page: Page): Locator => page.getByRole("textbox", { name: "Manifest" });

/** The whole text, as the editor would give it to its page; nothing while there is no editor. */
export const whole = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => (document.querySelector("[data-mounted]") as unknown as { editor: { view: { state: { doc: object } } } } | null)?.editor.view.state.doc.toString());

/** Sets the cursor, or selects. */
export const select = (page: Page, anchor: number, head = anchor): Promise<void> =>
  page.evaluate(([anchor, head]) => {
    const { view } = (document.querySelector("[data-mounted]") as unknown as { editor: { view: { focus(): void; dispatch(spec: object): void } } }).editor;
    view.focus();
    view.dispatch({ selection: { anchor, head } });
  }, [anchor, head] as const);

/** Where the cursor is. */
export const cursor = (page: Page): Promise<number> =>
  page.evaluate(() => (document.querySelector("[data-mounted]") as unknown as { editor: { view: { state: { selection: { main: { head: number } } } } } }).editor.view.state.selection.main.head);

export const command = (page: Page, name: "edit" | "mark", ...values: unknown[]): Promise<void> =>
  page.evaluate(([name, ...values]) => window.fieldmark.editor(name as "edit", "manifest", ...values), [name, ...values]);

export const told = (page: Page, what: Told["what"]): Promise<Told[]> => page.evaluate((what) => window.told.filter((one) => one.what === what), what);

/** The last text that the page got. */
export const typed = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => window.told.filter(({ what }) => what === "typed").at(-1)?.values[0] as string | undefined);

/** How long that is, how it begins and how it ends. */
export const outlined = (page: Page): Promise<{ length: number; begins: string; ends: string }> =>
  page.evaluate(() => {
    const text = String(window.told.filter(({ what }) => what === "typed").at(-1)?.values[0] ?? "");
    return { length: text.length, begins: text.slice(0, 20), ends: text.slice(-20) };
  });

/** What was asked last. */
export const question = async (page: Page): Promise<Question | undefined> => {
  const last = (await told(page, "asked")).at(-1);
  return last && (JSON.parse(String(last.values[0])) as Question);
};

export const answers = (page: Page, all: Record<string, object | null>): Promise<void> => page.evaluate((all) => void (window.answers = all), all);

/** What screen readers were told so far. */
export const said = (page: Page): Promise<string> => page.evaluate(() => window.said.join("\n"));

/** Drops a file onto the editor. */
export async function drop(page: Page, name: string, content: string | Uint8Array): Promise<void> {
  const bytes = [...(typeof content === "string" ? new TextEncoder().encode(content) : content)];
  await page.evaluate(
    ([name, bytes]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Uint8Array(bytes as number[])], name as string));
      const target = document.querySelector("[data-mounted] .cm-content")!;
      for (const type of ["dragenter", "dragover", "drop"]) target.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, bytes] as const,
  );
}

/** Pastes text where the cursor is. */
export const paste = (page: Page, make: { line: string; times: number }): Promise<void> =>
  page.evaluate(({ line, times }) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", line.repeat(times));
    document.querySelector("[data-mounted] .cm-content")!.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, make);
