// Does in the document what the program says. wasm/dom/messages.md lists the messages, and wasm/app says what they mean.
import { handled } from "/static/js/acts.js";
import { tellBriefly } from "/static/js/brief.js";
import { forgetPointer, setKeys } from "/static/js/events.js";
import { focusNow, focusSoon } from "/static/js/focus.js";
import { become, stepRows } from "/static/js/morph.js";
import { editors, terminals } from "/static/js/placed.js";
import { keeping } from "/static/js/progress.js";
import { bring, position, scrollTo, shift, watchRows } from "/static/js/rows.js";
import { fold, prefer, showCurrentTab, showCurrentType } from "/static/js/shell.js";

const root = document.documentElement;
const { load, miss } = globalThis.fieldmark;
const byId = (id) => document.getElementById(id);

/** Makes an element's content look like this HTML, and keeps what is the same. */
export function show(element, html) {
  const whole = element.id === "app";
  if (whole) {
    fold(element);
    for (const place of element.querySelectorAll("[data-mounted]")) place.editor.leave();
  }
  become(element, html);
  if (whole) {
    showCurrentType();
    showCurrentTab();
  }
  editors.with(() => {});
  terminals.with(() => {});
}

// What the browser keeps for Fieldmark has this prefix. It is no error if the browser can't keep a value, as in a private window.
const prefix = "fieldmark.";

export function keep(key, value) {
  try {
    keeping(key, () => (value === "" ? localStorage.removeItem(key) : localStorage.setItem(key, value)));
  } catch (error) {
    console.info(error);
  }
}

export function kept(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** All that is kept: keys and values in turn. */
export function allKept() {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix));
    return keys.flatMap((key) => [key.slice(prefix.length), localStorage.getItem(key)]);
  } catch {
    return [];
  }
}

export function announce(words) {
  const region = byId("announcer");
  region.textContent = region.textContent === words ? `${words}\u00a0` : words; // another text, so that screen readers say it again
}

/** Loads an address as a document. If it differs only in its fragment, browsers load nothing, so it is loaded again. */
export function leave(address) {
  const [before] = location.href.split("#");
  const to = new URL(address, location.href);
  location.assign(to);
  if (to.hash && to.href.split("#")[0] === before) location.reload();
}

function download(name, mediaType, content) {
  const link = document.createElement("a");
  link.download = name;
  link.href = URL.createObjectURL(new Blob([content], { type: mediaType }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// What became of a text or a picture that was copied: a key of words.Copies.
async function copy(text, svg, file) {
  if (!text) return load("/static/js/copying.js").then((script) => script.picture(svg, file, download), noPicture);
  if (!navigator.clipboard) return "refused";
  return navigator.clipboard.writeText(text).then(() => "markdown", () => "refused");
}

function noPicture(error) {
  miss("The script that copies pictures didn’t arrive. Reload to ask for it again.", error);
  return "broken";
}

// The panel of types is not open again after going back.
const withoutPanel = () => (location.hash === "#types" ? location.pathname + location.search : location.href);

let before = null; // what had the focus before the overlay opened
let noted = null; // how far the page was scrolled

const commands = {
  show(post, { place, html }) {
    const element = byId(place);
    if (!element) return; // the current page has no such place
    show(element, html);
    if (place === "overlay") document.querySelector("#overlay [aria-selected=true]")?.scrollIntoView({ block: "nearest" });
    if (place === "app") forgetPointer(); // the new page doesn't know the pointer's element
    if (place === "app" || place === "main") watchRows();
  },
  showRows(post, { before, steps, html }) {
    const body = document.querySelector("#main tbody");
    if (body?.children.length === before) stepRows(body, steps, html);
    else post("torn");
  },
  title: (post, { title }) => (document.title = title),
  remember(post, { address, replace }) {
    if (replace) return history.replaceState(history.state, "", address);
    history.replaceState(position(), "", withoutPanel());
    history.pushState(null, "", address);
  },
  leave: (post, { address }) => leave(address),
  submit(post, { form, field, text }) {
    const element = byId(form);
    element.append(Object.assign(document.createElement("input"), { type: "hidden", name: field, value: text }));
    element.submit();
  },
  open: (post, { address }) => window.open(address, "_blank", "noopener"),
  state(post, { state }) {
    root.dataset.wasm = state;
    performance.mark(`fieldmark: ${state}`);
  },
  mark: (post, { what, at }) => performance.mark(`fieldmark: ${what}`, { startTime: Math.max(0, at - performance.timeOrigin) }),
  busy(post, { on }) {
    if (on) {
      root.dataset.busy = "true";
      byId("main").setAttribute("aria-busy", "true");
      return;
    }
    delete root.dataset.busy;
    byId("main").removeAttribute("aria-busy");
  },
  announce: (post, { words }) => announce(words),
  tell: (post, { words }) => tellBriefly(words),
  focus: (post, { id }) => focusSoon(id),
  modal(post, { on }) {
    byId("app").inert = on;
    if (on) {
      before = document.activeElement;
      byId("overlay").querySelector("[data-autofocus]")?.focus();
      return;
    }
    if (before?.isConnected) before.focus({ preventScroll: true });
    before = null;
  },
  keys: (post, { covered, plain }) => setKeys(covered, plain),
  handled: () => handled(),
  // Changes the colors as the form in the bar does.
  theme(post, { choice }) {
    const form = document.querySelector("form.theme");
    const button = form?.elements.namedItem("theme");
    if (!button) return;
    button.value = choice;
    form.requestSubmit(button);
  },
  prefer: (post, { cookie, value }) => prefer(cookie, value),
  keep: (post, { key, value }) => keep(prefix + key, value),
  bring: (post, { top, bottom }) => bring(top, bottom),
  shift: (post, { by }) => shift(by),
  reveal: (post, { id }) => byId(id)?.scrollIntoView({ block: "nearest" }),
  // The address has the fragment already. Replacing the address with itself makes the element the document's target.
  target: (post, { id }) => location.replace(`#${id}`),
  scrollTo: (post, { main, rows }) => scrollTo({ main, rows }),
  stay: () => (noted = position()),
  return: () => noted && scrollTo(noted),
  copy: (post, { text, svg, file }) => copy(text, svg, file).then((what) => post("copied", { what })),
  download: (post, { name, mediaType, content }) => download(name, mediaType, content),
  editing: (post) => editors.tellTo(post),
  edit: (post, { field, text }) => editors.with((script) => script.edit(field, text)),
  marks: (post, { field, marks }) => editors.with((script) => script.mark(field, marks)),
  point: (post, { field, line, column }) => editors.with((script) => script.point(field, line, column)),
  answer: (post, { field, id, answer }) => editors.with((script) => script.answer(field, id, answer)),
  streaming: (post) => terminals.tellTo(post),
  connect: (post, { id, address, raw }) => terminals.with((script) => script.connect(id, address, raw)),
  focusTerminal: (post, { id }) => terminals.with((script) => script.focus(id)),
};

/** Whether messages change what the document shows. */
export const shows = (messages) => messages.some(([name]) => name === "show" || name === "showRows");

/** Does what a program says. post tells it what became of that. */
export function perform(messages, post) {
  for (const [name, fields] of messages) commands[name]?.(post, fields);
  if (shows(messages)) focusNow();
}
