// What the echo of a key costs in a shell: with kubectl exec, directly on the API server, and on the Shell view of a pod, through Fieldmark. Both have a
// terminal, and they take turns. Of kubectl, the time from the key to the bytes that it writes; of the page, the time to the frame that shows the key.
// Prints JSON, in milliseconds. Arguments: Fieldmark's URL, the token, kubectl, a kubeconfig, the slug of the cluster, keys in each round, rounds.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { open } from "../browser/visit.mjs";

const [base, token, kubectl, kubeconfig, slug, keys, rounds] = process.argv.slice(2);
const api = `${base}/clusters/${slug}/api/v1/namespaces/default/pods`;
const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
const name = "echo";

await fetch(api, { method: "POST", headers, body: JSON.stringify({ metadata: { name }, spec: { terminationGracePeriodSeconds: 0, containers: [{ name: "app", image: "busybox:1.37" }] } }) });
while ((await (await fetch(`${api}/${name}`, { headers })).json()).status?.phase !== "Running") await new Promise((over) => setTimeout(over, 200));

// A program gives kubectl a terminal.
const direct = spawn("script", ["-qfec", `${kubectl} --kubeconfig ${kubeconfig} exec -it -n default ${name} -- sh`, "/dev/null"]);
await once(direct.stdout, "data");
const { browser, context } = await open(base, token);
try {
  const page = await context.newPage();
  await page.goto(`${base}/c/${slug}/api/v1/namespaces/default/pods/${name}?tab=shell`);
  await page.locator('html[data-wasm="ready"]').waitFor();
  await page.locator("#open-session").click();
  const confirm = page.getByRole("alertdialog").getByRole("button").first();
  await confirm.or(page.locator('.session[data-state="open"]')).first().waitFor();
  if (await confirm.isVisible()) await confirm.click();
  await page.locator('.session[data-state="open"]').waitFor();
  await page.locator(".xterm-rows").getByText("#").first().waitFor();
  await page.evaluate(watch);
  const shell = { kubectl: [], page: [] };
  for (let round = 0; round < Number(rounds); round++) {
    for (let n = 0; n < Number(keys); n++) shell.kubectl.push(await echoed());
    await page.evaluate(() => (globalThis.costs.length = 0));
    for (let n = 0; n < Number(keys); n++) {
      await new Promise((over) => setTimeout(over, 120 + 7 * n)); // as people type, and at any time of a frame
      await page.keyboard.press("x");
      await page.waitForFunction((n) => globalThis.costs.length > n, n);
    }
    shell.page.push(...(await page.evaluate(() => globalThis.costs)));
  }
  console.log(JSON.stringify(shell));
} finally {
  await browser.close();
  direct.kill();
  await fetch(`${api}/${name}`, { method: "DELETE", headers });
}

async function echoed() {
  await new Promise((over) => setTimeout(over, 120)); // as people type
  const began = performance.now();
  direct.stdin.write("x");
  await once(direct.stdout, "data");
  return performance.now() - began;
}

/** Notes what each key costs: from its event to the end of the frame in which the rows have changed. */
function watch() {
  globalThis.costs = [];
  let began = 0;
  addEventListener("keydown", () => (began = performance.now()), true);
  new MutationObserver(() => {
    if (began === 0) return;
    const at = began;
    began = 0;
    const channel = new MessageChannel(); // xterm changes rows at the beginning of a frame; a message comes after what that frame lays out and paints
    channel.port1.onmessage = () => globalThis.costs.push(performance.now() - at);
    channel.port2.postMessage(0);
  }).observe(document.querySelector(".xterm-rows"), { childList: true, subtree: true, characterData: true });
}
