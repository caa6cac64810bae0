// Measures the check of many documents in a real Chromium: how long all of it takes, the longest tasks of the main thread meanwhile, and how evenly the page
// is painted. Prints one line of JSON.
// Arguments: Fieldmark's URL, the token, the page, the number of documents, rounds.
import { frames, instrumented, open, patience } from "../browser/visit.mjs";

const [base, token, path, count, rounds] = process.argv.slice(2);

const container = (n) =>
  `      - name: app-${n}\n        image: registry.example/shop/app:${n}\n        args: [--level, "${n}"]\n        env:\n        - name: PLACE\n          value: "${n}"\n        resources: {requests: {cpu: 100m, memory: 64Mi}, limits: {memory: 128Mi}}\n`;
const containers = Array.from({ length: 6 }, (_, n) => container(n)).join("");
const manifest = (n) =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: bench-check-${n}\n  namespace: default\nspec:\n  replicas: 0\n  selector:\n    matchLabels: {app: bench-${n}}\n  template:\n    metadata:\n      labels: {app: bench-${n}}\n    spec:\n      containers:\n${containers}`;
const files = Array.from({ length: +count }, (_, n) => ({ name: `app-${n}.yaml`, mimeType: "text/yaml", buffer: Buffer.from(manifest(n)) }));

/** Notes the times between frames until it is asked for them. */
const watch = (page) =>
  page.evaluate(() => {
    globalThis.seen.tasks.length = 0;
    const all = (globalThis.seen.frames = []);
    let last;
    const look = (now) => {
      if (last !== undefined) all.push(now - last);
      last = now;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });

const result = [];
for (let i = 0; i < +rounds; i++) {
  const { browser, context } = await open(base, token);
  const page = await instrumented(context, base + path);
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const processor = async () => (await session.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value;
  await watch(page);
  const [began, used] = [performance.now(), await processor()];
  await page.locator('input[name="files"]').setInputFiles(files);
  await page.waitForFunction((all) => document.getElementById("sum")?.textContent.trim().startsWith(`${all} documents: `), count, { timeout: patience, polling: 100 });
  const took = performance.now() - began;
  const load = (await processor()) - used;
  await page.waitForTimeout(300); // long tasks are told of a little later
  const seen = await page.evaluate(() => ({ frames: globalThis.seen.frames, tasks: globalThis.seen.tasks.map(([, duration]) => duration) }));
  result.push({ ...frames(seen.frames), took, load: 1000 * load, block: Math.max(0, ...seen.tasks), blocks: seen.tasks.length });
  await browser.close();
}
console.log(JSON.stringify(result));
