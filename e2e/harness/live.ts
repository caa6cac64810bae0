// The import for specs of live pages: the page records its events, and a test can read, cut and
// change its WebSocket.
import { type Locator, type Page, type WebSocketRoute } from "@playwright/test";
import { expect, pageType, test as base } from "./test.ts";

export { expect, pageType };

interface Seen {
  /** Layout that shifted without the reader's doing, summed up. */
  shift(): number;
  /** What screen readers were told, in order. */
  announced: string[];
  /** The texts of rows and lines that were marked as changed, however briefly. */
  marked: string[];
  /** Milliseconds from the last click to the moment that data-busy was set; none: it never was. */
  busyAfter?: number;
}

declare global {
  interface Window {
    seen: Seen;
  }
}

/** Runs in the page before the page's own scripts. */
function instrument(): void {
  type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean };
  const shifts: Shift[] = [];
  const observer = new PerformanceObserver((list) => shifts.push(...(list.getEntries() as Shift[])));
  observer.observe({ type: "layout-shift", buffered: true });
  const seen: Seen = (window.seen = {
    announced: [],
    marked: [],
    shift() {
      shifts.push(...(observer.takeRecords() as Shift[]));
      return shifts.reduce((sum, { value, hadRecentInput }) => sum + (hadRecentInput ? 0 : value), 0);
    },
  });
  let clicked = 0;
  addEventListener("click", () => (clicked = performance.now()), true);
  document.addEventListener("DOMContentLoaded", () => {
    const region = document.getElementById("announcer");
    if (region) new MutationObserver(() => seen.announced.push(region.textContent ?? "")).observe(region, { childList: true });
    const marks = "tr.fresh, .code li.fresh";
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        for (const element of [target, ...addedNodes]) {
          if (!(element instanceof HTMLElement)) continue;
          const inside = element === target ? [] : element.querySelectorAll<HTMLElement>(marks);
          for (const one of [element, ...inside]) if (one.matches(marks)) seen.marked.push((one.querySelector("code") ?? one).innerText);
        }
      }
    }).observe(document.body, { attributeFilter: ["class"], childList: true, subtree: true });
    new MutationObserver(() => {
      if (document.documentElement.dataset["busy"]) seen.busyAfter = performance.now() - clicked;
    }).observe(document.documentElement, { attributeFilter: ["data-busy"] });
  });
}

export const test = base.extend<{ instrumented: void; tap: Tap }>({
  instrumented: [
    async ({ context }, use) => {
      await context.addInitScript(instrument);
      await use();
    },
    { auto: true },
  ],
  tap: async ({ page }, use) => use(await Tap.on(page)),
});

// A page's program opens its WebSocket in a worker, where Playwright can't stand between. So with a tap, the worker's WebSocket is made by the document, for
// the worker. The two functions run in the document and in the worker, before their own scripts.

/** Opens sockets for the workers of the document. */
function forWorkers(): void {
  window.Worker = class extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      const { port1, port2 } = new MessageChannel();
      const sockets = new Map<number, WebSocket>();
      port1.onmessage = ({ data: { id, url, send, close } }) => {
        if (url) {
          const socket = new WebSocket(url);
          sockets.set(id, socket);
          for (const type of ["open", "message", "error", "close"]) {
            socket.addEventListener(type, (e) => {
              const { data, code, reason, wasClean } = e as MessageEvent & CloseEvent;
              port1.postMessage({ id, type, init: { data, code, reason, wasClean } });
            });
          }
        } else if (send !== undefined) sockets.get(id)?.send(send);
        else if (close) sockets.get(id)?.close(...(close as []).slice(0, Number(close[0]) === 1000 || Number(close[0]) >= 3000 ? 2 : 0)); // others are refused
      };
      this.postMessage({ tap: port2 }, [port2]);
    }
  };
}

/** Makes the worker's sockets those of the document, and keeps the memory of its program for tests. */
function inWorker(): void {
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = (async (module: WebAssembly.Module, imports: WebAssembly.Imports) => {
    const instance = await instantiate(module, imports);
    Object.assign(globalThis, { memory: instance.exports["mem"] });
    return instance;
  }) as typeof WebAssembly.instantiate;
  let last = 0;
  let port: MessagePort;
  const open = new Map<number, EventTarget>();
  addEventListener("message", (e) => {
    if (!e.data?.tap) return;
    e.stopImmediatePropagation();
    port = e.data.tap;
    port.onmessage = ({ data: { id, type, init } }) => open.get(id)?.dispatchEvent(Object.assign(new Event(type), init));
  });
  globalThis.WebSocket = class extends EventTarget {
    binaryType = "blob";
    readonly id = ++last;
    constructor(url: string | URL) {
      super();
      open.set(this.id, this);
      port.postMessage({ id: this.id, url: String(url) });
    }
    send(data: string) {
      port.postMessage({ id: this.id, send: data });
    }
    close(...close: unknown[]) {
      port.postMessage({ id: this.id, close });
    }
  } as unknown as typeof WebSocket;
}

/** The page's WebSocket, between the page and the server. */
export class Tap {
  /** While false, every connection is closed as soon as it is opened. */
  through = true;
  /** May change a message from the server on its way; undefined: it is lost. */
  tamper: (message: any) => unknown = (message) => message;
  /** Messages that passed, parsed. */
  readonly asked: any[] = [];
  readonly heard: any[] = [];
  private readonly open = new Set<WebSocketRoute>();

