// The watch laboratory: a stream of the real API server, cut and resumed by hand.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { Api, eventually } from "../harness/api.ts";
import { start } from "../harness/fieldmark.ts";
import { expect, liveness, ready, test } from "../harness/live.ts";
import { scenarios } from "../harness/owncluster.ts";
import { recall } from "../harness/shared.ts";
import { signIn } from "../harness/session.ts";

const lab = (path: string, more = ""): string => `/c/practice/-/watch?path=${encodeURIComponent(path)}${more}`;
const events = (page: Page, type?: string): Locator => page.locator(type ? `tr[data-type=${type}]` : "tr[data-event]");
const press = (page: Page, action: string): Promise<void> => page.locator(`[data-do="${action}"]`).first().click();

async function connected(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await ready(page);
  await page.locator("#connect").click();
}

test("initial events, and the bookmark that ends them", async ({ page, api, namespace, shot }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  for (const name of ["a", "b"]) await api.create(path, { metadata: { name } });
  await connected(page, lab(path));
  await expect(liveness(page)).toHaveText(/^\s*live/);
  const bookmark = events(page, "BOOKMARK").filter({ hasText: "end of the initial events" });
  await expect(bookmark).toHaveCount(1);
  for (const name of ["a", "b"]) await expect(events(page, "ADDED").filter({ hasText: `${namespace}/${name}` })).toContainText("initial");
  await api.create(path, { metadata: { name: "c" } });
  const after = events(page, "ADDED").filter({ hasText: `${namespace}/c` });
  await expect(after).toHaveCount(1);
  await expect(after).not.toContainText("initial");
  await after.locator("button").first().click();
  await expect(page.locator("#chosen pre")).toContainText('"type": "ADDED"');
  await expect(page.locator("#chosen pre")).toContainText('"name": "c"');
  await expect(page).toHaveURL(/path=/);
  await page.mouse.move(2, 2);
  await shot("watch-live");
});

test("changes while disconnected arrive exactly once", async ({ page, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  await connected(page, lab(path));
  await expect(liveness(page)).toHaveText(/^\s*live/);
  await press(page, "make/create");
  const write = (what: string): Locator => page.locator(`[data-write=${what}]`).first();
  await expect(write("create")).toHaveAttribute("data-seen", "1");
  await expect(write("create")).toContainText("in stream 1");
  await page.locator("#disconnect").click();
  await expect(liveness(page)).toContainText("disconnected");
  await press(page, "make/change");
  await expect(write("change")).toContainText("not seen yet");
  await press(page, "make/delete");
  await expect(write("delete")).toContainText("not seen yet");
  await press(page, "resume/last");
  for (const what of ["change", "delete"]) {
    await expect(write(what)).toContainText("seen once, in stream 2");
    await expect(write(what)).toHaveAttribute("data-seen", "1");
  }
  await expect(write("create")).toHaveAttribute("data-seen", "1");
  await press(page, "prove");
  await expect(page.locator(".watch-proof")).toHaveAttribute("data-verdict", "Nothing was missed");
});

test("the stream resumes from a version that was clicked", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  await connected(page, lab(path));
  await expect(liveness(page)).toHaveText(/^\s*live/);
  for (const name of ["a", "b", "c"]) {
    await api.create(path, { metadata: { name } });
    await expect(events(page, "ADDED").filter({ hasText: `${namespace}/${name}` })).toHaveCount(1);
  }
  const column = page.getByRole("columnheader", { name: "Stream" });
  await expect(column).toHaveCount(0);
  await events(page, "ADDED").filter({ hasText: `${namespace}/a` }).locator("button.mono").click();
  await page.mouse.move(2, 2);
  await expect(events(page).and(page.locator("[data-stream='2']"))).toHaveCount(2);
  await expect(column).toBeVisible();
  await expect(page.locator("tr[data-stream='2']").filter({ hasText: `${namespace}/a` })).toHaveCount(0);
});

