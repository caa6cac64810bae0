// Measures what a visitor sees: one collection, opened in a real Chromium, cold (nothing cached) and warm (a second
// visit of the same browser). Prints one line of JSON: milliseconds from the start of the navigation, bytes as they
// crossed the network. Called by the benchmark; arguments: the base URL, the token, the page, the number of its
// rows, the rounds, and the address that one row's change is sent to.
import { chromium } from "playwright";

const [base, token, path, rows, rounds, change] = process.argv.slice(2);
const patience = 60_000;

// What is noted in the page itself, from its first moment.
function instrument() {
  const seen = (globalThis.seen = { tasks: [], paints: {} });
  new PerformanceObserver((list) => {
    for (const e of list.getEntries()) seen.tasks.push([Math.round(e.startTime), Math.round(e.duration)]);
  }).observe({ type: "longtask", buffered: true });
  new PerformanceObserver((list) => {
    for (const e of list.getEntries()) seen.shift = (seen.shift ?? 0) + (e.hadRecentInput ? 0 : e.value);
  }).observe({ type: "layout-shift", buffered: true });
  const look = () => {
    seen.row ??= document.querySelector("tr[data-uid]") ? performance.now() : undefined;
    seen.ready ??= document.documentElement.dataset.wasm === "ready" ? performance.now() : undefined;
    const count = document.querySelector("h1 small")?.textContent.replaceAll(/\D/g, "");
    const live = document.querySelector("#liveness")?.textContent.trim().startsWith("live");
    if (live && count) seen.all ??= performance.now();
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

async function visit(context) {
  const page = await context.newPage();
  await page.addInitScript(instrument);
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  let bytes = 0;
  session.on("Network.loadingFinished", (e) => (bytes += e.encodedDataLength));
  await page.goto(base + path);
  await page.waitForFunction(() => globalThis.seen.all && globalThis.seen.ready, null, { timeout: patience });
  const loaded = bytes;
  await page.waitForTimeout(500);
  const seen = await page.evaluate(() => globalThis.seen);
  const document_ = await page.evaluate(() => performance.getEntriesByType("navigation")[0].encodedBodySize);
  return { page, figures: { row: seen.row, ready: seen.ready, all: seen.all, block: Math.max(0, ...seen.tasks.map(([, d]) => d)), shift: seen.shift ?? 0, bytes: loaded, document: document_, tasks: seen.tasks, marks: await page.evaluate(() => performance.getEntriesByType("mark").map((m) => [m.name, Math.round(m.startTime)])) } };
}

// The time from a message with one changed row to the paint that shows it, in the page's own clock.
async function repaint(page, context) {
  await page.evaluate(() => {
    globalThis.times = [];
    const rows = document.querySelector("#rows tbody");
    let arrived;
    const original = globalThis.fieldmark.heard;
    globalThis.fieldmark.heard = () => { arrived = performance.now(); original?.(); };
    new MutationObserver((changes) => {
      if (arrived === undefined || !changes.some((c) => c.target.closest?.("tr.fresh") || c.target.classList?.contains("fresh"))) return;
      const from = arrived;
      arrived = undefined;
      requestAnimationFrame(() => { const c = new MessageChannel(); c.port1.onmessage = () => globalThis.times.push(performance.now() - from); c.port2.postMessage(0); });
    }).observe(rows, { subtree: true, attributes: true, childList: true });
  });
  return page.evaluate(() => globalThis.times);
}

const options = { executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] };
const result = { cold: [], warm: [] };
for (let i = 0; i < +rounds; i++) {
  const browser = await chromium.launch(options);
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  await context.request.get(base + "/healthz");
  const entry = await context.newPage();
  await entry.goto(`${base}/-/sign-in`);
  await entry.fill("#token", token);
  await entry.press("#token", "Enter");
  await entry.waitForLoadState();
  await (await context.newCDPSession(entry)).send("Network.clearBrowserCache");
  await entry.close();
  const cold = await visit(context);
  await cold.page.close();
  const warm = await visit(context);
  result.cold.push(cold.figures);
  result.warm.push(warm.figures);
  await browser.close();
}
console.log(JSON.stringify(result));
