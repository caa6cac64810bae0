// Who gets in: the one-visit URL, once, and nobody without it. Each test has a Fieldmark of its own, without a cluster.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, expect } from "@playwright/test";
import { type Fieldmark, start } from "./harness/fieldmark.ts";
import { recall } from "./harness/shared.ts";
import { signIn } from "./harness/session.ts";

const test = base.extend<{ own: Fieldmark }>({
  own: async ({}, use, info) => {
    const home = mkdtempSync(join(tmpdir(), "fieldmark-e2e-own-"));
    const own = await start({
      args: ["--practice", "off"],
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

test("the one-visit URL signs in, and only once", async ({ own, browser }) => {
  const oneVisitURL = `${own.origin}/?token=${own.token}`;
  const mine = await browser.newPage();
  await signIn(mine, oneVisitURL);
  await expect(mine.getByRole("heading").first()).toBeVisible();
  const cookies = await mine.context().cookies();
  expect(cookies).toHaveLength(1);
  expect(cookies[0]).toMatchObject({ httpOnly: true, sameSite: "Strict" });

  const theirs = await (await browser.newContext()).newPage();
  const refused = await theirs.goto(oneVisitURL);
  expect(refused?.status()).toBeGreaterThanOrEqual(400);
  expect(await theirs.context().cookies()).toEqual([]);
  await expect(theirs.locator("body")).toContainText(/token|link/i);

  expect((await mine.goto(own.origin))?.status(), "the session goes on").toBe(200);
});

test("nobody gets in without a token", async ({ own, page, request }) => {
  const refused = await page.goto(own.origin);
  expect(refused?.status()).toBeGreaterThanOrEqual(400);
  expect((await request.get(`${own.origin}/clusters/dead-server/version`)).status()).toBe(401);
});
