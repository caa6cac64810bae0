// Lists of custom resources: what their conditions say, the worst first if one sorts by it, and why.
import { define, objectsOf, type Project, reported, undefine } from "../harness/projects.ts";
import { names } from "../harness/look.ts";
import { expect, openLive, row, test } from "../harness/live.ts";

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
