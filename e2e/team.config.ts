// People sign in to shared Fieldmarks: `make test-team` runs these specs after the Go tests of dev/team. Their names don't end in .spec.ts, so that the main
// configuration doesn't find them.
import { defineConfig, type PlaywrightTestConfig } from "@playwright/test";
import { patience } from "./harness/slow.ts";
import main from "./playwright.config.ts";

const config: PlaywrightTestConfig = {
  ...main,
  testDir: "./team",
  outputDir: "results/team",
  globalSetup: "./harness/stage.ts",
  // Most tests wait for tokens to end, so there are more of them at a time than cores.
  workers: 5,
  // Most of a test is waiting for tokens and watches to end; a busy machine adds to that.
  timeout: 180_000 * patience,
  expect: { timeout: 30_000 * patience },
  use: { ...main.use, reuseContext: false } as NonNullable<PlaywrightTestConfig["use"]>,
  projects: [
    { name: "people", testMatch: /\.team\.ts$/ },
    // These disturb what all others use, so they run one after the other, repeated ones too, when the others have ended.
    { name: "faults", testMatch: /\.fault\.ts$/, dependencies: ["people"], fullyParallel: false, workers: 1 },
  ],
};

export default defineConfig(config);
