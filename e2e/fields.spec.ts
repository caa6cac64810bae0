// Who owns each line: what the page paints is compared, line by line, with what the server's managedFields claim.
import { type Page } from "@playwright/test";
import { type Api, type KubeObject } from "./harness/api.ts";
import { type Line, type Owner, type Rules, expectedLines, spell } from "./harness/claims.ts";
import { notice } from "./harness/look.ts";
import { expect, test } from "./harness/test.ts";

test.beforeEach(({}, { project }) => test.skip(project.name === "nojs-dark"));

const line = (page: Page, path: string) => page.locator(`[data-path='${path}']`);
const explained = (page: Page) => page.locator(".explained");

/** What the page paints. */
const painted = (page: Page): Promise<Line[]> =>
  page
    .locator("[data-path]")
    .evaluateAll((all) => all.map((element) => ({ path: element.getAttribute("data-path")!, owners: JSON.parse(element.getAttribute("data-owners")!) as Owner[] })))
    .then((lines) => lines.map(({ path, owners }) => ({ path, owners: spell(owners) })));

/** Compares the page of an object, which may change meanwhile, with the object. Returns the object. */
async function agree(page: Page, api: Api, path: string, rules?: Rules): Promise<KubeObject> {
  let object: KubeObject;
  await expect(async () => {
    object = await api.get(path);
    await page.goto(`/c/practice${path}`);
    await expect(page.locator(".foot")).toContainText(String(object.metadata["resourceVersion"]), { timeout: 1 });
  }).toPass();
  expect(await painted(page), path).toEqual(expectedLines(object!, rules));
  return object!;
}

const names = (object: KubeObject) => (object.metadata["managedFields"] as Owner[]).map(({ manager, operation, subresource }) => [manager, operation, subresource].filter(Boolean).join(" ")).sort();

/** A request with a manager's name. */
async function write(api: Api, method: string, path: string, manager: string, type: string, body: object): Promise<void> {
  const response = await api.fetch(`${path}?fieldManager=${manager}`, { method, headers: { "Content-Type": type }, body: JSON.stringify(body) });
  expect(response.status, await response.text()).toBeLessThan(300);
}

const merge = "application/merge-patch+json";
const strategic = "application/strategic-merge-patch+json";

