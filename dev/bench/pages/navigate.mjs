// Measures the way from page to page in a real Chromium: from a click on a link to the paint of the page that it leads to, and
// from there back. Prints one line of JSON, in milliseconds.
//
// A page counts as seen after the first frame that has its title, and as complete after the first frame in which nothing of it is awaited. The title of a
// page is its heading, with the chosen tab. The reader rests on a page before the click, and on the link with the pointer, as people do.
// Arguments: Fieldmark's URL, the token, the address of the cluster's pages, the path of a large collection below it, rounds.
import { setTimeout as pause } from "node:timers/promises";
import { click, go, launch } from "../browser/chromium.mjs";

const [base, token, cluster, large, rounds] = process.argv.slice(2);
const onPage = 500; // milliseconds that the reader rests on a page that is ready
const onLink = 100; // … and on the link
const shop = `${cluster}/apis/apps/v1/namespaces/shop/deployments`;
const object = `${shop}/storefront`;
const logs = `${object}?tab=logs`;
const tool = (name) => `#types a[href^="${cluster}/-/${name}"]`;
const tab = (name) => `main .tabs a[href*="tab=${name}"]`;
const pods = `#types a[href^="${cluster}/api/v1/"][href$="/pods"]`;
const lesson = `/learn/verbs?cluster=${cluster.slice(cluster.lastIndexOf("/") + 1)}`;

// From where to where, by which link; with the programs of both pages, as web.Program has them. Pages of a cluster open the field
// guide in a new tab, and lessons hide the list of types. So few pairs lead there and from there.
const pairs = [
  ["overview to a collection", "read", "read", cluster, pods],
  ["collection to an object", "read", "read", cluster + large, "#rows tr[data-uid] td a:not(.quiet)"],
  ["object to its collection", "read", "read", object, `main a[href="${shop}"]`],
  ["object to its YAML", "read", "read", object, tab("yaml")],
  ["object to its schema", "read", "read", object, tab("schema")],
  ["object to its timeline", "read", "read", object, tab("timeline")],
  ["object to its events", "read", "read", object, tab("events")],
  ["object to its owners", "read", "read", object, tab("related")],
  ["object to its logs", "read", "run", object, tab("logs")],
  ["collection to the apply preview", "read", "write", shop, tool("apply")],
  ["large collection to the apply preview", "read", "write", cluster + large, tool("apply")],
  ["collection to the wire log", "read", "lab", shop, tool("requests")],
  ["apply preview to a collection", "write", "read", `${cluster}/-/apply`, pods],
  ["apply preview to the check", "write", "write", `${cluster}/-/apply`, tool("check")],
  ["apply preview to discovery", "write", "lab", `${cluster}/-/apply`, tool("discovery")],
  ["discovery to a collection", "lab", "read", `${cluster}/-/discovery`, pods],
  ["discovery to the apply preview", "lab", "write", `${cluster}/-/discovery`, tool("apply")],
  ["discovery to the watch laboratory", "lab", "lab", `${cluster}/-/discovery`, tool("watch")],
  ["field guide to a lesson", "learn", "learn", "/learn", 'main a[data-stop="verbs"]'],
  ["lesson to the field guide", "learn", "learn", lesson, 'main a[href="/learn"]'],
  ["clusters to the field guide", "read", "learn", "/", "a.to-guide"],
  ["field guide to the clusters", "learn", "read", "/learn", "a.logo"],
  ["logs to the object", "run", "read", logs, `main .tabs a[href="${object}"]`],
  ["logs to the apply preview", "run", "write", logs, tool("apply")],
  ["logs to the console", "run", "lab", logs, tool("request") + ':not([href*="requests"])'],
];

