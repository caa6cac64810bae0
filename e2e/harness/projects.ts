// Types of projects, by the few fields that matter for how their objects are: real names, and a status that takes anything.
import type { Api, KubeObject } from "./api.ts";
import { eventually } from "./api.ts";

export interface Project {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
}

const named = (p: Project): string => `${p.plural}.${p.group}`;
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** The path of the objects in a namespace. */
export const objectsOf = (p: Project, namespace: string): string => `/apis/${p.group}/${p.version}/namespaces/${namespace}/${p.plural}`;

/** Defines the type, and waits until it is served. */
export async function define(api: Api, p: Project): Promise<void> {
  const schema = { openAPIV3Schema: { type: "object", properties: { status: { type: "object", "x-kubernetes-preserve-unknown-fields": true } } } };
  await api.create(definitions, {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: named(p), annotations: { "api-approved.kubernetes.io": "unapproved, for a test" } },
    spec: {
      group: p.group,
      scope: "Namespaced",
      names: { plural: p.plural, singular: p.kind.toLowerCase(), kind: p.kind, listKind: `${p.kind}List` },
      versions: [{ name: p.version, served: true, storage: true, subresources: { status: {} }, schema }],
    },
  });
  await eventually(`${named(p)} is served`, 30_000, async () => ((await api.fetch(objectsOf(p, "default"))).status === 200 ? undefined : "the type"));
}

export const undefine = (api: Api, p: Project): Promise<Response> => api.fetch(`${definitions}/${named(p)}`, { method: "DELETE" });

/** Creates an object with a status, as its controller would write it. */
export async function reported(api: Api, p: Project, namespace: string, name: string, status: object): Promise<KubeObject> {
  await api.create(objectsOf(p, namespace), { apiVersion: `${p.group}/${p.version}`, kind: p.kind, metadata: { name } });
  return api.merge(`${objectsOf(p, namespace)}/${name}/status`, { status });
}
