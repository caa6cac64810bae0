// What the reader does while no program can hear it: from the first paint until the program has taken over, and while a program starts again. What needs no
// program is done at once, on the server's HTML: steps through rows, the way to the filter, menus, copies. Links and forms are the browser's. All other acts
// wait, are shown as waiting, and count in their order when the program is there (docs/decisions/0142).
import { make, tellBriefly } from "/static/js/brief.js";
import { arrows, elementOf, focusOn, holdable, inField, rowInFocus, rowOf } from "/static/js/keys.js";

const named = new Set(document.currentScript.dataset.keys.split(" ")); // the keys of the page
const steps = new Set(["j", "k", "g", "G"]);

let waiting = []; // acts, as {key, ctrl, row, words} or {does, row, words}
let heard; // takes the acts; undefined: no program can hear
let hopeless = false; // no program will

/** Passes each act that waits to f, because a program can hear now. Without f, none can, and acts wait from now on. */
export function passTo(f) {
  heard = f;
  if (f) for (const act of take()) f(act);
}

/** No program will come. Nothing waits any more, and the names of the acts that did are returned. */
export function giveUp() {
  hopeless = true;
  return take().map(({ words }) => words);
}

function take() {
  const acts = waiting;
  waiting = [];
  show();
  return acts;
}

// Whether a field may have the focus once the acts that wait are done.
const asked = () => waiting.some(({ ctrl, key }) => ctrl || ":?/".includes(key));

// An act counts only for the row on which it was done; empty: for none. After a step that waits as well, nobody knows the row yet, and after a key that opens a
// field, keys are text.
function wait(act) {
  if (hopeless) return false;
  const unknown = asked() || waiting.some(({ key }) => steps.has(key));
  waiting.push({ ctrl: false, row: unknown ? undefined : rowInFocus(), ...act });
  show();
  return true;
}

// Shows what waits, over the page, which may have no body yet.
function show() {
  document.getElementById("waiting")?.remove();
  if (!waiting.length) return;
  const acts = waiting.flatMap(({ words }) => [make("kbd", {}, words), " "]);
  document.body?.append(make("p", { id: "waiting", className: "told-briefly", role: "status" }, "Waiting for Fieldmark’s program: ", ...acts));
}

const stops = () => [...document.querySelectorAll("#rows tr[data-uid], #main a[id^='lesson-']")];

// Goes to another row or lesson, as the program does. What comes after the first screen is the program's.
function step(key) {
  const all = stops();
  const at = all.findIndex((stop) => stop.contains(document.activeElement));
  const to = { j: at + 1, k: Math.max(at - 1, 0), g: 0, G: all.length - 1 }[key];
  const more = document.getElementById("room-below");
  if (!all.length || (more && (to >= all.length || key === "G"))) return false;
  const stop = all[Math.min(to, all.length - 1)];
  stop.scrollIntoView({ block: "nearest" });
  return focusOn(stop.id);
}

// Steps that came before the rows did are done as soon as rows are there.
function settle() {
  while (steps.has(waiting[0]?.key) && !waiting[0].ctrl && step(waiting[0].key)) waiting.shift();
  show();
}

// An open menu closes, and a field is left.
function escape(target) {
  const menu = target?.closest("details.menu[open]");
  if (!menu) return inField(target) && (focusOn("main"), true);
  menu.open = false;
  menu.querySelector("summary").focus();
  return true;
}

// Handles a key; false: it is the browser's.
function press(e, target) {
  const { key } = e;
  if (e.ctrlKey || e.metaKey) return /^k$/i.test(key) && wait({ key, ctrl: true, words: "Ctrl K" });
  if (inField(target) && !asked()) return key === "Escape" ? escape(target) : key === "ArrowDown" && target.id === "filter" && step("g");
  if (waiting.length) return (holdable(e, target) || named.has(key)) && wait({ key, words: key });
  if (key === "/") return focusOn("filter");
  if (key === "Escape" && escape(target)) return true;
  const name = (target?.closest("#lines") && arrows[key]) || key;
  return named.has(name) && ((steps.has(name) && step(name)) || wait({ key, words: key }));
}

function keydown(e) {
  const target = elementOf(e);
  if (heard || e.isComposing || e.altKey || !e.key || target?.closest("[data-mounted], [data-terminal]")) return;
  settle();
  if (press(e, target)) taken(e);
}

// A link or a button that submits a form works without the program.
function click(e) {
  const target = elementOf(e);
  if (heard || !target || e.button || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return;
  const button = target.closest("button[type=button][data-do]:not([aria-disabled=true])");
  const copied = target.closest("[data-copy]");
  if (button) wait({ does: button.dataset.do, row: rowOf(button), words: (button.ariaLabel || button.textContent).trim().slice(0, 40) }) && taken(e);
  if (copied) navigator.clipboard?.writeText(copied.dataset.copy).then(() => tellBriefly("Copied"), console.info);
}

function taken(e) {
  e.preventDefault();
  e.stopImmediatePropagation();
}

document.addEventListener("keydown", keydown, true);
document.addEventListener("DOMContentLoaded", settle);
document.addEventListener("click", click, true);
