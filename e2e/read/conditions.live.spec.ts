// Custom resources: what their conditions say in lists and on the overview. The cluster is one of this file's own, because other tests list all types, and
// these come and go.
import { define, objectsOf, type Project, reported, undefine } from "../harness/projects.ts";
import { names } from "../harness/look.ts";
import { expect, openLive, row } from "../harness/live.ts";
import { test } from "../harness/owncluster.ts";

const issuer: Project = { group: "cert-manager.io", version: "v1", kind: "Issuer", plural: "issuers" };

const is = (type: string, status: string, reason = "", message = "") => ({ conditions: [{ type, status, reason, message }] });

/** Of each project a sick object, and a sound one: the state of the sick one, and why. */
const projects: [Project, sick: object, sound: object, told: RegExp][] = [
  [
    { group: "argoproj.io", version: "v1alpha1", kind: "Application", plural: "applications" },
    { health: { status: "Degraded", message: "a Deployment exceeded its deadline" }, sync: { status: "Synced" } },
    { health: { status: "Healthy" }, sync: { status: "Synced" } },
    /Health Degraded\s*a Deployment exceeded its deadline/,
  ],
  [
    { group: "kustomize.toolkit.fluxcd.io", version: "v1", kind: "Kustomization", plural: "kustomizations" },
    { conditions: [{ type: "Reconciling", status: "True" }, { type: "Ready", status: "False", reason: "BuildFailed", message: "kustomization.yaml is missing" }] },
    is("Ready", "True", "ReconciliationSucceeded"),
    /Ready False\s*BuildFailed: kustomization.yaml is missing/,
  ],
  [
    { group: "cert-manager.io", version: "v1", kind: "Certificate", plural: "certificates" },
    is("Ready", "False", "DoesNotExist", "the Secret doesn't exist"),
    is("Ready", "True", "Ready"),
    /Ready False\s*DoesNotExist: the Secret doesn't exist/,
  ],
  [
    { group: "gateway.networking.k8s.io", version: "v1", kind: "HTTPRoute", plural: "httproutes" },
    { parents: [is("Accepted", "True"), is("ResolvedRefs", "False", "BackendNotFound")] },
    { parents: [is("Accepted", "True", "Accepted")] },
    /ResolvedRefs False\s*BackendNotFound/,
  ],
  [
    { group: "s3.aws.crossplane.io", version: "v1", kind: "Bucket", plural: "buckets" },
    { conditions: [{ type: "Ready", status: "True" }, { type: "Synced", status: "False", reason: "ReconcileError", message: "denied" }] },
    { conditions: [{ type: "Ready", status: "True" }, { type: "Synced", status: "True" }] },
    /Synced False\s*ReconcileError: denied/,
  ],
  [
    { group: "cluster.x-k8s.io", version: "v1beta2", kind: "Cluster", plural: "clusters" },
    is("InfrastructureReady", "False", "Waiting"),
    is("Available", "True", "Available"),
    /InfrastructureReady False\s*Waiting/,
  ],
];

for (const [project, sick, sound, told] of projects)
  test(`${project.kind} of ${project.group}: the sick one is marked, says why, and comes first`, async ({ page, api, namespace }) => {
    await define(api, project);
    try {
      await reported(api, project, namespace, "a-sound-one", sound);
      await reported(api, project, namespace, "the-sick-one", sick);
      await page.goto(`/c/practice${objectsOf(project, namespace)}?sort=Condition`);
      await expect(row(page, "the-sick-one")).toHaveText(told);
      await expect(row(page, "the-sick-one").locator(".tone-warn")).toHaveCount(1);
      await expect(row(page, "a-sound-one").locator(".tone-good")).toHaveCount(1);
      expect(await names(page)).toEqual(["the-sick-one", "a-sound-one"]);
    } finally {
      await undefine(api, project);
    }
  });

test("a condition that nobody knows is shown as it is, and a list follows its objects' conditions", async ({ page, api, namespace, shot }) => {
  const project = { group: "birds.example.com", version: "v1", kind: "Nest", plural: "nests" };
  await define(api, project);
  try {
    await reported(api, project, namespace, "mute", {});
    await openLive(page, `/c/practice${objectsOf(project, namespace)}`);
    const column = page.locator('th[data-column="Condition"]');
    await expect(row(page, "mute")).toBeVisible();
    await expect(column, "no object says how it is").toHaveCount(0);

    await reported(api, project, namespace, "strange", is("NotEmpty", "True", "Eggs", "three"));
    await expect(row(page, "strange")).toHaveText(/NotEmpty True\s*Eggs: three/);
    await expect(row(page, "strange").locator(".tone"), "its meaning isn't guessed from its name").toHaveCount(0);

    await reported(api, project, namespace, "well", is("Ready", "True", "Feathered"));
    await expect(row(page, "well").locator(".tone-good")).toHaveText("Ready True");
    await api.merge(`${objectsOf(project, namespace)}/well/status`, { status: is("Ready", "False", "Fallen", "the branch broke") });
    await expect(row(page, "well")).toHaveText(/Ready False\s*Fallen: the branch broke/);
    await column.getByRole("link").click();
    await expect.poll(() => names(page), { message: "the worst first, and those that say nothing last" }).toEqual(["well", "strange", "mute"]);
    await expect(page).toHaveURL(/\?sort=Condition$/);
    await shot("conditions");

    await page.goto(`/c/practice${objectsOf(project, namespace)}/well`);
    await expect(page.locator("main")).toContainText("Fallen");
  } finally {
    await undefine(api, project);
  }
});

