// Measures a large answer in the console in a real Chromium: how long it takes to come, and the longest that the page is not free
// meanwhile. Prints one line of JSON, in milliseconds and bytes.
// Arguments: Fieldmark's URL, the token, the console's page, the path that is asked for, rounds.
import { instrumented, open, patience, programMemory } from "../browser/visit.mjs";

const [base, token, path, asked, rounds] = process.argv.slice(2);

/** The longest block since this was last asked. */
const block = (page) => page.evaluate(() => Math.max(0, ...globalThis.seen.tasks.splice(0).map(([, duration]) => duration)));

const result = [];
for (let i = 0; i < +rounds; i++) {
  const { browser, context } = await open(base, token);
  const page = await instrumented(context, `${base}${path}?path=${encodeURIComponent(asked)}`);
  await page.waitForTimeout(1500);
  await block(page);
  const begun = await page.evaluate(() => performance.now());
  await page.locator("#send").click();
  await page.locator('#outcome[data-state="whole"]').waitFor({ timeout: patience });
  const took = (await page.evaluate(() => performance.now())) - begun;
  await page.waitForTimeout(500); // long tasks are told of a little later, and what is shown is laid out
  const bytes = await page.evaluate(() => Math.max(...performance.getEntriesByType("resource").map((e) => e.decodedBodySize)));
  const memory = await programMemory(page);
  result.push({ took, block: await block(page), bytes, memory });
  await browser.close();
}
console.log(JSON.stringify(result));
