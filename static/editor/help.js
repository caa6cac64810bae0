// What an editor requests from its page: completions of a word, and the description of a field.
import { acceptCompletion, autocompletion, completionKeymap, startCompletion } from "@codemirror/autocomplete";
import { Prec, StateEffect, StateField } from "@codemirror/state";
import { EditorView, hoverTooltip, keymap, showTooltip } from "@codemirror/view";
import { placeOf, step } from "./place.js";

/** Questions and their answers, which may arrive later. Of each kind, only the last question matters. */
export class Questions {
  #last = 0;
  #open = new Map(); // by what is asked: the last question

  constructor(ask) {
    this.ask = ask;
  }

  /** Asks the page; the answer is null if a newer question has replaced it. */
  put(what, { document, apiVersion, kind, path, present, prefix, value }) {
    this.#open.get(what)?.resolve(null);
    const id = ++this.#last;
    return new Promise((resolve) => {
      this.#open.set(what, { id, resolve });
      this.ask({ id, what, document, apiVersion, kind, path, present, prefix, value });
    });
  }

  /** Passes an answer to the code that waits for it. */
  answer(id, answer) {
    for (const [what, open] of this.#open) {
      if (open.id !== id) continue;
      this.#open.delete(what);
      open.resolve(answer);
    }
  }

  close() {
    for (const { resolve } of this.#open.values()) resolve(null);
    this.#open.clear();
  }
}

const word = /^["']?[\w./-]*$/;

/** Writes a key as its value needs it. */
function writeKey(suggestion, place) {
  return (view, _, from, to) => {
    const after = view.state.sliceDoc(to, view.state.doc.lineAt(to).to);
    const quote = place.flow && /["']/.test(view.state.sliceDoc(from - 1, from)) ? view.state.sliceDoc(from - 1, from) : "";
    const written = suggestion.label + (quote && !suggestion.label.endsWith(quote) ? quote : "");
    const goesOn = /^["']?\s*:/.test(after);
    const deeper = `\n${" ".repeat(place.column ?? 0)}${step}`;
    const behind = { map: deeper, list: `${deeper}- ` }[place.flow ? "" : suggestion.value] ?? " ";
    const insert = goesOn ? suggestion.label : `${written}:${behind}`;
    const end = goesOn ? to : to + (quote && after.startsWith(quote) ? 1 : 0);
    view.dispatch({ changes: { from, to: end, insert }, selection: { anchor: from + insert.length }, userEvent: "input.complete", scrollIntoView: true });
    if (!goesOn && behind === " ") startCompletion(view);
  };
}

function option(suggestion, place, nth) {
  return {
    label: suggestion.label,
    detail: suggestion.detail,
    info: suggestion.info || undefined,
    sortText: String(nth).padStart(4, "0"),
    boost: Math.max(-99, -nth),
    apply: place.value || !suggestion.value ? suggestion.label : writeKey(suggestion, place),
  };
}

function completing(questions) {
  return async (context) => {
    const place = placeOf(context.state, context.pos);
    if (!place || (!context.explicit && place.prefix === "" && !place.value)) return null;
    const answer = await questions.put("complete", place);
    if (!answer?.suggestions?.length) return null;
    return { from: place.from, validFor: word, options: answer.suggestions.map((suggestion, nth) => option(suggestion, place, nth)) };
  };
}

function explanation({ heading, facts, text }) {
  const dom = document.createElement("div");
  dom.className = "cm-explained";
  const put = (parent, name, content) => {
    const element = document.createElement(name);
    element.textContent = content ?? "";
    parent.append(element);
    return element;
  };
  put(put(dom, "p", ""), "code", heading);
  if (facts?.length) {
    const list = put(dom, "ul", "");
    for (const fact of facts) put(list, "li", fact);
  }
  if (text) put(dom, "p", text);
  return dom;
}

const said = ({ heading, facts, text }) => [heading, ...(facts ?? []), text].filter(Boolean).join(". ");

/** The field whose key or value stands at a position. */
function fieldAt(state, pos) {
  const place = placeOf(state, pos);
  if (!place?.own) return null;
  return place.value ? place : { ...place, path: [...place.path, place.own] };
}

async function explain(questions, state, pos) {
  const place = fieldAt(state, pos);
  const answer = place && (await questions.put("hover", place));
  return answer?.heading ? answer : null;
}

const explained = StateEffect.define();

/** The description that the user requested with a key. It is shown until the user continues. */
const explainedField = StateField.define({
  create: () => null,
  update(value, tr) {
    for (const effect of tr.effects) if (effect.is(explained)) return effect.value;
    return tr.docChanged || tr.selection ? null : value;
  },
  provide: (field) => showTooltip.from(field),
});

function explainHere(questions) {
  return (view) => {
    const { state } = view;
    const pos = state.selection.main.head;
    explain(questions, state, pos).then((answer) => {
      if (view.state !== state && view.state.selection.main.head !== pos) return;
      const shown = answer && { pos, above: true, create: () => ({ dom: explanation(answer) }) };
      view.dispatch({ effects: [explained.of(shown), EditorView.announce.of(answer ? said(answer) : "No description of this field")] });
    });
    return true;
  };
}

function closeExplained(view) {
  if (!view.state.field(explainedField)) return false;
  view.dispatch({ effects: explained.of(null) });
  return true;
}

export function help(questions) {
  return [
    explainedField,
    autocompletion({ override: [completing(questions)], icons: false, defaultKeymap: false }),
    hoverTooltip(
      async (view, pos) => {
        const answer = await explain(questions, view.state, pos);
        return answer && { pos, above: true, create: () => ({ dom: explanation(answer) }) };
      },
      { hoverTime: 400 },
    ),
    Prec.highest(keymap.of([
      ...completionKeymap,
      { key: "Tab", run: acceptCompletion },
      { key: "Mod-i", run: explainHere(questions), preventDefault: true },
      { key: "Escape", run: closeExplained },
    ])),
  ];
}
