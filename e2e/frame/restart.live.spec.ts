// Servers that stop and start again while a page is open: the page recovers by itself, or says what to do.
import { type Page } from "@playwright/test";
import { join } from "node:path";
import { Api, eventually } from "../harness/api.ts";
import { componentOf, freeze } from "../harness/processes.ts";
import { announced, born, expect, live, liveness, openLive, row, Tap, texts } from "../harness/live.ts";
import { test } from "../harness/started.ts";
import { signIn } from "../harness/session.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";

// Nobody is signed in yet. Connections must fail here.
test.use({ storageState: { cookies: [], origins: [] }, provoked: /WebSocket connection to| for http.*\/socket$/ });

test("the API server goes down and comes up again", async ({ page, home, own }) => {
  test.setTimeout(120_000);
  const { origin, token, link } = await own("--practice", "on", "--practice-dir", join(home, "practice"));
  await signIn(page, link);
  const api = new Api(origin, token);
  const restart = { apiVersion: "practice.fieldmark.dev/v1alpha1", kind: "Scenario", metadata: { name: "down" }, spec: { faults: [{ name: "down", restart: { downSeconds: 2 } }] } };
  await api.create(configMaps, { metadata: { name: "before" } });
  await openLive(page, `${origin}/c/practice${configMaps}`);
  const document = await born(page);
  const said = await texts(page, "#liveness");
  await eventually("Scenarios", 60_000, () => api.create("/apis/practice.fieldmark.dev/v1alpha1/scenarios", restart).then(() => undefined));

  await expect.poll(async () => (await said()).join("; "), { message: "said while it is down", timeout: 30_000 }).toMatch(/API server can’t be reached, trying again (now|in \d+ s)\s*stale since/);
  await expect(row(page, "before")).toBeVisible();
  await eventually("The API server", 60_000, () => api.create(configMaps, { metadata: { name: "after" } }).then(() => undefined));
  await live(page);
  await expect(row(page, "after")).toBeVisible();
  await expect(row(page, "before")).toBeVisible();
  expect(await announced(page)).toEqual(["Connection lost. The page shows the last known state", "Live"]);
  expect(await born(page)).toBe(document);
});

test("the practice cluster's API server is killed: pages say so, and heal", async ({ page, home, own }) => {
  test.setTimeout(120_000);
  const folder = join(home, "practice");
  const { origin, link, token } = await own("--practice", "on", "--practice-dir", folder);
  await signIn(page, link);
  const api = new Api(origin, token);
  await api.create(configMaps, { metadata: { name: "before" } });
  await openLive(page, `${origin}/c/practice${configMaps}`);
  const document = await born(page);
  const address = (await api.get("/api")).serverAddressByClientCIDRs;

  const killed = await componentOf(folder, "kube-apiserver");
  process.kill(killed, "SIGKILL");
  // The next one stands still before it is ready, so that what is said meanwhile can be read.
  const next = await componentOf(folder, "kube-apiserver", killed);
  process.kill(next, "SIGSTOP");
  await expect(liveness(page)).toContainText(/API server can’t be reached, trying again (now|in \d+ s)\s*stale since/);
  await expect(row(page, "before")).toBeVisible();
  const other = await page.context().newPage();
  await other.goto(origin);
  // While the API server stands still, other parts may give up and stop, too: each has a message of its own.
  const stopped = other.getByText("A part of the practice cluster stopped");
  await expect(stopped.first()).toBeVisible();
  await expect(other.getByText(/kube-apiserver stopped by itself \(signal: killed\) and starts again/i).first()).toBeVisible();
  await expect(other.locator('[data-cluster="practice"]')).toHaveAttribute("data-state", "starting");
  expect((await api.fetch("/api")).status).toBe(503);

  process.kill(next, "SIGCONT");
  await expect(other.locator('[data-cluster="practice"]')).toHaveAttribute("data-state", "ready", { timeout: 60_000 });
  await expect(stopped).toHaveCount(0);
  await live(page);
  await api.create(configMaps, { metadata: { name: "after" } });
  await expect(row(page, "after")).toBeVisible();
  await expect(row(page, "before")).toBeVisible();
  expect(await born(page)).toBe(document);
  expect((await api.get("/api")).serverAddressByClientCIDRs).toEqual(address);
});

test("Fieldmark stops and starts again: the session is void, and the page says so", async ({ page, own }) => {
  const first = await own("--practice", "off");
  await signIn(page, first.link);
  const pods = `${first.origin}/c/practice/api/v1/namespaces/shop/pods`; // the kubeconfig's own context of that name
  await openLive(page, pods);
  const shown = await page.locator("tr[data-uid]").count();
  await first.stop();
  await expect(liveness(page)).toContainText(/connection lost, reconnecting (now|in \d+ s)/);
  await expect(page.locator("tr[data-uid]")).toHaveCount(shown);

  const second = await own("--practice", "off", "--listen", new URL(first.origin).host);
  expect(second.origin).toBe(first.origin);
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await expect(liveness(page)).toContainText("signed out, reload to sign in again");
  expect((await page.reload())?.status()).toBe(401);
  await page.locator("#token").fill(second.token);
  await page.keyboard.press("Enter");
  await expect(page, "signing in leads back").toHaveURL(pods);
  await live(page);
});

/** Waits until the page says which server is silent, and since when. */
async function silent(page: Page, words: string): Promise<void> {
  await expect(liveness(page)).toContainText(new RegExp(`${words}\\s*stale since \\d\\d:\\d\\d:\\d\\d, for (?:[89]|\\d\\d)s`), { timeout: 30_000 });
}

test("the API server freezes and continues: the page says since when, and continues without a gap", async ({ page, home, own, shot }) => {
  test.setTimeout(120_000);
  const { origin, link, token } = await own("--practice", "on", "--practice-dir", join(home, "practice"));
  await signIn(page, link);
  const api = new Api(origin, token);
  await api.create(configMaps, { metadata: { name: "before" } });
  const tap = await Tap.on(page);
  await openLive(page, `${origin}/c/practice${configMaps}`);
  const document = await born(page);
  await api.create(configMaps, { metadata: { name: "right-before" } });
  await expect(row(page, "right-before")).toBeVisible();

  const thaw = freeze(home, /^\S+ kube-apiserver /);
  try {
    await silent(page, "API server doesn’t respond");
    await shot("frozen");
    await expect(row(page, "before")).toBeVisible();
  } finally {
    thaw();
  }
  await live(page);
  await api.create(configMaps, { metadata: { name: "after" } });
  await expect(row(page, "after")).toBeVisible();
  expect(tap.heard.filter(({ type }) => type === "gap"), "nothing was lost").toEqual([]);
  expect(await announced(page)).toEqual(["Connection lost. The page shows the last known state", "Live"]);
  expect(await born(page)).toBe(document);
});

test("Fieldmark freezes and continues: the page says since when, and continues without a gap", async ({ page, home, own }) => {
  const { origin, link } = await own("--practice", "off");
  await signIn(page, link);
  await openLive(page, `${origin}/c/practice/api/v1/namespaces/shop/pods`);
  const document = await born(page);
  const shown = await page.locator("tr[data-uid]").count();

  const thaw = freeze(home, /^\S*bin\/fieldmark --listen/);
  try {
    await silent(page, "Fieldmark doesn’t respond");
    await expect(page.locator("tr[data-uid]")).toHaveCount(shown);
  } finally {
    thaw();
  }
  await live(page);
  expect(await announced(page)).toEqual(["Connection lost. The page shows the last known state", "Live"]);
  expect(await born(page)).toBe(document);
});
