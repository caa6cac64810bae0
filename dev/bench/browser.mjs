// Measures what a visitor sees: one collection, opened in a real Chromium, cold (nothing cached) and warm (a second visit
// of the same browser), and then rows that change while it is open. Prints one line of JSON; times are milliseconds from
// the start of the navigation, bytes are those that crossed the network.
// Arguments: Fieldmark's URL, the token, the page, one of its objects as an API path through the proxy, rounds, changes.
import { open, patience, visit } from "./visit.mjs";

const [base, token, path, object, rounds, changes] = process.argv.slice(2);

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
  const { browser, context } = await open(base, token);
  const cold = await visit(context, base + path);
  await cold.page.close();
  const warm = await visit(context, base + path);
  result.cold.push(cold.figures);
  result.warm.push(warm.figures);
  result.changes.push(...(await follow(warm.page, Math.ceil(+changes / +rounds))));
  await browser.close();
}
console.log(JSON.stringify(result));
