// Deleting from a page: first the dry run, then exactly the request that is shown, and the reasons why the deletion waits.
import { type Page, type Request } from "@playwright/test";
import { type Api, eventually } from "../harness/api.ts";
import { expect, openLive, ready, test } from "../harness/live.ts";
import { moreActions } from "../harness/look.ts";

// Some requests are refused on purpose, and some objects are requested after their deletion.
test.use({ provoked: /^(403|404|409) for .*\/clusters\// });

const tool = (path: string, query = ""): string => `/c/practice/-/delete?path=${encodeURIComponent(path)}${query}`;

/** The DELETE requests that a page sends from now on. */
function deletions(page: Page): { url: URL; body: any }[] {
  const all: { url: URL; body: any }[] = [];
  page.on("request", (request: Request) => {
    if (request.method() === "DELETE") all.push({ url: new URL(request.url()), body: request.postDataJSON() });
  });
  return all;
}

const deploy = (name: string) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: "app", image: "registry.test/app:1" }] } },
  },
});

async function deployed(api: Api, namespace: string, name: string): Promise<string> {
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  await api.create(path, deploy(name));
  await eventually(`The Deployment ${name}`, 60_000, async () => {
    const { status } = await api.get(`${path}/${name}`);
    return status?.availableReplicas === 2 ? undefined : `${status?.availableReplicas ?? 0} of 2 replicas`;
  });
  return `${path}/${name}`;
}

const owned = async (api: Api, namespace: string, name: string) => ({
  sets: (await api.list(`/apis/apps/v1/namespaces/${namespace}/replicasets`)).filter(({ metadata }) => metadata.name.startsWith(name)),
  pods: (await api.list(`/api/v1/namespaces/${namespace}/pods`)).filter(({ metadata }) => metadata.name.startsWith(name)),
});

for (const policy of ["Background", "Foreground", "Orphan"]) {
  test(`a Deployment, with its ReplicaSet and Pods: ${policy}`, async ({ page, api, namespace }) => {
    test.setTimeout(150_000);
    const name = policy.toLowerCase();
    const path = await deployed(api, namespace, name);
    const sent = deletions(page);
    await page.goto(`/c/practice${path}`);
    await ready(page);
    await (await moreActions(page)).getByRole("link", { name: "Delete…" }).click();
    await expect(page).toHaveURL(tool(path));
    await ready(page);
    await expect(page.locator(".refs li")).toHaveCount(3);
    await page.getByRole("radio", { name: policy }).check();
    await expect(page.getByRole("region", { name: "The deletion" })).toContainText(`"propagationPolicy": "${policy}"`);
    await expect(page.locator("#verdict")).toContainText(policy === "Background" ? "The object is deleted at once." : "until its finalizer is removed");
    const finalizer = { Background: "", Foreground: "foregroundDeletion", Orphan: "orphan" }[policy]!;
    await expect(page.locator("section .finalizers li")).toHaveCount(finalizer ? 1 : 0);
    if (finalizer) await expect(page.locator(`[data-finalizer="${finalizer}"]`)).toContainText("garbage collector");
    await expect(page.locator("#fate")).toContainText(policy === "Orphan" ? "All of them stay." : policy === "Foreground" ? "They are deleted first" : "They are deleted after the object.");
    expect(sent.every(({ url, body }) => url.searchParams.get("dryRun") === "All" && body.dryRun[0] === "All"), "only dry runs were sent").toBe(true);
    const before = await api.get(path);

    // A Deployment of a cluster that is at work may be written at any time.
    if (await page.locator("#written").isVisible()) await page.getByRole("button", { name: "Use the current object" }).click();
    const button = page.getByRole("button", { name: /^Delete/ });
    await expect(button).toBeEnabled();
    await button.click();
    await expect(page.locator("#gone")).toBeVisible({ timeout: 60_000 });
    const { url, body } = sent.at(-1)!;
    expect(url.pathname + url.search).toBe(`/clusters/practice${path}`);
    expect(body).toEqual({
      kind: "DeleteOptions",
      apiVersion: "v1",
      propagationPolicy: policy,
      preconditions: { uid: before.metadata.uid, resourceVersion: before.metadata["resourceVersion"] },
    });
    expect((await api.fetch(path)).status).toBe(404);
    const left = await owned(api, namespace, name);
    if (policy === "Foreground") expect([left.sets.length, left.pods.length], "what went before it").toEqual([0, 0]);
    if (policy === "Orphan") {
      expect(left.sets.map(({ metadata }) => metadata["ownerReferences"])).toEqual([undefined]);
      expect(left.pods).toHaveLength(2);
    } else {
      await eventually("The end of what it owned", 60_000, async () => {
        const { sets, pods } = await owned(api, namespace, name);
        return sets.length + pods.length === 0 ? undefined : `${sets.length} ReplicaSets and ${pods.length} Pods`;
      });
    }
  });
}

