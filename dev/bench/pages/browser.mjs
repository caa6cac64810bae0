// Measures what a visitor sees: one collection, opened in a real Chromium, cold (nothing cached) and warm (a second visit
// of the same browser), and then rows that change while it is open. Prints one line of JSON; times are milliseconds from
// the start of the navigation, bytes are those that crossed the network.
//
// Each round opens the page in three browsers, because one measurement would disturb another one:
//   - the first one only looks. It notes when things are painted;
//   - the second one presses a key again and again, and notes when the page first reacts. Chromium ends its search for the
//     largest paint at the first key;
//   - the third one is traced, which costs time. It notes how long the main thread was taken, what crossed the network, and
//     the memory of the page's program. Its workers wait until their network is watched.
//
// The figures come from Chromium. The page's program may run in the page or in a worker.
// Arguments: Fieldmark's URL, the token, the page, its objects as an API path through the proxy without their numbers, rounds, changes.
import { setTimeout as pause } from "node:timers/promises";
import { go, launch, memory, press, workers } from "../browser/chromium.mjs";
import { patch } from "../browser/repeat.mjs";

const [base, token, path, objects, rounds, changes] = process.argv.slice(2);
const settling = 500; // milliseconds in which Chromium tells of the last long tasks
const between = 16; // milliseconds between two keys

// Runs in the page from its first moment on, and notes when things are there.
function look() {
  const seen = (globalThis.seen = { tasks: [], frame: 0, shift: 0 });
  const observe = (type, tell) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) tell(entry);
    }).observe({ type, buffered: true });
  observe("paint", (e) => e.name === "first-contentful-paint" && (seen.fcp = e.startTime));
  observe("largest-contentful-paint", (e) => (seen.lcp = e.startTime));
  observe("element", (e) => (seen.painted = Math.min(seen.painted ?? Infinity, e.renderTime)));
  observe("longtask", (e) => seen.tasks.push([e.startTime, e.duration]));
  observe("long-animation-frame", (e) => (seen.frame = Math.max(seen.frame, e.duration)));
  observe("layout-shift", (e) => e.hadRecentInput || (seen.shift += e.value));

  // Chromium tells of the paint of an element if the element has this attribute before the paint. Text belongs to its cell.
  new MutationObserver((_, observer) => {
    const row = document.querySelector("tr[data-uid]");
    if (!row) return;
    for (const cell of row.cells) cell.setAttribute("elementtiming", "row");
    if (row.nextElementSibling) observer.disconnect(); // the row is whole
  }).observe(document, { subtree: true, childList: true });

  // The state that a person sees, and the old figures: presence in the document, before any paint.
  const check = () => {
    if (document.querySelector("tr[data-uid]")) seen.row ??= performance.now();
    if (document.documentElement.dataset.wasm === "ready") seen.ready ??= performance.now();
    if (document.querySelector("#liveness")?.textContent.trim().startsWith("live")) seen.all ??= performance.now();
    if (!seen.all || !seen.ready) requestAnimationFrame(check);
  };
  requestAnimationFrame(check);

  // The key j moves the focus to a row. After the first reaction, keys that are still on their way must not do more work.
  document.addEventListener("focusin", ({ target }) => target.closest?.("tr[data-uid]") && (seen.key ??= performance.now()), true);
  addEventListener("keydown", (event) => seen.key && event.stopImmediatePropagation(), true);
}

const whole = "globalThis.seen?.all && seen.ready && seen.row && seen.painted";

/** Opens the page, and waits until it has every row and follows what happens. */
async function visit(browser) {
  const page = await browser.page(look);
  await go(page, base + path);
  await page.until(whole, "every row, and live");
  await pause(settling);
  const figures = await page.value(`(({ fcp, lcp, painted, row, ready, all, shift, frame, tasks }) => ({ fcp, lcp, painted, row, ready, all, shift, frame,
    block: Math.max(0, ...tasks.filter(([start]) => start < all).map(([, duration]) => duration)),
    moments: Object.fromEntries(performance.getEntriesByType("mark").map(({ name, startTime }) => [name.replace("fieldmark: ", ""), startTime])) }))(seen)`);
  return { page, figures };
}

/** Opens the page, and presses a key from the first moment on, until the page reacts. */
async function pressed(browser) {
  const page = await browser.page(look);
  await go(page, base + path);
  let key;
  // A key is sent when the page has heard the last one. So a page that is busy gets one key afterwards, and not all of them.
  while (!(key = await page.value("globalThis.seen?.key"))) {
    await press(page, "j");
    await pause(between);
  }
  await page.until("seen.all && seen.ready", "every row, and live"); // keys may leave the first row without a paint of its own
  await page.close();
  return { key };
}

