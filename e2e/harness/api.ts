// The Kubernetes API through Fieldmark, for any client: /clusters/{cluster}/… with the launch token.

export interface KubeObject {
  apiVersion?: string;
  kind?: string;
  metadata: { name: string; namespace?: string; uid?: string; [more: string]: unknown };
  spec?: any;
  status?: any;
  [more: string]: any;
}

export class Api {
  constructor(
    private readonly origin: string,
    private readonly token: string,
    readonly cluster = "practice",
  ) {}

  /** The same API as another cluster, or the same cluster as another user. */
  on(cluster: string): Api {
    return new Api(this.origin, this.token, cluster);
  }

  /** One request, as it is: the answer is the caller's to judge. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("Authorization", `Bearer ${this.token}`);
    return fetch(`${this.origin}/clusters/${this.cluster}${path}`, { redirect: "error", ...init, headers });
  }

  get(path: string): Promise<KubeObject> {
    return this.must("GET", path);
  }

  async list(path: string): Promise<KubeObject[]> {
    return (await this.must("GET", path))["items"];
  }

  create(path: string, object: object): Promise<KubeObject> {
    return this.must("POST", path, "application/json", JSON.stringify(object));
  }

  /** Server-side apply. YAML may be JSON. */
  apply(path: string, yaml: string, manager: string): Promise<KubeObject> {
    const query = new URLSearchParams({ fieldManager: manager, force: "true" });
    return this.must("PATCH", `${path}?${query}`, "application/apply-patch+yaml", yaml);
  }

  /** A merge patch. */
  merge(path: string, change: object): Promise<KubeObject> {
    return this.must("PATCH", path, "application/merge-patch+json", JSON.stringify(change));
  }

  delete(path: string): Promise<KubeObject> {
    return this.must("DELETE", path);
  }

  private async must(method: string, path: string, type?: string, body?: string): Promise<KubeObject> {
    const headers: Record<string, string> = { Accept: "application/json" };
    if (type !== undefined) headers["Content-Type"] = type;
    const response = await this.fetch(path, { method, headers, ...(body !== undefined && { body }) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as KubeObject;
  }
}

/** Calls a function repeatedly until it returns undefined, which means that nothing is missing. */
export async function eventually(what: string, patience: number, missing: () => Promise<string | undefined>): Promise<void> {
  const deadline = Date.now() + patience;
  for (;;) {
    const still = await missing().catch((error: unknown) => String(error));
    if (still === undefined) return;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${patience / 1000} s; still missing: ${still}`);
    await new Promise((resolve) => setTimeout(resolve, 250)); // until it asks again
  }
}

/** What of the practice cluster's starter content isn't there yet, in words; undefined once all is. */
export async function missingContent(api: Api): Promise<string | undefined> {
  const [deployments, jobs, definitions, readings] = await Promise.all([
    api.list("/apis/apps/v1/deployments"),
    api.list("/apis/batch/v1/jobs"),
    api.list("/apis/apiextensions.k8s.io/v1/customresourcedefinitions"),
    api.list("/apis/legacy.practice.fieldmark.dev/v1/readings"),
  ]);
  if (deployments.length === 0) return "any Deployment";
  for (const { metadata, spec, status } of deployments) {
    const has = status?.availableReplicas ?? 0;
    if (has < spec.replicas) return `${metadata.namespace}/${metadata.name}: ${has} of ${spec.replicas} replicas`;
  }
  if (!jobs.some((job) => job.status?.succeeded)) return "a finished Job";
  if (definitions.length < 2) return "the custom resource definitions";
  if (readings.length < 3) return "what the aggregated API measured";
  return undefined;
}
