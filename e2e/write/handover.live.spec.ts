// The ownership assistants: the previewed requests are sent, and managedFields then have the planned owners.
import { type Page } from "@playwright/test";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { type Api, type KubeObject } from "../harness/api.ts";
import { root } from "../harness/fieldmark.ts";
import { expect, live, ready, test } from "../harness/live.ts";
import { moreActions } from "../harness/look.ts";
import { recall } from "../harness/shared.ts";

// Some requests are refused on purpose.
test.use({ provoked: /^(403|409|422) for .*\/clusters\// });

const tool = (path: string, query: Record<string, string> = {}): string => `/c/practice/-/assist?${new URLSearchParams({ path, ...query })}`;

interface Entry {
  manager?: string;
  operation?: string;
  subresource?: string;
  fieldsV1?: any;
}

const entries = (object: KubeObject): Entry[] => (object.metadata["managedFields"] as Entry[] | undefined) ?? [];

/** The owners of the field at a path in fieldsV1, as "name operation subresource". */
const owners = (object: KubeObject, ...way: string[]): string[] =>
  entries(object)
    .filter(({ fieldsV1 }) => way.reduce((fields, step) => fields?.[step], fieldsV1) !== undefined)
    .map(({ manager, operation, subresource }) => [manager, operation, subresource].filter(Boolean).join(" "))
    .sort();

/** All managers of an object. */
const managers = (object: KubeObject): string[] => owners(object);

const step = (page: Page, n: number) => page.locator(`#step-${n}`);

/** Sends a step after its dry run. */
async function send(page: Page, n: number): Promise<void> {
  await expect(step(page, n)).toHaveAttribute("data-state", "ready");
  await step(page, n).getByRole("button", { name: /^Send/ }).click();
  await expect(step(page, n)).toHaveAttribute("data-state", "done");
}

const configMap = (name: string, data: Record<string, string>) => JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data });

/** The real kubectl, with a manifest on its input. */
function kubectl(namespace: string, manifest: string, ...words: string[]): void {
  execFileSync(join(root, "bin", "kubectl"), ["--kubeconfig", recall().practice, "-n", namespace, ...words, "-f", "-"], { input: manifest, stdio: ["pipe", "ignore", "inherit"] });
}

/** Every number of replicas that a Deployment had, from now on until it has the last one. */
async function replicas(api: Api, path: string): Promise<(last: number) => Promise<number[]>> {
  const { metadata } = await api.get(path);
  const [, collection, name] = /^(.*)\/([^/]+)$/.exec(path)!;
  const stop = new AbortController();
  const query = new URLSearchParams({ watch: "1", fieldSelector: `metadata.name=${name}`, resourceVersion: String(metadata["resourceVersion"]) });
  const stream = await api.fetch(`${collection}?${query}`, { signal: stop.signal });
  let text = "";
  const seen = (): number[] => text.split("\n").slice(0, -1).map((line) => JSON.parse(line).object.spec.replicas);
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of stream.body!) text += decoder.decode(chunk as Uint8Array, { stream: true });
  })().catch(() => undefined); // it is ended below
  return async (last) => {
    await expect.poll(() => seen().at(-1)).toBe(last);
    stop.abort();
    return seen();
  };
}

