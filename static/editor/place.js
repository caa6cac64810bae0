// Finds in which object, and at which path in it, a position of the text is, by CodeMirror's syntax tree and the indentation. The
// page needs this to help there; it doesn't need the text itself.
import { ensureSyntaxTree, indentService, syntaxTree } from "@codemirror/language";

/** What one level is indented by. */
export const step = "  ";

/** How long a question may wait for the text to be parsed, in milliseconds. */
const usualPatience = 20;

/** How many characters of a line are searched for a key. */
const longest = 1000;

/** How many lines are read in each direction, and how deep brackets may be nested: beyond that there is no help. */
const reach = 20_000;
const deepest = 100;

const separator = /^(?:---|\.\.\.)(?:\s|$)/;
const keyed = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'#[\]{},&*!|>%@`](?:.*?\S)??)\s*:(?=\s|$)/;

/** What a line is, read by itself: the columns of its dashes, and its key, or where one would begin. */
function read(whole) {
  const text = whole.slice(0, longest);
  let column = text.length - text.trimStart().length;
  const start = column;
  const dashes = [];
  for (let dash; (dash = /^-(?:\s+|$)/.exec(text.slice(column))); column += dash[0].length) dashes.push(column);
  const rest = text.slice(column);
  const found = keyed.exec(rest);
  const key = found && { name: unquoted(found[1]), column, end: column + found[1].length, colon: column + found[0].length };
  return { start, dashes, column, key, blank: rest === "" && dashes.length === 0, comment: rest.startsWith("#") };
}

