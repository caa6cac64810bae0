// Starts the browser's program, and does for it what JavaScript does better. The page is complete without it: if something
// fails here, the page stays as the server sent it, and says so.
// The names below are those of the sources; the server replaces them by URLs with hashes.
import "/static/js/terms.js";
import "/static/js/wasm_exec.js";
import { Idiomorph } from "/static/js/idiomorph.js";

const root = document.documentElement;

// A field that the user has changed keeps its text or choice, unless the page itself sets another value. In live fields, the page
// knows every letter that is typed.
function edited(old, next) {
  if (old.matches?.("select, input:is([type=checkbox], [type=radio])")) return old.isEqualNode(next); // the user's choice is not an attribute
  return old instanceof HTMLInputElement && !("live" in old.dataset) && old.value !== old.defaultValue && next.defaultValue === old.defaultValue;
}

// Rows are known by their ids: those that stay are kept where they are, and only those that changed are touched.
function morphRows(old, next, touch = (row, changed) => Idiomorph.morph(row, changed, { ...morphing, morphStyle: "outerHTML" })) {
  const kept = new Map();
  const staying = new Set([...next.children].map((row) => row.id));
  for (const row of [...old.children]) {
    if (row.id && staying.has(row.id)) kept.set(row.id, row);
    else row.remove();
  }
  let at = old.firstElementChild;
  for (const row of [...next.children]) {
    const known = kept.get(row.id);
    if (!known) {
      old.insertBefore(row, at);
      continue;
    }
    if (known === at) at = at.nextElementSibling;
    else old.insertBefore(known, at);
    if (!known.isEqualNode(row)) touch(known, row);
  }
}

// Changes an element into another one, and compares their children by position. That is fast, and enough for content without
// fields whose structure stays the same.
function become(old, next) {
  if (old.isEqualNode(next)) return;
  if (old.nodeName !== next.nodeName || !(old instanceof Element)) {
    old.replaceWith(next);
    return;
  }
  changeAttributes(old, next);
  const was = [...old.childNodes];
  const all = [...next.childNodes];
  was.forEach((node, n) => (n < all.length ? become(node, all[n]) : node.remove()));
  old.append(...all.slice(was.length));
}

// Lines have no ids: equal lines at both ends stay, and the others are compared by position.
function becomeLines(old, next) {
  const was = [...old.children];
  const all = [...next.children];
  let first = 0;
  while (first < was.length && first < all.length && was[first].isEqualNode(all[first])) first++;
  while (was.length > first && all.length > first && was.at(-1).isEqualNode(all.at(-1))) was.pop(), all.pop();
  const rest = old.children[was.length] ?? null;
  was.slice(first).forEach((line, n) => (first + n < all.length ? become(line, all[first + n]) : line.remove()));
  for (const line of all.slice(Math.max(first, was.length))) old.insertBefore(line, rest);
}