test("two who apply share a field, and one takes another by force", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps/shared`;
  const of = (data: object) => JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "shared", finalizers: ["e2e.example.com/a"] }, data });
  await api.apply(path, of({ both: "same", taken: "before", first: "1", "dotted.key": "x" }), "gitops");
  await api.apply(path, of({ both: "same", taken: "after", second: "2" }), "release-bot");
  await write(api, "PATCH", path, "kubectl-edit", merge, { data: { edited: "by hand" }, metadata: { finalizers: ["e2e.example.com/a", "e2e.example.com/b"] } });
  const object = await agree(page, api, path);
  expect(names(object)).toEqual(["gitops Apply", "kubectl-edit Update", "release-bot Apply"]);
  await expect(line(page, ".data.both").locator("rect")).toHaveCount(2);
  await line(page, ".data.both").getByRole("link").click();
  await expect(page).toHaveURL(`/c/practice${path}?field=.data.both`);
  await expect(explained(page)).toContainText("is refused (409): a conflict with gitops (Apply) and release-bot (Apply)");
  await expect(explained(page).locator(".field-panel")).toContainText("Managers who apply the same value own it together");
  await page.getByRole("link", { name: /^Only shared/ }).click();
  await expect(page).toHaveURL(/only=shared/);
  await expect(line(page, ".data.both")).not.toHaveClass(/dim/);
  await expect(line(page, ".data.first")).toHaveClass(/dim/);
  await api.fetch(path, { method: "PATCH", headers: { "Content-Type": merge }, body: JSON.stringify({ metadata: { finalizers: null } }) });
});

const deployment = (name: string, replicas?: number) => ({
  apiVersion: "apps/v1", kind: "Deployment", metadata: { name },
  spec: {
    ...(replicas !== undefined && { replicas }), selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        containers: [
          { name: "app", image: "registry.test/app:1", args: ["--a", "--b"], ports: [{ containerPort: 80 }, { containerPort: 53, protocol: "UDP" }], env: [{ name: "NODE", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } }] },
          { name: "side", image: "registry.test/side:1" },
        ],
      },
    },
  },
});
const containers = ".spec.template.spec.containers";
const deployed: Rules = { atomic: [".spec.selector", `${containers}[*].args`, `${containers}[*].env[*].valueFrom.fieldRef`], defaults: { protocol: "TCP" } };

test("a Deployment that is applied, scaled, edited and run", async ({ page, api, namespace }) => {
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments/web`;
  await api.apply(path, JSON.stringify(deployment("web", 1)), "gitops");
  await write(api, "PATCH", `${path}/scale`, "autoscaler", merge, { spec: { replicas: 2 } });
  await write(api, "PATCH", path, "kubectl-edit", strategic, { spec: { template: { spec: { containers: [{ name: "side", image: "registry.test/side:2" }] } } } });
  const ran = async () => names(await api.get(path));
  await expect.poll(ran).toContain("kube-controller-manager Update status");
  const object = await agree(page, api, path, deployed);
  expect(names(object)).toEqual(expect.arrayContaining(["autoscaler Update scale", "gitops Apply", "kubectl-edit Update"]));
  await page.goto(`/c/practice${path}?field=.spec.replicas`);
  await expect(line(page, ".spec.replicas")).toHaveClass(/current/);
  await expect(explained(page)).toContainText(/autoscaler\s*Update · scale\s*claims it itself/);
  await page.goto(`/c/practice${path}?field=${encodeURIComponent(".spec.selector.matchLabels.app")}`);
  await expect(explained(page)).toContainText("claims .spec.selector, which is owned as a whole");
  await page.goto(`/c/practice${path}?field=${encodeURIComponent(`${containers}[name="app"].ports[containerPort=80,protocol="TCP"].protocol`)}`);
  await expect(explained(page)).toContainText("default that the schema names");
  await page.goto(`/c/practice${path}?only=status`);
  await expect(line(page, ".spec.replicas")).toHaveClass(/dim/);
  await expect(line(page, ".status.observedGeneration")).not.toHaveClass(/dim/);
  await page.goto(`/c/practice${path}?manager=autoscaler`);
  await expect(line(page, ".spec.replicas")).not.toHaveClass(/dim/);
  await expect(page.locator("li[data-path]:not(.dim)")).toHaveCount(2); // .spec holds it
});

test("client-side apply, and more who update than the server tells apart", async ({ page, api, namespace }) => {
  const configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
  const last = JSON.stringify({ apiVersion: "v1", data: { mood: "calm" }, kind: "ConfigMap", metadata: { name: "client" } });
  const client = { metadata: { name: "client", annotations: { "kubectl.kubernetes.io/last-applied-configuration": last } }, data: { mood: "calm", long: "one\ntwo\nthree\n" } };
  await write(api, "POST", configMaps, "kubectl-client-side-apply", "application/json", client);
  expect(names(await agree(page, api, `${configMaps}/client`))).toEqual(["kubectl-client-side-apply Update"]);

  await api.create(configMaps, { metadata: { name: "crowd" }, data: { begun: "x" } });
  for (let n = 0; n < 12; n++) await write(api, "PATCH", `${configMaps}/crowd`, `updater-${n}`, merge, { data: { [`key-${n}`]: "x" } });
  expect(names(await agree(page, api, `${configMaps}/crowd`))).toContain("ancient-changes Update");
  await expect(page.locator(".owner-row", { hasText: "ancient-changes" })).toContainText("history");
  await expect(page.locator("rect.again").first(), "there are more managers than hues").toBeAttached();
});

test("a policy changes what was asked, and who asked is credited", async ({ page, api, namespace }) => {
  const configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
  const admission = "/apis/admissionregistration.k8s.io/v1";
  const name = `${namespace}-mutates`;
  await api.create(`${admission}/mutatingadmissionpolicies`, {
    metadata: { name },
    spec: {
      matchConstraints: { resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: ["configmaps"] }] },
      failurePolicy: "Fail", reinvocationPolicy: "Never",
      mutations: [{ patchType: "ApplyConfiguration", applyConfiguration: { expression: 'Object{data: {"mood": "changed by policy", "added": "by policy"}}' } }],
    },
  });
  const namespaceSelector = { matchLabels: { "kubernetes.io/metadata.name": namespace } };
  await api.create(`${admission}/mutatingadmissionpolicybindings`, { metadata: { name }, spec: { policyName: name, matchResources: { namespaceSelector } } });
  try {
    const apply = (mood: string) => api.apply(`${configMaps}/changed`, JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "changed" }, data: { mood } }), "gitops");
    await expect.poll(async () => (await apply("asked"))["data"].added, "the policy works").toBe("by policy");
    const object = await agree(page, api, `${configMaps}/changed`);
    expect(object["data"].mood).toBe("changed by policy");
    expect(names(object).join()).toContain("gitops");
  } finally {
    await api.delete(`${admission}/mutatingadmissionpolicybindings/${name}`);
    await api.delete(`${admission}/mutatingadmissionpolicies/${name}`);
  }
});

