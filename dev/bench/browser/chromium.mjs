// A Chromium that is driven by its own protocol, for measurements that a browser driver would disturb. A driver stops each
// worker until it has looked at it, runs scripts of its own in each page, and turns off the cache of whole pages.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { always } from "../../../e2e/harness/flags.mjs";

export const patience = 60_000;

// A signal ends this script, and its browser with it.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

export const executable = process.env.CHROMIUM || "/usr/bin/chromium";
const flags = [
  ...always,
  "--no-default-browser-check",
  "--disable-extensions",
  "--password-store=basic",
  "--use-mock-keychain",
  "--window-size=1400,900",
  "--remote-debugging-pipe",
];

/** A session of the protocol: with the browser, with a page, or with a worker. */
class Session {
  constructor(wire, id) {
    this.wire = wire;
    this.id = id;
    this.listeners = new Map();
  }

  /** Sends a command, and returns its result. */
  send(method, params = {}) {
    return this.wire.send(this.id, method, params);
  }

  on(event, listener) {
    this.listeners.set(event, [...(this.listeners.get(event) ?? []), listener]);
  }

  heard(event, params) {
    for (const listener of this.listeners.get(event) ?? []) listener(params);
  }

  /** The session with a target. */
  to(id) {
    return this.wire.session(id);
  }

  /** The value of an expression in the page. A promise is awaited. */
  async value(expression) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails) throw new Error(`${exceptionDetails.exception?.description ?? exceptionDetails.text}, in: ${expression.slice(0, 200)}`);
    return result.value;
  }

  /** Waits until an expression in the page is true, and returns it. A look every 50 ms disturbs the page less than one in each frame. */
  async until(expression, what = expression) {
    let trouble = "";
    for (const late = performance.now() + patience; performance.now() < late; await pause(50)) {
      try {
        const found = await this.value(expression);
        if (found) return found;
      } catch (error) {
        trouble = error.message; // between two documents there is nothing to ask
      }
    }
    throw new Error(`${what}: not within ${patience / 1000} s, at ${await this.value("location.href")} ${trouble}`);
  }
}

/** The connection to a browser: messages with a zero byte after each. Answers are known by the number of their command. */
class Wire {
  sessions = new Map();
  waiting = new Map();
  sent = 0;

  constructor(child) {
    [this.out, this.in] = child.stdio.slice(3);
    let rest = "";
    this.in.setEncoding("utf8").on("data", (text) => {
      const all = (rest + text).split("\0");
      rest = all.pop();
      for (const message of all) this.take(JSON.parse(message));
    });
    this.out.on("error", () => {}); // of a browser that has ended
    let words = "";
    child.stderr.on("data", (text) => (words = (words + text).slice(-2000)));
    child.on("exit", () => {
      for (const { fail, method } of this.waiting.values()) fail(new Error(`${method}: Chromium ended: ${words}`));
      this.waiting.clear();
    });
  }

  session(id) {
    if (!this.sessions.has(id)) this.sessions.set(id, new Session(this, id));
    return this.sessions.get(id);
  }

  send(sessionId, method, params) {
    const id = ++this.sent;
    this.out.write(`${JSON.stringify({ id, sessionId, method, params })}\0`);
    return new Promise((done, fail) => this.waiting.set(id, { done, fail, method }));
  }

  take({ id, sessionId, method, params, result, error }) {
    if (id === undefined) {
      this.session(sessionId).heard(method, params);
      return;
    }
    const one = this.waiting.get(id);
    this.waiting.delete(id);
    if (error) one?.fail(new Error(`${one.method}: ${error.message}`));
    else one?.done(result);
  }
}

/** The cookies of somebody who has signed in. */
async function cookies(base, token) {
  const answer = await fetch(`${base}/-/sign-in`, {
    method: "POST",
    redirect: "manual",
    headers: { Origin: base, "Sec-Fetch-Site": "same-origin" },
    body: new URLSearchParams({ token, next: "/" }),
  });
  const all = answer.headers.getSetCookie().map((line) => line.split(";", 1)[0].split(/=(.*)/s));
  if (answer.status >= 400 || all.length === 0) throw new Error(`signing in: ${answer.status} ${await answer.text()}`);
  return all.map(([name, value]) => ({ name, value, url: base, httpOnly: true, sameSite: "Strict" }));
}

