// Measures pages of logs in a real Chromium: how soon the first line is there, beside kubectl; how even the frames are while a log of many lines a
// second is followed; and the memory after many lines. Prints one line of JSON.
// Arguments: Fieldmark's URL, the token, kubectl with its kubeconfig, the slug of the cluster, rounds, lines a second, lines in all for the memory.
import { spawn } from "node:child_process";
import { frames, glance, instrumented, open, patience, programMemory, scroll } from "../browser/visit.mjs";

const [base, token, kubectl, kubeconfig, slug, rounds, rate, total] = process.argv.slice(2);
const span = 8000; // milliseconds in which frames are counted
const pods = "/api/v1/namespaces/default/pods";

async function api(method, path, body) {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const answer = await fetch(`${base}/clusters/${slug}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Creates a pod that writes so many lines a second, and waits until it runs. */
async function writing(name, perSecond) {
  const annotations = { "practice.fieldmark.dev/log-lines-per-second": String(perSecond) };
  await api("POST", pods, { metadata: { name, annotations }, spec: { containers: [{ name: "app", image: "example.com/storefront:2" }] } });
  for (const end = Date.now() + patience; ; ) {
    const { status } = await api("GET", `${pods}/${name}`);
    if (status?.containerStatuses?.[0]?.state?.running) return `${base}/c/${slug}${pods}/${name}?tab=logs`;
    if (Date.now() > end) throw new Error(`${name} doesn't run: ${JSON.stringify(status)}`);
    await new Promise((next) => setTimeout(next, 100));
  }
}

/** How long kubectl needs until it has written something. */
const first = (pod) =>
  new Promise((told, failed) => {
    const begun = performance.now();
    const child = spawn(kubectl, ["--kubeconfig", kubeconfig, "logs", pod, "--timestamps", "--tail=500"], { stdio: ["ignore", "pipe", "inherit"] });
    child.stdout.once("data", () => told(performance.now() - begun));
    child.once("error", failed);
    child.stdout.resume();
  });

/** Whether the page has read more than n lines: those that it has, and the older ones that it has dropped. */
const read = (n) => {
  const text = document.querySelector("#count")?.textContent ?? "";
  return [...text.matchAll(/([\d,]+) (?:lines|older)/g)].reduce((sum, [, n]) => sum + Number(n.replaceAll(",", "")), 0) > n;
};

const result = { kubectl: [], page: [] };
const address = await writing("bench-logs", rate);
const { browser, context } = await open(base, token);
for (let i = 0; i < +rounds; i++) {
  result.kubectl.push(await first("bench-logs"));
  result.page.push(await glance(context, address));
}
const followed = await instrumented(context, address);
await followed.waitForFunction(read, 3 * rate, { timeout: patience });
result.followed = frames(await scroll(followed, ".scroll.rows", 0, span));
await followed.waitForFunction(read, +total, { timeout: 10 * patience, polling: 500 });
result.full = frames(await scroll(followed, ".scroll.rows", 0, span));
result.memory = (await programMemory(followed)) + (await followed.evaluate(() => performance.memory.usedJSHeapSize));
await browser.close();
await api("DELETE", `${pods}/bench-logs`);
console.log(JSON.stringify(result));