test("the number of replicas passes to the autoscaler, and is never the default", async ({ page, api, namespace }) => {
  test.slow(); // two pages, four writes and their previews
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments/web`;
  const manifest = (spec: object) =>
    JSON.stringify({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web" },
      spec: { ...spec, selector: { matchLabels: { app: "web" } }, template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "app", image: "registry.test/app:1" }] } } },
    });
  await api.apply(path, manifest({ replicas: 3 }), "deployer");
  const seen = await replicas(api, path);
  await page.goto(`/c/practice${path}`);
  await ready(page);
  await (await moreActions(page)).getByRole("link", { name: "Ownership assistants…" }).click();
  await ready(page);
  await page.getByRole("link", { name: "Hand the number of replicas over to kube-controller-manager" }).click();
  await expect(step(page, 0)).toHaveAttribute("data-state", "ready");
  await expect(step(page, 0).locator('[data-effect="tried"] [data-path=".spec.replicas"]')).toBeVisible();
  await expect(step(page, 0).locator("[data-after]")).toHaveAttribute("data-after", "deployer (Apply), handover-to-kube-controller-manager (Apply)");
  const foreseen = await step(page, 1).locator('[data-effect="foreseen"] [data-after]').getAttribute("data-after");
  expect(foreseen).toBe("handover-to-kube-controller-manager (Apply)");
  expect(managers(await api.get(path)), "nothing is stored by a preview").not.toContain("handover-to-kube-controller-manager Apply");
  await send(page, 0);
  expect(owners(await api.get(path), "f:spec", "f:replicas")).toEqual(["deployer Apply", "handover-to-kube-controller-manager Apply"]);
  await expect(step(page, 1)).toHaveAttribute("data-state", "ready");
  await expect(step(page, 1).locator('[data-effect="tried"] [data-after]'), "what was foreseen is what the dry run shows").toHaveAttribute("data-after", foreseen!);
  await send(page, 1);
  await expect(page.locator("#over")).toContainText("Done.");
  await expect(step(page, 1).locator('[data-effect="done"] [data-after]')).toHaveAttribute("data-after", foreseen!);
  expect(owners(await api.get(path), "f:spec", "f:replicas")).toEqual(["handover-to-kube-controller-manager Apply"]);

  // The autoscaler's own write, and the deployer's next.
  const scaled = await api.fetch(`${path}/scale?fieldManager=kube-controller-manager`, {
    method: "PATCH",
    headers: { "Content-Type": "application/merge-patch+json" },
    body: JSON.stringify({ spec: { replicas: 5 } }),
  });
  expect(scaled.status).toBe(200);
  expect(owners(await api.get(path), "f:spec", "f:replicas")).toEqual(["kube-controller-manager Update scale"]);
  await api.apply(path, manifest({}), "deployer");
  const after = await api.get(path);
  expect(after.spec.replicas).toBe(5);
  const all = await seen(5);
  expect(all.length, "what was watched").toBeGreaterThan(2);
  expect(all.filter((n) => n !== 3 && n !== 5), "values that were neither").toEqual([]);
});

test("in a fight the plan stays, whoever holds the field at the moment", async ({ page, api, namespace, shot }) => {
  test.slow(); // four versions, each looked at and tried
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments/fought`;
  const template = { metadata: { labels: { app: "x" } }, spec: { containers: [{ name: "app", image: "registry.test/app:1" }] } };
  const manifest = JSON.stringify({ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "fought" }, spec: { replicas: 1, selector: { matchLabels: { app: "x" } }, template } });
  const gitops = async () => {
    const query = "fieldManager=gitops&force=true";
    expect((await api.fetch(`${path}?${query}`, { method: "PATCH", headers: { "Content-Type": "application/apply-patch+yaml" }, body: manifest })).ok).toBe(true);
    expect(owners(await api.get(path), "f:spec", "f:replicas")).toEqual(["gitops Apply"]);
  };
  const autoscaler = async (replicas: number) => {
    const headers = { "Content-Type": "application/merge-patch+json" };
    expect((await api.fetch(`${path}/scale?fieldManager=autoscaler`, { method: "PATCH", headers, body: JSON.stringify({ spec: { replicas } }) })).ok).toBe(true);
    expect(owners(await api.get(path), "f:spec", "f:replicas")).toEqual(["autoscaler Update scale"]);
  };
  await gitops();
  await page.goto(tool(path));
  await ready(page);
  await expect(page.getByRole("link", { name: "Hand the number of replicas over to kube-controller-manager" })).toBeVisible();
  await expect(page.getByText("A HorizontalPodAutoscaler writes as kube-controller-manager (Update, scale).")).toBeVisible();

  // Who scales is found in the record as soon as it writes, without a reload.
  await autoscaler(2);
  await page.getByRole("link", { name: "Hand the number of replicas over to autoscaler" }).click();
  const title = page.locator(".plan-title");
  for (const replicas of [0, 2, 0, 3]) {
    await (replicas === 0 ? gitops() : autoscaler(replicas));
    await expect(page.locator('.pick [data-field=".spec.replicas"]').locator("..")).toContainText(replicas === 0 ? /1(?! ·)/ : `${replicas} · not owned in this version`);
    await expect(title).toHaveText("Hand .spec.replicas over from gitops (Apply) to autoscaler (Update, scale)");
    await expect(page.locator(".plan > li")).toHaveCount(2);
    await expect(step(page, 0)).toHaveAttribute("data-state", "ready");
    await expect(page.locator("#nothing, #missing")).toHaveCount(0);
    await expect(page.locator(".consequences")).toContainText(".spec.replicas has changing owners");
    await expect(page).toHaveURL(/field=\.spec\.replicas/);
  }
  await shot("assist-fight");

  // The sequence that is begun stays what it is, and ends where it should.
  await send(page, 0);
  await send(page, 1);
  await expect(page.locator("#over")).toContainText("Done.");
  expect(owners(await api.get(path), "f:spec", "f:replicas")).toEqual(["autoscaler Update scale", "handover-to-autoscaler Apply"]);
  await api.delete(path);
  await expect(page.locator("main")).toContainText("The object has been deleted");
});