test("a list of Deployments or Jobs says why one isn't well, as soon as one isn't", async ({ page, api, namespace, shot }) => {
  const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  const jobs = `/apis/batch/v1/namespaces/${namespace}/jobs`;
  const column = page.locator('th[data-column="Condition"]');
  const pods = (name: string) => ({ metadata: { labels: { app: name } }, spec: { restartPolicy: "Never", containers: [{ name: "web", image: "web:1" }] } });
  const deploy = (name: string) => {
    const { spec, metadata } = pods(name);
    const template = { metadata, spec: { ...spec, restartPolicy: "Always" } };
    return api.create(deployments, { apiVersion: "apps/v1", kind: "Deployment", metadata: { name }, spec: { selector: { matchLabels: { app: name } }, template } });
  };
  await deploy("sound");
  const judged = async () => (await api.get(`${deployments}/sound`)).status?.conditions?.map((c: { type: string; status: string }) => `${c.type} ${c.status}`).sort();
  await expect.poll(judged, { message: "it isn't well before its pod is ready" }).toEqual(["Available True", "Progressing True"]);
  await openLive(page, `/c/practice${deployments}`);
  await expect(row(page, "sound")).toHaveText(/1\/1/);
  await expect(column, "all are well").toHaveCount(0);
  await api.create(`/api/v1/namespaces/${namespace}/resourcequotas`, { apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "few" }, spec: { hard: { pods: "1" } } });
  await expect(async () => {
    const quota = await api.get(`/api/v1/namespaces/${namespace}/resourcequotas/few`);
    expect(quota.status?.used?.pods).toBe("1");
  }).toPass();
  await deploy("refused");
  await expect(row(page, "refused")).toHaveText(/(ReplicaFailure True|Available False)\s*\w+: /);
  await expect(row(page, "refused")).toHaveText(/ReplicaFailure True\s*FailedCreate: pods "refused-.* is forbidden: exceeded quota: few/);
  await expect(row(page, "sound").locator(".tone-good")).toHaveText(["Available True"]);
  await shot("conditions-of-deployments");
  await page.goto(`/c/practice${deployments}?sort=Condition`);
  expect(await names(page)).toEqual(["refused", "sound"]);
  await api.delete(`${deployments}/refused`);
  await expect(row(page, "refused")).toHaveCount(0);
  await expect(column, "a column that a reader has seen stays").toHaveCount(1);

  await api.create(jobs, { apiVersion: "batch/v1", kind: "Job", metadata: { name: "later" }, spec: { suspend: true, template: pods("later") } });
  await page.goto(`/c/practice${jobs}`);
  await expect(row(page, "later")).toHaveText(/Suspended True\s*JobSuspended: Job suspended/);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a custom resource and a namespace that aren't well say why, and then nothing is green", async ({ page, api, namespace }) => {
    const leaving = `${namespace}-leaves`;
    await define(api, issuer);
    try {
      await reported(api, issuer, namespace, "broken", { conditions: [{ type: "Ready", status: "False", reason: "ErrRegisterACMEAccount", message: "the account was refused" }] });
      await reported(api, issuer, namespace, "sound", { conditions: [{ type: "Ready", status: "True" }] });
      await reported(api, issuer, namespace, "strange", { conditions: [{ type: "NotMerry", status: "True" }] });
      await api.create("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: leaving } });
      await api.create(`/api/v1/namespaces/${leaving}/configmaps`, { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "stays", finalizers: ["example.com/held"] } });
      await api.delete(`/api/v1/namespaces/${leaving}`);

      await expect(async () => {
        await page.goto(`/c/practice?namespace=${namespace}`); // until discovery has the new type
        await expect(page.locator('[data-tile="custom"]')).toHaveText(/Custom resources\s*1\s*of 2 not ready/, { timeout: 500 });
      }).toPass();
      const row = page.locator(`tr[data-namespace="${namespace}"][data-name="broken"]`);
      await expect(row).toHaveText(/issuer\/broken\s*Ready False\s*ErrRegisterACMEAccount\s*the account was refused/);
      await expect(page.locator(`tr[data-name="strange"]`), "its meaning isn't guessed").toHaveCount(0);
      await expect(page.locator("main .tone-good, main .number-good"), "nothing is green").toHaveCount(0);

      await expect(async () => {
        await page.goto("/c/practice");
        const gone = page.locator(`#namespaces tr[data-name="${leaving}"]`);
        await expect(gone).toHaveText(/terminating for \d+\w.*example\.com\/held/s, { timeout: 500 });
      }).toPass();
      await expect(page.locator('[data-tile="namespaces"]')).toContainText("terminating");
      await page.locator('[data-tile="namespaces"] a').focus();
      await page.keyboard.press("Enter");
      await expect(page).toHaveURL("/c/practice#namespaces");
    } finally {
      await api.merge(`/api/v1/namespaces/${leaving}/configmaps/stays`, { metadata: { finalizers: null } });
      await undefine(api, issuer);
    }
  });
});