function unquoted(text) {
  if (text.length > 1 && text.startsWith("'") && text.endsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  if (!text.startsWith('"')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text.replaceAll('"', ""); // it has escapes that JSON doesn't have, or no closing quote
  }
}

/** The lines of one document of the text that are looked at, and its place among those that hold anything. */
function around(doc, number) {
  let from = Math.max(1, number - reach);
  let to = Math.min(doc.lines, number + reach);
  let place = 0;
  let filled = false;
  let n = 0;
  for (const text of doc.iterLines(1, to + 1)) {
    n++;
    if (separator.test(text)) {
      if (n > number) {
        to = n - 1;
        break;
      }
      from = Math.max(from, n);
      place += filled ? 1 : 0;
      filled = /^---\s+[^\s#]/.test(text);
    } else if (n < number && !filled) filled = /^\s*[^\s#]/.test(text);
  }
  // What stands before the line is of its own document, and doesn't count.
  return { from, to, place };
}

/** Takes the values of keys at the top of a document. */
function top(state, { from, to }, names) {
  const values = {};
  for (const text of state.doc.iterLines(from, to + 1)) {
    if (!names.some((name) => text.startsWith(name)) && !/^["']/.test(text)) continue;
    const { key } = read(text);
    if (key && names.includes(key.name)) values[key.name] ??= scalar(text.slice(key.colon));
    if (Object.keys(values).length === names.length) break;
  }
  return values;
}

const scalar = (text) => unquoted(text.replace(/\s+#.*$/, "").trim());

/** The keys and items that a line stands in, from the document down. Items stand under a key of the same column, too. */
function above(doc, { from }, number, column, dashed) {
  const path = [];
  for (let n = number - 1; n >= from && (column > 0 || dashed); n--) {
    const line = read(doc.line(n).text);
    if (line.blank || line.comment) continue;
    if (line.key && (line.key.column < column || (dashed && line.key.column === column))) {
      path.push(line.key.name);
      column = line.key.column;
      dashed = false;
    }
    for (const dash of line.dashes.toReversed()) {
      if (dash >= column) continue;
      path.push("*");
      column = dash;
      dashed = true;
    }
  }
  return path.reverse();
}

/** The keys of the mapping that a key in this column of this line belongs to. */
function siblings(doc, { from, to }, number, column, begins) {
  const keys = [];
  for (let n = begins ? from - 1 : number - 1; n >= from; n--) {
    const line = read(doc.line(n).text);
    if (line.blank || line.comment) continue;
    const opens = line.dashes.length > 0 && line.column === column;
    if (line.start < column && !opens) break;
    if (line.key?.column === column) keys.push(line.key.name);
    if (opens) break;
  }
  keys.reverse();
  for (let n = number + 1; n <= to; n++) {
    const line = read(doc.line(n).text);
    if (line.blank || line.comment) continue;
    if (line.start < column) break;
    if (line.key && line.start === column && line.dashes.length === 0) keys.push(line.key.name);
  }
  return keys;
}

const isFlow = ({ name }) => name === "FlowMapping" || name === "FlowSequence";

/** A place within brackets and braces, from the tree alone; undefined where there are none around it, null where too many. */
function within(state, node, pos) {
  const chain = [];
  for (let n = node; n; n = n.parent) chain.push(n);
  const inside = chain.slice(0, chain.findLastIndex(isFlow) + 1);
  if (inside.length === 0) return undefined;
  if (inside.length > deepest) return null;
  const nameOf = (pair) => {
    const key = pair.getChild("Key");
    return key ? unquoted(state.sliceDoc(key.from, key.to)) : "";
  };
  const innermost = inside.findIndex(isFlow);
  const container = inside[innermost];
  const before = container.childBefore(pos); // where a value is still missing, the pair ends with its colon
  const pair = inside.slice(0, innermost).find(({ name }) => name === "Pair") ?? (before?.name === "Pair" ? before : undefined);
  const steps = { Pair: (n) => [nameOf(n)], FlowSequence: () => ["*"] };
  const path = inside.slice(innermost).flatMap((n) => steps[n.name]?.(n) ?? []).reverse();
  const colon = pair?.getChild(":");
  const place = { outermost: inside.at(-1), path, present: [], value: container.name === "FlowSequence", own: pair ? nameOf(pair) : "", to: pos };
  if (colon && pos >= colon.to) return { ...place, ...begun(state, colon.to, pos), value: true, path: [...path, place.own] };
  const key = pair?.getChild("Key");
  if (key) Object.assign(place, { from: key.from, to: key.to, prefix: state.sliceDoc(key.from, pos) });
  else Object.assign(place, begun(state, node === container || node.from === pos ? pos : node.to === pos && !/\w/.test(node.name) ? pos : node.from, pos));
  if (!place.value) place.present = container.getChildren("Pair").filter((other) => other.from !== pair?.from).map(nameOf);
  return place;
}

/** What is written of a word between two positions. */
function begun(state, from, pos) {
  const prefix = state.sliceDoc(from, pos).trimStart();
  return { from: pos - prefix.length, prefix };
}

/**
 * What is asked about at a position; null where there is nothing to say: in comments and in blocks of text. If the text isn't parsed
 * within the patience, in milliseconds, the part that is parsed decides.
 */
export function placeOf(state, pos, patience = usualPatience) {
  const tree = ensureSyntaxTree(state, pos, patience) ?? syntaxTree(state);
  const node = tree.resolveInner(pos, -1);
  const silent = ["Comment", "BlockLiteralContent", "BlockLiteralHeader"].includes(node.name);
  if (silent || (["}", "]"].includes(node.name) && pos === node.to)) return null;
  const line = state.doc.lineAt(pos);
  const bounds = around(state.doc, line.number);
  const flow = within(state, node, pos);
  if (flow === null) return null;
  const place = flow ? inFlow(state, bounds, flow) : inBlock(state, bounds, line, pos);
  return place && { ...place, document: bounds.place, ...identity(state, bounds, flow) };
}

const isWhole = ({ parent }) => parent?.name === "Document" || parent?.name === "Stream";

function identity(state, bounds, flow) {
  const names = ["apiVersion", "kind"];
  const values = top(state, bounds, names);
  for (const pair of flow && isWhole(flow.outermost) ? flow.outermost.getChildren("Pair") : []) {
    const key = pair.getChild("Key");
    const name = key && unquoted(state.sliceDoc(key.from, key.to));
    if (names.includes(name)) values[name] ??= scalar(state.sliceDoc(pair.lastChild.from, pair.lastChild.to));
  }
  return { apiVersion: values.apiVersion ?? "", kind: values.kind ?? "" };
}

function inFlow(state, bounds, { outermost, ...flow }) {
  const line = state.doc.lineAt(outermost.from);
  const outer = isWhole(outermost) ? { path: [] } : inBlock(state, bounds, line, outermost.from);
  if (!outer) return null;
  const quoted = /^["']/.test(flow.prefix) ? 1 : 0;
  return { ...flow, path: [...outer.path, ...flow.path], prefix: flow.prefix.slice(quoted), from: flow.from + quoted, flow: true };
}

function inBlock(state, bounds, { number, text, from }, pos) {
  const at = pos - from;
  const line = read(text);
  if (separator.test(text) || line.comment) return null;
  const empty = text.slice(line.column) === ""; // no key yet, and no value
  const column = empty ? Math.max(at, line.column) : line.column;
  if (at < line.column) return null;
  const items = line.dashes.length > 0;
  const path = [...above(state.doc, bounds, number, line.dashes[0] ?? column, items), ...line.dashes.map(() => "*")];
  if (line.key && at >= line.key.colon) {
    const before = text.slice(line.key.colon, at);
    const prefix = before.trimStart();
    if (before === "") return null; // right behind the colon
    return { path: [...path, line.key.name], present: [], prefix, value: true, from: pos - prefix.length, to: pos, own: line.key.name, column };
  }
  const prefix = empty ? "" : text.slice(line.column, at);
  const present = siblings(state.doc, bounds, number, column, items);
  const quoted = /^["']/.test(prefix) ? 1 : 0;
  const own = line.key?.name ?? "";
  return { path, present, prefix: prefix.slice(quoted), value: false, from: pos - prefix.length + quoted, to: line.key ? from + line.key.end : pos, own, column };
}

/** The indentation of a new line, by the line before. Within brackets, the syntax tree decides. */
export const indentation = indentService.of((context, pos) => {
  const { text, from } = context.lineAt(pos, -1);
  const line = read(text);
  if (line.blank || line.comment) return line.start;
  const { name, parent } = syntaxTree(context.state).resolveInner(pos, -1);
  if (isFlow({ name }) || (parent && isFlow(parent) && pos < parent.to)) return undefined;
  if (name === "BlockLiteralContent" && from > syntaxTree(context.state).resolveInner(pos, -1).from) return line.start;
  if (!line.key) return line.start;
  const value = text.slice(line.key.colon).replace(/\s#.*$/, "").trim();
  return line.key.column + (value === "" || /^[|>][-+\d]*$/.test(value) ? step.length : 0);
});
