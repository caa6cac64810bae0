// A kubeconfig of somebody who may do little.
import { readFileSync, writeFileSync } from "node:fs";
import { type Api } from "./api.ts";
import { recall } from "./shared.ts";

export interface Rule {
  apiGroups: string[];
  resources: string[];
  verbs: string[];
}

/** Creates a service account that these rules allow in its namespace, and writes a kubeconfig with its context “guest” into a file. */
export async function guestKubeconfig(api: Api, namespace: string, rules: Rule[], file: string): Promise<void> {
  const rights = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  await api.create(accounts, { metadata: { name: "guest" } });
  await api.create(`${rights}/roles`, { metadata: { name: "guest" }, rules });
  await api.create(`${rights}/rolebindings`, {
    metadata: { name: "guest" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "guest" },
    subjects: [{ kind: "ServiceAccount", name: "guest", namespace }],
  });
  const { status } = (await api.create(`${accounts}/guest/token`, { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} })) as unknown as { status: { token: string } };
  writeFileSync(file, kubeconfig(readFileSync(recall().practice, "utf8"), status.token), { mode: 0o600 });
}

/** The kubeconfig of the practice cluster is YAML with one value in each line. */
function kubeconfig(administrator: string, token: string): string {
  const value = (key: string) => new RegExp(`${key}: (\\S+)`).exec(administrator)?.[1] ?? "";
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "guest",
    clusters: [{ name: "guest", cluster: { server: value("server"), "certificate-authority-data": value("certificate-authority-data") } }],
    users: [{ name: "guest", user: { token } }],
    contexts: [{ name: "guest", context: { cluster: "guest", user: "guest" } }],
  });
}