test("a list is first, and the watch starts from its version", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  await api.create(path, { metadata: { name: "listed" } });
  await connected(page, lab(path, "&begin=listed&as=metadata"));
  await expect(liveness(page)).toHaveText(/^\s*live/);
  await expect(page.locator(".watch-line")).toHaveCount(2);
  await api.create(path, { metadata: { name: "watched" } });
  await expect(events(page, "ADDED")).toHaveCount(1);
  await expect(events(page, "ADDED")).toContainText("watched");
  await press(page, "prove");
  await expect(page.locator(".watch-proof")).toHaveAttribute("data-verdict", "Nothing was missed");
});

test.describe("refused", () => {
  test.use({ provoked: /^504 for / });

  test("a version from the future: a list says so, a watch is silent", async ({ page, namespace }) => {
    await connected(page, lab(`/api/v1/namespaces/${namespace}/configmaps`));
    await expect(liveness(page)).toHaveText(/^\s*live/);
    await press(page, "list-at/future");
    await expect(page.locator(".watch-probe")).toContainText("Too large resource version");
    await expect(page.locator(".watch-probe")).toContainText("504");
    await expect(page.locator(".watch-probe")).toContainText("Retry-After: 1.0 s");
    await press(page, "resume/future");
    await expect(page.locator(".watch-streams li").first()).toContainText("0 events");
    await expect(liveness(page)).toHaveText(/^\s*live/);
  });
});

test("timeoutSeconds ends the stream, and that is no error", async ({ page, namespace }) => {
  await connected(page, lab(`/api/v1/namespaces/${namespace}/configmaps`, "&timeout=2"));
  await expect(liveness(page)).toContainText(/ended by the server after [2-9]\.\d s/);
  await expect(page.locator(".watch-events .notice")).toHaveCount(0);
  await press(page, "resume/last");
  await expect(page.locator(".watch-streams li")).toHaveCount(2);
});

test("list and watch beside a streaming list", async ({ page, api, namespace, shot }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  for (let n = 0; n < 5; n++) await api.create(path, { metadata: { name: `one-${n}` } });
  await page.goto(lab(path));
  await ready(page);
  await press(page, "race");
  await expect(page.locator(".watch-race")).toHaveAttribute("data-state", "done", { timeout: 30_000 });
  const measure = (name: string): Locator => page.locator(`[data-measure="${name}"]`);
  await expect(measure("requests")).toContainText(/2[\s\S]*1/);
  for (const name of ["time until the first object", "time until all objects", "time until the watch"]) await expect(measure(name)).toContainText(/\d+ ms[\s\S]*\d+ ms/);
  await expect(page.locator(".watch-lanes thead")).toContainText(/[56] objects[\s\S]*[56] objects/); // kube-root-ca.crt comes by itself
  await shot("watch-race");
});

test("choices in the form stay while events arrive", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  await page.goto(lab(path));
  await ready(page);
  await page.locator("#connect").click();
  await expect(liveness(page)).toHaveText(/^\s*live/);
  const begin = page.locator("select[name=begin]");
  await expect(begin).toHaveValue("initial");
  await begin.selectOption("any");
  await api.create(path, { metadata: { name: "one" } });
  await expect(events(page, "ADDED").filter({ hasText: "one" })).toHaveCount(1);
  await expect(begin).toHaveValue("any");
  await page.locator("#connect").click();
  await expect(page).toHaveURL(/begin=any/);
});

