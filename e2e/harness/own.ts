// A separate Fieldmark on the practice cluster, for tests that can't share one.
import { type Page, type TestInfo } from "@playwright/test";
import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { Api } from "./api.ts";
import { type Fieldmark, root, start } from "./fieldmark.ts";
import { signIn } from "./session.ts";
import { recall } from "./shared.ts";

export interface Own extends Fieldmark {
  /** The practice cluster's name in addresses. */
  readonly slug: string;
  readonly api: Api;
  /** The address of a page of the cluster. */
  page(path: string): string;
  /** Runs kubectl through this Fieldmark. */
  kubectl(...args: string[]): Promise<string>;
}

/** Runs kubectl with a context of a kubeconfig that Fieldmark has written. */
export const kubectlThrough =
  (home: string, kubeconfig: string, slug: string) =>
  async (...args: string[]): Promise<string> =>
    (await promisify(execFile)(join(root, "bin", "kubectl"), ["--kubeconfig", kubeconfig, "--context", slug, "--cache-dir", join(home, "cache"), ...args])).stdout;

/** Starts it with a context of a kubeconfig, and signs the page in. */
export async function own(page: Page, info: TestInfo, from = recall().practice, slug = "practice"): Promise<Own> {
  const home = info.outputPath("home");
  mkdirSync(home, { recursive: true });
  const kubeconfig = join(home, "through");
  const args = ["--practice", "off", "--kubeconfig-out", kubeconfig];
  const fieldmark = await start({ args, kubeconfig: from, home, log: info.outputPath("fieldmark.log"), patience: 60_000 });
  await signIn(page, fieldmark.link);
  return {
    ...fieldmark,
    slug,
    api: new Api(fieldmark.origin, fieldmark.token, slug),
    page: (path) => `${fieldmark.origin}/c/${slug}${path}`,
    kubectl: kubectlThrough(home, kubeconfig, slug),
  };
}
