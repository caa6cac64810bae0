// The owners of each line: the page is compared, line by line, with the claims in the server's managedFields.
import { type Page } from "@playwright/test";
import { type Api, type KubeObject } from "../harness/api.ts";
import { type Line, type Owner, type Rules, expectedLines, spell } from "../harness/claims.ts";
import { kubectl } from "../harness/kubectl.ts";
import { attributes, notice } from "../harness/look.ts";
import { expect, test } from "../harness/test.ts";

test.beforeEach(({}, { project }) => test.skip(project.name === "nojs-dark"));

const line = (page: Page, path: string) => page.locator(`[data-path='${path}']`);
const explained = (page: Page) => page.locator(".explained");

/** The owners that the page shows. */
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
    await expect(page.locator("#resource-version")).toHaveText(String(object.metadata["resourceVersion"]), { timeout: 1 });
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
  await expect(explained(page)).toContainText("The server refuses the apply (409), because it conflicts with gitops (Apply) and release-bot (Apply)");
  await expect(explained(page).locator(".field-panel")).toContainText("Managers that apply the same value share the field");
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
  await expect(explained(page)).toContainText(/autoscaler\s*Update · scale\s*The entry claims exactly this field/);
  await page.goto(`/c/practice${path}?field=${encodeURIComponent(".spec.selector.matchLabels.app")}`);
  await expect(explained(page)).toContainText("claims .spec.selector, which has one owner as a whole");
  await page.goto(`/c/practice${path}?field=${encodeURIComponent(`${containers}[name="app"].ports[containerPort=80,protocol="TCP"].protocol`)}`);
  await expect(explained(page)).toContainText("default of the schema");
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
  const spoken = await page.locator("#lines").ariaSnapshot();
  const lines = await page.locator("#lines > li").count();
  for (let n = 1; n <= lines; n++) expect(spoken, "each line says its owners, those of a long text too").toMatch(new RegExp(`\\bline ${n}, (owned by |no owner)`));

  await api.create(configMaps, { metadata: { name: "crowd" }, data: { begun: "x" } });
  for (let n = 0; n < 12; n++) await write(api, "PATCH", `${configMaps}/crowd`, `updater-${n}`, merge, { data: { [`key-${n}`]: "x" } });
  expect(names(await agree(page, api, `${configMaps}/crowd`))).toContain("ancient-changes Update");
  await expect(page.locator(".owner-row", { hasText: "ancient-changes" })).toContainText("not a real manager");
  await expect(page.locator("rect.mark-1").first(), "there are more managers than hues").toBeAttached();
});