  static async on(page: Page): Promise<Tap> {
    const tap = new Tap();
    await page.addInitScript(forWorkers);
    await page.route(/\/static\/worker\.[^/]*\.js$/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: `(${inWorker.toString()})();\n${await response.text()}` });
    });
    await page.routeWebSocket(/\/socket$/, (near) => tap.connect(near));
    return tap;
  }

  private connect(near: WebSocketRoute): void {
    if (!this.through) {
      void near.close({ code: 4000 });
      return;
    }
    const far = near.connectToServer();
    this.open.add(near);
    near.onMessage((message) => {
      this.asked.push(JSON.parse(String(message)));
      far.send(message);
    });
    far.onMessage((message) => {
      const parsed = JSON.parse(String(message));
      this.heard.push(parsed);
      const passed = this.tamper(parsed);
      if (passed !== undefined) near.send(passed === parsed ? message : JSON.stringify(passed));
    });
  }

  /** Breaks the connections that are open, without a farewell that the page could take for one. */
  async cut(): Promise<void> {
    const all = [...this.open];
    this.open.clear();
    for (const near of all) await near.close({ code: 4000 });
  }

  /** Says something to the page as if it were the server. */
  say(message: string): void {
    for (const near of this.open) near.send(message);
  }
}

/** How current the page says it is. */
export const liveness = (page: Page): Locator => page.locator("#liveness");

/** Waits until the page's own program runs, and nothing of the page is awaited. */
export async function ready(page: Page): Promise<void> {
  await expect(page.locator("[data-coming]")).toHaveCount(0, { timeout: 60_000 });
  await expect(page.locator("html")).toHaveAttribute("data-wasm", "ready", { timeout: 60_000 });
}

/** Waits until the page follows what happens. */
export async function live(page: Page): Promise<void> {
  await ready(page);
  await expect(liveness(page)).toHaveText(/^\s*live/, { timeout: 30_000 });
}

/** Waits until the page's own program runs, if the page has one: those that are there for strangers have none. */
export async function settled(page: Page): Promise<void> {
  if (await page.locator("#model").count()) await ready(page);
}

/** Opens an address, and waits until the page follows what happens. */
export async function openLive(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await live(page);
}

/** Tells the document from any that was loaded before or after it. */
export const born = (page: Page): Promise<number> => page.evaluate(() => performance.timeOrigin);

/** What was announced to screen readers since it was last asked. */
export const announced = (page: Page): Promise<string[]> => page.evaluate(() => window.seen.announced.splice(0).map((words) => words.trim()));

/** How far the layout shifted since the document came, once all that came until now is painted. */
export const shifted = (page: Page): Promise<number> =>
  page.evaluate(() => new Promise<number>((told) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => told(window.seen.shift())))))); // setTimeout: after the frame is painted

/** The texts of rows and lines that were marked as changed since it was last asked. */
export const marked = (page: Page): Promise<string[]> => page.evaluate(() => window.seen.marked.splice(0));

/** Keeps the texts that an element has from now on, in order, for those that pass by. The elements of a selector may come and go. */
export async function texts(page: Page, selector: string): Promise<() => Promise<string[]>> {
  const kept = await page.evaluateHandle((wanted) => {
    const texts: string[] = [];
    const note = () => {
      const text = document.querySelector<HTMLElement>(wanted)?.innerText.trim();
      if (text !== undefined && text !== texts.at(-1)) texts.push(text);
    };
    note();
    new MutationObserver(note).observe(document.body, { attributes: true, characterData: true, childList: true, subtree: true });
    return texts;
  }, selector);
  return () => kept.jsonValue();
}

/** The row of a name. */
export const row = (page: Page, name: string): Locator => page.locator(`tr[data-name="${name}"]`);

/** Notes the paths of all pages that are asked for from now on, as documents or not. */
export function pagesAsked(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest() || request.headers()["accept"] === pageType) asked.push(request.url());
  });
  return asked;
}

/** Stops the page's scripts where they are, as browsers do with tabs that nobody has looked at for long. What is given back wakes them. */
export async function asleep(page: Page): Promise<() => Promise<void>> {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  // The workers wait for a response that doesn't come.
  const nothing = /\/static\/asleep$/;
  await page.route(nothing, (route) => held.then(() => route.fulfill({ status: 204 })));
  const waiting = page.waitForRequest(nothing);
  const workers = Promise.all(
    page.workers().map((worker) =>
      worker.evaluate(() => {
        const request = new XMLHttpRequest();
        request.open("GET", "/static/asleep", false);
        request.send();
      }),
    ),
  );
  await waiting;
  const session = await page.context().newCDPSession(page);
  await session.send("Debugger.enable");
  const stopped = new Promise((told) => session.once("Debugger.paused", told));
  await session.send("Debugger.pause");
  const anything = page.evaluate(() => undefined); // it stops at the next statement
  await stopped;
  return async () => {
    release();
    await session.send("Debugger.resume");
    await anything;
    await workers;
    await session.detach();
    await page.unroute(nothing);
  };
}
