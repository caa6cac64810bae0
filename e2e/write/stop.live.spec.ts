// A fight over a field is stopped, and seen quiet. The cluster is one of this file's own, because a Scenario makes the fight.
import { type Locator, type Page } from "@playwright/test";
import { type Api, eventually } from "../harness/api.ts";
import { tabTo } from "../harness/keyboard.ts";
import { announced, expect, live, ready } from "../harness/live.ts";
import { moreActions } from "../harness/look.ts";
import { scenarios, test } from "../harness/owncluster.ts";

// A dry run for one version is refused once the object has changed; the viewer may send none; a page is open while its object is deleted.
test.use({ provoked: /^(403|404|409|422) for .*\/clusters\// });
test.describe.configure({ mode: "serial", timeout: 240_000 }); // there is one fight in the cluster, and it is watched until it is quiet

const path = "/apis/apps/v1/namespaces/contest/deployments/contested";
const managers = ["gitops|Apply||apps/v1", "autoscaler|Update|scale|apps/v1"];

/** The address that web.Stop makes. */
function stop(object: string, all: string[], cluster = "practice"): string {
  const query = new URLSearchParams({ path: object, do: "stop-fight", field: ".spec.replicas" });
  for (const manager of all) query.append("manager", manager);
  return `/c/${cluster}/-/assist?${query}`;
}

const party = (page: Page, name: string): Locator => page.locator(`[data-party="${name}"]`);
const way = (page: Page, title: string): Locator => page.locator(".way").filter({ has: page.getByRole("heading", { name: title }) });
const choose = (page: Page, title: string): Locator => page.getByRole("link", { name: `Choose: ${title}` });
const step = (page: Page, n: number): Locator => page.locator(`#step-${n}`);
const verdict = (page: Page): Locator => page.locator(".verdict-quiet");

/** Sends a step when it can be sent: in a fight, the server may refuse it once, because somebody wrote before. */
async function send(page: Page, n: number, press: (button: Locator) => Promise<void> = (button) => button.click({ timeout: 5_000 })): Promise<void> {
  await expect(async () => {
    if ((await step(page, n).getAttribute("data-state")) === "done") return;
    await press(step(page, n).getByRole("button", { name: /^Send/ }));
    await expect(step(page, n)).toHaveAttribute("data-state", "done", { timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
}

/** The fight as a Scenario. Without a number of replicas, gitops has deleted the field from its manifest. */
async function fight(api: Api, gitops: object | undefined): Promise<void> {
  const actors = [
    { name: "autoscaler", autoscaler: { namespace: "contest", name: "contested", everySeconds: 4 } },
    ...(gitops ? [{ name: "gitops", gitops: { namespace: "contest", name: "contested", everySeconds: 4, ...gitops } }] : []),
  ];
  const answer = await api.fetch(`${scenarios}/fight?fieldManager=e2e&force=true`, {
    method: "PATCH",
    headers: { "Content-Type": "application/apply-patch+yaml" },
    body: JSON.stringify({ apiVersion: "practice.fieldmark.dev/v1alpha1", kind: "Scenario", metadata: { name: "fight" }, spec: { actors } }),
  });
  expect(answer.ok, await answer.text()).toBe(true);
}

test.beforeEach(async ({ api }) => {
  await fight(api, { replicas: 3 });
  await eventually("both managers fight", 60_000, async () => {
    const { metadata } = await api.get(path);
    const names = (metadata["managedFields"] as { manager: string }[]).map(({ manager }) => manager);
    if (!names.includes("autoscaler")) throw new Error(names.join());
  });
});

const gone = (api: Api, what: string) =>
  eventually(`${what} is gone`, 60_000, async () => {
    if ((await api.fetch(what)).status !== 404) throw new Error("it is there");
  });

test.afterEach(async ({ api }) => {
  await api.fetch(`${scenarios}/fight`, { method: "DELETE" });
  await gone(api, `${scenarios}/fight`);
  await gone(api, "/api/v1/namespaces/contest");
});

test("who wants what, a way that is tried, and quiet after the manifest has changed", async ({ page, api, shot }) => {
  await page.setViewportSize({ width: 1400, height: 1000 });
  await page.goto(stop(path, managers));
  await live(page);
  await expect(party(page, "gitops")).toContainText(/3/, { timeout: 20_000 });
  await expect(party(page, "autoscaler")).toContainText(/[4-9]\s*(owner|not an owner)/, { timeout: 20_000 });
  await expect(page.locator("#field-now")).toContainText(/its value has changed [2-9] times/, { timeout: 30_000 });

  // Each way says what it does to each owner, whoever owns the field at the moment.
  const givesUp = way(page, "gitops gives the field up");
  await expect(givesUp).toContainText("replicas: 3  # delete this field");
  await expect(givesUp.locator('[data-while="gitops (Apply)"]')).toContainText("The value changes from 3 to 1.", { timeout: 30_000 });
  await expect(givesUp.locator('[data-while="autoscaler (Update, scale)"]')).toContainText("The value stays", { timeout: 30_000 });
  await expect(givesUp.locator('[data-while="autoscaler (Update, scale)"]')).toContainText(/autoscaler\s*Update · scale\s*stays an owner/);
  await shot("stop-ways");

  await choose(page, "Hand over from gitops to autoscaler").focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("#steps")).toBeFocused();
  await expect(page.locator(".plan-title")).toHaveText("Hand .spec.replicas over from gitops (Apply) to autoscaler (Update, scale)");
  await send(page, 0);
  await send(page, 1);
  await expect(page.locator("#over")).toContainText("Sent");

  // The manifest still has the field, so the page doesn't say that it is quiet.
  await expect(verdict(page)).toHaveAttribute("data-state", "goes on", { timeout: 30_000 });
  await expect(verdict(page)).toContainText("Written again by gitops (Apply) (3) after");
  await expect.poll(() => announced(page), { timeout: 10_000 }).toContainEqual("Sent, but gitops (Apply) wrote .spec.replicas again: its manifest still has the field.");
  await expect(page.locator("#over")).toContainText("its manifest still has the field.");
  await shot("stop-goes-on");

  // Somebody deletes the field from the manifest.
  await fight(api, undefined);
  await expect(verdict(page)).toHaveAttribute("data-state", "quiet", { timeout: 90_000 });
  await expect(verdict(page)).toContainText(/Quiet for \S+: only autoscaler \(Update, scale\) has changed \.spec\.replicas since/);
  expect(await announced(page)).toContain(".spec.replicas is quiet.");
  await shot("stop-quiet");
});

test("by keyboard alone: find the fight, see who, stop it, see it quiet", async ({ page, api }) => {
  // Find the fight: a scan of the cluster.
  await page.goto("/c/practice/-/contention#main");
  await ready(page);
  await tabTo(page, page.getByRole("button", { name: /^(Start the scan|Scan again)$/ }));
  await page.keyboard.press("Enter");
  const found = page.locator("[data-finding=fight]").filter({ hasText: "contested" }).first();
  await expect(found).toBeVisible({ timeout: 60_000 });
  await ready(page);
  await tabTo(page, found.getByRole("link", { name: "Stop this fight" }));
  await page.keyboard.press("Enter");
  await live(page);

  // See who.
  await expect(page).toHaveURL(/do=stop-fight/);
  await expect(party(page, "gitops")).toContainText("3", { timeout: 30_000 });
  await expect(party(page, "autoscaler")).toBeVisible();

  // Stop it: here, and in the manifest.
  await expect(choose(page, "gitops gives the field up")).toBeVisible();
  await tabTo(page, choose(page, "gitops gives the field up"), 250);
  await page.keyboard.press("Enter");
  await expect(page.locator("#steps")).toBeFocused();
  await expect(page.locator("#step-0")).toBeVisible();
  await send(page, 0, async (button) => {
    await expect(button).toBeEnabled({ timeout: 20_000 });
    await tabTo(page, button, 60);
    await page.keyboard.press("Enter");
  });
  await expect(page.locator("#over")).toBeFocused();
  await fight(api, undefined);

  // See it quiet.
  await tabTo(page, page.getByRole("button", { name: "Watch again from now" }));
  await page.keyboard.press("Enter");
  await expect(page.locator("#vigil")).toBeFocused();
  await expect(verdict(page)).toHaveAttribute("data-state", "quiet", { timeout: 90_000 });
});

test("a watched object is recorded while one is elsewhere, and its fight is marked on every page", async ({ page, shot }) => {
  const address = `/c/practice${path}`;
  const bar = page.locator("#watching");
  const watched = page.locator(`[data-watched="${path}"]`);
  await page.goto(`${address}?tab=fields`);
  await live(page);
  await (await moreActions(page)).getByRole("button", { name: "Watch this object" }).click();
  await expect(bar).toContainText(/Watching\s*1/);

  // Elsewhere, the bar tells of it.
  await page.goto("/c/practice/api/v1/nodes");
  await live(page);
  await expect(bar).toContainText("fight", { timeout: 60_000 });
  await bar.getByRole("link").click();
  await expect(watched).toContainText(/(autoscaler and gitops|gitops and autoscaler) overwrite each other’s \.spec\.replicas/);
  await expect(watched.getByRole("link", { name: "Stop this fight" })).toHaveAttribute("href", /do=stop-fight.*field=\.spec\.replicas/);
  await shot("watched");

  // The marks are in each document that the server makes.
  await page.goto("/c/practice");
  const known = page.locator(".grid.fought tr[data-name=contested]");
  await expect(known.first()).toContainText(/\.spec\.replicas.*autoscaler/s);
  await expect(known.first().getByRole("link", { name: "Stop this fight" })).toBeVisible();
  await page.goto("/c/practice/apis/apps/v1/namespaces/contest/deployments");
  await expect(page.getByRole("link", { name: /^Fight: .*\.spec\.replicas/ })).toBeVisible();
  await page.goto(`${address}?tab=fields&field=.spec.replicas`);
  await expect(page.locator("#fought > summary")).toContainText(/Fight over \.spec\.replicas, \d+ times/);
  await expect(page.locator(".action-bar").getByRole("link", { name: "Stop this fight" })).toBeVisible();
  await expect(page.locator('[data-fight=".spec.replicas"]').first()).toContainText("How often");

  // The timeline has the versions from before this document.
  await page.goto(`${address}?tab=timeline`);
  await live(page);
  await expect(page.locator('[data-contended=".spec.replicas"]')).toContainText(/came back \d+ times?/);
  expect(await page.locator(".version").count()).toBeGreaterThan(3);
  await (await moreActions(page)).getByRole("button", { name: "Stop watching" }).click();
  await expect((await moreActions(page)).getByRole("button", { name: "Watch this object" })).toBeVisible();
  await expect(bar.getByRole("link")).toHaveCount(0);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("an object is watched by forms, also by those who may only read", async ({ page }) => {
    await page.goto(`/c/practice-viewer/api/v1/namespaces/shop/services/storefront`);
    await (await moreActions(page)).getByRole("button", { name: "Watch this object" }).click();
    await expect(page).toHaveURL(/services\/storefront/);
    await expect((await moreActions(page)).getByRole("button", { name: "Stop watching" })).toBeVisible();
    await page.goto("/c/practice-viewer/-/watched");
    await expect(page.locator("[data-watched]")).toContainText("storefront");
    await page.getByRole("button", { name: "Stop watching storefront" }).click();
    await expect(page.getByText("No object is watched")).toBeVisible();
  });
});

test("a HorizontalPodAutoscaler is named, and its limit can be moved", async ({ page, api }) => {
  const headers = { "Content-Type": "application/apply-patch+yaml" };
  const scaler = "/apis/autoscaling/v2/namespaces/contest/horizontalpodautoscalers/contested";
  const hpa = { apiVersion: "autoscaling/v2", kind: "HorizontalPodAutoscaler", metadata: { name: "contested" }, spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "contested" }, minReplicas: 1, maxReplicas: 2 } };
  expect((await api.fetch(`${scaler}?fieldManager=ada&force=true`, { method: "PATCH", headers, body: JSON.stringify(hpa) })).ok).toBe(true);
  await page.goto(stop(path, ["gitops|Apply||apps/v1", "kube-controller-manager|Update|scale|apps/v1"]));
  await live(page);
  await expect(party(page, "kube-controller-manager")).toContainText("for HorizontalPodAutoscaler contested (min 1, max 2)");
  await expect(choose(page, "Set maxReplicas of HorizontalPodAutoscaler contested to 3")).toBeVisible({ timeout: 30_000 });
  // By key, because results that arrive above would move it under the pointer; again, because the autoscaler writes, too, and the ways are then new.
  await expect(async () => {
    await choose(page, "Set maxReplicas of HorizontalPodAutoscaler contested to 3").press("Enter", { timeout: 2_000 });
    await expect(page.locator(".consequences")).toContainText("ada (Apply) owns the limit.", { timeout: 5_000 });
  }).toPass({ timeout: 45_000 });
  await send(page, 0);
  await expect(verdict(page)).toBeVisible();
  expect((await api.get(scaler)).spec.maxReplicas).toBe(3);
});

test("practice-viewer sees who wants what, and why nothing can be sent", async ({ page }) => {
  await page.goto(stop("/apis/apps/v1/namespaces/shop/deployments/storefront", [], "practice-viewer"));
  await ready(page);
  await expect(page.getByRole("heading", { name: "Who wants what" })).toBeVisible();
  await expect(page.locator(".way").first()).toBeVisible();
  await expect(page.locator(".way").filter({ hasText: "Tried: the API server refuses it." }).first()).toContainText("forbidden", { timeout: 20_000 });
  const link = page.getByRole("link", { name: /^Choose: / }).first();
  await link.click();
  await expect(page.locator("#unready")).toContainText("You don’t have permission to patch deployments");
  await expect(page.getByRole("button", { name: /^Send/ })).toBeDisabled();
});
