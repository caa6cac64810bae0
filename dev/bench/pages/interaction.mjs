// Measures the interactions with the product in a real Chromium: the time from each key and each click to the next paint. It visits
// a page of each kind, presses the keys that the page's help lists, types into its fields, and clicks each kind of button that it
// finds there. Prints one line of JSON.
//
// The times are those of Chromium's Event Timing: it rounds them to 8 ms, and tells only of 16 ms or more. The script counts
// its own keys and clicks, so the report knows how many were faster. An interaction has several events, such as keydown and
// keyup; the longest of them counts.
// Arguments: Fieldmark's URL, the token, the address of the cluster's pages, the path of a large collection below it, rounds.
import { open, patience } from "../browser/visit.mjs";

const [base, token, cluster, large, rounds] = process.argv.slice(2);
const pace = 110; // milliseconds between two keys or clicks, as of a person who types fast
const told = 400; // milliseconds in which Chromium tells of the last interactions of a page
const mostButtons = 14; // of a page, one of each kind
const shop = `${cluster}/apis/apps/v1/namespaces/shop`;
const object = `${shop}/deployments/storefront`;
const path = "/apis/apps/v1/namespaces/shop/deployments/storefront";

const palette = ["Control+k", "type:deploy", "ArrowDown", "ArrowDown", "ArrowUp", "Escape", ":", "type:cm", "ArrowDown", "Escape"];
const help = ["?", "Escape"];
const manifest = "apiVersion: v1\nkind: ConfigMap\nmetadata:\nname: settings";
const editor = "click:main .cm-content";

// The kinds of pages, each with steps: keys, "type:" with what is typed there, and "click:" with what is clicked. Then follow a
// click on each tab, column and menu, and on each kind of button.
const pages = [
  { name: "large collection", at: cluster + large, steps: ["j", "j", "j", "k", "G", "k", "g", "s", "s", "S", "S", "w", "w", ...help, ...palette, "/", "type:0042", "Backspace", "Backspace", "Escape", "Escape", "PageDown", "PageDown", "End", "Home"] },
  { name: "large collection, to an object and back", at: cluster + large, steps: ["j", "j", "Enter", "wait:main .tabs", "Escape", "wait:#rows tr[data-uid]", "x", "wait:#rows input", "j", "x"], buttons: false },
  { name: "collection", at: `${shop}/deployments`, steps: ["j", "j", "k", "l", "wait:main .tabs", "Escape"] },
  { name: "overview", at: cluster, steps: [...help, ...palette] },
  { name: "clusters", at: "/", steps: help },
  { name: "object, fields", at: object, steps: ["j", "j", "k", "Enter", "Enter", "m", "m", "/", "type:image", "Escape", "h", "l", "l", "h", ...palette] },
  { name: "object, YAML", at: `${object}?tab=yaml`, steps: ["m", "m", "/", "type:image", "Escape"] },
  { name: "object, schema", at: `${object}?tab=schema`, steps: ["j", "j", "k", "Enter", "Enter", "/", "type:port", "Escape"] },
  { name: "object, timeline", at: `${object}?tab=timeline`, steps: ["j", "k", "Enter", "Enter"] },
  { name: "object, events", at: `${object}?tab=events`, steps: ["j", "k"] },
  { name: "object, owners", at: `${object}?tab=related`, steps: ["j", "k"] },
  { name: "logs", at: `${object}?tab=logs`, steps: ["f", "f", "w", "w", "t", "t", "G", "j", "k", "g", "/", "type:err", "Escape"] },
  { name: "usage", at: `${object}?tab=usage`, steps: ["h", "l"] },
  { name: "apply preview", at: `${cluster}/-/apply`, steps: [editor, `type:${manifest}`, "Backspace", "ArrowUp", "ArrowDown"] },
  { name: "apply preview of an object", at: `${cluster}/-/apply?edit=${path}`, steps: [editor, "End", "Enter", "type:a: b", "Control+z"] },
  { name: "check", at: `${cluster}/-/check`, steps: [editor, `type:${manifest}`] },
  { name: "explain", at: `${cluster}/-/explain`, steps: ["click:main textarea", "type:conflict with helm", "click:main form button[type=submit]"] },
  { name: "contention", at: `${cluster}/-/contention`, steps: ["click:main form button[type=submit]"] },
  { name: "cluster events", at: `${cluster}/-/events`, steps: ["j", "k"] },
  { name: "who am I", at: `${cluster}/-/whoami`, steps: ["click:#filter", "type:list"] },
  { name: "watched objects", at: `${cluster}/-/watched`, steps: ["j", "k"] },
  { name: "wire log", at: `${cluster}/-/requests`, steps: ["j", "j", "k", "Escape", "click:#filter", "type:pods", "Escape"] },
  { name: "console", at: `${cluster}/-/request`, steps: ["click:#filter, #path, main input", "Control+a", "type:/api/v1/namespaces/shop/pods", "Escape", "click:#send", "wait:#outcome"] },
  { name: "discovery", at: `${cluster}/-/discovery`, steps: ["j", "k", "/", "type:scale", "Escape"] },
  { name: "representations", at: `${cluster}/-/representations?path=${path}`, steps: ["j", "j", "k", "G", "g"] },
  { name: "chunk stepper", at: `${cluster}/-/chunks?path=/api/v1/configmaps&limit=5`, steps: ["l", "l", "G", "g", "l", "w", "w"] },
  { name: "watch laboratory", at: `${cluster}/-/watch?path=/api/v1/namespaces/shop/pods`, steps: ["s", "wait:#disconnect:enabled", "j", "j", "k", "w", "s"] },
  { name: "version laboratory", at: `${cluster}/-/versions?path=/api/v1/configmaps`, steps: ["j", "l", "k", "h", "1", "s", "m", "m"] },
  { name: "act", at: `${cluster}/-/act?act=scale&replicas=5&path=${path}`, steps: ["Tab", "Tab"] },
  { name: "delete", at: `${cluster}/-/delete?path=${path}`, steps: ["Tab", "Tab"] },
  { name: "ownership assistants", at: `${cluster}/-/assist?path=${path}`, steps: ["Tab", "Tab"] },
  { name: "field guide", at: "/learn", steps: ["j", "j", "k", "G", "g", ...help] },
  { name: "glossary", at: "/learn/glossary", steps: ["click:#filter", "type:version"] },
  { name: "lesson", at: `/learn/verbs?cluster=${cluster.slice(cluster.lastIndexOf("/") + 1)}`, steps: ["s", "j", "1", "s", "j", "2", "s", "j", "G", "g", "j", "k"] },
];

