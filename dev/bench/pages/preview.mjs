// What a preview costs beside the API server's own work: a letter is typed into a manifest, and from the end of the pause in typing to
// the frame that shows the preview there are the dry run, which is the server's, and all else, which is ours. Prints JSON, in
// milliseconds: of each letter the whole, and how long the dry run took of it.
// Arguments: Fieldmark's URL, the token, lines of the manifest, letters.
import { open } from "../browser/visit.mjs";

const [base, token, lines, letters] = process.argv.slice(2);
const pause = 250; // that of static/editor/editor.js

const container = (n) => `      - name: app-${n}\n        image: registry.example/shop/app:${n}\n        args: [--level, "${n}"]\n        env:\n        - name: PLACE\n          value: "${n}"\n        ports:\n        - containerPort: ${8000 + n}\n          name: web-${n}\n          protocol: TCP\n`;
const head = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: bench-preview\n  namespace: default\n  annotations:\n    bench.example/note: x\nspec:\n  replicas: 0\n  selector:\n    matchLabels: {app: bench}\n  template:\n    metadata:\n      labels: {app: bench}\n    spec:\n      containers:\n";
const text = head + Array.from({ length: Math.ceil((Number(lines) - 16) / 10) }, (_, n) => container(n)).join("");

const object = "/clusters/bench/apis/apps/v1/namespaces/default/deployments/bench-preview";
const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/apply-patch+yaml" };
/** Somebody else applies the whole of it, with or without the note that is then typed. */
async function others(body) {
  const made = await fetch(`${base}${object}?fieldManager=bench-other&force=true`, { method: "PATCH", headers, body });
  if (!made.ok) throw new Error(`making the object: ${made.status} ${await made.text()}`);
}
await others(text.replace("    bench.example/note: x\n", "    bench.example/other: x\n"));

const { browser, context } = await open(base, token);
try {
  const page = await context.newPage();
  await page.goto(`${base}/c/bench/-/apply?manager=bench`);
  await page.locator('html[data-wasm="ready"] .cm-content').waitFor();
  await page.evaluate(() => {
    // From the last key to the frame in which the preview speaks of it.
    globalThis.shown = (value) =>
      new Promise((told) => {
        const look = () => {
          const row = document.querySelector('#preview [data-path=".metadata.annotations.bench.example/note"]');
          if (row?.textContent.includes(value)) {
            const channel = new MessageChannel();
            channel.port1.onmessage = () => told(performance.now());
            channel.port2.postMessage(0);
          } else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      });
    addEventListener("input", () => (globalThis.typed = performance.now()), true);
  });
  // The program sends its requests from its worker, which has times of its own.
  const program = page.workers()[0];
  await program.evaluate(() => performance.setResourceTimingBufferSize(10_000));
  await page.evaluate((text) => document.querySelector("[data-mounted]").editor.view.dispatch({ changes: { from: 0, insert: text } }), text);
  await page.locator("#doc-0").waitFor();
  await page.waitForTimeout(3000);
  const all = [];
  let note = "x";
  for (let n = 0; n < 2 * Number(letters); n++) {
    const conflict = n >= Number(letters);
    if (n === Number(letters)) await others(text);
    await page.evaluate(() => {
      const { view } = document.querySelector("[data-mounted]").editor;
      const at = view.state.doc.line(7).to;
      view.focus();
      view.dispatch({ selection: { anchor: at } });
    });
    await program.evaluate(() => performance.clearResourceTimings());
    const letter = "abcdefghijklm"[n % 13];
    note += letter;
    const seen = page.evaluate((value) => globalThis.shown(value), `"${note}"`);
    await page.keyboard.press(letter);
    const at = await seen;
    const typed = await page.evaluate(() => globalThis.typed);
    const dry = await program.evaluate(() =>
      performance.getEntriesByType("resource").filter(({ name }) => name.includes("dryRun=All") && name.includes("/deployments/")).map(({ duration }) => duration),
    );
    if (dry.length === 0) throw new Error("no dry run was seen");
    all.push({ whole: at - typed - pause, dry: dry.reduce((a, b) => a + b, 0), conflict });
    await page.waitForTimeout(400);
  }
  console.log(JSON.stringify(all));
} finally {
  await browser.close();
  await fetch(`${base}${object}`, { method: "DELETE", headers: { Authorization: `Bearer ${token}` } });
}
