// Sessions that end, are renewed, or become those of somebody else, while pages are open.
import type { Locator, Page } from "@playwright/test";
import { configMaps, enter, expect, test } from "../harness/people.ts";
import { live, liveness, ready, row } from "../harness/live.ts";
import { whole } from "../harness/editor.ts";
import { configMap, disturb } from "../harness/stage.ts";

const apply = "/c/practice/-/apply?namespace=team-a";

const manifest = (name: string, kind = "ConfigMap"): string => `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n  namespace: team-a\n`;

const editor = (page: Page): Locator => page.locator(".cm-content");
const applies = (page: Page): Locator => page.locator("button[data-do=apply]");

/** Types a document into the editor, in place of what is there. */
async function write(page: Page, document: string): Promise<void> {
  await expect(editor(page)).toBeVisible();
  await editor(page).press("Control+a");
  await page.keyboard.insertText(document);
  await expect(applies(page)).toBeEnabled();
}

/** The request to sign in again, on a page whose session has ended. */
const asked = (page: Page) => page.locator("#signed-out");

test("a page lives longer than its tokens, while somebody types", async ({ signIn, stage }) => {
  const page = await signIn("hal", apply);
  const list = await signIn("ida", configMaps("team-a"));
  await Promise.all([ready(page), live(list)]);
  await write(page, manifest("typed-slowly"));
  const born = await page.evaluate(() => performance.timeOrigin);
  const end = Date.now() + 2 * stage.tokens;
  for (let i = 0; Date.now() < end; i++) {
    await configMap("team-a", `life-${i}`);
    await expect(row(list, `life-${i}`)).toBeVisible();
    await expect(asked(page)).toBeEmpty();
    await page.waitForTimeout(3_000); // the test is about a time: two lives of a token
  }
  expect(await page.evaluate(() => performance.timeOrigin), "the document was not loaded again").toBe(born);
  expect(await whole(page)).toContain("typed-slowly");
  await applies(page).click();
  await expect(row(list, "typed-slowly")).toBeVisible();
});

test("a refresh token is revoked while somebody types: the page asks to sign in again, and keeps what was typed", async ({ signIn }) => {
  const page = await signIn("jon", apply);
  await ready(page);
  await write(page, manifest("kept-in-the-page", "Secret"));
  await disturb("issuers/main/revoke?person=jon");
  await expect(asked(page)).toContainText("You’re signed out", { timeout: 40_000 });
  await expect(asked(page)).toContainText("keeps what you typed");
  const [other] = await Promise.all([page.waitForEvent("popup"), asked(page).getByRole("link").click()]);
  await other.getByRole("link", { name: /^Sign in (again )?with/ }).first().click();
  await enter(other, "jon");
  await other.waitForURL(/-\/apply/);
  await expect(asked(page)).toBeEmpty({ timeout: 20_000 });
  expect(await whole(page)).toContain("kept-in-the-page");
  await applies(page).click();
  await expect(page.locator("#main")).toContainText("Created.");
});

test("signing out in one tab is said in the others", async ({ signIn }) => {
  const page = await signIn("kim", configMaps("team-a"));
  await live(page);
  const other = await page.context().newPage();
  await other.goto("/c/practice/-/whoami");
  await ready(other);
  await other.getByRole("button", { name: "Sign out" }).click();
  await expect(other.getByRole("heading", { level: 1 })).toHaveText("Signed out");
  await expect(asked(page)).toContainText("You’re signed out", { timeout: 20_000 });
  await expect(liveness(page)).toContainText("signed out");
});

test("somebody else signs in, in the same browser, and finds nothing of the former person", async ({ signIn }) => {
  const path = configMaps("team-a");
  await configMap("team-a", "a-private-name");
  const former = await signIn("lea", path);
  await live(former);
  const context = former.context();
  const editor = await context.newPage();
  await editor.goto(apply);
  await ready(editor);
  await write(editor, manifest("draft-of-lea"));
  await expect.poll(() => editor.evaluate(() => JSON.stringify(localStorage))).toContain("draft-of-lea");
  const leaving = await context.newPage();
  await leaving.goto(path);
  await ready(leaving);
  await leaving.getByRole("button", { name: "Sign out" }).click();
  await expect(leaving.getByRole("heading", { level: 1 })).toHaveText("Signed out");
  await leaving.goBack();
  await expect(leaving.locator("body")).not.toContainText("a-private-name");

  const next = await signIn("ben", "/c/practice/-/requests", { context });
  await ready(next);
  await expect(next.locator("body")).not.toContainText("team-a");
  // The tabs that the former person left open load again.
  await expect(former.locator("header .who")).toContainText("team:ben", { timeout: 20_000 });
  await expect(former.locator("body")).not.toContainText("a-private-name");
  await expect(former.locator("body")).not.toContainText("team:lea");
  await expect(editor.locator("header .who")).toContainText("team:ben", { timeout: 20_000 });
  await ready(editor);
  expect(await whole(editor)).not.toContain("draft-of-lea");
});