test("what kubectl does: client-side apply, edit, scale, and server-side apply after all", async ({ page, api, namespace }) => {
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments/web`;
  await kubectl(namespace, ["apply", "--filename", "-"], { input: JSON.stringify(deployment("web", 0)) });
  await kubectl(namespace, ["edit", "deployment", "web"], { editor: "sed -i s,registry.test/side:1,registry.test/side:edited," });
  await kubectl(namespace, ["scale", "deployment", "web", "--replicas=1"]);
  let object = await agree(page, api, path, deployed);
  expect(names(object)).toEqual(expect.arrayContaining(["kubectl Update scale", "kubectl-client-side-apply Update", "kubectl-edit Update"]));
  const may = /Only kubectl needs no force/;
  const look = (field: string) => page.goto(`/c/practice${path}?field=${encodeURIComponent(field)}`);
  const image = (name: string) => `${containers}[name="${name}"].image`;
  await look(image("app"));
  await expect(explained(page)).toContainText("it conflicts with kubectl-client-side-apply (Update)");
  await expect(explained(page)).toContainText(may);
  await look(image("side"));
  await expect(explained(page)).toContainText("it conflicts with kubectl-edit (Update)");
  await expect(explained(page), "kubectl edit keeps the annotation up to date").toContainText(may);
  await look(".spec.replicas");
  await expect(explained(page)).toContainText("it conflicts with kubectl (Update, scale)");
  await expect(explained(page)).not.toContainText(may);
  // The server does as the page says.
  const tried = async (manager: string, spec: object) => {
    const body = JSON.stringify({ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, spec });
    return (await api.fetch(`${path}?fieldManager=${manager}&dryRun=All`, { method: "PATCH", headers: { "Content-Type": "application/apply-patch+yaml" }, body })).status;
  };
  const other = (name: string) => ({ template: { spec: { containers: [{ name, image: "registry.test/other" }] } } });
  expect([await tried("kubectl", other("app")), await tried("someone", other("app")), await tried("kubectl", other("side")), await tried("kubectl", { replicas: 5 })]).toEqual([200, 409, 200, 409]);

  const manifest = deployment("web");
  manifest.spec.template.spec.containers[1]!.image = "registry.test/side:edited";
  await kubectl(namespace, ["apply", "--server-side", "--force-conflicts", "--filename", "-"], { input: JSON.stringify(manifest) });
  object = await agree(page, api, path, deployed);
  expect(names(object)).toContain("kubectl Apply");
});

test("a policy changes the request, and the requester becomes the owner", async ({ page, api, namespace }) => {
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

test("claims in another version, served and not", async ({ page, api, namespace }) => {
  const group = `${namespace}.versions.example.com`;
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const spec = (...names: string[]) => ({ properties: { spec: { type: "object", properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])) } } });
  const moving = definition(group, "movings", "Moving", spec("kept", "later"));
  const former = { name: "v1beta1", served: true, storage: false, schema: { openAPIV3Schema: { type: "object", ...spec("kept", "former", "later") } } };
  moving.spec.versions.push(former);
  await api.create(definitions, moving);
  const at = (version: string) => `/apis/${group}/${version}/movings/one`;
  const applied = (version: string, manager: string, spec: object) =>
    api.apply(at(version), JSON.stringify({ apiVersion: `${group}/${version}`, kind: "Moving", metadata: { name: "one" }, spec }), manager).then(() => "applied", String);
  try {
    await expect.poll(() => applied("v1beta1", "past", { kept: "a", former: "b" })).toBe("applied");
    expect(await applied("v1", "present", { kept: "a", later: "c" })).toBe("applied");
    // What is called alike is painted, and said to be claimed in another version; the rest is listed.
    await agree(page, api, at("v1"));
    await expect(line(page, ".spec.kept").locator("rect")).toHaveCount(2);
    await expect(page.locator(".losses li")).toHaveText([/past \(Apply\)\s*claimed in .*\/v1beta1, not in this view\s*\.spec\.former/]);
    const past = page.locator(".owner-row", { hasText: "past" });
    await expect(past).toContainText(`claims in ${group}/v1beta1`);
    await line(page, ".spec.kept").getByRole("link").click();
    await expect(explained(page)).toContainText(`The claim is in ${group}/v1beta1. The object is shown in another version.`);
    // In that version the field is known, but v1 is what is stored, which knows no such field.
    await agree(page, api, at("v1beta1"));
    await expect(page.locator(".losses li")).toHaveText([/past \(Apply\)\s*the object doesn't have this value\s*\.spec\.former/]);
    await expect(page.locator(".owner-row", { hasText: "present" })).toContainText(`claims in ${group}/v1`);

    const name = `${definitions}/${moving.metadata.name}`;
    await write(api, "PATCH", name, "e2e", merge, { spec: { versions: [moving.spec.versions[0], { ...former, served: false }] } });
    await expect(async () => {
      await page.goto(`/c/practice${at("v1")}`);
      await expect(past).toContainText(`${group}/v1beta1 is no longer served: the next write may delete these claims. In a custom resource, applies may fail because of them`, { timeout: 100 });
    }).toPass();
    await expect(page.locator(".losses li")).toContainText(["not in this view"]);
    expect(await applied("v1", "present", { kept: "a", later: "d" })).toBe("applied");
    expect(names(await agree(page, api, at("v1"))), "a version that is not served is still known").toEqual(["past Apply", "present Apply"]);
    // One that is not known any more is neither dropped nor of use.
    await write(api, "PATCH", name, "e2e", merge, { spec: { versions: [moving.spec.versions[0]] } });
    await expect.poll(() => applied("v1", "present", { kept: "a", later: "e" }), "applies fail").toContain("invalid group/version");
    await agree(page, api, at("v1"));
    await expect(past).toContainText("no longer served");
  } finally {
    await api.delete(`${definitions}/${moving.metadata.name}`);
  }
});

test("names and keys that pretend to be more than text", async ({ page, api, namespace }) => {
  const group = `${namespace}.hostile.example.com`;
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  await api.create(definitions, definition(group, "hostiles", "Hostile", { "x-kubernetes-preserve-unknown-fields": true }));
  const path = `/apis/${group}/v1/hostiles/one`;
  const markup = '"><img src=x onerror=alert(1)>';
  const spec = { [markup]: "a", "</script><script>alert(1)</script>": { "'\"`{{}}": ["b"] }, "a.b[c]": "d", "": "e" };
  try {
    const apply = () => api.apply(path, JSON.stringify({ apiVersion: `${group}/v1`, kind: "Hostile", metadata: { name: "one" }, spec }), markup);
    await expect.poll(() => apply().then(() => "applied", String)).toBe("applied");
    await write(api, "PATCH", path, encodeURIComponent("gitops,Apply,status"), merge, { spec: { more: "x" } });
    const object = await agree(page, api, path, { atomic: [`.spec.</script><script>alert(1)</script>.'"\`{{}}`] });
    for (const { path } of expectedLines(object)) {
      if (!path.startsWith(".spec")) continue;
      await page.goto(`/c/practice/apis/${group}/v1/hostiles/one?field=${encodeURIComponent(path)}`);
      await expect(explained(page)).toHaveAttribute("data-field", path);
      await expect(explained(page)).toContainText("claim");
      await expect(page.locator("main").locator("script, img, iframe, [onerror]")).toHaveCount(0);
    }
    await page.locator(".owner-row", { hasText: "onerror" }).click();
    await expect(page.locator(".owner-row[aria-current]")).toContainText(markup);
  } finally {
    await api.delete(`${definitions}/hostiles.${group}`);
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

test("where a Pod runs is nobody's: ownership does not follow the binding", async ({ page, api }) => {
  const pods = "/api/v1/namespaces/shop/pods";
  const name = (await api.list(pods))[0]!.metadata.name;
  const inContainers = ["args", "command", "envFrom", "env[*].valueFrom.fieldRef", "env[*].valueFrom.secretKeyRef", "env[*].valueFrom.configMapKeyRef"];
  const atomic = [...inContainers.map((field) => `.spec.containers[*].${field}`), ".spec.tolerations", ".spec.volumes[*].projected.sources", ".status.containerStatuses", ".status.initContainerStatuses", ".status.hostIPs"];
  const keys = { ".spec.volumes": "name", ".spec.containers[*].volumeMounts": "mountPath" }; // admission adds both
  await agree(page, api, `${pods}/${name}`, { atomic, keys, defaults: { protocol: "TCP" } });
  await line(page, ".spec.nodeName").getByRole("link").first().click(); // the second one leads to the node
  await expect(explained(page)).toContainText("Or the value was written through binding and eviction. Such writes aren’t recorded.");
  await expect(page.locator(".through")).toContainText(/Writes through .*status have their own entries/);
  await expect(page.locator(".through")).toContainText("Writes through binding and eviction aren’t recorded");
});

test("addresses with a field, with a filter, and with a field that doesn't exist", async ({ page }) => {
  const storefront = "/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront";
  await page.goto(`${storefront}?filter=matchlabels`);
  await expect(page.locator("#found")).toContainText(/\d+ lines of \d+/);
  await expect(line(page, ".spec.selector.matchLabels.app")).toBeVisible();
  await expect(line(page, ".spec.replicas")).toHaveCount(0);
  await page.goto(`${storefront}?field=.spec.nosuch`);
  await expect(explained(page)).toContainText("The object doesn’t have this field, and nobody claims it.");
  await page.goto(storefront);
  await page.locator(".owner-table td").getByRole("link").last().click();
  await expect(page).toHaveURL(/field=/);
  await expect(page.locator("li.current")).toHaveCount(1);
  await page.goto(storefront);
  const parts = await attributes(page.locator(".portions a"), "href");
  expect(parts, "shared by two, and nobody's, among others").toEqual(expect.arrayContaining([expect.stringMatching(/manager=.*manager=.*only=shared/), "?only=nobody"]));
  await page.locator(".portions a").first().click();
  await expect(page).toHaveURL(`${storefront}${parts[0]}`);
  await expect(page.locator(".owner-row[aria-current]")).toHaveCount(1);
  await expect(line(page, ".metadata.uid")).toHaveClass(/dim/);
});