// The script clicks one of each kind on each page. The kind of a button is its action, without the numbers after it.
const clicked = [
  ["tab", "main .tabs a[href]"],
  ["column", "main th[data-column] a"],
  ["menu", "header details.menu summary, main details.menu summary"],
  ["requests of the page", "#wire > summary"],
  ["colors", "form.theme button"],
  ["help", "header button.keys"],
  ["button", "main button[data-do]:enabled"],
];

// Runs at the start of each document, and tells of each event of an interaction.
function listen() {
  const tell = (entries) => {
    const all = entries.filter((e) => e.interactionId).map((e) => ({ id: `${performance.timeOrigin} ${e.interactionId}`, at: performance.timeOrigin + e.startTime, took: e.duration }));
    if (all.length) globalThis.benchEvents(all);
  };
  const observer = new PerformanceObserver((list) => tell(list.getEntries()));
  observer.observe({ type: "event", durationThreshold: 16, buffered: true });
  addEventListener("pagehide", () => tell(observer.takeRecords()));
}

const deeds = []; // keys and clicks, in their order
const events = [];

/** Notes a key or a click, does it, and waits as long as a person would. */
async function deed(page, name, doing) {
  deeds.push({ name, at: performance.timeOrigin + performance.now() });
  await doing();
  await page.waitForTimeout(pace);
}

/** Waits until the page's program runs, and shows what was asked for. */
const ready = (page) => page.waitForFunction(() => document.documentElement.dataset.wasm === "ready" && !document.documentElement.dataset.busy && !document.querySelector("[data-coming]"), null, { timeout: patience });

async function visit(page, address) {
  await page.goto(base + address);
  await ready(page);
  await page.waitForTimeout(told);
}

