// Measures a long wire log in a real Chromium: how long all of it takes to be there, and how evenly it scrolls and is filtered
// while further requests come. Prints one line of JSON.
// Arguments: Fieldmark's URL, the token, the page, a path through the proxy that is asked for, the number of requests, rounds,
// further requests a second.
import { repeat } from "../browser/repeat.mjs";
import { act, frames, instrumented, open, patience, programMemory, scroll } from "../browser/visit.mjs";

const [base, token, path, asked, count, rounds, more] = process.argv.slice(2);
const span = 6000; // milliseconds of each way of scrolling
const list = ".requests-list";

async function ask(n) {
  const answer = await fetch(`${base}${asked}?bench=${n}`, { headers: { Authorization: `Bearer ${token}` } });
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

let made = 0;
await Promise.all(
  Array.from({ length: 16 }, async () => {
    while (made < +count) await ask(made++);
  }),
);

const result = [];
for (let i = 0; i < +rounds; i++) {
  const { browser, context } = await open(base, token);
  const page = await instrumented(context, base + path);
  await page.waitForFunction((all) => +document.querySelector(".requests-grid")?.getAttribute("aria-rowcount") >= all, +count, { polling: "raf", timeout: patience });
  const begun = await page.evaluate(() => ({ all: performance.now(), block: Math.max(0, ...globalThis.seen.tasks.splice(0).map(([, duration]) => duration)) }));
  const still = frames(await scroll(page, list, 0, span));
  const stop = repeat(+more, 8, ask);
  await page.evaluate((where) => (document.querySelector(where).scrollTop = 300), list); // away from where new ones come
  const slow = frames(await scroll(page, list, 60, span));
  const fast = frames(await scroll(page, list, 400, span));
  const block = await page.evaluate(() => Math.max(0, ...globalThis.seen.tasks.splice(0).map(([, duration]) => duration)));
  await page.evaluate((where) => (document.querySelector(where).scrollTop = 0), list);
  await page.focus("#filter");
  const filtered = await act(page, () => page.keyboard.type("bench=4999"), () => /^1 of/.test(document.querySelector("h1 .count").textContent.trim()));
  await stop();
  const memory = await programMemory(page);
  result.push({ ...begun, still, slow, fast, scrolling: block, filtered, memory });
  await browser.close();
}
console.log(JSON.stringify(result));
