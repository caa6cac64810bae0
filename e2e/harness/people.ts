// The import for specs of the shared mode: people, each with a browser context of their own. A page that throws or breaks its own
// Content-Security-Policy fails the test.
import { type BrowserContext, type BrowserContextOptions, type LaunchOptions, type Page, test as base, expect } from "@playwright/test";
import { type Stage, stage } from "./stage.ts";

export { expect };

interface Fixtures {
  stage: Stage;
  /** Signs somebody in by opening a page, in a new context or in one that is given. Returns the page, which is then the opened one. */
  signIn: (name: string, path: string, options?: { context?: BrowserContext; use?: BrowserContextOptions }) => Promise<Page>;
  /** A new context without a session, whose pages are watched. */
  newcomer: (options?: BrowserContextOptions) => Promise<BrowserContext>;
  /** Misdeeds that a test provokes, and which are none then. */
  provoked: RegExp;
}

export const test = base.extend<Fixtures, { launchOptions: LaunchOptions }>({
  // Chromium trusts the stage's authority, and no other certificate that isn't good.
  launchOptions: [
    async ({ launchOptions }, use) => {
      await use({ ...launchOptions, args: [...(launchOptions.args ?? []), `--ignore-certificate-errors-spki-list=${stage().print}`] });
    },
    { scope: "worker" },
  ],

  stage: async ({}, use) => use(stage()),

  provoked: [/(?!)/, { option: true }],

  newcomer: async ({ browser, contextOptions, provoked }, use) => {
    const opened: BrowserContext[] = [];
    const misdeeds: string[] = [];
    await use(async (options) => {
      const context = await browser.newContext({ ...contextOptions, baseURL: stage().origin, ...options });
      opened.push(context);
      context.on("weberror", (error) => misdeeds.push(`threw: ${error.error().message}`));
      context.on("console", (message) => {
        const text = message.text();
        const own = message.type() === "error" && !text.startsWith("Failed to load resource") && !/WebSocket connection to/.test(text);
        if ((own && message.page()?.url().startsWith(stage().origin)) || /Content Security Policy/i.test(text)) misdeeds.push(text);
      });
      return context;
    });
    for (const context of opened) await context.close();
    expect(misdeeds.filter((misdeed) => !provoked.test(misdeed)), "the misdeeds of the pages").toEqual([]);
  },

  signIn: async ({ newcomer }, use) => {
    await use(async (name, path, { context, use: options } = {}) => {
      const page = await (context ?? (await newcomer(options))).newPage();
      await page.goto(path);
      await page.getByRole("link", { name: /^Sign in (again )?with/ }).first().click();
      await enter(page, name);
      await page.waitForURL(stage().origin + path);
      return page;
    });
  },
});

/** Fills in dex's own form. */
export async function enter(page: Page, name: string): Promise<void> {
  const person = stage().people[name];
  if (person === undefined) throw new Error(`nobody has the name ${name}`);
  await expect(page).toHaveURL(/^https:\/\/localhost:\d+\/dex\//);
  await page.locator("#login").fill(person.email);
  await page.locator("#password").fill(person.password);
  await page.locator("#submit-login").click();
}

/** Begins a sign-in on a page that offers it, up to the issuer’s form, and returns its state. */
export async function begun(page: Page): Promise<string> {
  const request = page.waitForRequest((one) => one.url().includes("/dex/auth?"));
  await page.getByRole("link", { name: /^Sign in with/ }).first().click();
  await page.locator("#login").waitFor();
  return new URL((await request).url()).searchParams.get("state") ?? "";
}

/** The page of the ConfigMaps of a namespace. */
export const configMaps = (namespace: string): string => `/c/practice/api/v1/namespaces/${namespace}/configmaps`;
