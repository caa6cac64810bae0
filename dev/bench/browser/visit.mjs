// What the measurements in a browser share: a browser, and a visit to a page that notes when things are there. Times are
// milliseconds from the start of the navigation, bytes are those that crossed the network, or those of a program's memory.
import { chromium } from "playwright";
import { always } from "../../../e2e/harness/flags.mjs";
import { executable, memory } from "./chromium.mjs";

export const patience = 120_000;

// Runs in the page from its first moment on, and notes when things are there.
function instrument() {
  const seen = (globalThis.seen = { tasks: [], shift: 0 });
  new PerformanceObserver((list) => {
    for (const e of list.getEntries()) seen.tasks.push([e.startTime, e.duration]);
  }).observe({ type: "longtask", buffered: true });
  new PerformanceObserver((list) => {
    for (const e of list.getEntries()) if (!e.hadRecentInput) seen.shift += e.value;
  }).observe({ type: "layout-shift", buffered: true });
  const look = () => {
    if (document.querySelector("tr[data-uid], .log-grid tbody tr")) seen.row ??= performance.now();
    if (document.documentElement.dataset.wasm === "ready") seen.ready ??= performance.now();
    if (document.querySelector("#liveness")?.textContent.trim().startsWith("live")) seen.all ??= performance.now();
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

export const launch = () => chromium.launch({ executablePath: executable, args: always });

/** Starts a browser, signed in, that has nothing in its cache. */
export async function open(base, token) {
  const browser = await launch();
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  const entry = await context.newPage();
  await entry.goto(`${base}/-/sign-in`);
  await entry.fill("#token", token);
  await entry.press("#token", "Enter");
  await entry.waitForLoadState();
  await (await context.newCDPSession(entry)).send("Network.clearBrowserCache");
  await entry.close();
  return { browser, context };
}

/** Opens a page, and waits until it has every row and follows what happens. */
export async function visit(context, address) {
  const page = await context.newPage();
  await page.addInitScript(instrument);
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  let bytes = 0;
  session.on("Network.loadingFinished", (e) => (bytes += e.encodedDataLength));
  await page.goto(address);
  await page.waitForFunction(() => globalThis.seen.all && globalThis.seen.ready && globalThis.seen.row, null, { timeout: patience });
  const loaded = bytes;
  const figures = await page.evaluate(() => {
    const { row, ready, all, shift, tasks } = globalThis.seen;
    const block = Math.max(0, ...tasks.filter(([start]) => start < all).map(([, duration]) => duration));
    return { row, ready, all, shift, block, document: performance.getEntriesByType("navigation")[0].encodedBodySize };
  });
  return { page, figures: { ...figures, bytes: loaded - figures.document, memory: await programMemory(page) } };
}

/** The WebAssembly memory of a page and its workers, in bytes. */
export async function programMemory(page) {
  const session = await page.context().newCDPSession(page);
  const all = [session];
  session.on("Target.attachedToTarget", ({ sessionId }) => all.push(within(session, sessionId)));
  await session.send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
  const bytes = await memory(all);
  await session.detach();
  return bytes;
}

/** The session of a worker, whose messages cross the session of its page. */
function within(session, sessionId) {
  const waiting = new Map();
  session.on("Target.receivedMessageFromTarget", (e) => {
    const { id, result, error } = JSON.parse(e.message);
    if (e.sessionId === sessionId && waiting.has(id)) waiting.get(id)(error ? Promise.reject(new Error(error.message)) : result);
  });
  return {
    send(method, params) {
      const id = waiting.size + 1;
      const answer = new Promise((done) => waiting.set(id, done));
      return session.send("Target.sendMessageToTarget", { sessionId, message: JSON.stringify({ id, method, params }) }).then(() => answer);
    },
  };
}

/** Opens a page, closes it when its first row is in sight, and returns when that was. */
export async function glance(context, address) {
  const page = await context.newPage();
  await page.addInitScript(instrument);
  await page.goto(address, { waitUntil: "commit" });
  const row = await (await page.waitForFunction(() => globalThis.seen?.row, null, { timeout: patience })).jsonValue();
  await page.close();
  return row;
}

/** Opens a page, and waits until its own program runs. */
export async function instrumented(context, address) {
  const page = await context.newPage();
  await page.addInitScript(instrument);
  await page.goto(address);
  await page.waitForFunction(() => globalThis.seen?.ready, null, { timeout: patience });
  return page;
}

/** Opens the page of an object, and waits until it follows what happens. */
export async function follow(context, address) {
  const page = await context.newPage();
  await page.addInitScript(instrument);
  await page.goto(address);
  await page.waitForFunction(() => globalThis.seen.all && globalThis.seen.ready, null, { timeout: patience });
  return page;
}

/** Times between frames, as they are told of. */
const quantile = (all, q) => all.sort((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * q))];
export const frames = (all) => ({ p50: quantile(all, 0.5), p95: quantile(all, 0.95), max: quantile(all, 1) });

/** Scrolls what a selector finds by so many pixels a frame, to and fro, for a while, and gives the times between frames. */
export const scroll = (page, where, pixels, span) =>
  page.evaluate(
    ([where, pixels, span]) =>
      new Promise((told) => {
        const rows = document.querySelector(where);
        const begun = performance.now();
        const frames = [];
        let last;
        let step = pixels;
        const move = (now) => {
          if (last !== undefined) frames.push(now - last);
          last = now;
          const before = rows.scrollTop;
          rows.scrollTop += step;
          if (rows.scrollTop === before) step = -step;
          if (now - begun < span) requestAnimationFrame(move);
          else told(frames);
        };
        requestAnimationFrame(move);
      }),
    [where, pixels, span],
  );

/** Does something, and gives how long it took until the page shows it, and the longest block until then. */
export async function act(page, doing, shown) {
  const begun = await page.evaluate(() => {
    globalThis.seen.tasks.length = 0;
    return performance.now();
  });
  await doing();
  await page.waitForFunction(shown, null, { polling: "raf" });
  const took = (await page.evaluate(() => performance.now())) - begun;
  await page.waitForTimeout(300); // long tasks are told of a little later
  const block = await page.evaluate(() => Math.max(0, ...globalThis.seen.tasks.map(([, duration]) => duration)));
  return { took, block };
}
