// Files of a page that don't arrive at the first request: a replica is gone, slow, or of another version.
import { type Locator, type Page, type Route } from "@playwright/test";

/** What becomes of the first request for a file. */
export type Fault = "missing" | "slow" | "of another version";
export const faults: Fault[] = ["missing", "slow", "of another version"];

/** What each page needs, by the beginnings of the files' names: the script, its worker, the program, and the stylesheet. */
export const needed = ["fieldmark.js", "worker.js", "read.wasm", "fieldmark.css"];

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