test("keys connect, choose and cut", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  await api.create(path, { metadata: { name: "a" } });
  await page.goto(lab(path));
  await ready(page);
  await page.locator("#main").focus();
  await page.keyboard.press("s");
  await expect(liveness(page)).toHaveText(/^\s*live/);
  await expect(events(page, "BOOKMARK").first()).toBeVisible();
  await page.keyboard.press("j");
  await expect(page.locator("tr[aria-selected=true]")).toHaveAttribute("data-type", "BOOKMARK");
  await expect(async () => { // there are more bookmarks, the longer it takes
    await page.keyboard.press("j");
    await expect(page.locator("tr[aria-selected=true]")).toHaveAttribute("data-type", "ADDED", { timeout: 1000 });
  }).toPass();
  await page.keyboard.press("Escape");
  await expect(page.locator("tr[aria-selected=true]"), "Escape closes the event").toHaveCount(0);
  await expect(liveness(page), "and the stream goes on").toHaveText(/^\s*live/);
  await page.keyboard.press("s");
  await expect(liveness(page)).toContainText("disconnected");
});

test.describe("on a cluster of its own", () => {
  // Compaction restarts the API server, which others would mind.
  test.use({ storageState: { cookies: [], origins: [] }, provoked: /WebSocket connection to|^(410|5\d\d) for / });

  test("after a compaction: 410 as an event, and as an answer; and a thousand events a second", async ({ page, shot }, info) => {
    test.setTimeout(420_000); // a control plane of its own is started, and restarted, perhaps beside others
    const home = mkdtempSync(join(tmpdir(), "fieldmark-e2e-own-"));
    const own = await start({ args: ["--practice", "on", "--practice-dir", join(home, "practice")], kubeconfig: recall().practice, home, log: info.outputPath("fieldmark.log"), patience: 120_000 });
    try {
      await signIn(page, own.link);
      const cluster = new Api(own.origin, own.token);
      await eventually("Scenarios", 60_000, () => cluster.get(scenarios).then(() => undefined)); // the page offers what is served when it comes
      await connected(page, own.origin + lab("/api/v1/configmaps", "&as=metadata"));
      await expect(liveness(page)).toHaveText(/^\s*live/);
      await page.locator("#compact").click();
      await expect(page.locator(".compaction")).toHaveAttribute("data-compaction", "done", { timeout: 90_000 });
      await press(page, "resume/old");
      await expect(events(page, "ERROR")).toHaveCount(1);
      await expect(liveness(page)).toContainText("ended by an ERROR event");
      await expect(page.locator(".watch-events .notice")).toContainText("An ERROR event: 410");
      await expect(page.locator(".watch-events .notice")).toContainText("The status code of the response is 200");
      await press(page, "list-at/old");
      await expect(page.locator(".watch-probe")).toContainText("The status code is 410");
      await shot("watch-410");

      await page.locator("select[name=begin]").selectOption("initial");
      await page.locator("#connect").click();
      await expect(liveness(page)).toHaveText(/^\s*live/);
      const body = { apiVersion: "practice.fieldmark.dev/v1alpha1", kind: "Scenario", metadata: { name: "storm" }, spec: { actors: [{ name: "s", storm: { namespace: "storm", perSecond: 1000 } }] } };
      const made = await page.request.post(`${own.origin}/clusters/practice/apis/practice.fieldmark.dev/v1alpha1/scenarios`, { data: body, headers: { Authorization: `Bearer ${own.token}` } });
      expect(made.status()).toBe(201);
      await expect(page.locator(".watch-kept")).toContainText(/keeps the newest 1,000/, { timeout: 150_000 });
      // An API server ends the watch of a reader who is too slow for it, which a busy machine can make of anybody.
      await expect(async () => {
        if (/ended by the server/.test((await liveness(page).textContent()) ?? "")) await page.locator("#connect").click();
        await page.locator("#disconnect").click({ timeout: 20_000 });
        await expect(liveness(page)).toContainText("disconnected", { timeout: 5_000 });
      }).toPass({ timeout: 120_000 });
      expect(await events(page).count()).toBeLessThanOrEqual(100);
    } finally {
      await page.goto("about:blank"); // that its server goes is none of the page's business
      await own.stop();
      rmSync(home, { recursive: true, force: true });
    }
  });
});
