// Signing in: only with the printed link, once, or with the launch token. Each test has its own Fieldmark, without a cluster.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, expect } from "@playwright/test";
import { type Fieldmark, start } from "../harness/fieldmark.ts";
import { recall } from "../harness/shared.ts";
import { signIn } from "../harness/session.ts";

const test = base.extend<{ flags: string[]; own: Fieldmark }>({
  flags: [[], { option: true }],
  own: async ({ flags }, use, info) => {
    const home = mkdtempSync(join(tmpdir(), "fieldmark-e2e-own-"));
    const own = await start({
      args: ["--practice", "off", ...flags],
      kubeconfig: recall().kubeconfig,
      home,
      log: info.outputPath("fieldmark.log"),
      patience: 30_000,
    });
    await use(own);
    const code = await own.stop();
    rmSync(home, { recursive: true, force: true });
    expect(code, "exit code after SIGTERM").toBe(0);
  },
});

test("readiness is one line on stdout", async ({ own }) => {
  expect(own.stdout).toHaveLength(1);
});

test("health needs no session", async ({ own, request }) => {
  expect((await request.get(`${own.origin}/healthz`)).status()).toBe(200);
});

test("the printed link signs in, and only once", async ({ own, browser }) => {
  expect(own.link, "a URL gets into histories").not.toContain(own.token);
  const mine = await browser.newPage();
  await signIn(mine, own.link);
  await expect(mine.getByRole("heading").first()).toBeVisible();
  const cookies = await mine.context().cookies();
  expect(cookies).toHaveLength(1);
  expect(cookies[0]).toMatchObject({ httpOnly: true, sameSite: "Strict" });

  const theirs = await (await browser.newContext()).newPage();
  const refused = await theirs.goto(own.link);
  expect(refused?.status()).toBe(401);
  expect(await theirs.context().cookies()).toEqual([]);
  await expect(theirs.getByLabel("Launch token"), "what to do instead").toBeVisible();

  expect((await mine.goto(own.origin))?.status(), "the session goes on").toBe(200);
});

test("nobody gets in without a token", async ({ own, page, request }) => {
  const refused = await page.goto(own.origin);
  expect(refused?.status()).toBe(401);
  expect((await request.get(`${own.origin}/clusters/dead-server/version`)).status()).toBe(401);
});

test("the token in an address signs nobody in, and is gone from the address", async ({ own, page }) => {
  await page.goto(`${own.origin}/learn?token=${own.token}`);
  await expect(page).toHaveURL(`${own.origin}/-/sign-in?next=%2Flearn`);
  expect(await page.context().cookies()).toEqual([]);
  await page.getByLabel("Launch token").fill(own.token);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${own.origin}/learn`);
});

test("a page that needs a session shows the form at once, and signing in leads back to it", async ({ own, page }) => {
  const wanted = `${own.origin}/learn/glossary?q=a%26b`;
  expect((await page.goto(wanted))?.status()).toBe(401);
  await page.getByLabel("Launch token").fill("a-wrong-token-is-no-way-in");
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toContainText("This launch token is wrong");
  await page.getByLabel("Launch token").fill(own.token);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(wanted);
});

test("wrong guesses, from another site or not, make nobody wait", async ({ own, page, request }) => {
  const guess = () => request.get(`${own.origin}/clusters/dead-server/version`, { headers: { Authorization: "Bearer wrong" } });
  const codes: number[] = [];
  while (codes.length < 12) codes.push((await guess()).status());
  expect(codes).toContain(429);
  await page.goto(`${own.origin}/-/sign-in`);
  await page.getByLabel("Launch token").fill(own.token);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${own.origin}/`);
});

test("a browser that is signed in makes a link for another one", async ({ own, page, browser }) => {
  await signIn(page, own.link);
  await page.goto(`${own.origin}/-/sign-in`);
  await page.getByRole("button", { name: "Make a link" }).click();
  const link = await page.locator("code.one-visit").textContent();
  const theirs = await (await browser.newContext()).newPage();
  await signIn(theirs, link!);
  expect((await theirs.goto(`${own.origin}/learn`))?.status()).toBe(200);
});

test.describe("under a name of its own", () => {
  test.use({ flags: ["--listen", "fieldmark-e2e.localhost:0"] });

  test("its cookie is sent to that name only", async ({ own, page }) => {
    const named = own.origin.replace("127.0.0.1", "fieldmark-e2e.localhost");
    expect((await page.goto(`${named}/learn`))?.status()).toBe(401);
    await page.getByLabel("Launch token").fill(own.token);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`${named}/learn`);
    expect((await page.context().cookies()).map(({ domain }) => domain)).toEqual(["fieldmark-e2e.localhost"]);
    expect((await page.goto(`${own.origin}/learn`))?.status(), "other names share no session with it").toBe(401);
  });
});
