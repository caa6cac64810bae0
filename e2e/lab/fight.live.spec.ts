// Two managers that fight over a field, begun and ended from the practice cluster's own page. The cluster is one of this
// file's own: pods come and go in it that no other test expects.
import { type BrowserContext, type Page } from "@playwright/test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Api, eventually } from "../harness/api.ts";
import { type Fieldmark, start } from "../harness/fieldmark.ts";
import { announced, born, expect, live, openLive, pagesAsked, ready, test as base } from "../harness/live.ts";
import { code } from "../harness/look.ts";
import { signIn } from "../harness/session.ts";
import { recall } from "../harness/shared.ts";

type Session = Awaited<ReturnType<BrowserContext["storageState"]>>;

interface Arena extends Fieldmark {
  session: Session;
  home: string;
  practice: string;
}

const test = base.extend<object, { arena: Arena }>({
  arena: [
    async ({ browser }, use, info) => {
      const home = mkdtempSync(join(tmpdir(), "fieldmark-e2e-own-"));
      const dir = join(home, "practice");
      const log = join(info.project.outputDir, "fight.log");
      const own = await start({ args: ["--practice", "on", "--practice-dir", dir], kubeconfig: recall().practice, home, log, patience: 90_000 });
      try {
        const api = new Api(own.origin, own.token);
        await eventually("Scenarios", 60_000, () => api.get("/apis/practice.fieldmark.dev/v1alpha1/scenarios").then(() => undefined));
        const context = await browser.newContext();
        await signIn(await context.newPage(), own.link);
        const session = await context.storageState();
        await context.close();
        await use({ ...own, session, home, practice: join(dir, "kubeconfig") });
      } finally {
        await own.stop();
        rmSync(home, { recursive: true, force: true });
      }
    },
    { scope: "worker", timeout: 180_000 },
  ],
  baseURL: async ({ arena }, use) => use(arena.origin),
  storageState: async ({ arena }, use) => use(arena.session),
  api: async ({ arena }, use) => use(new Api(arena.origin, arena.token)),
});

const scenario = "/apis/practice.fieldmark.dev/v1alpha1/scenarios/fight";
const card = (page: Page) => page.getByRole("region", { name: /^Two managers, one field/ });
const button = (page: Page, name: string) => card(page).getByRole("button", { name });
const gone = (api: Api, path: string) =>
  eventually(`${path} is gone`, 60_000, async () => {
    if ((await api.fetch(path)).status !== 404) throw new Error("it is there");
  });

test.describe.configure({ mode: "serial" }); // there is one fight in a cluster

test.afterEach(async ({ api }) => {
  await api.fetch(scenario, { method: "DELETE" });
  await gone(api, scenario);
});

test("a fight begins, is seen on the Deployment's page, and ends without a trace", async ({ page, api, shot }) => {
  test.setTimeout(120_000);
  await page.setViewportSize({ width: 1400, height: 900 });
  await openLive(page, "/c/practice");
  const document = await born(page);
  const asked = pagesAsked(page);
  await expect(card(page).getByText("The button needs JavaScript")).toBeHidden();
  await shot("fight-none");
  await button(page, "Start a fight").focus();
  await page.keyboard.press("Enter");
  await expect(button(page, "Stop the fight")).toBeFocused();
  await expect(card(page)).toHaveAttribute("data-stage", "rages", { timeout: 30_000 });
  for (const manager of ["gitops", "autoscaler"])
    await expect(card(page).locator(`[data-manager=${manager}] .number`)).toHaveText(/^\s*[1-9]\d*\s*$/, { timeout: 15_000 });
  expect(await announced(page)).toEqual(["The fight has started"]);
  expect(asked, "the page lives on").toEqual([]);
  await shot("fight-rages");

  await card(page).getByRole("link", { name: "contested" }).click();
  await live(page);
  for (const replicas of [/^\s*replicas: 3$/m, /^\s*replicas: [567]$/m, /^\s*replicas: 3$/m])
    await expect.poll(() => code(page).innerText(), { message: `${replicas}`, timeout: 15_000 }).toMatch(replicas);
  await expect(code(page)).toContainText("manager: gitops");
  await expect(code(page)).toContainText("manager: autoscaler", { timeout: 15_000 });
  await shot("fight-deployment");

  await page.getByRole("navigation", { name: "Views of this object" }).getByRole("link", { name: "Timeline" }).click();
  const contended = page.locator('[data-contended=".spec.replicas"]');
  await expect(contended).toContainText(/came back \d+ times?/, { timeout: 30_000 });
  await expect(contended).toContainText(/gitops\s*Apply/);
  await expect(contended).toContainText(/autoscaler\s*Update · scale/);
  await contended.getByRole("button", { name: "Only these versions" }).click();
  await page.locator(".version > button").last().click();
  await expect(page.locator('.changes [data-path=".spec.replicas"]')).toContainText(/gitops|autoscaler/);
  await page.mouse.move(2, 2);
  await shot("fight-timeline");

  await page.goBack();
  await page.goBack();
  await live(page);
  await expect(card(page)).toHaveAttribute("data-stage", "rages");
  await button(page, "Stop the fight").click();
  await expect(card(page)).toHaveAttribute("data-stage", "ends");
  await expect(button(page, "Stop the fight")).toHaveAttribute("aria-disabled", "true");
  await shot("fight-ends");
  await expect(button(page, "Start a fight")).toBeEnabled({ timeout: 60_000 });
  await gone(api, scenario);
  await gone(api, "/api/v1/namespaces/contest");
  expect(await born(page)).toBe(document);
});

