// What specs import: Playwright's test with Fieldmark running, the session signed in, and a page that may not misbehave.
import { test as base, expect } from "@playwright/test";
import { join } from "node:path";
import { Api } from "./api.ts";
import { root } from "./fieldmark.ts";
import { type Shared, recall } from "./shared.ts";

export { expect };

interface Fixtures {
  /** Where Fieldmark runs, and its secrets. */
  fieldmark: Shared;
  /** The practice cluster's API through Fieldmark. */
  api: Api;
  /** A namespace of this test's own, deleted after it. */
  namespace: string;
  /** Writes e2e/screenshots/{name}-{project}.png, the whole page. */
  shot: (name: string) => Promise<void>;
  /** Fails the test if a page breaks its own Content-Security-Policy, throws, or refers to what isn't there. */
  wellBehaved: void;
}

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
      const path = join(root, "e2e", "screenshots", `${name}-${info.project.name}.png`);
      await page.screenshot({ path, fullPage: true, animations: "disabled" });
    });
  },

  wellBehaved: [
    async ({ page }, use) => {
      const misdeeds: string[] = [];
      page.on("pageerror", (error) => misdeeds.push(`threw: ${error.message}`));
      page.on("console", (message) => {
        if (/Content Security Policy/i.test(message.text())) misdeeds.push(message.text());
      });
      page.on("response", (response) => {
        const isPage = response.request().isNavigationRequest();
        if (!isPage && response.status() >= 400) misdeeds.push(`${response.status()} for ${response.url()}`);
      });
      await use();
      expect(misdeeds, "the page's misdeeds").toEqual([]);
    },
    { auto: true },
  ],
});
