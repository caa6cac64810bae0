// Tells the program what the reader does. The program runs beside the document and answers later, so what the browser must not do by itself (follow a link,
// submit a form, scroll with a key) is decided here: by the markup, and by the keys that the program has named.
import { hold, replayWith, sent, waits } from "/static/js/acts.js";
import { tellBriefly } from "/static/js/brief.js";
import { filesTo } from "/static/js/files.js";
import { stepInGrid } from "/static/js/grid.js";
import { arrows, elementOf, focusOn, holdable, inEditor, inField, inTerminal, rowInFocus, rowOf } from "/static/js/keys.js";
import { rowsTo } from "/static/js/rows.js";

const root = document.documentElement;
const below = root.dataset.base ?? ""; // the path below which Fieldmark is

let keys = { covered: false, plain: new Set() };

/** The keys that the program handles. covered: an overlay is open, and they count in its fields, too. Without keys, there is no program that could handle
 * anything: then links and forms are for the browser, and other acts wait. They count when the program knows the page, its focus and its fields. */
export function setKeys(covered, plain) {
  keys = { covered, plain: new Set(plain) };
  const { passTo } = globalThis.fieldmark;
  if (ready()) queueMicrotask(() => ready() && passTo(hold));
  else passTo(undefined);
}

const ready = () => keys.plain.size > 0;

let over; // what the pointer is over that must not move

/** The page is another one, which doesn't know what the pointer is over. */
export const forgetPointer = () => (over = undefined);

const modified = (e) => e.ctrlKey || e.metaKey || e.shiftKey || e.altKey;

const addressOf = ({ pathname, search, hash }) => pathname + search + hash;

const pages = document.querySelector("script[data-pages]")?.dataset.pages.split(" ") ?? [];

// Whether a link leads to a page of Fieldmark in this tab. Of the addresses of pages, those with a * at their end begin like that.
function ours(link) {
  if (link.hasAttribute("download") || link.origin !== location.origin || (link.target && link.target !== "_self")) return false;
  if (!link.pathname.startsWith(below)) return false;
  const path = link.pathname.slice(below.length) || "/";
  return pages.some((page) => (page.endsWith("*") ? path.startsWith(page.slice(0, -1)) : path === page));
}

// Whether a link leads to a place in the current page.
const within = (link) => link.hash !== "" && link.pathname === location.pathname && link.search === location.search;

// The link that was clicked. A click on the text of a line counts as one on its link, unless it selected text. A link in an SVG becomes an HTML link.
function linkAt(target) {
  const link = target.closest("a[href]");
  if (link instanceof SVGElement) return Object.assign(document.createElement("a"), { href: link.getAttribute("href") });
  const line = target.closest("#lines > li");
  return link ?? (line && getSelection().isCollapsed ? line.querySelector("a[href]") : null);
}

// The address of a form with GET, as a link. Empty fields are left out.
function action(form) {
  const link = document.createElement("a");
  link.href = form.action;
  link.search = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ""));
  return link;
}

/** Has post called with what happens in the document, from now on. */
export function listen(post) {
  const on = (where, what, f) => where.addEventListener(what, f, true); // while it comes down, so that events which don't bubble are heard, too
  on(document, "click", (e) => click(e, post));
  on(document, "submit", (e) => submit(e, post));
  on(document, "paste", (e) => paste(e, post));
  on(document, "input", (e) => input(e, post));
  on(document, "keydown", (e) => keydown(e, post));
  on(document, "focusin", (e) => focused(e, post));
  on(document, "toggle", (e) => elementOf(e)?.id === "wire" && post("unfolded", { on: e.target.open }));
  on(document, "visibilitychange", () => post("shown", { on: visible() }));
  on(window, "popstate", ({ state }) => post("popped", { address: addressOf(location), main: whole(state?.main), rows: whole(state?.rows) }));
  on(window, "storage", ({ key, newValue }) => key?.startsWith("fieldmark.") && post("stored", { key: key.slice("fieldmark.".length), value: newValue ?? "" }));
  on(window, "online", () => post("online"));
  replayWith((act) => again(act, post));
  pointer(post);
  approaching(post);
  rowsTo(post);
  filesTo(post);
}

