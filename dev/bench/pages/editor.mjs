// What a key costs in the editor: in a manifest of a few lines, and at the beginning, in the middle and at the end of a large one. Of each
// key the time from its event to the frame that shows it, and what the page's main thread computed until it had nothing left to do,
// which is not all before that frame. Prints JSON, in milliseconds.
// Arguments: Fieldmark's URL, the token, lines, keys at each place.
import { readFileSync } from "node:fs";
import { open } from "../browser/visit.mjs";

const [base, token, lines, keys] = process.argv.slice(2);
const markup = readFileSync(new URL("../../../components/testdata/editor.html", import.meta.url), "utf8");

const item = (n) => `    - name: item-${n}\n      image: "registry.example/shop/item:${n}" # the ${n}th\n      args: [--verbose, {level: ${n}}]\n      ports:\n        - containerPort: ${8000 + n}\n`;
const head = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: large\nspec:\n  containers:\n";
const text = head + Array.from({ length: Math.ceil((Number(lines) - 6) / 5) }, (_, n) => item(n)).join("");

const { browser, context } = await open(base, token);
try {
  const page = await context.newPage();
  await page.goto(`${base}/`);
  await page.locator('html[data-wasm="ready"]').waitFor();
  await page.evaluate(mount, { markup, text: `${head}${item(0)}` });
  await page.locator("#desk .cm-line").first().waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const computed = async () => 1000 * (await session.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value;
  // What a key costs however long the text is.
  const places = [{ place: "a short text", ...(await typing(page, 1, computed)) }];
  await page.evaluate((text) => globalThis.fieldmark.editor("edit", "manifest", text), text);
  await page.waitForTimeout(2000);
  for (const [place, share] of [["the beginning", 0.01], ["the middle", 0.5], ["the end", 1]]) places.push({ place, ...(await typing(page, share, computed)) });
  console.log(JSON.stringify(places));
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
  globalThis.fieldmark.editing((what, { question }) => {
    if (what !== "asked") return;
    const { id, field } = JSON.parse(question);
    const suggestions = Array.from({ length: 30 }, (_, n) => ({ label: `field${n}`, detail: "string", value: "scalar" }));
    globalThis.fieldmark.editor("answer", field, id, JSON.stringify({ suggestions }));
  });
  globalThis.costs = [];
  let began;
  addEventListener("keydown", () => (began = performance.now()), true);
  addEventListener("input", () => {
    const at = began;
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => globalThis.costs.push(performance.now() - at);
      channel.port2.postMessage(0); // after what that frame lays out and paints
    });
  }, true);
}

async function typing(page, share, computed) {
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
  const cpu = [];
  for (let n = 0; n < Number(keys); n++) {
    const before = await computed();
    await page.keyboard.press("abcdefg hij: k"[n % 14]);
    await page.waitForTimeout(60);
    cpu.push((await computed()) - before);
  }
  await page.waitForTimeout(300);
  return { frame: await page.evaluate(() => globalThis.costs), computed: cpu };
}
