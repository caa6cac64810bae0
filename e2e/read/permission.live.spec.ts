// Permissions that are withdrawn while a page is open: the page notices this, and says which permission is missing.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { eventually } from "../harness/api.ts";
import { start } from "../harness/fieldmark.ts";
import { expect, liveness, openLive, row, test } from "../harness/live.ts";
import { recall } from "../harness/shared.ts";
import { signIn } from "../harness/session.ts";

// Nobody is signed in yet.
test.use({ storageState: { cookies: [], origins: [] } });

test("a permission is withdrawn from an open page", async ({ page, api, namespace }, info) => {
  test.setTimeout(150_000);
  const rights = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  await api.create(accounts, { metadata: { name: "guest" } });
  await api.create(`${rights}/roles`, { metadata: { name: "look" }, rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list", "watch"] }] });
  await api.create(`${rights}/rolebindings`, {
    metadata: { name: "look" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "look" },
    subjects: [{ kind: "ServiceAccount", name: "guest", namespace }],
  });
  await api.create(`/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: "seen" } });
  const { status } = (await api.create(`${accounts}/guest/token`, { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} })) as unknown as { status: { token: string } };

  const kubeconfig = info.outputPath("guest");
  writeFileSync(kubeconfig, asGuest(readFileSync(recall().practice, "utf8"), status.token), { mode: 0o600 });
  const home = info.outputPath("home");
  mkdirSync(home);
  const guest = await start({ args: ["--practice", "off"], kubeconfig, home, log: info.outputPath("fieldmark.log"), patience: 60_000 });
  try {
    await signIn(page, guest.link);
    await eventually("The permission", 30_000, async () => {
      const answer = await page.goto(`${guest.origin}/c/guest/api/v1/namespaces/${namespace}/configmaps`);
      if (answer?.status() !== 200) throw new Error(String(answer?.status()));
    });
    await openLive(page, page.url());
    await expect(row(page, "seen")).toBeVisible();
    await api.delete(`${rights}/rolebindings/look`);
    await expect(liveness(page)).toContainText("no longer updated", { timeout: 60_000 });
    await expect(liveness(page)).toContainText(`cannot watch resource "configmaps"`);
    await expect(liveness(page)).toContainText("stale since");
    await expect(row(page, "seen")).toBeVisible();
  } finally {
    await page.goto("about:blank");
    await guest.stop();
  }
});

/** A kubeconfig with only the context of a service account. It is YAML with one value in each line. */
function asGuest(kubeconfig: string, token: string): string {
  const value = (key: string) => new RegExp(`${key}: (\\S+)`).exec(kubeconfig)?.[1] ?? "";
  const cluster = { server: value("server"), "certificate-authority-data": value("certificate-authority-data") };
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "guest",
    clusters: [{ name: "guest", cluster }],
    users: [{ name: "guest", user: { token } }],
    contexts: [{ name: "guest", context: { cluster: "guest", user: "guest" } }],
  });
}