// Runs at the start of each document. The session storage keeps the awaited page for the next document.
function watch() {
  const name = "bench-navigate";
  const now = () => performance.timeOrigin + performance.now();
  const bench = (globalThis.bench = { id: `${performance.timeOrigin}-${Math.random()}` });
  const words = (element) => [...(element.querySelector(".name") ?? element).childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data.trim()).join("");
  const titled = () => document.querySelector("main h1");
  const tabs = () => document.querySelectorAll("main .tabs [aria-current]");
  const awaited = () => document.querySelector("main > [data-coming]");
  bench.title = () => titled() && [titled(), ...tabs()].map(words).join(" › ");

  // The part of the page that is scrolled: the largest one.
  bench.part = () => {
    const main = document.querySelector("main");
    const all = [document.scrollingElement, main, ...(main?.querySelectorAll(".scroll, [data-hold]") ?? [])];
    const rolls = (e) => e && e.scrollHeight - e.clientHeight > 50 && (e === document.scrollingElement || /auto|scroll/.test(getComputedStyle(e).overflowY));
    return all.filter(rolls).sort((a, b) => b.clientWidth * b.clientHeight - a.clientWidth * a.clientHeight)[0];
  };

  let observer;
  const arm = () => {
    observer?.disconnect();
    const goal = JSON.parse(sessionStorage.getItem(name));
    if (!goal) return;
    const check = () => {
      if (location.pathname + location.search !== goal.to || !titled()) return;
      if (goal.id === bench.id && bench.title() === goal.title) return; // the address is new, and the page isn't yet
      const painted = (then) => new IntersectionObserver((_, once) => (once.disconnect(), then())).observe([...tabs()].at(-1) ?? titled());
      if (!bench.seen) {
        bench.seen = true;
        painted(() => (bench.seen = now()));
      }
      if (awaited()) return;
      observer.disconnect();
      painted(() => {
        const left = JSON.parse(sessionStorage.getItem(name));
        sessionStorage.removeItem(name);
        const how = goal.id === bench.id ? "same" : bench.restored ? "restored" : "loaded";
        const took = now() - left.begun;
        const seen = bench.seen === true ? took : bench.seen - left.begun; // the frame in which it was seen may be the one in which it is complete
        bench.arrived = { took, seen, how, title: bench.title(), top: bench.part()?.scrollTop ?? 0 };
      });
    };
    observer = new MutationObserver(check);
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ["aria-current"] });
    check();
  };
  arm();
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    bench.restored = true;
    arm();
  });

  bench.expect = (to, begun) => {
    bench.arrived = bench.seen = undefined;
    bench.restored = false;
    bench.top = undefined;
    sessionStorage.setItem(name, JSON.stringify({ to, begun, id: bench.id, title: bench.title() }));
    arm();
  };
  addEventListener(
    "click",
    ({ isTrusted, timeStamp }) => {
      const goal = isTrusted && JSON.parse(sessionStorage.getItem(name));
      if (goal) sessionStorage.setItem(name, JSON.stringify({ ...goal, begun: performance.timeOrigin + timeStamp }));
    },
    true,
  );
  bench.back = (to) => {
    bench.expect(to, now());
    history.back();
  };

  // A link that can be hit, after the page was scrolled a little: where it is, and where it leads. The page may be painted again
  // while it is scrolled, so the links are looked for afterwards.
  bench.link = async (selector) => {
    const frames = async (n) => {
      for (; n > 0; n--) await new Promise((next) => requestAnimationFrame(next));
    };
    const links = () => [...document.querySelectorAll(selector)].filter((link) => link.target !== "_blank");
    const hit = () => {
      for (const link of links()) {
        const { x, y, width, height } = link.getBoundingClientRect();
        const at = { x: x + Math.min(width, 30) / 2, y: y + height / 2 };
        if (!width || !link.contains(document.elementFromPoint(at.x, at.y))) continue;
        const to = new URL(link.getAttribute("href"), location.href); // links in pictures have no pathname
        return { ...at, to: to.pathname + to.search };
      }
      return null;
    };
    const part = bench.part();
    if (part) part.scrollTop = 240;
    const fold = links()[0]?.closest("details");
    if (fold) fold.open = true;
    await frames(8);
    let found = hit();
    if (!found) {
      links()[0]?.scrollIntoView({ block: "center" });
      await frames(3);
      found = hit();
    }
    return found && { ...found, from: location.pathname + location.search, top: bench.part()?.scrollTop ?? 0 };
  };
}

const ready = `document.documentElement.dataset.wasm === "ready" && !document.documentElement.dataset.busy && document.querySelector("main h1") &&
  !/^(connecting|loading)/.test(document.querySelector("#liveness")?.textContent.trim() ?? "")`;

/** Waits until the page follows what happens, and rests on it. */
async function rest(page) {
  await page.until(ready, "a page that is ready");
  await pause(onPage);
}

/** Goes one way, so many times, and back. For back: how often the page was scrolled, and where it was at the paint and a little later. */
async function walk(page, [what, from, to, address, link]) {
  const result = { what, from, to, seen: [], there: [], back: [], loaded: 0, reloaded: 0, restored: 0, scrolled: 0, kept: 0, settled: 0 };
  await go(page, base + address);
  await rest(page);
  for (let i = 0; i < +rounds; i++) {
    const found = await page.until(`bench.link(${JSON.stringify(link)})`, `${what}: a link ${link}`);
    await page.value(`bench.expect(${JSON.stringify(found.to)})`);
    await click(page, found, onLink);
    const there = await page.until("globalThis.bench?.arrived", `${what}, to ${found.to}`);
    result.seen.push(there.seen);
    result.there.push(there.took);
    result.loaded += there.how === "loaded";
    await rest(page);
    await page.value(`bench.back(${JSON.stringify(found.from)})`);
    const back = await page.until("globalThis.bench?.arrived", `${what}, and back to ${found.from}`);
    result.back.push(back.took);
    result.reloaded += back.how === "loaded";
    result.restored += back.how === "restored";
    await rest(page);
    if (found.top === 0) continue;
    const top = await page.value("bench.part()?.scrollTop ?? 0");
    result.scrolled++;
    result.kept += Math.abs(back.top - found.top) < 2;
    result.settled += Math.abs(top - found.top) < 2;
  }
  return result;
}

const browser = await launch(base, token);
try {
  const page = await browser.page(watch);
  const result = [];
  for (const pair of pairs) result.push(await walk(page, pair));
  console.log(JSON.stringify(result));
} finally {
  await browser.close();
}
