// The programs of this tab. Each runs in a worker of its own, and one of them shows the page. When the reader goes to a page of another program, the one
// that is left keeps showing its page until the other can show its own. Then it is parked: it keeps what the reader may come back to.
import { forget } from "/static/js/acts.js";
import { tellBriefly } from "/static/js/brief.js";
import { setKeys, tellBefore, visible } from "/static/js/events.js";
import { announce, allKept, leave, perform, shows } from "/static/js/screen.js";
import { tellRows } from "/static/js/rows.js";

const root = document.documentElement;
const { names, compile, start, first, halt } = globalThis.fieldmark;

const pageType = "application/vnd.fieldmark.page+json";

// How many programs are parked at most. Each has some 20 MB of memory.
const mostParked = 2;

const running = new Map(); // programs by name, in the order in which they were last used
let active; // shows the page
let coming; // will show the next page
let restarted = -Infinity; // when a program was started again, in milliseconds

/** Sends a message to the program that shows the page. If the reader goes elsewhere meanwhile, the page of another program doesn't come. */
export function post(name, fields) {
  if (elsewhere.has(name)) cancel();
  active?.post(name, fields);
}
const elsewhere = new Set(["click", "submit", "popped"]);

/** Begins with the program that was started first, and the model of the page. */
export function begin(model) {
  active = first;
  take(first);
  post("begin", { document: about(), model });
  tellBefore(post);
}

// What a program must know of the document at once.
function about() {
  return {
    base: root.dataset.base ?? "",
    origin: location.origin.replace(/^http/, "ws"),
    address: location.pathname + location.search + location.hash,
    visible: visible(),
    kept: allKept(),
  };
}

function take(program) {
  running.set(program.name, program);
  program.hear = (messages) => hear(program, messages);
  program.failed = (message) => ended(program, message);
  if (program.said.length) hear(program, program.said);
  return program;
}

// The program of a name, which may have been started before.
function get(name) {
  const program = running.get(name) ?? take(start(name));
  running.delete(name);
  running.set(name, program); // as the newest
  return program;
}

// What a worker says of itself.
const signs = {
  pong: (program) => (program.pinged = 0),
  ended: (program) => ended(program),
  failed: (program, { error, missing }) => ended(program, error, missing ? absent : unable),
};

// Does what a program says, if it shows the page, or can show it now.
function hear(program, messages) {
  const [[name, fields]] = messages;
  if (signs[name]) signs[name](program, fields);
  else if (program === active) obey(messages);
  else if (program === coming) {
    program.said.push(...messages);
    if (program.said.some(([what]) => what === "leave") || shows(program.said)) activate(program);
  }
}

// What a program says to another one.
const crossings = {
  pass: ({ program, ...page }) => pass(program, page),
  prepare: ({ program }) => get(program),
};

function obey(messages) {
  for (const [name, fields] of messages) crossings[name]?.(fields);
  const program = active;
  const began = performance.now();
  perform(messages, post);
  if (!shows(messages)) return;
  const pause = performance.now() - began < short ? 0 : (performance.now() - began) * rest;
  requestAnimationFrame(() => (pause ? setTimeout(tellPainted, pause, program) : tellPainted(program)));
}

// A change that takes longer than so many milliseconds is followed by a pause, several times as long, so that the page still reacts to its reader.
const short = 6;
const rest = 2;

const tellPainted = (program) => program.post("painted");

// Passes a page to the program that runs it.
function pass(name, page) {
  cancel();
  coming = get(name);
  coming.said = [];
  coming.page = page;
  coming.post("arrive", { document: about(), page });
}

// The program that was to show the next page is not needed now.
function cancel() {
  if (!coming) return;
  coming.post("park");
  coming = undefined;
  perform([["busy", { on: false }]], post);
}

function activate(program) {
  coming = undefined;
  if (active) post("park");
  active = program;
  forget();
  document.getElementById("overlay").replaceChildren();
  document.getElementById("app").inert = false;
  obey(program.said.splice(0));
  tellRows();
  tellBefore(post);
  restrict();
}

// Ends the programs that were parked first.
function restrict() {
  for (const program of [...running.values()].filter((one) => one !== active).slice(0, -mostParked)) {
    program.end();
    running.delete(program.name);
  }
}

// A program has ended, because of a bug or because the browser has ended it. The one that shows the page is started again, but not again and again.
// never: why it can't be.
function ended(program, error, never) {
  program.end();
  if (running.get(program.name) === program) running.delete(program.name);
  if (error) console.error(error);
  if (program === coming) return leave(program.page.address);
  if (program !== active) return;
  active = undefined;
  setKeys(false, []);
  if (never) halt(never);
  else if (performance.now() - restarted < enough) halt("Fieldmark’s program stopped because of a bug. You can still read this page.");
  else again(program.name).catch(() => halt("Fieldmark’s program stopped because of a bug. You can still read this page."));
}

const unable = "Fieldmark’s program couldn’t start in this browser. You can still read pages and open links. Reload to see changes.";
const absent = "Fieldmark’s program didn’t arrive. You can still read pages and open links. Reload to ask for it again.";

// A program that ends within so many milliseconds after it was started again is not started once more.
const enough = 60_000;

// Starts a program again, with the page as it is now.
async function again(name) {
  restarted = performance.now();
  root.dataset.wasm = "loading";
  const response = await fetch(location.href, { headers: { Accept: pageType }, cache: "no-store" });
  if (!response.headers.get("Content-Type")?.startsWith(pageType)) return location.reload();
  const model = await response.text();
  const { base, address } = about();
  pass(name, { address: address.slice(base.length) || "/", model, reader: "", how: here, main: 0, rows: 0 });
  const words = "Fieldmark’s program stopped because of a bug, and was started again.";
  announce(words);
  tellBriefly(words);
}

// The number of app.Again: the page is the one that was shown already.
const here = 2;

// A worker can end without a word, for example where memory is short. So a visible page asks its program for a sign of life.
const every = 10_000;
const patience = 3; // signs that may be missing
setInterval(() => {
  if (!active || !visible()) return;
  active.pinged = (active.pinged ?? 0) + 1;
  if (active.pinged > patience) ended(active, "The program didn’t respond.");
  else post("ping");
}, every);

// When the reader does nothing for a while, the other programs are fetched and compiled, one after the other, so that pages of theirs open at once.
const calm = 3_000;

/** Fetches and compiles the other programs, when the browser has nothing else to do. */
export function compileOthers() {
  if (navigator.connection?.saveData || !globalThis.requestIdleCallback) return;
  const [name] = names.filter((one) => !compiled.has(one) && !running.has(one));
  if (!name) return;
  compiled.add(name);
  setTimeout(() => requestIdleCallback(() => compile(name).then(compileOthers, () => {})), calm);
}
const compiled = new Set();