for (const order of [["a", "b"], ["b", "a"]] as const) {
  test(`two finalizers, ${order.join(" before ")}`, async ({ page, api, namespace }) => {
    const path = `/api/v1/namespaces/${namespace}/configmaps/held`;
    await api.create(path.replace("/held", ""), { metadata: { name: "held", finalizers: ["e2e.example.com/a", "e2e.example.com/b"] } });
    await openLive(page, tool(path));
    await expect(page.locator("#verdict")).toContainText("until its 2 finalizers are removed");
    await page.getByRole("button", { name: "Delete" }).click();
    const going = page.locator("#going");
    await expect(going).toContainText("The object was marked for deletion");
    await expect(going.locator("[data-finalizer]")).toHaveCount(2);
    await expect(going.locator('[data-finalizer="e2e.example.com/a"]')).toContainText("The controller of e2e.example.com");
    const remove = async (finalizers: string[]) => {
      const answer = await api.fetch(path, { method: "PATCH", headers: { "Content-Type": "application/merge-patch+json" }, body: JSON.stringify({ metadata: { finalizers } }) });
      expect(answer.status).toBe(200);
    };
    await remove([`e2e.example.com/${order[1]}`]);
    await expect(going.locator("[data-finalizer]")).toHaveCount(1);
    await expect(going.locator(`[data-finalizer="e2e.example.com/${order[1]}"]`)).toBeVisible();
    await remove([]);
    await expect(page.locator("#gone")).toContainText("The object is deleted.");
    await expect(page.getByRole("button", { name: "Delete" })).toHaveCount(0);
  });
}

test("one that was written since it was seen is not deleted, and what changed is told", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps/moving`;
  await api.create(path.replace("/moving", ""), { metadata: { name: "moving" }, data: { mood: "calm" } });
  await openLive(page, tool(path));
  await expect(page.getByRole("button", { name: "Delete" })).toBeEnabled();
  await api.apply(path, JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "moving" }, data: { mood: "stormy" } }), "weather");
  await expect(page.locator("#written")).toContainText("The API server will refuse to delete it.");
  await page.getByRole("button", { name: "Delete" }).click();
  const raced = page.locator("#raced");
  await expect(raced).toContainText("nothing was deleted");
  await expect(raced.locator('[data-path=".data.mood"]')).toContainText("stormy");
  expect((await api.get(path))["data"]).toEqual({ mood: "stormy" });
  await expect(page.getByRole("button", { name: "Delete" })).toBeEnabled();
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(page.locator("#gone")).toBeVisible();
});

test("another object of the name is another one", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps/twin`;
  await api.create(path.replace("/twin", ""), { metadata: { name: "twin" } });
  await openLive(page, tool(path));
  await expect(page.getByRole("button", { name: "Delete" })).toBeEnabled();
  await api.delete(path);
  await expect(page.locator("#gone")).toBeVisible();
  await api.create(path.replace("/twin", ""), { metadata: { name: "twin" } });
  await expect(page.locator("#another")).toContainText("Another object has this name now");
  await expect(page.getByRole("button", { name: "Delete" })).toHaveCount(0);
});

test("a Pod's grace period is part of the request, and 0 is none", async ({ page, api, namespace }) => {
  test.setTimeout(120_000);
  const path = `/api/v1/namespaces/${namespace}/pods/brief`;
  await api.create(path.replace("/brief", ""), { metadata: { name: "brief" }, spec: { containers: [{ name: "app", image: "registry.test/app:1" }] } });
  await eventually("The Pod", 60_000, async () => ((await api.get(path)).status?.phase === "Running" ? undefined : "it does not run"));
  const sent = deletions(page);
  await openLive(page, tool(path, "&only-if=uid"));
  await page.getByRole("textbox", { name: "Grace period, s" }).fill("0");
  await expect(page.locator("#wrong")).toContainText("forced deletion");
  await expect(page.getByRole("button", { name: "Delete" })).toHaveCount(0);
  await page.getByRole("textbox", { name: "Grace period, s" }).fill("7");
  await expect(page.locator("#verdict")).toContainText("the Pod has 7 s to stop", { ignoreCase: true });
  await expect(page).toHaveURL(/grace=7/);
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(page.locator("#gone")).toBeVisible({ timeout: 60_000 });
  expect(sent.at(-1)!.body.gracePeriodSeconds).toBe(7);
});

test("by keyboard alone", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps/keys`;
  await api.create(path.replace("/keys", ""), { metadata: { name: "keys" } });
  await openLive(page, tool(path));
  await page.getByRole("radio", { name: "Background" }).focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("region", { name: "The deletion" })).toContainText('"propagationPolicy": "Foreground"');
  await expect(page.getByRole("button", { name: "Delete" })).toBeEnabled();
  for (let i = 0; i < 8 && !(await page.getByRole("button", { name: "Delete" }).evaluate((b) => b === document.activeElement)); i++) await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Delete" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("#gone")).toBeVisible();
});

test("who may not delete is told so before trying", async ({ page }) => {
  await page.goto(tool("/api/v1/namespaces/shop/configmaps/storefront").replace("/practice/", "/practice-viewer/"));
  await ready(page);
  await expect(page.locator("#unready")).toContainText("You don’t have permission to delete configmaps");
  await expect(page.getByRole("button", { name: "Delete" })).toBeDisabled();
  await expect(page.locator(".notice")).toContainText("You don’t have permission");
});
