// How an editor looks: with the stylesheet's own custom properties, so that it follows the theme as everything else does.
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { StyleModule } from "style-mod";

// CodeMirror would put its rules into a style element of the document, which the pages' Content-Security-Policy refuses. A sheet that a script of ours constructs needs no exception.
const sheet = new CSSStyleSheet();
let mounted = [];
let rules = "";
StyleModule.mount = (root, modules) => {
  const given = [modules].flat(); // in the order in which they overrule each other
  mounted = [...mounted.filter((module) => !given.includes(module)), ...given];
  const all = mounted.map((module) => module.getRules()).join("\n");
  if (all !== rules) sheet.replaceSync((rules = all));
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
};

const tooltip = {
  border: "1px solid var(--line)",
  borderRadius: "var(--radius)",
  backgroundColor: "var(--raised)",
  color: "var(--ink)",
  boxShadow: "var(--shadow)",
};

const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--card)", fontSize: "var(--small)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", fontVariantLigatures: "none", lineHeight: "var(--code-row)" },
  ".cm-content": { caretColor: "var(--ink)", padding: "var(--s2) 0" },
  ".cm-line": { padding: "0 var(--s3) 0 var(--s1)" },
  ".cm-gutters": { backgroundColor: "var(--card)", color: "var(--faint)", border: "0", fontSize: "var(--tiny)", userSelect: "none" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "42px", padding: "0 var(--s1) 0 0" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--ink)" },
  ".cm-foldGutter .cm-gutterElement": { color: "var(--faint)", cursor: "pointer" },
  ".cm-foldPlaceholder": { border: "1px solid var(--line)", backgroundColor: "var(--hover)", color: "var(--soft)", padding: "0 var(--s1)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-bg)", outline: "1px solid var(--accent)" },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--bad-bg)" },
  ".cm-specialChar": { color: "var(--bad)" },
  ".cm-searchMatch": { backgroundColor: "var(--warn-bg)", outline: "1px solid var(--warn)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--accent-bg)", outline: "2px solid var(--accent)" },

  ".cm-panels": { backgroundColor: "var(--hover)", color: "var(--ink)", fontFamily: "var(--sans)" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--line)" },
  ".cm-panel.cm-search": { padding: "var(--s2) var(--s5) var(--s2) var(--s3)" },
  ".cm-panel.cm-search label": { display: "inline-flex", alignItems: "center", gap: "var(--s1)", fontSize: "var(--small)" },
  ".cm-panel.cm-search [type=checkbox]": { width: "14px", height: "14px", margin: "0" },
  ".cm-textfield": { height: "26px", border: "1px solid var(--edge)", borderRadius: "var(--radius)", backgroundColor: "var(--card)", color: "var(--ink)", fontSize: "var(--small)" },
  ".cm-button": { height: "26px", border: "1px solid var(--line)", borderRadius: "var(--radius)", backgroundColor: "var(--card)", backgroundImage: "none", color: "var(--ink)", fontSize: "var(--small)" },
  ".cm-button:active": { backgroundColor: "var(--hover)", backgroundImage: "none" },
  ".cm-panel.cm-search [name=close], .cm-panel.cm-panel-lint [name=close]": { color: "var(--ink)", background: "none", border: "0", cursor: "pointer", minWidth: "24px", height: "24px" },
  ".cm-panel.cm-panel-lint ul": { maxHeight: "8em" },
  ".cm-panel.cm-panel-lint ul [aria-selected]": { backgroundColor: "var(--accent-bg)", color: "var(--ink)" },
  ".cm-panel.cm-panel-lint ul:focus [aria-selected]": { backgroundColor: "var(--accent-bg)", color: "var(--ink)", outline: "2px solid var(--focus)" },

  ".cm-tooltip": tooltip,
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", fontSize: "var(--small)", maxHeight: "18em" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px var(--s2)", lineHeight: "1.4" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent-bg)", color: "var(--ink)", boxShadow: "inset 3px 0 var(--accent)" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "var(--heavy)", color: "var(--accent)" },
  ".cm-completionDetail": { fontStyle: "normal", color: "var(--soft)", marginLeft: "var(--s3)" },
  ".cm-tooltip.cm-completionInfo": { ...tooltip, padding: "var(--s2) var(--s3)", maxWidth: "420px", fontFamily: "var(--sans)", fontSize: "var(--small)", whiteSpace: "pre-line" },
  ".cm-explained": { padding: "var(--s2) var(--s3)", maxWidth: "480px", maxHeight: "280px", overflow: "auto", fontFamily: "var(--sans)", fontSize: "var(--small)" },
  ".cm-explained > *": { margin: "0 0 var(--s1)" },
  ".cm-explained > p": { whiteSpace: "pre-line" },
  ".cm-explained code": { fontWeight: "var(--strong)" },
  ".cm-explained ul": { padding: "0", listStyle: "none", color: "var(--soft)" },

  ".cm-diagnostic": { padding: "var(--s1) var(--s2)", fontFamily: "var(--sans)", fontSize: "var(--small)", color: "var(--ink)", whiteSpace: "pre-line" },
  ".cm-diagnostic-error": { borderLeft: "4px solid var(--bad)" },
  ".cm-diagnostic-warning": { borderLeft: "4px solid var(--warn)" },
  ".cm-diagnostic-info": { borderLeft: "4px solid var(--busy)" },
  ".cm-diagnosticSource": { color: "var(--soft)", opacity: "1", fontSize: "var(--tiny)" },
  ".cm-lintRange": { backgroundImage: "none", paddingBottom: "0", textDecorationThickness: "1.5px", textUnderlineOffset: "3px", textDecorationSkipInk: "none" },
  ".cm-lintRange-error": { textDecoration: "underline wavy var(--bad)" },
  ".cm-lintRange-warning": { textDecoration: "underline wavy var(--warn)" },
  ".cm-lintRange-info": { textDecoration: "underline dotted var(--busy)" },
  ".cm-lintRange-active": { backgroundColor: "var(--warn-bg)" },
  ".cm-lintPoint:after": { borderBottomColor: "var(--bad)" },
  ".cm-gutter-lint": { width: "18px" },
  ".cm-gutter-lint .cm-gutterElement": { padding: "0 3px", display: "flex", alignItems: "center" },
  // Marks that differ in form, not in their colour alone.
  ".cm-lint-marker": { width: "11px", height: "11px", content: '""', boxSizing: "border-box" },
  ".cm-lint-marker-error": { content: '""', backgroundColor: "var(--bad)", borderRadius: "2px" },
  ".cm-lint-marker-warning": { content: '""', width: "9px", height: "9px", margin: "1px", backgroundColor: "var(--warn)", transform: "rotate(45deg)" },
  ".cm-lint-marker-info": { content: '""', border: "2px solid var(--busy)", borderRadius: "50%" },
});

const pieces = HighlightStyle.define([
  { tag: tags.definition(tags.propertyName), color: "var(--key)" },
  { tag: tags.string, color: "var(--string)" },
  { tag: tags.content, color: "var(--ink)" },
  { tag: [tags.lineComment, tags.comment], color: "var(--faint)" },
  { tag: [tags.meta, tags.separator, tags.punctuation], color: "var(--soft)" },
  { tag: [tags.labelName, tags.typeName, tags.attributeValue], color: "var(--word)" },
]);

export const look = [theme, syntaxHighlighting(pieces)];
