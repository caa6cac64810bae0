// Fieldmarks that one test starts for itself, so they don't affect other tests.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Fieldmark, start } from "./fieldmark.ts";
import { test as base } from "./live.ts";
import { recall } from "./shared.ts";

export const test = base.extend<{ home: string; own: (...args: string[]) => Promise<Fieldmark> }>({
  home: async ({}, use) => {
    const home = mkdtempSync(join(tmpdir(), "fieldmark-e2e-own-"));
    await use(home);
    rmSync(home, { recursive: true, force: true });
  },
  own: async ({ home }, use, info) => {
    const started: Fieldmark[] = [];
    const token = "a-token-that-stays-the-same"; // so that a program that is started again takes it
    await use(async (...args) => {
      const log = info.outputPath(`fieldmark-${started.length}.log`);
      const one = await start({ args, token, kubeconfig: recall().practice, home, log, patience: 60_000 });
      started.push(one);
      return one;
    });
    await Promise.all(started.map((one) => one.stop()));
  },
});