/** Clicks the first of what a selector finds, if there is one in sight. */
async function click(page, name, found) {
  const box = await found.scrollIntoViewIfNeeded({ timeout: 1000 }).then(() => found.boundingBox(), () => null);
  if (box) await deed(page, name, () => page.mouse.click(box.x + Math.min(box.width, 60) / 2, box.y + box.height / 2));
}

/** Does a step of a page. */
async function step(page, name, what) {
  const [, kind, value] = /^(type|click|wait):(.*)$/s.exec(what) ?? [];
  if (kind === "type") {
    for (const letter of value) await deed(page, `${name}: a letter, typed`, () => page.keyboard.press(letter === "\n" ? "Enter" : letter === " " ? "Space" : letter));
  } else if (kind === "click") {
    const found = page.locator(value).locator("visible=true").first();
    await found.waitFor({ timeout: 10_000 });
    await click(page, `${name}: click on ${value.replace(/^main /, "")}`, found);
  } else if (kind === "wait") {
    await page.locator(value).first().waitFor({ timeout: 10_000 });
    await ready(page);
  } else await deed(page, `${name}: key ${what}`, () => page.keyboard.press(what));
}

/** One of each kind that can be clicked on the page, with a selector that finds it again. */
const clickable = (page) =>
  page.evaluate(
    ([clicked, most]) =>
      clicked.flatMap(([what, selector]) => {
        const kinds = new Map();
        for (const [n, one] of [...document.querySelectorAll(selector)].entries()) {
          const where = what === "button" ? `main button[data-do="${CSS.escape(one.dataset.do)}"]` : `:nth-match(${selector}, ${n + 1})`;
          const action = what === "button" ? one.dataset.do.replace(/[\s:/].*$|\d+.*$/s, "") : what === "tab" || what === "column" ? one.textContent.trim() : what;
          if (one.checkVisibility({ visibilityProperty: true }) && !kinds.has(action)) kinds.set(action, { what: what === action ? what : `${what} ${action}`, where });
        }
        return [...kinds.values()].slice(0, most);
      }),
    [clicked, mostButtons],
  );

/** Clicks one of each kind. Escape closes what a click has opened. If a click has led to another page, the script returns. */
async function clicks(page, { name, at }) {
  await visit(page, at);
  for (const { what, where } of await clickable(page)) {
    const found = page.locator(where).first();
    // An earlier click may have removed this one.
    if (!(await found.isVisible()) || !(await found.isEnabled({ timeout: 500 }).catch(() => false))) continue;
    await click(page, `${name}: ${what}`, found);
    await page.waitForLoadState();
    await ready(page);
    if (await page.locator("[role=dialog], details.menu[open]").count()) await deed(page, `${name}: key Escape`, () => page.keyboard.press("Escape"));
    if (new URL(page.url()).pathname !== new URL(base + at).pathname) {
      await page.waitForTimeout(told);
      await visit(page, at);
    }
  }
}

/** Each key and click with its time. The time is 0 if Chromium told of none, because it was below 16 ms. */
function interactions() {
  const longest = new Map();
  for (const { id, at, took } of events) {
    const one = longest.get(id) ?? { at, took };
    longest.set(id, { at: Math.min(at, one.at), took: Math.max(took, one.took) });
  }
  const all = [...longest.values()];
  return deeds.map(({ name, at }, i) => {
    const next = deeds[i + 1]?.at ?? Infinity;
    // The clocks of the browser and of this script are those of one machine, and differ by less than the pace.
    return { what: name, took: all.filter((one) => one.at >= at - 5 && one.at < next - 5).reduce((most, { took }) => Math.max(most, took), 0) };
  });
}

const { browser, context } = await open(base, token);
try {
  await context.exposeBinding("benchEvents", (_, all) => void events.push(...all));
  await context.addInitScript(listen);
  const page = await context.newPage();
  page.on("dialog", (dialog) => dialog.accept()); // a page that asks before it is left
  for (let round = 0; round < +rounds; round++) {
    for (const one of pages) {
      await visit(page, one.at);
      for (const what of one.steps) await step(page, one.name, what);
      await page.waitForTimeout(told);
      if (one.buttons !== false) await clicks(page, one);
      await page.waitForTimeout(told);
    }
  }
  console.log(JSON.stringify(interactions()));
} finally {
  await browser.close();
}
