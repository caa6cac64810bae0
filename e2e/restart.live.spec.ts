// Servers that stop and come back under an open page: it heals by itself, or says what to do.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Api, eventually } from "./harness/api.ts";
import { type Fieldmark, start } from "./harness/fieldmark.ts";
import { announced, born, expect, live, liveness, openLive, row, test as base } from "./harness/live.ts";
import { recall } from "./harness/shared.ts";
import { signIn } from "./harness/session.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";

const test = base.extend<{ home: string; own: (...args: string[]) => Promise<Fieldmark> }>({
  home: async ({}, use) => {
    const home = mkdtempSync(join(tmpdir(), "fieldmark-e2e-own-"));
    await use(home);
    rmSync(home, { recursive: true, force: true });
  },
  // Starts a Fieldmark of the test's own, so that no other test minds what becomes of it.
  own: async ({ home }, use, info) => {
    const started: Fieldmark[] = [];
    await use(async (...args) => {
      const log = info.outputPath(`fieldmark-${started.length}.log`);
      const one = await start({ args, kubeconfig: recall().practice, home, log, patience: 60_000 });
      started.push(one);
      return one;
    });
    await Promise.all(started.map((one) => one.stop()));
  },
});

// Nobody is signed in yet. That connections fail is the point.
test.use({ storageState: { cookies: [], origins: [] }, provoked: /WebSocket connection to| for http.*\/socket$/ });

test("the API server goes down and comes up again", async ({ page, home, own }) => {
  test.setTimeout(120_000);
  const { origin, token } = await own("--practice", "on", "--practice-dir", join(home, "practice"));
  await signIn(page, `${origin}/?token=${token}`);
  const api = new Api(origin, token);
  const restart = { apiVersion: "practice.fieldmark.dev/v1alpha1", kind: "Scenario", metadata: { name: "down" }, spec: { faults: [{ name: "down", restart: { downSeconds: 2 } }] } };
  await api.create(configMaps, { metadata: { name: "before" } });
  await openLive(page, `${origin}/c/practice${configMaps}`);
  const document = await born(page);
  await eventually("Scenarios", 60_000, () => api.create("/apis/practice.fieldmark.dev/v1alpha1/scenarios", restart).then(() => undefined));

  await expect(liveness(page)).toContainText(/API server out of reach, trying again (now|in \d+ s)\s*stale since/);
  await expect(row(page, "before")).toBeVisible();
  await eventually("The API server", 60_000, () => api.create(configMaps, { metadata: { name: "after" } }).then(() => undefined));
  await live(page);
  await expect(row(page, "after")).toBeVisible();
  await expect(row(page, "before")).toBeVisible();
  expect(await announced(page)).toEqual(["Connection lost, showing what was known before", "Live"]);
  expect(await born(page)).toBe(document);
});

test("Fieldmark stops and starts again: the session is void, and the page says so", async ({ page, own }) => {
  const token = "a-token-that-stays-the-same";
  const first = await own("--practice", "off", "--token", token);
  await signIn(page, `${first.origin}/?token=${token}`);
  // The cluster of a kubeconfig's context "practice" is not the practice cluster, and has another address.
  const cluster = await page.locator('[data-cluster^="practice-"]:not([data-cluster^="practice-viewer"])').getAttribute("data-cluster");
  const pods = `${first.origin}/c/${cluster}/api/v1/namespaces/shop/pods`;
  await openLive(page, pods);
  const shown = await page.locator("tr[data-uid]").count();
  await first.stop();
  await expect(liveness(page)).toContainText(/connection lost, reconnecting (now|in \d+ s)/);
  await expect(page.locator("tr[data-uid]")).toHaveCount(shown);

  const second = await own("--practice", "off", "--token", token, "--listen", new URL(first.origin).host);
  expect(second.origin).toBe(first.origin);
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await expect(liveness(page)).toContainText("signed out: reload to sign in again");
  await page.reload();
  await page.getByRole("link", { name: "Sign in with the launch token" }).click();
  await page.locator("#token").fill(token);
  await page.keyboard.press("Enter");
  await expect(page).not.toHaveURL(/sign-in/);
  await openLive(page, pods);
});