export const visible = () => document.visibilityState === "visible";
const whole = (value) => (Number.isInteger(value) ? value : 0);

/** Tells a program that begins what happened before it could hear. */
export function tellBefore(post) {
  const drawer = document.getElementById("wire");
  if (drawer) post("unfolded", { on: drawer.open });
  focused({ target: document.activeElement }, post);
  for (const field of document.querySelectorAll("input[data-live]")) if (field.value !== field.defaultValue) type(post, field);
}

function type(post, { name, value }) {
  sent("typed");
  post("typed", { field: name, text: value });
}

function act(post, action) {
  sent("do");
  post("do", { action });
}

// Plain clicks on links to pages are for the program. Everything else is for the browser: new tabs, downloads, other origins, API calls, places in the page.
function click(e, post) {
  const target = elementOf(e);
  if (!target || !ready() || e.defaultPrevented || e.button !== 0) return;
  if (e.shiftKey && target.dataset.range) {
    e.preventDefault(); // the box stays as it is until the program has chosen all rows from the last one to this one
    return type(post, { name: target.dataset.range, value: target.value });
  }
  if (modified(e)) return;
  const option = target.closest("button[role=option]");
  if (option) return post("option", { id: option.id });
  if (target.closest("a[role=option][target=_blank]")) return post("dismiss"); // the browser opens the new tab
  const does = target.closest("[data-do]");
  if (does) {
    e.preventDefault();
    return act(post, does.dataset.do);
  }
  if ((target.closest("[data-close]") && !target.closest("[role=dialog]")) || target.closest("button[data-close]")) {
    e.preventDefault();
    return post("dismiss");
  }
  const copied = target.closest("[data-copy]");
  if (copied) return navigator.clipboard?.writeText(copied.dataset.copy).then(() => post("copied", { what: "" }), console.info);
  const link = linkAt(target);
  if (!link || !ours(link) || within(link)) return;
  e.preventDefault();
  post("click", { address: addressOf(link) });
}

// A form that returns to the page uses its current address, which may have another query than when the form was rendered.
function submit(e, post) {
  const form = elementOf(e);
  if (!form) return;
  if (form.getAttribute("method") !== "get") { // form.method could be a field named method
    if (form.matches(".sign-out")) post("signingOut");
    const back = form.querySelector("input[name=back]");
    if (back) back.value = (location.pathname.slice(below.length) || "/") + location.search + location.hash;
    return;
  }
  const link = action(form);
  if (!ready() || !ours(link)) return;
  e.preventDefault();
  post("submit", { address: addressOf(link) });
}

// Browsers join pasted lines without a space. In a field for a refusal of several lines, they are joined by spaces.
function paste(e, post) {
  const field = elementOf(e);
  const text = field?.matches("[data-one-line]") ? e.clipboardData.getData("text") : "";
  if (!text.includes("\n")) return;
  e.preventDefault();
  field.setRangeText(text.trim().split(/\s+/).join(" "), field.selectionStart, field.selectionEnd, "end");
  type(post, field);
}

function input(e, post) {
  const field = elementOf(e);
  if (field?.name && field.type !== "file" && !inEditor(field)) type(post, field);
}

// Handles a key; false: it is for the browser.
function press(key, ctrl, target, post) {
  const name = (target?.closest("#lines") && arrows[key]) || key;
  const say = () => {
    sent("key");
    post("key", { key: name, ctrl });
    return true;
  };
  if (ctrl) return (key === "k" || key === "K") && ready() && say();
  if (keys.covered) return keys.plain.has(name) && say();
  if (!ready()) return false;
  if (inField(target)) {
    if (name === "ArrowDown" && target.id === "filter" && keys.plain.has("j")) return focusOn("main"), press("j", false, null, post);
    return key === "Escape" && (focusOn("main"), true);
  }
  if (name === "/") return focusOn("filter"), true;
  return keys.plain.has(name) && say();
}