function changeAttributes(old, next) {
  for (const { name } of [...old.attributes]) if (!next.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of next.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
}

// Only the cells that differ are touched, and what has the focus stays.
function changeRow(old, next) {
  changeAttributes(old, next);
  const cells = [...next.cells];
  if (cells.length !== old.cells.length) {
    old.replaceChildren(...cells);
    return;
  }
  cells.forEach((cell, n) => {
    const was = old.cells[n];
    if (was.isEqualNode(cell)) return;
    changeAttributes(was, cell);
    if (was.contains(document.activeElement)) Idiomorph.morph(was, [...cell.childNodes], morphing);
    else was.replaceChildren(...cell.childNodes);
  });
}

function morphNode(old, next) {
  if (old.editor?.stays(next)) return false; // editors and terminals manage their own content
  // For a document of thousands of lines, the browser's own comparison is fast and comes first.
  if (old.id === "document" && old.isEqualNode(next)) return false;
  if (old.matches?.(".change-rows, .diff") && next.className === old.className) {
    become(old, next);
    return false;
  }
  if ((old.localName === "tbody" && next.localName === "tbody") || (old.id === "lines" && next.id === "lines")) {
    if (!("kept" in next.dataset)) morphRows(old, next);
    return false;
  }
  // With a hundred versions a second, everything shown is new each time.
  if (old.localName === "ol" && next.localName === "ol") {
    if (old.classList.contains("steps-line") || old.id === "wire-lines") return morphRows(old, next, become), false;
    if (old.parentElement.classList.contains("compared")) return becomeLines(old, next), false;
  }
  return !edited(old, next);
}

const morphing = {
  morphStyle: "innerHTML",
  // A typed text is newer than the page's. For other elements with the focus, this would keep old content.
  get ignoreActiveValue() {
    const active = document.activeElement;
    return active instanceof HTMLInputElement && active.type !== "range";
  },
  callbacks: {
    beforeNodeMorphed: morphNode,
    // The user decides which details are open.
    beforeAttributeUpdated: (name, element) => !(name === "open" && element.localName === "details"),
  },
};

// On another page, open menus are closed. A panel is open while the address names it, until a document is loaded; a copy of the
// panel is closed.
function fold(page) {
  for (const menu of page.querySelectorAll("details.menu[open]")) menu.open = false;
  const panel = page.querySelector("nav:target");
  if (panel) panel.replaceWith(panel.cloneNode(true));
}

// Brings the current type into sight. Only the list of types is scrolled, and only where the type can't be seen.
function showCurrentType() {
  const list = document.getElementById("types");
  const current = list?.querySelector("[aria-current]");
  const group = current?.closest("details");
  if (group) group.open = true; // a page of the same document may be in a group that the user has never opened
  if (!current?.offsetHeight) return;
  const at = current.getBoundingClientRect();
  const seen = list.getBoundingClientRect();
  if (at.top < seen.top || at.bottom > seen.bottom) list.scrollTop += at.top - seen.top - (seen.height - at.height) / 2;
}
showCurrentType();

// Brings the current tab into sight, where the tabs don't fit in their row.
function showCurrentTab() {
  for (const tabs of document.querySelectorAll("main .tabs")) {
    const current = tabs.scrollWidth > tabs.clientWidth && tabs.querySelector("[aria-current]");
    if (!current) continue;
    const at = current.getBoundingClientRect();
    const seen = tabs.getBoundingClientRect();
    if (at.left < seen.left || at.right > seen.right) tabs.scrollLeft += at.left - seen.left - (seen.width - at.width) / 2;
  }
}
showCurrentTab();

// In a small window, the head of a page makes way for a part that is scrolled and could fill the page: it leaves as far as the part
// is scrolled down. Only what the user scrolls counts, and what still rolls after that: pages scroll rows, too.
const small = matchMedia("(width <= 860px), (height <= 560px)");
const places = new WeakMap();
let scrolling = 0;
for (const by of ["wheel", "touchmove", "keydown", "pointerdown"]) addEventListener(by, () => (scrolling = performance.now() + 400), { capture: true, passive: true });
document.addEventListener(
  "scroll",
  ({ target }) => {
    const main = small.matches && target.closest?.("main");
    if (!main || target === main) return;
    const down = target.scrollTop - (places.get(target) ?? 0);
    places.set(target, target.scrollTop);
    const now = performance.now();
    if (now > scrolling || down <= 0 || target.clientHeight < main.clientHeight / 2) return;
    scrolling = Math.max(scrolling, now + 150);
    const away = target.getBoundingClientRect().top - main.getBoundingClientRect().top;
    if (away > 0) main.scrollTop += Math.min(down, away);
  },
  { capture: true, passive: true },
);

// A menu closes when the user clicks or moves the focus elsewhere, or presses Escape.
function closeMenus(but) {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (menu !== but) menu.open = false;
}

for (const elsewhere of ["pointerdown", "focusin"]) {
  addEventListener(elsewhere, ({ target }) => closeMenus(target.closest?.("details.menu")), true);
}
addEventListener(
  "keydown",
  (event) => {
    const menu = event.key === "Escape" && event.target.closest?.("details.menu[open]");
    if (!menu) return;
    event.stopImmediatePropagation();
    menu.open = false;
    menu.querySelector("summary").focus();
  },
  true,
);

// A menu that copies closes when one of its buttons is used. The menu of views stays open, because it shows what was done.
addEventListener("click", ({ target }) => {
  const menu = target.closest?.("details.copying button[data-do]")?.closest("details");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

// Shows words over the page for a few seconds. The announcer says them to screen readers.
function tellBriefly(words) {
  const shown = document.createElement("p");
  shown.className = "told-briefly";
  shown.ariaHidden = "true";
  shown.textContent = words;
  document.querySelector(".told-briefly")?.remove();
  document.body.append(shown);
  setTimeout(() => shown.remove(), 4000);
}

// Colors change without a new document, which would end streams and recordings, and lose text that is half written. For each choice:
// the next one, and the title of the button that chooses it. Both are the same as in the shell.
const colours = {
  light: ["dark", "Change colors to dark"],
  dark: ["auto", "Change colors to the system’s setting"],
  auto: ["light", "Change colors to light"],
};
addEventListener("submit", async (event) => {
  const form = event.target;
  const button = form.matches("form.theme") && form.elements.namedItem("theme");
  if (!button) return;
  event.preventDefault();
  const body = new URLSearchParams({ back: form.elements.namedItem("back").value, theme: button.value });
  const { type } = await fetch(form.action, { method: "POST", body, redirect: "manual" }).catch(() => ({}));
  if (type !== "opaqueredirect") return form.submit(); // the server's page shows the error
  if (button.value === "auto") delete root.dataset.theme;
  else root.dataset.theme = button.value;
  const [next, title] = colours[button.value];
  button.value = next;
  button.title = button.ariaLabel = title;
});

// Keeps a preference in a cookie for a year. The server reads it with the next page.
function prefer(cookie, value) {
  document.cookie = `${cookie}=${value}; path=/; samesite=strict; max-age=${value === "" ? 0 : 365 * 24 * 3600}`;
}

// Which groups of the list of types the user opened (+) and closed (-), if they are not as usual. Groups that this cluster doesn't
// have keep their part.
addEventListener("click", ({ target }) => {
  const group = target.closest?.("#types > details > summary")?.parentElement;
  if (!group) return;
  const { fold, usual } = group.dataset;
  const open = !group.open; // after this click
  const name = "fieldmark-folds";
  const was = document.cookie.split("; ").find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
  const others = was.split("|").filter((part) => part && part.slice(1) !== fold);
  if (open !== (usual !== undefined)) others.push((open ? "+" : "-") + fold);
  prefer(name, others.slice(-64).join("|"));
});

// The scripts of editors and of terminals are loaded only if the page has a place for them. Until the editors' script is loaded, and if it
// fails, the text field in that place is used.
function placed(places, load) {
  return {
    tell: null, // gets the events of what is placed; null: the program wants none
    script: null,
    load() {
      if (!this.script && document.querySelector(places)) {
        this.script = load();
        this.script.catch(console.error);
      }
      return this.script;
    },
    // Calls f with the script, once it has put everything where it belongs.
    with(f) {
      if (this.tell) this.load()?.then((script) => (script.tend(this.tell), f(script)), () => {});
    },
  };
}
const editors = placed("[data-editor]", () => import("/static/js/editor.js"));
const terminals = placed("[data-terminals]", () => import("/static/js/terminal.js"));

const channel = new MessageChannel();
const waiting = [];
channel.port1.onmessage = () => waiting.shift()();

Object.assign(globalThis.fieldmark, {
  // Makes an element's content look like this HTML, and keeps what is the same.
  show(element, html) {
    if (element.id === "app") {
      fold(element);
      for (const place of element.querySelectorAll("[data-mounted]")) place.editor.leave();
    }
    if (html === "") element.replaceChildren();
    else Idiomorph.morph(element, html, morphing);
    if (element.id === "app") {
      showCurrentType();
      showCurrentTab();
    }
    editors.with(() => {});
    terminals.with(() => {});
  },
  // Has tell called with what happens in editors: the text that was typed, a question, a file that was refused.
  editing(tell) {
    editors.tell = tell;
    editors.with(() => {});
  },
  // Calls a function of the editors' script, once they are there.
  editor(name, ...values) {
    editors.with((script) => script[name](...values));
  },
  // Has tell called with what happens in terminals: what became of their connections.
  streaming(tell) {
    terminals.tell = tell;
    terminals.with(() => {});
  },
  // Calls a function of the terminals' script, once they are there.
  terminal(name, ...values) {
    terminals.with((script) => script[name](...values));
  },
  // Keeps a value in this browser; an empty one is deleted. It is no error if the browser can't keep it, as in a private window.
  keep(key, value) {
    try {
      if (value === "") localStorage.removeItem(key);
      else localStorage.setItem(key, value);
    } catch (error) {
      console.info(error);
    }
  },
  kept(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  prefer,
  // Changes the colors as the form in the bar does.
  theme(choice) {
    const form = document.querySelector("form.theme");
    const button = form?.elements.namedItem("theme");
    if (!button) return;
    button.value = choice;
    form.requestSubmit(button);
  },
  // Changes the rows of the page's table. Each step is the index of an existing row, + for a new row, or both for a row that
  // has changed. The HTML of the rows with a + follows in their order.
  showRows(before, steps, html) {
    const body = document.querySelector("#main tbody");
    const old = [...(body?.children ?? [])];
    if (!body || old.length !== before) return false;
    const all = steps === "" ? [] : steps.split(" ");
    const kept = new Set(all.map((step) => parseInt(step, 10)));
    old.forEach((row, place) => kept.has(place) || row.remove());
    const parsed = document.createElement("template");
    parsed.innerHTML = html;
    let at = body.firstElementChild;
    for (const step of all) {
      const fresh = step.endsWith("+") ? parsed.content.firstElementChild : null;
      const known = old[parseInt(step, 10)];
      fresh?.remove();
      if (known === at && known) at = at.nextElementSibling;
      else body.insertBefore(known ?? fresh, at);
      if (known && fresh) changeRow(known, fresh);
    }
    return true;
  },
  // Calls f after the browser has handled what is waiting.
  later(f) {
    waiting.push(f);
    channel.port2.postMessage(0);
  },
  // Calls f when the pointer enters or leaves an element that must not move, with the element's data-hold. Only movements of the
  // pointer count, not elements that move under it.
  pointed(f) {
    let last = "";
    let over;
    const tell = (now) => {
      if (now === over) return;
      if (over !== undefined) f(false, over);
      over = now;
      if (now !== undefined) f(true, now);
    };
    document.addEventListener("mousemove", (e) => {
      const at = `${e.screenX} ${e.screenY}`;
      if (at !== last) tell(e.target.closest?.("[data-hold]")?.dataset.hold);
      last = at;
    }, { capture: true, passive: true });
    document.documentElement.addEventListener("mouseleave", () => tell(undefined));
    this.forgetPointer = () => (over = undefined);
  },
  // The link that was clicked. A click on the text of a line counts as one on its link, unless it selected text. A link in an SVG
  // is returned as an HTML link.
  linkAt(target) {
    const link = target.closest("a[href]");
    if (link instanceof SVGElement) return Object.assign(document.createElement("a"), { href: link.getAttribute("href") });
    const line = target.closest("#lines > li");
    return link ?? (line && getSelection().isCollapsed ? line.querySelector("a[href]") : null);
  },
  // Calls f when rows are scrolled, before the frame that shows it, and when the region they are in has another size. Reading
  // the size after each change would force a layout each time.
  scrolled(f) {
    document.addEventListener("scroll", f, { capture: true, passive: true });
    const sizes = new ResizeObserver(f);
    let watched;
    this.watchRows = () => {
      const region = document.querySelector("#main .scroll.rows");
      if (region === watched) return;
      sizes.disconnect();
      if (region) sizes.observe(region);
      watched = region;
    };
    this.watchRows();
  },
  // Calls f with each file that is chosen in a field for files, or dropped where data-drop names one: the field's name, the
  // file, and how many bytes the field takes. For a field that takes several, several tells of them; see folder.js.
  files(f, several) {
    const folder = (field, given) => import("/static/js/folder.js").then((script) => script.take(field, given, several)).catch(console.error);
    const take = (field, file) => {
      if (field && file) f(field.name, file, Number(field.dataset.most));
    };
    document.addEventListener("change", ({ target }) => {
      if (target.type !== "file") return;
      if (target.multiple) folder(target, [...target.files]);
      else take(target, target.files[0]);
      target.value = ""; // so that the same file can be chosen again
    });
    const anywhere = () => document.querySelector("[data-drop-anywhere]");
    const place = (e) => e.dataTransfer?.types.includes("Files") && (e.target.closest?.("[data-drop]") ?? anywhere());
    document.addEventListener("dragover", (e) => {
      if (!place(e)) return;
      e.preventDefault();
      anywhere()?.setAttribute("data-dragged", "");
    });
    const left = () => anywhere()?.removeAttribute("data-dragged");
    document.addEventListener("dragleave", (e) => e.relatedTarget ?? left());
    document.addEventListener("drop", (e) => {
      left();
      const at = place(e);
      if (!at) return;
      e.preventDefault();
      const field = document.querySelector(`input[type=file][name="${CSS.escape(at.dataset.drop)}"]`);
      if (field?.multiple) folder(field, [...e.dataTransfer.items].map((item) => item.webkitGetAsEntry() ?? item.getAsFile()).filter(Boolean));
      else take(field, e.dataTransfer.files[0]);
    });
  },
  // Gives the reader a file.
  download(name, type, content) {
    const link = document.createElement("a");
    link.download = name;
    link.href = URL.createObjectURL(new Blob([content], { type }));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  },
  // Copies a text, or a picture if the text is empty. Calls f with what became of it, and shows the words that f returns for a while.
  async copy(text, svg, file, f) {
    let became = "markdown";
    if (text) await navigator.clipboard?.writeText(text).catch(() => (became = "refused"));
    else became = await import("/static/js/copying.js").then((script) => script.picture(svg, file, this.download), () => "broken");
    if (!navigator.clipboard && text) became = "refused";
    tellBriefly(f(became));
  },
  // The address of a form with GET, as a link. Empty fields are left out.
  action(form) {
    const link = document.createElement("a");
    link.href = form.action;
    link.search = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ""));
    return link;
  },
});

async function halt(words, error) {
  await whole();
  root.dataset.wasm = "failed";
  if (error) console.error(error);
  delete root.dataset.busy;
  document.getElementById("app").inert = false;
  document.getElementById("overlay").replaceChildren();
  const liveness = document.getElementById("liveness");
  if (liveness) liveness.replaceChildren("no longer live");
  liveness?.setAttribute("class", "liveness tone tone-bad");
  document.getElementById("halted-words").textContent = words;
  document.getElementById("halted-reload").onclick = () => location.reload();
  document.getElementById("halted").hidden = false;
}

// Stops the events and timers of a program that has ended; each would cause another error.
function silence(go) {
  for (const timeout of go._scheduledTimeouts.values()) clearTimeout(timeout);
  go._scheduledTimeouts.clear();
  go._resume = () => {};
}

// The browser asks before it leaves a page that is in the middle of something. Ctrl-W deletes a word in a shell, and closes a tab in a browser.
addEventListener("beforeunload", (event) => {
  if (document.querySelector("[data-unfinished]")) event.preventDefault();
});

// This script does not wait for the document: compiling takes longer than reading it.
function whole() {
  if (document.readyState !== "loading") return undefined;
  return new Promise((read) => document.addEventListener("DOMContentLoaded", read, { once: true }));
}

async function start() {
  const go = new Go();
  performance.mark("fieldmark: loading");
  const instance = await WebAssembly.instantiate(await globalThis.fieldmark.program, go.importObject);
  performance.mark("fieldmark: compiled");
  await whole();
  editors.load();
  terminals.load();
  go.run(instance).then(() => {
    halt("Fieldmark’s program stopped because of a bug. You can still read this page.");
    silence(go);
  });
}

start().catch((error) => halt("Fieldmark’s program couldn’t start in this browser. You can still read pages and open links. Reload to see changes.", error));
