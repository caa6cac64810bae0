// A definition drops a version: the page says so before it is too late, and after, and a way out makes the object appliable again.
import type { Api } from "../harness/api.ts";
import { eventually } from "../harness/api.ts";
import { readCluster } from "../harness/census.ts";
import { settled } from "../harness/live.ts";
import { expect, test } from "../harness/live.ts";
import { signInByToken } from "../harness/session.ts";

test.use({ storageState: { cookies: [], origins: [] } });

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
const current = { name: "v1", served: true, storage: true, schema };
const old = { name: "v1beta1", served: true, storage: false, schema };

const json = (value: object): string => JSON.stringify(value);

/** Applies a widget in a version; false: the server refuses it. */
async function applies(api: Api, group: string, namespace: string, version: string, manager: string): Promise<boolean> {
  const response = await api.fetch(`/apis/${group}/${version}/namespaces/${namespace}/widgets/w?fieldManager=${manager}`, {
    method: "PATCH",
    headers: { "Content-Type": "application/apply-patch+yaml" },
    body: json({ apiVersion: `${group}/${version}`, kind: "Widget", metadata: { name: "w", namespace }, spec: { [manager]: 1 } }),
  });
  return response.ok;
}

test("before and after a version is dropped, with a way out", async ({ page, api, namespace, fieldmark, shot }, info) => {
  test.slow(); // it defines a type, drops its version, and reads the cluster twice
  const group = `w${info.testId.slice(-6)}r${info.retry}.example.org`;
  const definition = `${definitions}/widgets.${group}`;
  await api.create(definitions, {
    metadata: { name: `widgets.${group}` },
    spec: { group, scope: "Namespaced", names: { plural: "widgets", singular: "widget", kind: "Widget" }, versions: [current, old] },
  });
  try {
    await eventually("both versions are served", 30_000, async () => ((await applies(api, group, namespace, "v1beta1", "old")) ? undefined : "v1beta1"));
    await signInByToken(page, fieldmark.token);
    await page.goto("/c/practice/-/unappliable");
    await settled(page);
    await readCluster(page, namespace);
    const fading = page.locator("[data-finding=fading]", { hasText: `widgets.${group}` });
    // Fieldmark may not know the new type yet, and then reads all others.
    await expect(async () => {
      if ((await fading.count()) === 0) await page.getByRole("button", { name: "Read again" }).click();
      await expect(fading).toContainText("old (Apply)", { timeout: 5000 });
    }).toPass({ timeout: 60_000 });
    await expect(fading).toContainText("The last write was on");

    await api.merge(definition, { spec: { versions: [current] } });
    await eventually("the apply is refused", 30_000, async () => ((await applies(api, group, namespace, "v1", "new")) ? "a refusal" : undefined));
    await page.getByRole("button", { name: "Read again" }).click();
    const row = page.getByRole("row", { name: `w ${namespace} widgets.${group}` });
    await expect(row).toContainText(`old (Apply) in ${group}/v1beta1`);
    await expect(row.getByRole("link", { name: "w", exact: true })).toHaveAttribute("href", /widgets\/w\?manager=old&tab=fields$/);
    await expect(page.locator("[data-finding=unappliable]", { hasText: `widgets.${group}` })).toContainText("1 way out");
    const csv = await page.request.get("/c/practice/-/unappliable?export=csv");
    expect(await csv.text()).toContain(`practice,widgets.${group},${namespace},w,${group}/v1beta1,old,Apply,,`);
    await settled(page);
    await shot("unappliable");

    await row.getByRole("link", { name: "Show the ways out for w" }).click();
    const ways = page.getByRole("region", { name: "Ways out for w" });
    await expect(ways).toContainText("Change the version of the entry");
    await expect(ways).toContainText("not tried");
    await expect(ways.getByRole("link", { name: "Open the request" }).first()).toHaveAttribute("href", /dryRun%3DAll/);
    await ways.getByRole("button", { name: "Try as dry runs" }).click();
    await expect(ways.getByText("the dry run passed")).toHaveCount(2);
    await shot("unappliable-ways");
    const command = (await ways.getByRole("region", { name: "Change the version of the entry" }).textContent()) ?? "";
    const patch = command.slice(command.indexOf("'") + 1, command.lastIndexOf("'"));
    const sent = await api.fetch(`/apis/${group}/v1/namespaces/${namespace}/widgets/w`, { method: "PATCH", headers: { "Content-Type": "application/json-patch+json" }, body: patch });
    expect(sent.status).toBe(200);
    expect(await applies(api, group, namespace, "v1", "new")).toBe(true);
    await page.goto(page.url());
    await expect(ways).toContainText("This object can be applied now.");
    await ways.getByRole("link", { name: "Close" }).click();
    await expect(ways).toHaveCount(0);
  } finally {
    await api.fetch(definition, { method: "DELETE" });
  }
});
