// What a key costs in the editor: editor.mjs ORIGIN TOKEN [LINES] [KEYS]. A manifest of so many lines, and keys pressed at its beginning,
// in its middle and at its end; of each the time from the event to the end of the script it runs, and to the frame that shows it.
// Prints JSON, in milliseconds.
import { chromium } from "@playwright/test";
import { readFileSync } from "node:fs";

const [origin, token, lines = "5000", keys = "60"] = process.argv.slice(2);
const markup = readFileSync(new URL("../components/testdata/editor.html", import.meta.url), "utf8");

const item = (n) => `    - name: item-${n}\n      image: "registry.example/shop/item:${n}" # the ${n}th\n      args: [--verbose, {level: ${n}}]\n      ports:\n        - containerPort: ${8000 + n}\n`;
const head = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: large\nspec:\n  containers:\n";
const text = head + Array.from({ length: Math.ceil((Number(lines) - 6) / 5) }, (_, n) => item(n)).join("");

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
try {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  await page.goto(`${origin}/?token=${token}`);
  await page.locator('html[data-wasm="ready"]').waitFor();
  await page.evaluate(mount, { markup, text });
  await page.locator("#desk .cm-line").first().waitFor();
  const places = {};
  for (const [name, share] of [["beginning", 0.01], ["middle", 0.5], ["end", 1]]) places[name] = await typing(page, share);
  console.log(JSON.stringify({ lines: text.split("\n").length, places }));
} finally {
  await browser.close();
}

/** Puts an editor into the page, and notes what each key costs. */
function mount({ markup, text }) {
  const desk = document.createElement("section");
  desk.id = "desk";
  Object.assign(desk.style, { position: "fixed", inset: "80px 24px 24px", zIndex: "50", display: "flex", flexDirection: "column" });
  document.getElementById("app").after(desk);
  globalThis.fieldmark.show(desk, markup);
  desk.querySelector("textarea").value = text;
  globalThis.fieldmark.editing((what, field, ...values) => {
    if (what !== "asked") return;
    const { id } = JSON.parse(values[0]);
    const suggestions = Array.from({ length: 30 }, (_, n) => ({ label: `field${n}`, detail: "string", value: "scalar" }));
    globalThis.fieldmark.editor("answer", field, id, JSON.stringify({ suggestions }));
  });
  globalThis.costs = [];
  let began;
  addEventListener("keydown", () => (began = performance.now()), true);
  addEventListener("input", () => {
    const cost = { key: 0, frame: 0 };
    const at = began;
    globalThis.costs.push(cost);
    setTimeout(() => (cost.key ||= performance.now() - at)); // after the observers of this change
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => (cost.frame = performance.now() - at);
      channel.port2.postMessage(0); // after what that frame lays out and paints
    });
  }, true);
}

async function typing(page, share) {
  await page.evaluate((share) => {
    const { view } = document.querySelector("[data-mounted]").editor;
    const line = view.state.doc.line(Math.max(8, Math.round(view.state.doc.lines * share)));
    view.focus();
    view.dispatch({ selection: { anchor: line.to }, scrollIntoView: true });
    globalThis.costs.length = 0;
  }, share);
  await page.keyboard.press("Enter");
  await page.waitForTimeout(1500); // the text is parsed that far
  await page.evaluate(() => (globalThis.costs.length = 0));
  for (let n = 0; n < Number(keys); n++) {
    await page.keyboard.press("abcdefg hij: k"[n % 14]);
    await page.waitForTimeout(40);
  }
  await page.waitForTimeout(300);
  const costs = await page.evaluate(() => globalThis.costs);
  const of = (what) => {
    const sorted = costs.map((cost) => cost[what]).sort((a, b) => a - b);
    const at = (share) => Math.round(10 * sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]) / 10;
    return { median: at(0.5), p95: at(0.95), most: at(1) };
  };
  return { keys: costs.length, script: of("key"), frame: of("frame") };
}