function keydown(e, post) {
  if (e.isComposing || e.altKey || !e.key) return;
  const target = elementOf(e);
  const ctrl = e.ctrlKey || e.metaKey;
  if (inTerminal(target) || (!ctrl && inEditor(target))) return;
  if (!ctrl && !e.shiftKey && stepInGrid(e.key, target)) e.preventDefault();
  else if (waits() && (holdable(e, target) || (e.key in arrows && keys.plain.has(e.key)))) {
    e.preventDefault();
    hold({ key: e.key, ctrl });
  } else if (press(e.key, ctrl, target, post)) e.preventDefault();
}

// The keys that act on the row in focus.
const ofRow = new Set(["f", "d", "y", "l", "t", "e", "Delete", "x", "X", "Enter"]);

// Whether what an act was done on is not there any more. Without a row, any row may have the focus.
function gone({ key, does, row }) {
  if (does === undefined) return row !== undefined && ofRow.has(key) && rowInFocus() !== row;
  return ![...document.querySelectorAll("[data-do]:enabled:not([aria-disabled=true])")].some((one) => one.dataset.do === does && rowOf(one) === row);
}

// Does what an act does that was held.
function again(held, post) {
  const { key, ctrl, does, words } = held;
  if (gone(held)) return tellBriefly(`Not done: ${words}. The page has changed.`);
  if (does !== undefined) return act(post, does);
  const target = document.activeElement;
  if (inEditor(target) || inTerminal(target)) return;
  if (press(key, ctrl, target, post)) return;
  if (key === "Enter") target.form && inField(target) ? target.form.requestSubmit() : target.click();
  else if (key.length === 1 && inField(target)) document.execCommand("insertText", false, key);
}

// Tells of the row that got the focus, or of another element with an id.
function focused(e, post) {
  const target = elementOf(e);
  const { id } = target?.closest("tr[data-uid]") ?? target ?? {};
  if (id) post("focus", { id });
}

// Tells when the pointer enters or leaves an element that must not move, with the element's data-hold. Only movements of the pointer count, not elements
// that move under it.
function pointer(post) {
  let last = "";
  const enter = (now) => {
    if (now === over) return;
    if (over !== undefined) post("pointer", { over: false, wire: over === "wire" });
    over = now;
    if (now !== undefined) post("pointer", { over: true, wire: now === "wire" });
  };
  document.addEventListener("mousemove", (e) => {
    const at = `${e.screenX} ${e.screenY}`;
    if (at !== last) enter(e.target.closest?.("[data-hold]")?.dataset.hold);
    last = at;
  }, { capture: true, passive: true });
  root.addEventListener("mouseleave", () => enter(undefined));
}

// How long the pointer rests on a link until the reader may mean it, in milliseconds.
const resting = 65;

// Tells of links that the reader may follow: the pointer rests there, they have the focus, or the button is pressed.
function approaching(post) {
  let timer = 0;
  const near = (e, pressed) => {
    const link = elementOf(e)?.closest("a[href]");
    if (link instanceof HTMLAnchorElement && ours(link) && !within(link)) post("near", { address: addressOf(link), pressed });
  };
  document.addEventListener("pointerover", (e) => {
    clearTimeout(timer);
    if (elementOf(e)?.closest("a[href]")) timer = setTimeout(near, resting, e, false);
  }, { capture: true, passive: true });
  document.addEventListener("focusin", (e) => near(e, false), { capture: true, passive: true });
  document.addEventListener("pointerdown", (e) => e.button === 0 && !modified(e) && near(e, true), { capture: true, passive: true });
}
