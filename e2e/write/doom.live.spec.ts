// What dies with a namespace or a CustomResourceDefinition, said before it is deleted; and outside the practice cluster, its name is typed first.
import { type Api, eventually } from "../harness/api.ts";
import { expect, openLive, ready, test } from "../harness/live.ts";
import { own } from "../harness/own.ts";

test.use({ provoked: /^(404|409) for .*\/clusters\// });

const tool = (path: string): string => `/-/delete?path=${encodeURIComponent(path)}`;
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const finalizer = "e2e.example.com/nobody";

/** Fills a namespace: three ConfigMaps with the one that Kubernetes makes, one of them held by a finalizer, and a claim that has a volume. */
async function filled(api: Api, namespace: string): Promise<{ volume: string; release(): Promise<void> }> {
  const configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
  await api.create(configMaps, { metadata: { name: "plain" } });
  await api.create(configMaps, { metadata: { name: "held", finalizers: [finalizer] } });
  const volume = `${namespace}-disk`;
  await api.create("/api/v1/persistentvolumes", {
    metadata: { name: volume },
    spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], persistentVolumeReclaimPolicy: "Retain", hostPath: { path: "/nowhere" }, claimRef: { namespace, name: "disk" } },
  } as never);
  await api.create(`/api/v1/namespaces/${namespace}/persistentvolumeclaims`, {
    metadata: { name: "disk" },
    spec: { accessModes: ["ReadWriteOnce"], storageClassName: "", volumeName: volume, resources: { requests: { storage: "1Gi" } } },
  } as never);
  await eventually("The ConfigMap of the namespace", 60_000, async () => ((await api.list(configMaps)).length === 3 ? undefined : "it isn't made yet"));
  return {
    volume,
    release: async () => {
      const answer = await api.fetch(`${configMaps}/held`, { method: "PATCH", headers: { "Content-Type": "application/merge-patch+json" }, body: JSON.stringify({ metadata: { finalizers: [] } }) });
      expect([200, 404]).toContain(answer.status);
      await api.delete(`/api/v1/persistentvolumes/${volume}`);
    },
  };
}

test("a namespace: what dies with it, what blocks that, and which volumes it leaves", async ({ page, api, namespace }) => {
  test.setTimeout(150_000);
  const { volume, release } = await filled(api, namespace);
  try {
    await openLive(page, `/c/practice${tool(`/api/v1/namespaces/${namespace}`)}`);
    const doom = page.locator("#doom");
    await expect(doom.locator('[data-doomed="configmaps"] b')).toHaveText("3");
    await expect(doom.locator('[data-doomed="persistentvolumeclaims"] b')).toHaveText("1");
    await expect(doom).toContainText(/\d+ objects of \d+ types will be deleted:/);
    await expect(doom.locator(`[data-finalizer="${finalizer}"]`)).toContainText("On 1 object.");
    await expect(doom.locator(`[data-finalizer="${finalizer}"]`).getByRole("link", { name: "configmaps/held" })).toHaveAttribute("href", `/c/practice/api/v1/namespaces/${namespace}/configmaps/held`);
    await expect(doom.locator("[data-finalizer]").first(), "what nobody here removes comes first").toHaveAttribute("data-finalizer", finalizer);
    await expect(doom.locator(`[data-volume="${volume}"]`)).toContainText("stays with its data");
    await expect(page.getByRole("radio", { name: "Background" }), "an option without effect").toHaveCount(0);
    await expect(page.getByText("Type the name"), "nothing of value is lost here").toHaveCount(0);
    await expect(page.getByRole("button", { name: "Delete" })).toBeEnabled();
  } finally {
    await release();
  }
});

test("a CustomResourceDefinition: its objects die with it", async ({ page, api, namespace }, info) => {
  test.setTimeout(150_000);
  const group = `d${info.testId.slice(-6)}r${info.retry}.example.org`;
  await api.create(definitions, {
    metadata: { name: `kettles.${group}` },
    spec: { group, scope: "Namespaced", names: { plural: "kettles", singular: "kettle", kind: "Kettle" }, versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }] },
  } as never);
  try {
    for (const name of ["one", "two"])
      await eventually(`The Kettle ${name}`, 30_000, async () => {
        const answer = await api.fetch(`/apis/${group}/v1/namespaces/${namespace}/kettles`, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ apiVersion: `${group}/v1`, kind: "Kettle", metadata: { name } }),
        });
        return answer.status === 201 || answer.status === 409 ? undefined : String(answer.status);
      });
    await openLive(page, `/c/practice${tool(`${definitions}/kettles.${group}`)}`);
    await expect(page.locator(`#doom [data-doomed="kettles.${group}"] b`)).toHaveText("2");
    await expect(page.locator("#doom")).toContainText("2 objects of 1 type will be deleted:");
    await expect(page.getByRole("radio", { name: "Background" })).toHaveCount(0);
  } finally {
    await api.delete(`${definitions}/kettles.${group}`);
  }
});

test.describe("outside the practice cluster", () => {
  test.use({ storageState: { cookies: [], origins: [] } });

  // The same API server, from a kubeconfig: for this Fieldmark it is no practice cluster.
  test("the name is typed before a namespace is deleted", async ({ page, api, namespace }, info) => {
    test.setTimeout(180_000);
    const doomed = `${namespace}-doomed`;
    await api.create("/api/v1/namespaces", { metadata: { name: doomed } });
    await api.create(`/api/v1/namespaces/${doomed}/configmaps`, { metadata: { name: "plain" } });
    const elsewhere = await own(page, info);
    try {
      await page.goto(elsewhere.page(tool(`/api/v1/namespaces/${doomed}`)));
      await ready(page);
      await expect(page.locator('#doom [data-doomed="configmaps"]')).toBeVisible();
      const [button, name] = [page.getByRole("button", { name: "Delete" }), page.getByRole("textbox", { name: `Type the name ${doomed}` })];
      await expect(page.locator("#unready")).toContainText(`Type the name ${doomed} to delete it with everything that is listed here.`);
      await expect(button).toBeDisabled();
      await name.fill(doomed.slice(1));
      await expect(button).toBeDisabled();
      await name.fill(doomed);
      await expect(button).toBeEnabled();
      await button.click();
      await expect(page.locator("#going, #gone").first()).toBeVisible({ timeout: 60_000 });
      await eventually("The end of the namespace", 90_000, async () => ((await api.fetch(`/api/v1/namespaces/${doomed}`)).status === 404 ? undefined : "it is still there"));
    } finally {
      await page.goto("about:blank");
      await elsewhere.stop();
    }
  });
});
