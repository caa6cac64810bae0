// Measures the page of a collection in a real Chromium in turn with a fixed page, which has as many rows, and a worker that does a fixed piece of work
// first and a smaller one for each key. Both are visited with what the browser has in its cache. Prints one line of JSON.
// Arguments: Fieldmark's URL, the token, the page, rounds. The first round isn't counted.
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { go, launch, press } from "../browser/chromium.mjs";

const [base, token, path, rounds] = process.argv.slice(2);
const between = 16; // milliseconds between two keys
const keys = 8; // later keys of a visit

// Runs in both pages from their first moment on.
function look() {
  const seen = (globalThis.seen = { keys: [], sent: 0 });
  new PerformanceObserver((list) => {
    for (const e of list.getEntries()) seen.painted = Math.min(seen.painted ?? Infinity, e.renderTime);
  }).observe({ type: "element", buffered: true });
  new MutationObserver((_, observer) => {
    const row = document.querySelector("tr[data-uid]");
    if (!row) return;
    for (const cell of row.cells) cell.setAttribute("elementtiming", "row");
    if (row.nextElementSibling) observer.disconnect();
  }).observe(document, { subtree: true, childList: true });
  addEventListener("keydown", () => (seen.sent = performance.now()), true);
  document.addEventListener(
    "focusin",
    ({ target }) => {
      if (!target.closest?.("tr[data-uid]")) return;
      const now = performance.now();
      if (seen.first === undefined) seen.first = now;
      else seen.keys.push(now - seen.sent);
    },
    true,
  );
}

// The worker of the fixed page: a fixed piece of work before it can hear, and a smaller one for each key.
function fixedWorker() {
  const compute = (times) => {
    let rows = [];
    for (let i = 0; i < times; i++) {
      rows = Array.from({ length: 200 }, (_, at) => ({ name: `row-${(at * 7919) % 200}`, at, text: "<td>".repeat(4) }));
      rows = JSON.parse(JSON.stringify(rows)).sort((a, b) => (a.name < b.name ? -1 : 1));
    }
    return rows.length;
  };
  compute(60);
  onmessage = ({ data }) => postMessage([data, compute(4)]);
  postMessage(["ready"]);
}

// The fixed page's own script: the key j moves the focus to the next row when the worker has said so.
function fixedScript() {
  const worker = new Worker("/worker.js");
  let at = -1;
  worker.onmessage = ({ data: [what] }) => {
    if (what === "ready") document.addEventListener("keydown", () => worker.postMessage("key"));
    else document.querySelectorAll("tr[data-uid]")[++at].focus();
  };
}

const row = (_, i) => `<tr data-uid="${i}" tabindex="-1"><td>pods-${i}<td>1/1<td>Running<td>0<td>${i % 60}m</tr>`;
const fixed = {
  "/": ["text/html", `<!doctype html><title>fixed</title><table>${Array.from({ length: 500 }, row).join("")}</table><script>(${fixedScript})()</script>`],
  "/worker.js": ["text/javascript", `(${fixedWorker})()`],
};
const server = createServer(({ url }, response) => {
  const [type, text] = fixed[url] ?? ["text/plain", ""];
  response.writeHead(200, { "Content-Type": type }).end(text);
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));

/** Opens a page, presses a key until it moves the focus, and then some more, each when the last one has moved it. */
async function visit(browser, address) {
  const page = await browser.page(look);
  await go(page, address);
  await page.until("globalThis.seen?.painted", "the first row");
  while (!(await page.value("seen.first"))) {
    await press(page, "j");
    await pause(between);
  }
  await pause(300); // keys that were on their way
  await page.value("seen.keys.length = 0");
  for (let i = 1; i <= keys; i++) {
    await press(page, "j");
    await page.until(`seen.keys.length >= ${i}`, "a key");
  }
  const { painted, first, keys: all } = await page.value("seen");
  await page.close();
  return { Row: painted, First: first, Key: all.sort((a, b) => a - b)[all.length >> 1] };
}

const browser = await launch(base, token);
const result = { Ours: [], Fixed: [] };
for (let i = 0; i < +rounds; i++) {
  const ours = await visit(browser, base + path);
  const other = await visit(browser, `http://127.0.0.1:${server.address().port}/`);
  if (i === 0) continue; // nothing is in the cache
  result.Ours.push(ours);
  result.Fixed.push(other);
}
await browser.close();
server.close();
console.log(JSON.stringify(result));
