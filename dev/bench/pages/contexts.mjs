// The home page with many contexts: when its program is ready, and when its first states have come.
// Prints one line of JSON, in milliseconds from the start of the navigation, and bytes. Each visit has a browser with nothing in its cache.
// Arguments: Fieldmark's URL, the token, visits.
import { instrumented, open, patience, programMemory } from "../browser/visit.mjs";

const [base, token, visits] = process.argv.slice(2);

const result = [];
for (let n = 0; n < Number(visits); n++) {
  const { browser, context } = await open(base, token);
  const page = await instrumented(context, base + "/");
  await page.waitForFunction(() => document.querySelector("tr[data-cluster] .tone-good"), null, { timeout: patience });
  const figures = await page.evaluate(() => {
    const [{ encodedBodySize }] = performance.getEntriesByType("navigation");
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    return { ready: globalThis.seen.ready, answered: performance.now(), painted: paint.startTime, document: encodedBodySize };
  });
  result.push({ ...figures, memory: await programMemory(page) });
  await browser.close();
}
console.log(JSON.stringify(result));
