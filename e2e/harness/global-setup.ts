// Before all tests: a real Fieldmark on a real practice cluster, with its starter content running, and one session that
// all tests share. After all tests, everything is stopped, and the folder is removed.
import { type FullConfig, chromium } from "@playwright/test";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Api, eventually, missingContent } from "./api.ts";
import { type Fieldmark, root, start } from "./fieldmark.ts";
import { type Forward, forward } from "./forward.ts";
import { writeBrokenKubeconfig } from "./kubeconfig.ts";
import { remember } from "./shared.ts";
import { signIn } from "./session.ts";

const patience = 120_000;

export default async function setup(config: FullConfig): Promise<() => Promise<void>> {
  const home = mkdtempSync(join(tmpdir(), "fieldmark-e2e-"));
  let fieldmark: Fieldmark | undefined;
  let toPractice: Forward | undefined;
  const teardown = async () => {
    await fieldmark?.stop();
    toPractice?.close();
    rmSync(home, { recursive: true, force: true });
  };
  try {
    const practiceDir = join(home, "practice");
    const kubeconfig = join(home, "kubeconfig");
    const through = join(home, "through");
    const session = join(home, "session.json");
    toPractice = await forward(() => practicePort(practiceDir));
    await writeBrokenKubeconfig(kubeconfig, `https://127.0.0.1:${toPractice.port}`);
    fieldmark = await start({
      // Each test begins the guide anew, so the tests' browsers keep its progress, and not this server.
      args: ["--dev", "--no-progress", "--practice", "on", "--practice-dir", practiceDir, "--kubeconfig-out", through],
      kubeconfig,
      home,
      log: join(root, "e2e", "results", "fieldmark.log"),
      patience,
    });
    const { origin, token, link } = fieldmark;
    await saveSession(config, link, session);
    const api = new Api(origin, token);
    await eventually("The starter content", patience, () => missingContent(api));
    remember({ origin, token, link, session, kubeconfig, practice: join(practiceDir, "kubeconfig"), through });
    return teardown;
  } catch (error) {
    await teardown();
    throw error;
  }
}

async function saveSession(config: FullConfig, oneVisitURL: string, file: string): Promise<void> {
  const browser = await chromium.launch(config.projects[0]!.use.launchOptions);
  try {
    const context = await browser.newContext({ javaScriptEnabled: false });
    await signIn(await context.newPage(), oneVisitURL);
    await context.storageState({ path: file });
  } finally {
    await browser.close();
  }
}

/** The practice API server's port, from the kubeconfig in its folder. */
function practicePort(dir: string): number | undefined {
  const file = join(dir, "kubeconfig");
  if (!existsSync(file)) return undefined;
  const port = /server: "?https:\/\/127\.0\.0\.1:(\d+)/.exec(readFileSync(file, "utf8"))?.[1];
  return port === undefined ? undefined : Number(port);
}
