// Starts the browser's program, and does for it what JavaScript does better. The page is complete without it: whatever
// fails here leaves the page as it came, and says so.
// The names below are those of sources; the server puts in their place the addresses that hold their hashes.
import "/static/js/wasm_exec.js";
import { Idiomorph } from "/static/js/idiomorph.js";

const root = document.documentElement;

// A field that the reader has changed keeps its text, unless the page itself means another. Fields marked as live say what
// the page knows at every letter.
function edited(old, next) {
  return old instanceof HTMLInputElement && !("live" in old.dataset) && old.value !== old.defaultValue && next.defaultValue === old.defaultValue;
}

// Rows are known by their ids: those that stay are kept where they are, and only those that changed are touched.
function morphRows(old, next) {
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
    if (!known.isEqualNode(row)) Idiomorph.morph(known, row, { ...morphing, morphStyle: "outerHTML" });
  }
}

function morphNode(old, next) {
  // A document of thousands of lines is looked through by the browser itself, which is quick, before it is by us.
  if (old.id === "document" && old.isEqualNode(next)) return false;
  if ((old.localName === "tbody" && next.localName === "tbody") || (old.id === "lines" && next.id === "lines")) {
    morphRows(old, next);
    return false;
  }
  return !edited(old, next);
}

const morphing = {
  morphStyle: "innerHTML",
  // Whoever types is ahead of the page. Of another element that has the focus this would keep the content.
  get ignoreActiveValue() {
    return document.activeElement instanceof HTMLInputElement;
  },
  callbacks: {
    beforeNodeMorphed: morphNode,
    // What is open or closed is the reader's business.
    beforeAttributeUpdated: (name, element) => !(name === "open" && element.localName === "details"),
  },
};

// On another page, the menus that led there have done their work. A panel is open while it is what the address names, until a
// document is loaded; a copy of it is not.
function fold(page) {
  for (const menu of page.querySelectorAll("details.menu[open]")) menu.open = false;
  const panel = page.querySelector("nav:target");
  if (panel) panel.replaceWith(panel.cloneNode(true));
}

const channel = new MessageChannel();
const waiting = [];
channel.port1.onmessage = () => waiting.shift()();

Object.assign(globalThis.fieldmark, {
  // Makes an element's content look like this HTML, and keeps what is the same.
  show(element, html) {
    if (element.id === "app") fold(element);
    if (html === "") element.replaceChildren();
    else Idiomorph.morph(element, html, morphing);
  },
  // Calls f after the browser has handled what is waiting.
  later(f) {
    waiting.push(f);
    channel.port2.postMessage(0);
  },
  // Tells f when the pointer comes to what must be held still, and when it leaves. Only a movement counts: that
  // something came to lie under a pointer at rest says nothing about the reader.
  pointed(f) {
    let last = "";
    let over = false;
    const tell = (now) => {
      if (now !== over) f((over = now));
    };
    document.addEventListener("mousemove", (e) => {
      const at = `${e.screenX} ${e.screenY}`;
      if (at !== last) tell(Boolean(e.target.closest?.("[data-hold]")));
      last = at;
    }, { capture: true, passive: true });
    document.documentElement.addEventListener("mouseleave", () => tell(false));
    this.forgetPointer = () => (over = false);
  },
  // A click on the text of a line is one on its link, unless text was selected by it.
  lineLink(target) {
    const line = target.closest("#lines > li");
    return line && getSelection().isCollapsed ? line.querySelector("a[href]") : null;
  },
  // Calls f at most once a frame while something of the page is scrolled.
  scrolled(f) {
    let asked = false;
    const tell = () => {
      asked = false;
      f();
    };
    const ask = () => {
      if (!asked) requestAnimationFrame(tell);
      asked = true;
    };
    document.addEventListener("scroll", ask, { capture: true, passive: true });
  },
  // The address that a form asks for, like a link: fields that are empty are left out.
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

// Makes what the program listened to and waited for come to nothing; each such event would be an error of its own.
function silence(go) {
  for (const timeout of go._scheduledTimeouts.values()) clearTimeout(timeout);
  go._scheduledTimeouts.clear();
  go._resume = () => {};
}

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
  go.run(instance).then(() => {
    halt("Fieldmark’s own program has stopped, which is a bug. What you see stays readable.");
    silence(go);
  });
}

start().catch((error) => halt("Fieldmark’s own program could not be started here. Everything can be read and followed by links; reload to see what is new.", error));
