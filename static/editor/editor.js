// Puts CodeMirror in the place of the text fields in [data-editor], and connects it with the page: the page gets
// whole texts after a pause and the user's questions, and sends marks and new texts. Everything here is called by placed.js.
import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { search, searchKeymap } from "@codemirror/search";
import { ChangeSet, EditorState } from "@codemirror/state";
import { EditorView, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { Questions, help } from "./help.js";
import { indentation, step } from "./place.js";
import { look } from "./styles.js";

/** The pause in typing after which the page gets the text, in milliseconds. */
const pause = 250;
/** The most characters that a text may have if the page sets no other bound. */
const most = 8 << 20;

const editors = new Map(); // by element

/** The single change between two texts, without their common beginning and end. */
function difference(before, after) {
  const text = before.toString();
  let from = 0;
  const shorter = Math.min(text.length, after.length);
  while (from < shorter && text.charCodeAt(from) === after.charCodeAt(from)) from++;
  let same = 0;
  while (same < shorter - from && text.charCodeAt(text.length - 1 - same) === after.charCodeAt(after.length - 1 - same)) same++;
  return { from, to: text.length - same, insert: after.slice(from, after.length - same) };
}

/** CodeMirror ends lines with a line feed, whatever they ended with before. */
const lines = (text) => text.replace(/\r\n?/g, "\n");

/**
 * What is typed over several lines, or has several itself, is put in their place by us: the browser joins lines by styles of their own, which the
 * pages' policy forbids, and complains of.
 */
function overLines(event, view) {
  const { main } = view.state.selection;
  const { doc } = view.state;
  if (event.inputType !== "insertText" || event.data === null || view.composing) return false;
  if (doc.lineAt(main.from).number === doc.lineAt(main.to).number && !event.data.includes("\n")) return false;
  event.preventDefault();
  view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
  return true;
}

class Editor {
  #timer;
  #ended = new AbortController();

  constructor(element, tell) {
    this.element = element;
    this.field = element.dataset.editor;
    this.tell = tell;
    this.most = Number(element.dataset.most) || most;
    this.textarea = element.querySelector("textarea");
    this.questions = new Questions((question) => tell("asked", { question: JSON.stringify({ field: this.field, ...question }) }));
    const focused = document.activeElement === this.textarea;
    const { id, value, selectionStart, selectionEnd } = this.textarea;
    this.id = id;
    this.view = new EditorView({
      parent: element,
      state: EditorState.create({
        doc: value,
        selection: focused ? { anchor: Math.min(selectionStart, value.length), head: Math.min(selectionEnd, value.length) } : undefined,
        extensions: this.#extensions(),
      }),
    });
    for (const label of this.textarea.labels) label.addEventListener("click", () => this.view.focus(), { signal: this.#ended.signal });
    // The field's value is set later, because that takes too long for each key.
    this.textarea.form?.addEventListener("formdata", ({ formData }) => formData.set(this.textarea.name, this.view.state.doc.toString()), { signal: this.#ended.signal });
    this.textarea.removeAttribute("id");
    this.textarea.hidden = true;
    this.view.contentDOM.id = id;
    this.#settle();
    element.dataset.mounted = "";
    element.editor = this;
    if (focused) this.view.focus();
  }

  /** Notes that the page knows the current text. */
  #settle() {
    clearTimeout(this.#timer);
    this.known = this.view.state.doc;
    this.since = ChangeSet.empty(this.known.length);
  }

  #named() {
    const described = [this.element.dataset.keys, this.textarea.getAttribute("aria-describedby")].filter(Boolean).join(" ");
    const name = this.textarea.getAttribute("aria-label") ?? [...this.textarea.labels].map(({ textContent }) => textContent.trim()).join(" ");
    // It can have the focus anyway; tabindex is for code that looks for focusable elements.
    return { tabindex: "0", "aria-label": name, ...(described && { "aria-describedby": described }) };
  }

  #extensions() {
    return [
      lineNumbers(), lintGutter(), foldGutter(), highlightActiveLineGutter(), highlightSpecialChars(),
      history(), indentOnInput(), bracketMatching(), closeBrackets(), search({ top: true }),
      yaml(), indentation, indentUnit.of(step), EditorState.tabSize.of(step.length),
      help(this.questions), look,
      keymap.of([...closeBracketsKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap, indentWithTab, { key: "Escape", run: leaveWithTab }, ...defaultKeymap]),
      EditorView.contentAttributes.of(this.#named()),
      EditorView.domEventObservers({
        keydown(event, view) {
          if (!leaving.includes(event.key)) view.setTabFocusMode(false);
        },
        blur: (_, view) => {
          view.setTabFocusMode(false);
          this.#send(); // whatever the reader uses next is to know all of it
        },
      }),
      EditorView.domEventHandlers({
        dragover: (event) => hasFiles(event) && (event.preventDefault(), true),
        drop: (event) => this.#dropped(event),
        beforeinput: overLines,
      }),
      EditorState.changeFilter.of((tr) => this.#fits(tr)),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) this.#changed(update.changes);
      }),
    ];
  }

  #changed(changes) {
    this.since = this.since.compose(changes);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#send(), pause);
  }

  /** Gives the page the text, if it has another. */
  #send() {
    if (this.since.empty) return;
    this.#settle();
    this.tell("typed", { field: this.field, text: this.known.toString() });
  }

  #fits(tr) {
    if (tr.newDoc.length <= this.most || tr.newDoc.length < tr.startState.doc.length) return true;
    queueMicrotask(() => this.#refuse("", tr.newDoc.length, "The text would be too long"));
    return false;
  }

  /** Reports that a text or file was refused; the page handles it like a file that is too large. */
  #refuse(name, size, words) {
    this.view.dispatch({ effects: EditorView.announce.of(words) });
    this.tell("file", { field: this.field, name, size, body: null });
  }

  #dropped(event) {
    const file = hasFiles(event) && event.dataTransfer.files[0];
    if (!file) return false;
    event.preventDefault();
    if (!this.element.closest("[data-drop]")) this.#load(file); // else the page takes it
    return true;
  }

  /** Replaces the text by that of a file. The user can undo it. */
  async #load(file) {
    if (!/\.(?:ya?ml|json)$/i.test(file.name)) return this.#refuse(file.name, file.size, "Only .yaml, .yml and .json files can be dropped here");
    if (file.size > this.most) return this.#refuse(file.name, file.size, "The file is too large");
    const text = await decoded(file);
    if (this.#ended.signal.aborted) return undefined;
    if (text === null) return this.#refuse(file.name, file.size, "The file isn’t text in UTF-8");
    this.#replace(difference(this.view.state.doc, lines(text)), `${file.name} is loaded. Undo brings back the old text`);
    this.view.focus();
    return this.#send();
  }

  #replace(changes, words) {
    const effects = words ? EditorView.announce.of(words) : [];
    this.view.dispatch({ changes, effects, annotations: isolateHistory.of("full"), scrollIntoView: true, filter: false });
  }

  /** Replaces the text that the page knows. What was typed since stays. */
  edit(text) {
    const to = lines(text);
    const change = ChangeSet.of(difference(this.known, to), this.known.length);
    const typed = this.since;
    this.#replace(change.map(typed));
    if (typed.empty) this.#settle();
    else {
      this.known = change.apply(this.known);
      this.since = typed.map(change, true);
    }
  }

  /** Shows marks. Their positions are those of the text that the page knows. */
  mark(marks) {
    const at = (line, column) => {
      const { from, to } = this.known.line(Math.max(1, Math.min(line, this.known.lines)));
      return column > 0 ? Math.min(from + column - 1, to) : to;
    };
    const diagnostics = marks.map(({ line, column, endLine, endColumn, severity, message, source }) => {
      const first = at(line, Math.max(1, column));
      const last = endLine > 0 ? at(endLine, endColumn) : at(line, 0);
      const from = this.since.mapPos(first, 1);
      return { from, to: Math.max(from, this.since.mapPos(Math.max(first, last), -1)), severity, message, source: source || undefined };
    });
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics.sort((a, b) => a.from - b.from || a.to - b.to)));
  }

  /** Puts the cursor at a place of the text that the page knows, and shows it. */
  point(line, column) {
    const { from, to } = this.known.line(Math.max(1, Math.min(line, this.known.lines)));
    const at = this.since.mapPos(Math.min(from + Math.max(1, column) - 1, to), 1);
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    this.view.focus();
  }

  /** Tells whether the editor stays when the page is shown again; if not, the field is shown as before. */
  stays(next) {
    const same = next.dataset?.editor === this.field && next.dataset.valueId === this.element.dataset.valueId;
    if (!same) this.end();
    return same;
  }

  /** Another page is about to be shown, in which only a text that has a name may stay. */
  leave() {
    if (!this.element.dataset.valueId) this.end();
  }

  end() {
    if (!editors.delete(this.element)) return;
    clearTimeout(this.#timer);
    this.#ended.abort();
    this.questions.close();
    this.textarea.value = this.view.state.doc.toString();
    this.view.destroy();
    this.textarea.id = this.id;
    this.textarea.hidden = false;
    delete this.element.dataset.mounted;
    delete this.element.editor;
  }
}

/** The keys that don't end the effect of Escape. */
const leaving = ["Escape", "Tab", "Shift"];

/** After Escape, Tab leaves the editor, until another key is pressed. */
function leaveWithTab(view) {
  view.setTabFocusMode(true);
  view.dispatch({ effects: EditorView.announce.of("Tab now leaves the editor") });
  return true;
}

const hasFiles = (event) => event.dataTransfer?.types.includes("Files") ?? false;

async function decoded(file) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return null;
  }
}

const of = (field) => [...editors.values()].find((editor) => editor.field === field);

/** Mounts an editor in each place for one, and ends those whose place is gone. */
export function tend(tell) {
  for (const [element, editor] of editors) if (!element.isConnected) editor.end();
  for (const element of document.querySelectorAll("[data-editor]:not([data-mounted])")) {
    if (element.querySelector("textarea")) editors.set(element, new Editor(element, tell));
  }
}

export const edit = (field, text) => of(field)?.edit(text);
export const mark = (field, marks) => of(field)?.mark(JSON.parse(marks));
export const point = (field, line, column) => of(field)?.point(line, column);
export const answer = (field, id, text) => of(field)?.questions.answer(id, JSON.parse(text));
