// A separate Fieldmark with its own practice cluster for one spec file, for tests that affect a whole cluster.
import { type BrowserContext } from "@playwright/test";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Api, eventually } from "./api.ts";
import { type Fieldmark, start } from "./fieldmark.ts";
import { test as base } from "./live.ts";
import { kubectlThrough } from "./own.ts";
import { signIn } from "./session.ts";
import { recall } from "./shared.ts";

type Session = Awaited<ReturnType<BrowserContext["storageState"]>>;

export interface Own extends Fieldmark {
  session: Session;
  /** Runs kubectl through this Fieldmark. */
  kubectl(...args: string[]): Promise<string>;
}

export const scenarios = "/apis/practice.fieldmark.dev/v1alpha1/scenarios";

/** The kubeconfig of the practice cluster that all tests share, with its contexts under another name. */
async function asAnother(home: string, name: string): Promise<string> {
  const file = join(home, "beside");
  copyFileSync(recall().practice, file);
  const kubectl = kubectlThrough(home, file, "practice");
  for (const user of ["", "-viewer"]) await kubectl("config", "rename-context", `practice${user}`, `${name}${user}`);
  return file;
}

export const test = base.extend<object, { own: Own; beside: string }>({
  /** The name of another cluster that this Fieldmark knows; empty: none. */
  beside: ["", { option: true, scope: "worker" }],
  own: [
    async ({ browser, beside }, use, info) => {
      const home = mkdtempSync(join(tmpdir(), "fieldmark-e2e-own-"));
      const log = join(info.project.outputDir, `own-${info.workerIndex}.log`);
      const through = join(home, "through");
      const args = ["--practice", "on", "--practice-dir", join(home, "practice"), "--kubeconfig-out", through];
      const own = await start({ args, kubeconfig: beside === "" ? recall().practice : await asAnother(home, beside), home, log, patience: 90_000 });
      try {
        const api = new Api(own.origin, own.token);
        await eventually("Scenarios", 60_000, () => api.get(scenarios).then(() => undefined));
        const context = await browser.newContext();
        await signIn(await context.newPage(), own.link);
        const session = await context.storageState();
        await context.close();
        await use({ ...own, session, kubectl: kubectlThrough(home, through, "practice") });
      } finally {
        await own.stop();
        rmSync(home, { recursive: true, force: true });
      }
    },
    { scope: "worker", timeout: 180_000 },
  ],
  baseURL: async ({ own }, use) => use(own.origin),
  storageState: async ({ own }, use) => use(own.session),
  api: async ({ own }, use) => use(new Api(own.origin, own.token)),
});

/** Waits until what a Scenario asks for is so. */
export const holds = (api: Api, name: string): Promise<void> =>
  eventually(`Scenario ${name}`, 120_000, async () => {
    const { status } = await api.get(`${scenarios}/${name}`);
    const condition = status?.conditions?.find(({ type }: { type: string }) => type === "Holds");
    return condition?.status === "True" ? undefined : (condition?.message ?? "any status");
  });
