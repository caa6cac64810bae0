// Measures the Timeline of an object in a real Chromium, while two managers change the object all the time: how evenly the
// page is painted, how long it is not free, and whether it records every version that there was. Prints one line of JSON.
// Arguments: Fieldmark's URL, the token, the page, its object as an API path through the proxy, rounds, changes a second,
// seconds.
import { patch, repeat } from "../browser/repeat.mjs";
import { follow, frames, open, patience, programMemory } from "../browser/visit.mjs";

const [base, token, path, object, rounds, changes, seconds] = process.argv.slice(2);
const managers = ["bench-git", "bench-operator"];

/** Changes the object so many times a second; the managers take turns, and fight over a label. */
const fight = () =>
  repeat(+changes, managers.length, (n) => {
    const by = managers[n % managers.length];
    return patch(`${base}${object}?fieldManager=${by}`, token, { metadata: { labels: { "bench.fieldmark.dev/turn": by, "bench.fieldmark.dev/change": String(n) } } });
  });

/** Counts the object's versions apart from the page, by a watch that begins after the one there is. */
async function count() {
  const headers = { Authorization: `Bearer ${token}` };
  const here = await (await fetch(base + object, { headers })).json();
  const at = object.lastIndexOf("/");
  const ended = new AbortController();
  const watch = await fetch(
    `${base}${object.slice(0, at)}?watch=1&resourceVersion=${here.metadata.resourceVersion}&fieldSelector=metadata.name%3D${object.slice(at + 1)}`,
    { headers, signal: ended.signal },
  );
  let made = 0;
  (async () => {
    for await (const chunk of watch.body) for (const byte of chunk) if (byte === 10) made++; // an event is a line
  })().catch((e) => {
    if (!ended.signal.aborted) throw e;
  });
  return { made: () => made, end: () => ended.abort() };
}

/** The times between the frames of a while. */
const watched = (page, span) =>
  page.evaluate(
    (span) =>
      new Promise((told) => {
        const all = [];
        const begun = performance.now();
        let last;
        const look = (now) => {
          if (last !== undefined) all.push(now - last);
          last = now;
          if (now - begun < span) requestAnimationFrame(look);
          else told(all);
        };
        requestAnimationFrame(look);
      }),
    span,
  );

/** The processor time that the page's main thread has taken, in seconds. */
async function processor(session) {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration").value;
}

/** How many versions the page has recorded, by its own words. */
const recorded = (page) => page.evaluate(() => +/^([\d,]+) version/.exec(document.querySelector("#facts").textContent)[1].replaceAll(",", ""));

const result = [];
for (let i = 0; i < +rounds; i++) {
  const { browser, context } = await open(base, token);
  const page = await follow(context, base + path);
  const { p95: still } = frames(await watched(page, 2000));
  const before = await recorded(page);
  const versions = await count();
  await page.evaluate(() => (globalThis.seen.tasks.length = 0));
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const used = await processor(session);
  const stop = fight();
  const begun = performance.now();
  const times = frames(await watched(page, 1000 * +seconds));
  const load = (await processor(session)) - used;
  await stop();
  const took = (performance.now() - begun) / 1000;
  for (let last = -1; last < versions.made(); await page.waitForTimeout(500)) last = versions.made();
  const made = versions.made();
  versions.end();
  const ended = performance.now();
  while ((await recorded(page)) - before < made && performance.now() - ended < patience / 8) await page.waitForTimeout(250);
  const block = await page.evaluate(() => Math.max(0, ...globalThis.seen.tasks.map(([, duration]) => duration)));
  const memory = await programMemory(page);
  result.push({ ...times, still, block, load: load / +seconds, memory, made, recorded: (await recorded(page)) - before, rate: made / took });
  await browser.close();
}
console.log(JSON.stringify(result));