/** The longest task of a page's main thread, in a trace, and the most that the processor worked on one. */
function longest(trace, address) {
  const begun = trace.find((e) => e.name === "navigationStart" && e.args.data?.documentLoaderURL === address);
  const main = trace.find((e) => e.name === "thread_name" && e.pid === begun.pid && e.args.name === "CrRendererMain");
  const all = trace.filter((e) => e.name === "ThreadControllerImpl::RunTask" && e.pid === main.pid && e.tid === main.tid && e.ts >= begun.ts);
  const most = (of) => all.reduce((max, e) => Math.max(max, of(e) ?? 0), 0) / 1000;
  return { task: most((e) => e.dur), processor: most((e) => e.tdur) };
}

/** Opens the page while Chromium records what its threads do. */
async function traced(browser) {
  const page = await browser.page(look);
  let bytes = 0;
  const count = async (session) => {
    session.on("Network.loadingFinished", (e) => (bytes += e.encodedDataLength));
    await session.send("Network.enable");
  };
  const all = [page];
  await count(page);
  await workers(page, async (worker) => (all.push(worker), await count(worker)), true);
  const trace = [];
  browser.browser.on("Tracing.dataCollected", ({ value }) => trace.push(...value));
  await browser.browser.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: ["toplevel", "blink.user_timing"] } });
  await go(page, base + path);
  await page.until(whole, "every row, and live");
  const loaded = bytes; // later, the page fetches what its reader may need next
  await pause(settling);
  const complete = new Promise((told) => browser.browser.on("Tracing.tracingComplete", told));
  await browser.browser.send("Tracing.end");
  await complete;
  const document = await page.value(`performance.getEntriesByType("navigation")[0].encodedBodySize`);
  const figures = { ...longest(trace, base + path), bytes: loaded - document, memory: await memory(all) };
  await page.close();
  return figures;
}

// Runs in the open page, and notes when the paint is done that shows a row marked as changed. An observer of intersections is
// told after the frame in which it first finds its element, whether the element changed in a task or within a frame.
function watchRows() {
  const paints = (globalThis.seen.paints = []);
  new MutationObserver((all) => {
    const fresh = all.find(({ target, oldValue }) => target.classList.contains("fresh") && !oldValue?.includes("fresh"))?.target;
    if (!fresh) return;
    const changed = performance.now();
    new IntersectionObserver((_, observer) => {
      observer.disconnect();
      paints.push({ changed, at: performance.now() });
    }).observe(fresh);
  }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ["class"], attributeOldValue: true });
}

/** Notes which messages come to the page or to its worker, and when, in milliseconds of the page's own clock. */
async function listen(page) {
  const heard = [];
  await page.send("Performance.enable", { timeDomain: "timeTicks" });
  const { metrics } = await page.send("Performance.getMetrics");
  const begun = metrics.find((m) => m.name === "NavigationStart").value;
  const hear = async (session) => {
    session.on("Network.webSocketFrameReceived", ({ timestamp, response: { opcode, payloadData } }) => {
      const text = opcode === 1 ? payloadData : Buffer.from(payloadData, "base64").toString("latin1");
      heard.push({ time: (timestamp - begun) * 1000, text });
    });
    await session.send("Network.enable");
  };
  await hear(page);
  await workers(page, hear);
  return heard;
}

/** Changes objects one after the other, and notes how long each change takes to be painted. All of them are in sight. */
async function follow(page, n) {
  const heard = await listen(page);
  await page.value(`(${watchRows})()`);
  const result = [];
  for (let i = 0; i < n; i++) {
    const object = objects + String(i + 1).padStart(5, "0");
    const name = object.slice(object.lastIndexOf("/") + 1);
    const sent = performance.timeOrigin + performance.now();
    await patch(base + object, token, { metadata: { labels: { "bench.fieldmark.dev/changed": String(Date.now()) } } });
    const { changed, at, origin } = await page.until(`seen.paints.length > ${i} && { ...seen.paints[${i}], origin: performance.timeOrigin }`, "a changed row");
    const message = heard.findLast(({ time, text }) => time <= changed && text.includes(name));
    if (!message) throw new Error(`no message named ${name} before its row changed`);
    result.push({ paint: at - message.time, write: origin + at - sent });
  }
  return result;
}

/** Does something with a browser of its own. */
async function apart(what) {
  const browser = await launch(base, token);
  try {
    return await what(browser);
  } finally {
    await browser.close();
  }
}

const result = { cold: [], warm: [], changes: [] };
for (let i = 0; i < +rounds; i++) {
  const looked = await apart(async (browser) => {
    const cold = await visit(browser);
    await cold.page.close();
    const warm = await visit(browser);
    result.changes.push(...(await follow(warm.page, Math.ceil(+changes / +rounds))));
    return [cold.figures, warm.figures];
  });
  const keyed = await apart(async (browser) => [await pressed(browser), await pressed(browser)]);
  const recorded = await apart(async (browser) => [await traced(browser), await traced(browser)]);
  result.cold.push({ ...looked[0], ...keyed[0], ...recorded[0] });
  result.warm.push({ ...looked[1], ...keyed[1], ...recorded[1] });
}
console.log(JSON.stringify(result));