test("a field passes from one who applies to another", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps/shared`;
  await api.apply(path, configMap("shared", { colour: "green", size: "10" }), "ada");
  await api.apply(path, configMap("shared", { shape: "round" }), "bob");
  await page.goto(tool(path));
  await ready(page);
  await expect(page.locator("#missing")).toContainText("Choose the fields");
  await page.locator('.pick [data-field=".data.colour"]').click();
  await expect(page.locator("#missing")).toContainText("Choose the manager that gets the fields.");
  await page.getByRole("list", { name: "To" }).getByRole("link", { name: "bob" }).click();
  await expect(page).toHaveURL(/field=\.data\.colour/);
  await send(page, 0);
  await send(page, 1);
  const after = await api.get(path);
  expect(after["data"]).toEqual({ colour: "green", size: "10", shape: "round" });
  expect(owners(after, "f:data", "f:colour")).toEqual(["bob Apply"]);
  expect(owners(after, "f:data", "f:size")).toEqual(["ada Apply"]);
  // What ada applies without it takes nothing away.
  await api.apply(path, configMap("shared", { size: "11" }), "ada");
  expect((await api.get(path))["data"]).toEqual({ colour: "green", size: "11", shape: "round" });
});

test("a field passes from one who updates, whose entry is written anew", async ({ page, api, namespace }) => {
  const collection = `/api/v1/namespaces/${namespace}/configmaps`;
  const path = `${collection}/edited`;
  const made = await api.fetch(`${collection}?fieldManager=editor`, { method: "POST", headers: { "Content-Type": "application/json" }, body: configMap("edited", { a: "1", b: "2" }) });
  expect(made.status).toBe(201);
  await page.goto(tool(path, { from: "editor|Update||v1", field: ".data.a", name: "ada" }));
  await ready(page);
  await expect(step(page, 1).locator('[data-effect="foreseen"] [data-after]')).toHaveAttribute("data-after", "ada (Apply)");
  await send(page, 0);
  expect(owners(await api.get(path), "f:data", "f:a")).toEqual(["ada Apply", "editor Update"]);
  await send(page, 1);
  const after = await api.get(path);
  expect(owners(after, "f:data", "f:a")).toEqual(["ada Apply"]);
  expect(owners(after, "f:data", "f:b")).toEqual(["editor Update"]);
  expect(after["data"]).toEqual({ a: "1", b: "2" });
  await expect(step(page, 1).locator('[data-effect="done"] [data-path=".data.a"]')).toBeVisible();
});

test("from client-side to server-side apply, and back", async ({ page, api, namespace }) => {
  test.setTimeout(120_000);
  const path = `/api/v1/namespaces/${namespace}/configmaps/moved`;
  kubectl(namespace, configMap("moved", { kept: "1", dropped: "1" }), "apply");
  expect(managers(await api.get(path))).toEqual(["kubectl-client-side-apply Update"]);
  // What sticks: the field leaves the manifest that is applied, and stays.
  await api.apply(path, configMap("moved", { kept: "1", dropped: "1" }), "kubectl");
  await api.apply(path, configMap("moved", { kept: "1" }), "kubectl");
  expect((await api.get(path))["data"]).toEqual({ kept: "1", dropped: "1" });

  await page.goto(tool(path, { do: "to-server-side" }));
  await ready(page);
  await expect(page.locator(".consequences")).toContainText(".data.dropped");
  await send(page, 0);
  let now = await api.get(path);
  expect(managers(now)).toEqual(["kubectl Apply"]);
  expect(owners(now, "f:data", "f:dropped")).toEqual(["kubectl Apply"]);
  expect(now["data"]).toEqual({ kept: "1", dropped: "1" });
  await api.apply(path, configMap("moved", { kept: "1" }), "kubectl");
  expect((await api.get(path))["data"], "it goes away now").toEqual({ kept: "1" });

  await page.getByRole("link", { name: "To client-side apply" }).click();
  await send(page, 0);
  now = await api.get(path);
  expect(managers(now)).toEqual(["kubectl-client-side-apply Update"]);
  const note = JSON.parse((now.metadata["annotations"] as Record<string, string>)["kubectl.kubernetes.io/last-applied-configuration"]!);
  expect(note.data).toEqual({ kept: "1" });
  // kubectl goes on from there, and finds what to remove.
  kubectl(namespace, configMap("moved", { fresh: "1" }), "apply");
  expect((await api.get(path))["data"]).toEqual({ fresh: "1" });
});

test("a manager that is no more is released", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps/haunted`;
  await api.apply(path, configMap("haunted", { a: "1", b: "2" }), "dead-operator");
  await api.apply(path, configMap("haunted", { a: "1", c: "3" }), "ada");
  await page.goto(tool(path, { do: "release" }));
  await ready(page);
  await expect(page.locator("#missing")).toContainText("Choose the manager that no longer exists.");
  await page.getByRole("link", { name: "dead-operator" }).click();
  await expect(page.locator(".consequences")).toContainText("No value changes.");
  await expect(step(page, 0).locator('[data-effect="tried"]')).toContainText("nobody");
  await send(page, 0);
  const after = await api.get(path);
  expect(managers(after)).toEqual(["ada Apply"]);
  expect(after["data"]).toEqual({ a: "1", b: "2", c: "3" });
  // Nobody is in the way any longer.
  const answer = await api.fetch(`${path}?fieldManager=ada`, { method: "PATCH", headers: { "Content-Type": "application/apply-patch+yaml" }, body: configMap("haunted", { a: "1", b: "4", c: "3" }) });
  expect(answer.status).toBe(200);
});

