// Measures a very large collection in a real Chromium: how long all of it takes to be there, whether the page is free
// meanwhile, and how evenly it scrolls, is sorted and filtered while rows change. Prints one line of JSON.
// Arguments: Fieldmark's URL, the token, the page, its collection as an API path through the proxy, the number of objects,
// rounds, changes a second.
import { patch, repeat } from "../browser/repeat.mjs";
import { act, frames, open, programMemory, scroll, visit } from "../browser/visit.mjs";

const [base, token, path, collection, count, rounds, changes] = process.argv.slice(2);
const span = 6000; // milliseconds of each way of scrolling
const speeds = { slow: 60, fast: 400 }; // pixels a frame

/** The name of an object, by its number. */
const named = (n) => `many-${String(n).padStart(5, "0")}`;

/** Changes one object after the other, so many a second, until it is stopped. */
const churn = () =>
  repeat(+changes, Infinity, (n) => patch(`${base}${collection}/${named(1 + ((n * 7919) % +count))}`, token, { metadata: { labels: { "bench.fieldmark.dev/change": String(n) } } }));

const result = [];
for (let i = 0; i < +rounds; i++) {
  const { browser, context } = await open(base, token);
  const { page, figures } = await visit(context, base + path);
  const stop = churn();
  const still = frames(await scroll(page, "#rows", 0, span));
  const slow = frames(await scroll(page, "#rows", speeds.slow, span));
  const fast = frames(await scroll(page, "#rows", speeds.fast, span));
  await page.evaluate(() => (document.getElementById("rows").scrollTop = 0));
  const last = named(count);
  const head = page.locator('th[data-column="Name"] a');
  await act(page, () => head.click(), () => document.querySelector('th[data-column="Name"]').ariaSort === "ascending");
  const sorted = await act(page, () => head.click(), new Function(`return document.querySelector("tr[data-name]")?.dataset.name === "${last}"`));
  await page.focus("#filter"); // all rows but one have this letter, and no age has it
  const filtered = await act(page, () => page.keyboard.type("y"), () => /^[\d,]+ of [\d,]+ rows(?!.*…)/.test(document.querySelector(".foot .soft").textContent.trim()));
  await stop();
  const grown = await programMemory(page);
  result.push({ ...figures, still, slow, fast, sorted, filtered, grown });
  await browser.close();
}
console.log(JSON.stringify(result));
