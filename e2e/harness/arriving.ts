// Files of a page that don't arrive at the first request: a replica is gone, slow, or of another version.
import { type Locator, type Page, type Route } from "@playwright/test";
import { expect, live, ready, texts } from "./live.ts";
import { rows } from "./look.ts";
import { openShell } from "./shell.ts";

/** What becomes of the first request for a file. */
export type Fault = "missing" | "slow" | "of another version";
export const faults: Fault[] = ["missing", "slow", "of another version"];

/** Pages of a cluster on which the files are needed. */
export interface Places {
  readonly list: string;
  readonly deployment: string;
  /** A pod that runs. */
  pod(): Promise<string>;
}

interface Needed {
  /** The page that needs the file. */
  page(at: Places): string | Promise<string>;
  /** Makes the opened page ask for the file. What it returns waits until the file has arrived and does its work. */
  ask(page: Page): Promise<() => Promise<void>>;
  /** What can be read while the file doesn’t arrive. */
  meanwhile?(page: Page): Locator;
}

const check = "/c/practice/-/check";
const firstRow = (page: Page) => rows(page).first();

/** A file that the page asks for itself. */
const itself = (page: Needed["page"], arrived: (page: Page) => Promise<void>): Needed => ({ page, ask: async (opened) => () => arrived(opened) });

const list = ({ list }: Places): string => list;

async function works(page: Page): Promise<void> {
  await live(page);
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog")).toBeVisible();
}

async function styled(page: Page): Promise<void> {
  await works(page);
  expect(await page.locator("#main").evaluate((main) => getComputedStyle(main).overflowY)).toBe("auto");
}

async function terminal(page: Page): Promise<void> {
  await ready(page);
  await openShell(page);
}

async function editor(page: Page): Promise<void> {
  await ready(page);
  await expect(page.locator(".cm-content")).toBeVisible();
}

/** Uses the menu that copies the lines of an object as an image. */
export async function copyPicture(page: Page): Promise<() => Promise<void>> {
  await live(page);
  const menu = page.locator(".action-bar .copying");
  await menu.locator("summary").click();
  const brief = await texts(page, ".told-briefly");
  await menu.getByRole("button", { name: "Copy as image" }).click();
  return () => expect.poll(brief).toContain("Copied as an image.");
}

/** Gives the page a file that should be an archive. */
export async function giveArchive(page: Page): Promise<() => Promise<void>> {
  await ready(page);
  const buffer = Buffer.from("no archive at all, and long enough to have an end");
  await page.locator('input[name="files"]').setInputFiles({ name: "none.zip", mimeType: "application/zip", buffer });
  return () => expect(page.locator(".banner", { hasText: "Fieldmark can’t read none.zip" })).toBeVisible();
}

/**
 * Every script, program and stylesheet that pages ask for, by the beginning and the ending of its name. The early script is a part of documents. A test
 * compares them with what documents and scripts refer to.
 */
export const needed: Readonly<Record<string, Needed>> = {
  "fieldmark.css": itself(list, styled),
  "fieldmark.js": { ...itself(list, works), meanwhile: firstRow },
  "worker.js": { ...itself(list, works), meanwhile: firstRow },
  "read.wasm": { ...itself(list, works), meanwhile: firstRow },
  "write.wasm": itself(() => check, ready),
  "lab.wasm": itself(() => "/c/practice/-/discovery", ready),
  "survey.wasm": itself(() => "/c/practice/-/managers", ready),
  "learn.wasm": itself(() => "/learn/verbs", ready),
  "run.wasm": itself(({ deployment }) => `/c/practice/-/act?act=scale&replicas=5&path=${deployment}`, ready),
  "editor.js": itself(() => "/c/practice/-/apply", editor),
  "terminal.js": itself(async ({ pod }) => `/c/practice${await pod()}?tab=shell`, terminal),
  "copying.js": { page: ({ deployment }) => `/c/practice${deployment}`, ask: copyPicture },
  "folder.js": { page: () => check, ask: giveArchive },
};

/** Opens the page that needs a file, whose first request has this fault, and waits until the file does its work. */
export async function tried(page: Page, at: Places, file: string, fault: Fault): Promise<void> {
  const of = needed[file]!;
  const path = await of.page(at);
  await page.goto("about:blank"); // a page at rest may ask for the programs of others
  const browser = await page.context().newCDPSession(page);
  await browser.send("Network.clearBrowserCache");
  await browser.detach();
  const { asked, release } = await faulty(page, file, fault);
  await page.goto(path, { waitUntil: "commit" });
  const arrived = await of.ask(page);
  await expect.poll(asked).toBeGreaterThan(0);
  if (fault === "slow" && of.meanwhile) await expect(of.meanwhile(page), "the page can be read meanwhile").toBeVisible();
  release();
  await arrived();
  await expect(halted(page)).toBeHidden();
  expect(asked(), `${file}, ${fault}`).toBe(fault === "slow" ? 1 : 2);
  await page.unrouteAll({ behavior: "ignoreErrors" });
}

/** The scripts, programs and stylesheets that a document and its scripts refer to. */
export async function referred(read: (path: string) => Promise<string>, path: string): Promise<string[]> {
  const found = new Set<string>();
  const waiting = [path];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const [url, name, ending] of (await read(next)).matchAll(/\/static\/([\w-]+)\.[\w-]{12}\.(css|js|wasm)/g)) {
      if (found.has(`${name}.${ending}`)) continue;
      found.add(`${name}.${ending}`);
      if (ending === "js") waiting.push(url);
    }
  }
  return [...found].sort();
}

const addressOf = (file: string) => {
  const [name, ending] = file.split(".");
  return new RegExp(`/static/${name}\\.[\\w-]{12}\\.${ending}(\\?|$)`);
};

export interface Faulty {
  /** How often the page has asked for the file. */
  asked(): number;
  /** Lets the slow request go on. */
  release(): void;
}

/** Gives the first requests for a file this fault: one, if it isn't said how many. */
export async function faulty(page: Page, file: string, fault: Fault, first = 1): Promise<Faulty> {
  let asked = 0;
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(addressOf(file), async (route) => {
    if (asked++ >= first) return route.fallback();
    if (fault === "missing") return route.abort("connectionrefused");
    if (fault === "of another version") return another(route);
    await held;
    return route.fallback();
  });
  return { asked: () => asked, release: () => release() };
}

/** Answers as a replica does that has another build: the server is asked for a file that it doesn't have. */
async function another(route: Route): Promise<void> {
  const url = route.request().url().replace(/\.[\w-]{12}\./, ".of-a-new-one.");
  await route.fulfill({ response: await route.fetch({ url }) });
}

/** What a page says when something is missing. */
export const halted = (page: Page): Locator => page.locator("#halted");
