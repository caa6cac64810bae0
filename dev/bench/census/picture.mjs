// The page that says who runs a cluster, with many managers and types: when it is painted, and what a key in its filter costs.
// Prints one line of JSON, in milliseconds from the start of the navigation, and bytes.
// Arguments: Fieldmark's URL, the token, the page, visits.
import { open, patience, programMemory } from "../browser/visit.mjs";

const [base, token, path, visits] = process.argv.slice(2);
// The names of managers end with a hyphen and a number, and no name of a type has a hyphen. So after a hyphen, each of the keys changes which managers match.
const keys = ["1", "2", "3", "Backspace", "Backspace", "Backspace"];
const pace = 500; // milliseconds between two keys

const { browser, context } = await open(base, token);
try {
  const first = await context.newPage();
  await first.goto(base + path);
  await first.getByRole("button", { name: "Read the cluster" }).click();
  await first.locator("#liveness", { hasText: "read in" }).waitFor({ timeout: patience });
  await first.close();
  const result = [];
  for (let n = 0; n < Number(visits); n++) result.push(await visit());
  console.log(JSON.stringify(result));
} finally {
  await browser.close();
}

/** Runs in the page from its first moment on, and notes paints, and the time from each key to the frame after its first change. */
function note() {
  const noted = (globalThis.noted = { keys: [] });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) noted.painted = entry.startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  const look = () => {
    if (document.documentElement.dataset.wasm === "ready") noted.ready ??= performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  let began;
  addEventListener("keydown", () => (began = performance.now()), true);
  new MutationObserver((all) => {
    const shown = ({ target }) => (target.closest ? target : target.parentElement)?.matches("#main, #main *:not(form *)");
    if (began === undefined || !all.some(shown)) return;
    const at = began;
    began = undefined;
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => noted.keys.push(performance.now() - at);
      channel.port2.postMessage(0); // after what that frame lays out and paints
    });
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
}

async function visit() {
  const page = await context.newPage();
  await page.addInitScript(note);
  await page.goto(base + path);
  await page.waitForFunction(() => globalThis.noted.ready && globalThis.noted.painted, null, { timeout: patience });
  await page.waitForTimeout(1000); // the page is idle then
  const figures = await page.evaluate(() => {
    const { painted, ready } = globalThis.noted;
    const { responseEnd, encodedBodySize } = performance.getEntriesByType("navigation")[0];
    return { painted, ready, arrived: responseEnd, document: encodedBodySize };
  });
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const computed = async () => 1000 * (await session.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value;
  await page.focus("#filter");
  await page.keyboard.press("-");
  await page.waitForTimeout(pace);
  await page.evaluate(() => (globalThis.noted.keys.length = 0));
  const all = [];
  for (const key of keys) {
    const before = await computed();
    await page.keyboard.press(key);
    await page.waitForFunction((n) => globalThis.noted.keys.length > n, all.length, { timeout: patience });
    await page.waitForTimeout(pace);
    all.push((await computed()) - before);
  }
  const memory = await programMemory(page);
  const timed = await page.evaluate(() => globalThis.noted.keys);
  await page.close();
  return { ...figures, memory, keys: timed, computed: all };
}
