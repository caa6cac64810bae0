// Is a part of the document, so it arrives whenever the document does. It runs before layout, and starts what takes longest: fetching and compiling the
// browser's program, and the worker in which it runs. Meanwhile, the document is read. Every script and program is asked for through this script, which asks
// again for what doesn't arrive, and says in the end what is missing. data-wasm says from now on that a program is loading, or that something failed.
import { again, at, compile as fetched, pauses } from "/static/js/again.js";
import { giveUp, passTo } from "/static/js/before.js";

const root = document.documentElement;
const urls = { read: "/static/read.wasm", write: "/static/write.wasm", lab: "/static/lab.wasm", survey: "/static/survey.wasm", learn: "/static/learn.wasm", run: "/static/run.wasm" };
const modules = {};
root.dataset.wasm = "loading";

/** Fetches and compiles a program, so that it starts at once when it is needed. */
function compile(name) {
  modules[name] ??= fetched(urls[name]);
  modules[name].catch(() => delete modules[name]);
  return modules[name];
}

/** Imports a script. */
const load = (url) => again((tries) => import(at(url, tries)));

/** Starts a program in a worker of its own, which fetches and compiles it unless that is done. */
function start(name) {
  const said = []; // before anybody listens
  const unheard = []; // what the worker misses if its script doesn't arrive
  let arrived = false;
  const program = {
    name,
    said,
    hear: (messages) => said.push(...messages),
    failed: (error) => post("failed", { error, missing: false }),
    post: (name, fields) => send([name, fields]),
    end() {
      arrived = true;
      program.worker.terminate();
    },
  };
  const post = (name, fields) => program.hear([[name, fields]]);
  const send = (message) => {
    if (!arrived) unheard.push(message);
    program.worker.postMessage(message);
  };
  const begin = (tries) => {
    if (tries && arrived) return;
    const worker = (program.worker = new Worker(at("/static/js/worker.js", tries), { name }));
    worker.onmessage = ({ data }) => {
      if (arrived) return program.hear(data);
      arrived = true; // the first message says only that
      unheard.length = 0;
    };
    worker.onerror = ({ message }) => {
      if (arrived) program.failed(message);
      else if (tries < pauses.length) setTimeout(begin, pauses[tries], tries + 1);
      else post("failed", { error: "The worker’s script didn’t arrive.", missing: true });
    };
    for (const message of unheard) worker.postMessage(message);
  };
  begin(0);
  const url = new URL(urls[name], location.href).href;
  if (modules[name]) modules[name].then(send, () => send(url));
  else send(url);
  return program;
}

const whole = (f) => (document.readyState === "loading" ? addEventListener("DOMContentLoaded", f, { once: true }) : f());

// Shows a message with a button that loads the page again.
function say(title, words) {
  document.getElementById("halted-title").textContent = title;
  document.getElementById("halted-words").textContent = words;
  document.getElementById("halted-reload").onclick = () => location.reload();
  document.getElementById("halted").hidden = false;
}

/** Says that the page is no longer updated, and why. */
function halt(words, error) {
  root.dataset.wasm = "failed";
  const lost = giveUp();
  if (error) console.error(error);
  whole(() => {
    delete root.dataset.busy;
    document.getElementById("app").inert = false;
    document.getElementById("overlay").replaceChildren();
    const liveness = document.getElementById("liveness");
    liveness?.replaceChildren("no longer live");
    liveness?.setAttribute("class", "liveness tone tone-bad");
    say("This page is no longer updated.", lost.length ? `${words} Not done: ${lost.join(", ")}.` : words);
  });
}

/** Says that a script is missing without which the page still works. */
function miss(words, error) {
  console.error(error);
  if (root.dataset.wasm !== "failed") say("A part of this page is missing.", words);
}

globalThis.fieldmark = { names: Object.keys(urls), compile, start, load, halt, miss, passTo, first: start(document.currentScript.dataset.program) };

load("/static/js/fieldmark.js").catch((error) => halt("Fieldmark’s script didn’t arrive. You can still read pages and open links. Reload to ask for it again.", error));

// The stylesheet is asked for again, too.
addEventListener("error", ({ target }) => {
  if (target?.localName !== "link" || target.rel !== "stylesheet") return;
  const tries = Number(target.dataset.tries ?? 0);
  if (tries === pauses.length) return;
  target.dataset.tries = tries + 1;
  setTimeout(() => (target.href = at(target.href.split("?")[0], tries + 1)), pauses[tries]);
}, true);

// Rows beyond the first screen come as text, because the program makes them from its data. If it doesn't start in time, they are read here. So are the closed
// groups of the list of types, if the script that reads them isn't there.
function readTexts() {
  const rows = document.querySelector("#rows > noscript");
  if (rows) document.getElementById("room-below").replaceWith(rows);
  document.querySelectorAll("noscript").forEach(readText);
}
function readText(text) {
  text.outerHTML = text.textContent;
}
setTimeout(whole, 3000, readTexts);
