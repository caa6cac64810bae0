// What is wrong to see: `make eye` looks at samples of all pages, which need no Fieldmark, and `make test-eye` at the pages of a practice cluster.
import { defineConfig, type PlaywrightTestConfig } from "@playwright/test";
import main from "./playwright.config.ts";

const { globalSetup, ...rest } = main;
const config: PlaywrightTestConfig = {
  ...rest,
  ...(process.env["EYE"] === "live" && globalSetup ? { globalSetup } : {}),
  testDir: "./eye",
  outputDir: "results/eye",
  workers: 2,
  timeout: 300_000,
  retries: 0,
  // A sample reads the rules of its stylesheet, which is another file.
  use: { ...main.use, reducedMotion: "reduce", trace: "off", launchOptions: { ...main.use?.launchOptions, args: [...(main.use?.launchOptions?.args ?? []), "--allow-file-access-from-files"] } } as NonNullable<PlaywrightTestConfig["use"]>,
  projects:
    process.env["EYE"] === "live"
      ? [{ name: "live", testMatch: /\.live\.ts$/ }]
      : process.env["EYE"] === "pictures"
        ? [{ name: "pictures", testMatch: /\.picture\.ts$/ }]
        : [
          { name: "eye", testMatch: /\.eye\.ts$/ },
          { name: "exceptions", testMatch: /\.after\.ts$/, dependencies: ["eye"] },
        ],
};

export default defineConfig(config);