test("the record is cleared, after its consequences were told", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps/blank`;
  await api.apply(path, configMap("blank", { a: "1" }), "ada");
  await page.goto(tool(path, { do: "clear" }));
  await ready(page);
  await expect(page.locator(".consequences")).toContainText("before-first-apply");
  await expect(page.getByRole("region", { name: "Step 1" })).toContainText('"managedFields"');
  await send(page, 0);
  const after = await api.get(path);
  expect(entries(after)).toEqual([]);
  expect(after["data"]).toEqual({ a: "1" });
  await page.getByRole("button", { name: "Plan again" }).click();
  await expect(page.locator("#nothing")).toContainText("no managedFields");
  await api.apply(path, configMap("blank", { b: "1" }), "ada");
  const next = await api.get(path);
  expect(managers(next)).toEqual(["ada Apply", "before-first-apply Update"]);
});

test("a step that is refused ends it, and a new plan goes on", async ({ page, api, namespace, tap }) => {
  tap.tamper = (message) => (message.type === "events" ? undefined : message); // else the plan would follow
  const path = `/api/v1/namespaces/${namespace}/configmaps/busy`;
  await api.apply(path, configMap("busy", { a: "1" }), "dead-operator");
  await api.apply(path, configMap("busy", { c: "3" }), "ada");
  await page.goto(tool(path, { do: "release", from: "dead-operator|Apply||v1" }));
  await live(page); // the state that a subscription begins with has come: what changes now comes as an event
  await expect(step(page, 0)).toHaveAttribute("data-state", "ready");
  await api.apply(path, configMap("busy", { c: "4" }), "ada");
  await step(page, 0).getByRole("button", { name: /^Send/ }).click();
  await expect(step(page, 0)).toHaveAttribute("data-state", "refused");
  await expect(page.locator("#unready")).toContainText("so Fieldmark stopped");
  expect(managers(await api.get(path))).toEqual(["ada Apply", "dead-operator Apply"]);
  await page.getByRole("button", { name: "Plan again" }).click();
  await send(page, 0);
  expect(managers(await api.get(path))).toEqual(["ada Apply"]);
});

test("a manager's name and how it writes can be given, by keyboard", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps/typed`;
  await api.apply(path, configMap("typed", { a: "1", b: "2" }), "ada");
  await page.goto(tool(path));
  await ready(page);
  await page.locator('.pick [data-field=".data.a"]').focus();
  await page.keyboard.press("Enter");
  await expect(page.locator('.pick [data-field=".data.a"]')).toHaveAttribute("aria-current", "true");
  await page.getByRole("textbox", { name: "Another manager" }).focus();
  await page.keyboard.type("carl");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/name=carl/);
  for (const n of [0, 1]) {
    await expect(step(page, n)).toHaveAttribute("data-state", "ready");
    await step(page, n).getByRole("button", { name: /^Send/ }).focus();
    await page.keyboard.press("Enter");
    await expect(step(page, n)).toHaveAttribute("data-state", "done");
  }
  expect(owners(await api.get(path), "f:data", "f:a")).toEqual(["carl Apply"]);
});

test("a Secret's values are sent, and never shown", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/secrets/quiet`;
  const secret = (stringData: Record<string, string>) => JSON.stringify({ apiVersion: "v1", kind: "Secret", metadata: { name: "quiet" }, data: stringData });
  const hidden = Buffer.from("hunter2hunter2").toString("base64");
  await api.apply(path, secret({ password: hidden }), "ada");
  await page.goto(tool(path, { from: "ada|Apply||v1", field: ".data.password", name: "bob", how: "applies" }));
  await ready(page);
  await send(page, 0);
  expect(await page.content()).not.toContain(hidden);
  await send(page, 1);
  expect(await page.content()).not.toContain(hidden);
  const after = await api.get(path);
  expect(after["data"]).toEqual({ password: hidden });
  expect(owners(after, "f:data", "f:password")).toEqual(["bob Apply"]);
});

test("who may not patch is told so", async ({ page }) => {
  await page.goto(tool("/api/v1/namespaces/shop/configmaps/storefront", { do: "clear" }).replace("/practice/", "/practice-viewer/"));
  await ready(page);
  await expect(page.locator("#unready")).toContainText("You don’t have permission to patch configmaps");
  await expect(page.getByRole("button", { name: /^Send/ })).toBeDisabled();
});