/** Starts a browser with a new profile, signed in, which has nothing in its cache. */
export async function launch(base, token) {
  const profile = mkdtempSync(join(tmpdir(), "fieldmark-chromium-"));
  const child = spawn(executable, [...flags, `--user-data-dir=${profile}`, "about:blank"], { stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"] });
  const ended = new Promise((done) => child.on("exit", done));
  const kill = () => {
    child.kill("SIGKILL");
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  process.on("exit", kill);
  const browser = new Wire(child).session(undefined);
  await browser.send("Storage.setCookies", { cookies: await cookies(base, token) });
  return {
    browser,
    page: (script) => page(browser, script),
    async close() {
      await browser.send("Browser.close").catch(() => {}); // it may end before it answers
      await Promise.race([ended, pause(10_000, undefined, { ref: false })]);
      process.off("exit", kill);
      kill();
    },
  };
}

/** Opens an empty page, in which a function runs at the start of each document. */
async function page(browser, script) {
  const { targetId } = await browser.send("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await browser.send("Target.attachToTarget", { targetId, flatten: true });
  const session = browser.to(sessionId);
  session.close = () => browser.send("Target.closeTarget", { targetId });
  await session.send("Page.enable");
  await session.send("Page.addScriptToEvaluateOnNewDocument", { source: `(${script})()` });
  await session.send("Emulation.setDeviceMetricsOverride", { width: 1400, height: 900, deviceScaleFactor: 1, mobile: false });
  await session.send("Emulation.setFocusEmulationEnabled", { enabled: true });
  return session;
}

/** Goes to an address, and returns as soon as the browser shows its first bytes. */
export async function go(page, address) {
  const { errorText } = await page.send("Page.navigate", { url: address });
  if (errorText) throw new Error(`${address}: ${errorText}`);
}

/** Presses a key, and returns when the page has heard of it. */
export async function press(page, key) {
  const how = { key, code: `Key${key.toUpperCase()}`, windowsVirtualKeyCode: key.toUpperCase().charCodeAt(0) };
  await page.send("Input.dispatchKeyEvent", { type: "keyDown", text: key, ...how });
  await page.send("Input.dispatchKeyEvent", { type: "keyUp", ...how });
}

/** Moves the pointer to a place, rests there, and clicks. */
export async function click(page, { x, y }, rest) {
  const mouse = (type, more) => page.send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1, ...more });
  await mouse("mouseMoved", { button: "none", clickCount: 0 });
  await pause(rest);
  await mouse("mousePressed", { buttons: 1 });
  await mouse("mouseReleased", { buttons: 0 });
}

/** Has the sessions of a page's workers given to a function, those to come, too. With first, a worker waits until the function is done. */
export async function workers(page, tell, first = false) {
  page.on("Target.attachedToTarget", async ({ sessionId, targetInfo }) => {
    const worker = page.to(sessionId);
    if (targetInfo.type === "worker") await tell(worker);
    if (first) await worker.send("Runtime.runIfWaitingForDebugger");
  });
  await page.send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: first, flatten: true });
}

/** The WebAssembly memory of a page and its workers, in bytes. Chromium finds it, wherever a program keeps it. */
export async function memory(sessions) {
  let bytes = 0;
  for (const session of sessions) {
    const { result } = await session.send("Runtime.evaluate", { expression: "WebAssembly.Memory.prototype" });
    const { objects } = await session.send("Runtime.queryObjects", { prototypeObjectId: result.objectId });
    const sum = "function () { return this.reduce((all, one) => all + one.buffer.byteLength, 0); }";
    bytes += (await session.send("Runtime.callFunctionOn", { objectId: objects.objectId, functionDeclaration: sum, returnByValue: true })).result.value;
  }
  return bytes;
}
