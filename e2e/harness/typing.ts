// The editor of the apply page, and the request to sign in again.
import type { Locator, Page } from "@playwright/test";
import { expect } from "./people.ts";

/** The address of the page. */
export const apply = "/c/practice/-/apply?namespace=team-a";

export const manifest = (name: string, kind = "ConfigMap"): string => `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n  namespace: team-a\n`;

const editor = (page: Page): Locator => page.locator(".cm-content");

/** The button that applies what was typed. */
export const applies = (page: Page): Locator => page.locator("button[data-do=apply]");

/** Types a document into the editor, in place of what is there, and waits until it can be applied. */
export async function write(page: Page, document: string): Promise<void> {
  await expect(editor(page)).toBeVisible();
  await editor(page).press("Control+a");
  await page.keyboard.insertText(document);
  await expect(applies(page)).toBeEnabled();
}

/** The request to sign in again, on a page whose session has ended. */
export const asked = (page: Page): Locator => page.locator("#signed-out");
