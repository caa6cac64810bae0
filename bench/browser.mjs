// Measures what a visitor sees: one collection, opened in a real Chromium, cold (nothing cached) and warm (a second visit
// of the same browser), and then rows that change while it is open. Prints one line of JSON; times are milliseconds from
// the start of the navigation, bytes are those that crossed the network.
// Arguments: Fieldmark's URL, the token, the page, one of its objects as an API path through the proxy, rounds, changes.
import { chromium } from "playwright";

const [base, token, path, object, rounds, changes] = process.argv.slice(2);
const patience = 120_000;
const options = {
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
};

// Runs in the page from its first moment on, and notes when things are there.
function instrument() {
  const seen = (globalThis.seen = { tasks: [], shift: 0, paints: [] });
  new PerformanceObserver((list) => {
    for (const e of list.getEntries()) seen.tasks.push([e.startTime, e.duration]);
  }).observe({ type: "longtask", buffered: true });
  new PerformanceObserver((list) => {
    for (const e of list.getEntries()) if (!e.hadRecentInput) seen.shift += e.value;
  }).observe({ type: "layout-shift", buffered: true });
  const look = () => {
    if (document.querySelector("tr[data-uid]")) seen.row ??= performance.now();
    if (document.documentElement.dataset.wasm === "ready") seen.ready ??= performance.now();
    if (document.querySelector("#liveness")?.textContent.trim().startsWith("live")) seen.all ??= performance.now();
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);

  // From a message on the socket to the paint that shows a row marked as fresh.
  globalThis.WebSocket = class extends WebSocket {
    constructor(...how) {
      super(...how);
      this.addEventListener("message", () => (seen.heard = performance.now()));
    }
  };
  const painted = new MessageChannel(); // what is posted before a paint is heard after it
  painted.port1.onmessage = ({ data }) => seen.paints.push({ after: performance.now() - data, at: performance.timeOrigin + performance.now() });
  addEventListener("DOMContentLoaded", () => {
    new MutationObserver((all) => {
      const fresh = all.some((m) => m.type === "attributes" && m.target.classList.contains("fresh") && !m.oldValue?.includes("fresh"));
      if (fresh) painted.port2.postMessage(seen.heard);
    }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ["class"], attributeOldValue: true });
  });
}

async function visit(context) {
  const page = await context.newPage();
  await page.addInitScript(instrument);
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  let bytes = 0;
  session.on("Network.loadingFinished", (e) => (bytes += e.encodedDataLength));
  await page.goto(base + path);
  await page.waitForFunction(() => globalThis.seen.all && globalThis.seen.ready && globalThis.seen.row, null, { timeout: patience });
  const loaded = bytes;
  const figures = await page.evaluate(() => {
    const { row, ready, all, shift, tasks } = globalThis.seen;
    const block = Math.max(0, ...tasks.filter(([start]) => start < all).map(([, duration]) => duration));
    return { row, ready, all, shift, block, document: performance.getEntriesByType("navigation")[0].encodedBodySize };
  });
  return { page, figures: { ...figures, bytes: loaded - figures.document } };
}

// Changes an object again and again, and notes how long each change takes to be seen.
async function follow(page, n) {
  const result = [];
  for (let i = 0; i < n; i++) {
    await page.waitForFunction(() => !document.querySelector("tr.fresh"), null, { timeout: patience });
    const before = await page.evaluate(() => globalThis.seen.paints.length);
    const sent = Date.now();
    const answer = await fetch(base + object, {
      method: "PATCH",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/merge-patch+json" },
      body: JSON.stringify({ metadata: { labels: { "bench.fieldmark.dev/round": String(i) } } }),
    });
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
    await page.waitForFunction((n) => globalThis.seen.paints.length > n, before, { timeout: patience });
    const paint = await page.evaluate((n) => globalThis.seen.paints[n], before);
    result.push({ paint: paint.after, write: paint.at - sent });
  }
  return result;
}

const result = { cold: [], warm: [], changes: [] };
for (let i = 0; i < +rounds; i++) {
  const browser = await chromium.launch(options);
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
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
  result.changes.push(...(await follow(warm.page, Math.ceil(+changes / +rounds))));
  await browser.close();
}
console.log(JSON.stringify(result));