test("a scan of the cluster finds the fight, and who fights", async ({ page, api, shot }) => {
  test.setTimeout(120_000);
  const actors = [
    { name: "gitops", gitops: { namespace: "contest", name: "contested", replicas: 3, everySeconds: 4 } },
    { name: "autoscaler", autoscaler: { namespace: "contest", name: "contested", everySeconds: 4 } },
    { name: "idle", storm: { namespace: "contest", objects: 3, perSecond: 3 } },
  ];
  await api.create("/apis/practice.fieldmark.dev/v1alpha1/scenarios", { apiVersion: "practice.fieldmark.dev/v1alpha1", kind: "Scenario", metadata: { name: "fight" }, spec: { actors } });
  await page.goto("/c/practice");
  await ready(page);
  await card(page).getByRole("link", { name: "Scan for contention" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Contention scan");
  await page.getByRole("button", { name: "Start the scan" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("#liveness")).toContainText(/watching, \d:\d\d left/);
  await ready(page);
  const document = await born(page);
  const fights = page.locator("[data-finding=fight]");
  await expect(fights.first()).toHaveAttribute("data-path", ".spec.replicas", { timeout: 40_000 });
  await expect(fights.first()).toContainText("Deployment contested in contest");
  for (const manager of ["gitops Apply", "autoscaler Update · scale"]) await expect(fights.first()).toContainText(manager);
  await expect(page.locator("[data-finding=taking]").first()).toContainText(/gitops\s+Apply.*autoscaler.*\.spec\.replicas/s);
  await expect(page.locator("[data-finding=rewrite]").first()).toContainText(/ConfigMap idle-0000\d in contest/);
  expect(await born(page), "the page lives on").toBe(document);
  await shot("contention");

  await page.getByRole("button", { name: "Stop the scan" }).click();
  await expect(page.locator("#liveness")).toContainText("stopped after");
  await ready(page);
  await expect(page.getByRole("button", { name: "Scan again" })).toBeVisible();
  await expect(fights.first()).toHaveAttribute("data-path", ".spec.replicas");
  await fights.first().getByRole("link", { name: "contested" }).click();
  await expect(page).toHaveURL("/c/practice/apis/apps/v1/namespaces/contest/deployments/contested?tab=timeline");
});

test("a fight that others begin and end shows by itself", async ({ page, api }) => {
  await openLive(page, "/c/practice");
  const spec = { actors: [{ name: "gitops", gitops: { namespace: "contest", name: "contested", replicas: 3 } }] };
  await api.create("/apis/practice.fieldmark.dev/v1alpha1/scenarios", { apiVersion: "practice.fieldmark.dev/v1alpha1", kind: "Scenario", metadata: { name: "fight" }, spec });
  await expect(button(page, "Stop the fight")).toBeEnabled();
  await api.delete(scenario);
  await expect(button(page, "Start a fight")).toBeEnabled({ timeout: 60_000 });
});

test.describe("refused", () => {
  test.use({ provoked: /^400 for .*\/scenarios$/ });

  test("a refusal is told in the API server's words", async ({ page }) => {
    await openLive(page, "/c/practice");
    await page.route(/\/scenarios$/, (route) => route.continue({ postData: "{}" }));
    await button(page, "Start a fight").click();
    await expect(card(page).locator(".notice-bad")).toContainText("The fight did not start");
    await expect(card(page).locator("blockquote")).toContainText("Object 'Kind' is missing");
    await expect(button(page, "Start a fight")).toBeEnabled();
    expect(await announced(page)).toEqual(["The fight did not start"]);
  });
});

test.describe("read-only", () => {
  test.use({ storageState: { cookies: [], origins: [] }, provoked: /WebSocket connection to/ }); // it is stopped under the page

  test("nothing can be begun, and the page says why", async ({ page, arena }, info) => {
    const own = await start({ args: ["--practice", "off", "--read-only"], kubeconfig: arena.practice, home: arena.home, log: info.outputPath("fieldmark.log"), patience: 60_000 });
    try {
      await signIn(page, own.link);
      // The cluster of a kubeconfig's context "practice" is a practice cluster all the same: it knows Scenarios.
      await page.locator('[data-cluster="practice"] h3 a').click();
      await ready(page);
      await expect(button(page, "Start a fight")).toBeDisabled();
      await expect(card(page)).toContainText("Fieldmark was started with --read-only");
    } finally {
      await own.stop();
    }
  });
});
