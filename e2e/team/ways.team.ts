// Ways in and out: by the keyboard, without scripts, for a second cluster, and the pages that say what went wrong.
import type { Page } from "@playwright/test";
import { begun, configMaps, enter, expect, test } from "../harness/people.ts";
import { ready } from "../harness/live.ts";
import { configMap } from "../harness/stage.ts";

/** Presses Tab until an element has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press("Tab");
    const label = await page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");
    if (name.test(label)) return;
  }
  throw new Error(`Tab doesn’t lead to ${name}`);
}

test("the keyboard is enough to sign in and out", async ({ newcomer, stage }) => {
  const page = await (await newcomer()).newPage();
  await page.goto(configMaps("team-a"));
  await tabTo(page, /^Sign in with/);
  await page.keyboard.press("Enter");
  await page.locator("#login").waitFor();
  const person = stage.people["max"]!;
  await page.locator("#login").focus();
  await page.keyboard.type(person.email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(person.password);
  await page.keyboard.press("Enter");
  await page.waitForURL(stage.origin + configMaps("team-a"));
  await ready(page);
  await tabTo(page, /^Sign out$/);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Signed out");
});

test("without scripts: sign in, a list, sign out", async ({ signIn }) => {
  await configMap("team-a", "without-scripts");
  const page = await signIn("oda", configMaps("team-a"), { use: { javaScriptEnabled: false } });
  await expect(page.locator('tr[data-name="without-scripts"]')).toBeVisible();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Signed out");
  const response = await page.goto(configMaps("team-a"));
  expect(response?.status()).toBe(401);
  await expect(page.getByRole("link", { name: /^Sign in with/ }).first()).toBeVisible();
});

test("a second cluster has an issuer of its own, and joins the session in a step of its own", async ({ signIn, stage }) => {
  const page = await signIn("pia", configMaps("team-a"));
  const second = configMaps("team-a").replace("practice", "second");
  await page.goto(second);
  await expect(page.locator("#main")).toContainText("You are not signed in for this cluster.");
  await page.getByRole("link", { name: "Sign in", exact: true }).click();
  await expect(page.locator("#main")).toContainText("You are signed in as team:pia.");
  await page.getByRole("link", { name: "Sign in with frail" }).click();
  await expect(page).toHaveURL((url) => url.href.startsWith(stage.issuers["second"]!));
  await enter(page, "pia");
  await page.waitForURL(stage.origin + second);
  await expect(page.locator("header .account")).toContainText("team:pia");
  await page.goto(configMaps("team-a"));
  await expect(page.locator("header .account")).toContainText("team:pia");
  await page.goto("/-/sign-in");
  await expect(page.locator("section.card", { hasText: "Signed in as team:pia" })).toHaveCount(2);
});

test("a link from another site opens the page, with the session", async ({ signIn, stage }) => {
  const page = await signIn("ron", configMaps("team-a"));
  await page.route("https://elsewhere.example/", (route) => route.fulfill({ contentType: "text/html", body: `<a href="${stage.origin}${configMaps("team-a")}">there</a>` }));
  await page.goto("https://elsewhere.example/");
  await page.getByRole("link").click();
  await expect(page.locator("header .account")).toContainText("team:ron");
});

test("what goes wrong at the callback is said in words, with a way on", async ({ newcomer, stage }) => {
  const page = await (await newcomer()).newPage();
  await page.goto("/-/sign-in/callback?state=nobody-began-this&code=none");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Signing in failed");
  await expect(page.locator("#main")).toContainText("older than 10 minutes");
  await page.goto(configMaps("team-a"));
  const declined = await begun(page);
  await page.goto(`/-/sign-in/callback?error=access_denied&state=${declined}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Signing in failed");
  await expect(page.locator("#main")).toContainText("refuses the sign-in, or you cancelled it");
  const invented = await begun(page);
  await page.goto(`/-/sign-in/callback?code=invented&state=${invented}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Signing in failed");
  // The page still leads to where the person wanted to go.
  await page.getByRole("link", { name: /^Sign in with/ }).first().click();
  await enter(page, "gil");
  await page.waitForURL(stage.origin + configMaps("team-a"));
  await expect(page.locator("header .account")).toContainText("team:gil");
});