const definition = (group: string, plural: string, kind: string, schema: object) => ({
  metadata: { name: `${plural}.${group}` },
  spec: { group, scope: "Cluster", names: { plural, kind }, versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object", ...schema } } }] },
});

test("custom resources with a schema and without", async ({ page, api, namespace }) => {
  const group = `${namespace}.fields.example.com`;
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const strict = { properties: { spec: { type: "object", properties: {
    parts: { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"], items: { type: "object", required: ["name"], properties: { name: { type: "string" }, size: { type: "integer" } } } },
    tags: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
    plain: { type: "array", items: { type: "string" } },
    whole: { type: "object", "x-kubernetes-map-type": "atomic", additionalProperties: { type: "string" } },
  } } } };
  await Promise.all([
    api.create(definitions, definition(group, "strictthings", "StrictThing", strict)),
    api.create(definitions, definition(group, "loosethings", "LooseThing", { "x-kubernetes-preserve-unknown-fields": true })),
  ]);
  const applied = async (plural: string, kind: string, manager: string, spec: object) => {
    const path = `/apis/${group}/v1/${plural}/one`;
    await expect.poll(() => api.apply(path, JSON.stringify({ apiVersion: `${group}/v1`, kind, metadata: { name: "one" }, spec }), manager).then(() => "applied", String)).toBe("applied");
    return path;
  };
  try {
    await applied("strictthings", "StrictThing", "a", { parts: [{ name: "x", size: 1 }, { name: 'q"/é' }], tags: ["red", "blue"], plain: ["1", "2"], whole: { k: "v" } });
    const strictly = await applied("strictthings", "StrictThing", "b", { parts: [{ name: "x" }, { name: "y", size: 2 }], tags: ["red"] });
    await agree(page, api, strictly, { atomic: [".spec.plain", ".spec.whole"] });
    const loosely = await applied("loosethings", "LooseThing", "a", { any: [{ deep: [1] }], map: { k: { l: "m" } } });
    await agree(page, api, loosely, { atomic: [".spec.any"] });
  } finally {
    await Promise.all(["strictthings", "loosethings"].map((plural) => api.delete(`${definitions}/${plural}.${group}`)));
  }
});

test("an object whose record was cleared says so, and a Secret stays masked", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps/untracked`;
  await api.create(path.slice(0, path.lastIndexOf("/")), { metadata: { name: "untracked" }, data: { a: "b" } });
  await write(api, "PATCH", path, "clearer", merge, { metadata: { managedFields: [{}] } });
  await agree(page, api, path);
  await expect(notice(page)).toContainText("No managed fields");
  const secret = "/api/v1/namespaces/shop/secrets/carts-db";
  await page.goto(`/c/practice${secret}?field=.data.POSTGRES_PASSWORD`);
  await expect(explained(page)).toBeVisible();
  for (const value of ["not-a-real-password", Buffer.from("not-a-real-password").toString("base64")]) expect(await page.content()).not.toContain(value);
});

test("what an address asks for: a field, a filter, and what there is not", async ({ page }) => {
  const storefront = "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront";
  await page.goto(`${storefront}?filter=matchlabels`);
  await expect(page.locator("#found")).toContainText(/\d+ lines of \d+/);
  await expect(line(page, ".spec.selector.matchLabels.app")).toBeVisible();
  await expect(line(page, ".spec.replicas")).toHaveCount(0);
  await page.goto(`${storefront}?field=.spec.nosuch`);
  await expect(explained(page)).toContainText("The object holds no such field, and nobody claims one.");
  await page.goto(storefront);
  await page.locator(".matrix").getByRole("link").last().click();
  await expect(page).toHaveURL(/field=/);
  await expect(page.locator("li.current")).toHaveCount(1);
});
