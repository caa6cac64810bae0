// The head of a live object's page: what the server's Table says about the object, and its events.
import { type Page } from "@playwright/test";
import { code, rows } from "../harness/look.ts";
import { expect, live, openLive, test } from "../harness/live.ts";

const tab = (page: Page, name: string) => page.getByRole("navigation", { name: "Views of this object" }).getByRole("link", { name });
const head = (page: Page, column: string) => page.locator(`#row [data-column="${column}"] dd`);
const status = (body: object) => ({ method: "PATCH", headers: { "Content-Type": "application/merge-patch+json" }, body: JSON.stringify({ status: body }) });

test("a pod that crashes says so in its head, as soon as it does, and its newest event comes first", async ({ page, api, namespace, shot }) => {
  const path = `/api/v1/namespaces/${namespace}`;
  const { metadata } = await api.create(`${path}/pods`, {
    metadata: { name: "crashing" },
    spec: { nodeName: "nowhere", containers: [{ name: "app", image: "example.com/app" }], automountServiceAccountToken: false },
  });
  await openLive(page, `/c/practice${path}/pods/crashing`);
  await live(page);
  await expect(head(page, "Status")).toBeVisible();
  await api.fetch(`${path}/pods/crashing/status`, status({
    phase: "Running",
    conditions: [{ type: "Initialized", status: "True" }, { type: "Ready", status: "False", reason: "ContainersNotReady" }],
    containerStatuses: [{
      name: "app", image: "example.com/app", imageID: "", ready: false, restartCount: 7,
      state: { waiting: { reason: "CrashLoopBackOff", message: "back-off 5m0s restarting failed container=app" } },
    }],
  }));
  await expect(head(page, "Status")).toHaveText("CrashLoopBackOff");
  await expect(head(page, "Status").locator(".tone-bad")).toBeVisible();
  await expect(head(page, "Ready")).toHaveText("0/1");
  await expect(head(page, "Restarts")).toContainText("7");
  await expect(head(page, "Node").getByRole("link")).toHaveAttribute("href", "/c/practice/api/v1/nodes/nowhere");
  await expect(code(page).getByRole("link", { name: "nowhere" }), "the name of the node in the document, too").toHaveAttribute("href", "/c/practice/api/v1/nodes/nowhere");
  await expect(page.getByRole("list", { name: "Status conditions" }).getByRole("listitem").first()).toContainText("ContainersNotReady");

  const long = `${"The container failed again, and the kubelet waits before it starts the container again. ".repeat(8)}The end.`;
  const at = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString().replace(/\.\d+Z/, "Z");
  const about = { apiVersion: "v1", kind: "Pod", namespace, name: "crashing", uid: metadata.uid };
  for (const [name, type, message, age] of [["crashing.a", "Warning", long, 30], ["crashing.b", "Normal", "Pulled the image", 4000]] as const) {
    await api.create(`${path}/events`, { metadata: { name }, type, reason: "Told", message, count: 1, lastTimestamp: at(age), firstTimestamp: at(age), involvedObject: about });
  }
  await tab(page, "Events").click();
  await expect(rows(page)).toHaveCount(2);
  await expect(tab(page, "Events")).toHaveText("Events (2)");
  await live(page);
  await expect(head(page, "Status"), "the head is the same in each tab").toHaveText("CrashLoopBackOff");
  await expect(rows(page).first()).toHaveClass(/warning/);
  await expect(rows(page).first()).toContainText("The end.");
  const cut = await rows(page).first().locator("td.long").evaluate((cell) => cell.scrollWidth > cell.clientWidth);
  expect(cut, "the message is whole").toBe(false);
  await expect(rows(page).last()).toContainText("Pulled the image");
  await shot("events of a crashing pod");
  await api.fetch(`${path}/pods/crashing/status`, status({ containerStatuses: null, phase: "Failed", reason: "Evicted" }));
  await expect(head(page, "Status")).toHaveText("Evicted");
  await tab(page, "Fields").click();
  await expect(code(page)).toBeVisible();
  await shot("a crashing pod");
});

test("the names of other objects lead to them", async ({ page, api, namespace }) => {
  const path = `/api/v1/namespaces/${namespace}`;
  await api.create(`${path}/configmaps`, { metadata: { name: "settings" }, data: { a: "b" } });
  await api.create(`/apis/apps/v1/namespaces/${namespace}/deployments`, {
    metadata: { name: "reader" },
    spec: {
      replicas: 0, selector: { matchLabels: { app: "reader" } },
      template: { metadata: { labels: { app: "reader" } }, spec: { containers: [{ name: "app", image: "example.com/app", envFrom: [{ configMapRef: { name: "settings" } }] }] } },
    },
  });
  await openLive(page, `/c/practice/apis/apps/v1/namespaces/${namespace}/deployments/reader?tab=yaml`);
  await code(page).getByRole("link", { name: "settings" }).click();
  await expect(page).toHaveURL(`/c/practice${path}/configmaps/settings`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("settings");
});
