// Connects the browser's program, which runs in a worker, with the document. early.js has started it, and imports this script. The page is complete without
// it: if something fails here, the page stays as the server sent it, and says so.
// The build makes one file of this script and of those that it imports. The server replaces the names of others by URLs with hashes.
import "/static/js/terms.js";
import { listen } from "/static/js/events.js";
import { editors, terminals } from "/static/js/placed.js";
import { begin, compileOthers, post } from "/static/js/programs.js";
import { arrived } from "/static/js/progress.js";
import { keep, kept, show } from "/static/js/screen.js";
import "/static/js/shell.js";
import { showTask } from "/static/js/task.js";

// What tests of editors use in the place of the program.
Object.assign(globalThis.fieldmark, {
  show,
  keep,
  kept,
  editing: (tell) => editors.tellTo(tell),
  editor: (name, ...values) => editors.with((script) => script[name](...values)),
});

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
  await whole();
  await arrived;
  editors.load();
  terminals.load();
  const script = document.getElementById("model");
  const model = script.textContent;
  script.textContent = ""; // a value that the page hides later must not stay in the document
  listen(post);
  begin(model);
  compileOthers();
  showTask();
}

start().catch((error) => globalThis.fieldmark.halt("Fieldmark’s program couldn’t start in this browser. You can still read pages and open links. Reload to see changes.", error));
