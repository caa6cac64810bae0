// Tokens for programs: people make, see and revoke them on a page, and assistants use them at /mcp. In sessions of their own, because a session has
// five tokens at most.
import { expectAccessible } from "../harness/axe.ts";
import { callTool, made, makeToken, row, tokens } from "../harness/assistant.ts";
import { seen, tabTo } from "../harness/keyboard.ts";
import { expect, test } from "../harness/live.ts";
import { signInByToken } from "../harness/session.ts";

test.use({ storageState: { cookies: [], origins: [] } });

test.beforeEach(async ({ page, fieldmark }) => {
  await signInByToken(page, fieldmark.token);
  await page.goto("/c/practice/-/whoami");
  await page.getByRole("link", { name: "Tokens for programs" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Tokens for programs");
});

test("an assistant uses a token until it is revoked, and the list says when", async ({ page, fieldmark, playwright }) => {
  const call = (token: string) => callTool(playwright.request, fieldmark.origin, token, "list", { resource: "namespaces" });
  await expect(tokens(page)).toHaveCount(0);
  const first = await makeToken(page);
  await expect(page.locator("main")).toContainText(`${fieldmark.origin}/mcp`);
  await expect(row(page, first)).toContainText("not used yet");
  const answer = await call(first);
  expect(answer.code).toBe(200);
  expect(answer.text).toContain("kube-system");
  const second = await makeToken(page);
  await expect(tokens(page)).toHaveCount(2);
  await expect(row(page, first)).toContainText(/last used .* ago/);
  await expect(row(page, second)).toContainText("not used yet");

  await page.getByRole("button", { name: `Revoke the token that ends with ${first.slice(-4)}` }).click();
  await expect(page.locator("main")).toContainText("The token is revoked.");
  expect((await call(first)).code, "the revoked token").toBe(401);
  expect((await call(second)).code, "the other token").toBe(200);
  await expect(tokens(page)).toHaveCount(1);

  const third = await makeToken(page);
  await page.getByRole("button", { name: "Revoke all tokens" }).click();
  await expect(page.locator("main")).toContainText("All tokens of this session are revoked.");
  for (const token of [second, third]) expect((await call(token)).code).toBe(401);

  const last = await makeToken(page);
  await page.goto("/c/practice");
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByLabel("Launch token")).toBeVisible();
  expect((await call(last)).code, "a token of a session that has ended").toBe(401);
});

test("a token is shown once: no page, no address and no record has it", async ({ page, fieldmark, playwright }) => {
  const token = await makeToken(page);
  expect((await callTool(playwright.request, fieldmark.origin, token, "get", { resource: "namespaces", name: "default" })).code).toBe(200);
  expect(page.url()).not.toContain("fieldmark-program-");
  await page.goto("/-/programs");
  await expect(row(page, token)).toBeVisible();
  expect(await page.content()).not.toContain(token);
  await page.goto("/c/practice/-/requests?text=namespaces");
  await expect(page.locator("main")).toContainText("/api/v1/namespaces/default");
  expect(await page.content()).not.toContain(token);
  // The page with the token was the response to a form. Going back to it shows no token: a browser doesn't keep it, and sends no form by itself.
  for (let back = 0; back < 3; back++) {
    await page.goBack().catch(() => undefined);
    expect(await page.content()).not.toContain(token);
  }
  await page.goto("/-/programs");
  await expect(tokens(page), "going back made no other token").toHaveCount(1);
  const stored = await page.evaluate(async () => JSON.stringify([localStorage, sessionStorage, await caches.keys()]));
  expect(stored).not.toContain(token);
});

test("the keyboard is enough, and the focus can be seen", async ({ page, fieldmark, playwright }) => {
  const press = async (name: RegExp) => {
    await tabTo(page, page.getByRole("button", { name }).first());
    expect(await seen(page)).toMatchObject({ seen: true });
    await page.keyboard.press("Enter");
  };
  await press(/^Make a token$/);
  await expect(made(page)).toBeVisible();
  const token = (await made(page).textContent())!;
  await press(/^Revoke the token/);
  await expect(page.locator("main")).toContainText("The token is revoked.");
  expect((await callTool(playwright.request, fieldmark.origin, token, "clusters")).code).toBe(401);
});

test("light, dark and on a phone: accessible, and nothing sticks out", async ({ page }) => {
  test.slow(); // axe looks at the page six times
  await makeToken(page);
  await makeToken(page);
  for (const width of [1400, 700, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await expectAccessible(page);
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(wider, `${width} px`).toBe(0);
    for (const button of await page.getByRole("button").all()) {
      const box = await button.boundingBox();
      expect(box!.x + box!.width, `a button in ${width} px`).toBeLessThanOrEqual(width);
    }
  }
});
