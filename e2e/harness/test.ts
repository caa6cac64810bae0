// The import for specs: Playwright's test with a running Fieldmark, a signed-in session, and a page whose errors fail the test.
import { test as base, expect } from "@playwright/test";
import { join } from "node:path";
import { Api } from "./api.ts";
import { root } from "./fieldmark.ts";
import { screenshots } from "./screenshots.ts";
import { type Shared, recall } from "./shared.ts";
import { lengthen } from "./slow.ts";

export { expect };

interface Fixtures {
  /** Where Fieldmark runs, and its secrets. */
  fieldmark: Shared;
  /** The practice cluster's API through Fieldmark. */
  api: Api;
  /** A namespace of this test's own, deleted after it. */
  namespace: string;
  /** With SCREENSHOTS set, writes e2e/screenshots/{name}-{project}.png, the whole page; else does nothing. */
  shot: (name: string) => Promise<void>;
  /** Misdeeds that a test provokes, and which are none then. */
  provoked: RegExp;
  /** Gives the test more time on a slow machine. */
  lengthened: void;
  /** Fails the test if a page breaks its own Content-Security-Policy, throws, complains, or refers to what isn't there. */
  wellBehaved: void;
}

/** The media type with which a live page requests other pages. Their status code may be 404 without an error. */
export const pageType = "application/vnd.fieldmark.page+json";

export const test = base.extend<Fixtures>({
  fieldmark: async ({}, use) => use(recall()),
  baseURL: async ({ fieldmark }, use) => use(fieldmark.origin),
  storageState: async ({ fieldmark }, use) => use(fieldmark.session),
  api: async ({ fieldmark }, use) => use(new Api(fieldmark.origin, fieldmark.token)),

  namespace: async ({ api }, use, info) => {
    const name = `e2e-${info.workerIndex}-${info.testId.slice(-8)}-${info.retry}`;
    await api.create("/api/v1/namespaces", { metadata: { name } });
    await use(name);
    await api.delete(`/api/v1/namespaces/${name}`);
  },

  shot: async ({ page }, use, info) => {
    await use(async (name) => {
      if (!screenshots) return;
      const path = join(root, "e2e", "screenshots", `${name}-${info.project.name}.png`);
      await page.screenshot({ path, fullPage: true, animations: "disabled", timeout: 60_000 });
    });
  },

  lengthened: [
    async ({}, use, info) => {
      lengthen(info);
      await use();
    },
    { auto: true },
  ],

  provoked: [/(?!)/, { option: true }],

  wellBehaved: [
    async ({ page, provoked }, use) => {
      const misdeeds: string[] = [];
      // What is sent on a connection that closes is dropped by a browser. Playwright's stand-in for it (routeWebSocket) throws.
      page.on("pageerror", ({ message }) => message === "WebSocket is already in CLOSING or CLOSED state." || misdeeds.push(`threw: ${message}`));
      page.on("console", (message) => {
        const text = message.text();
        // What could not be loaded is seen below.
        // An answer of the API may run no script, and the browser's own viewer of JSON is told so as well.
        const meant = text.startsWith("Failed to load resource") || text.includes("the document's frame is sandboxed");
        const own = message.type() === "error" && !meant;
        if (own || /Content Security Policy/i.test(text)) misdeeds.push(text);
      });
      page.on("response", (response) => {
        const request = response.request();
        const isPage = request.isNavigationRequest() || request.headers()["accept"] === pageType;
        if (!isPage && response.status() >= 400) misdeeds.push(`${response.status()} for ${response.url()}`);
      });
      await use();
      const guilty = misdeeds.filter((misdeed) => !provoked.test(misdeed));
      expect(guilty, "the page's misdeeds").toEqual([]);
    },
    { auto: true },
  ],
});
