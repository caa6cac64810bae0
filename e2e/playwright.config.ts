import { defineConfig, type PlaywrightTestConfig } from "@playwright/test";
import { always } from "./harness/flags.mjs";
import { screenshots } from "./harness/screenshots.ts";
import { chromium, patience, slow } from "./harness/slow.ts";

const wide = { width: 1400, height: 900 };
const narrow = { width: 700, height: 900 };

// Specs whose name says where they run. All others run in the projects without JavaScript.
const axe = /\.axe\.spec\.ts$/;
const once = /\.once\.spec\.ts$/;
const live = /\.live\.spec\.ts$/;
// Specs that depend on the width: layout and navigation.
const narrowOnly = /\/narrow\.spec\.ts$/;
const narrowed = /\/(narrow|gallery|clusters|find|overview|guide|lesson)\.spec\.ts$/;
const liveNarrow = /narrow\.live\.spec\.ts$/;
// Pictures are for people and take minutes, so they are made only on request.
const shots = screenshots ? /\/shots\.spec\.ts$/ : [];
const liveShots = screenshots ? /shots\.live\.spec\.ts$/ : [];
const notNow = screenshots ? [] : [/shots\.(live\.)?spec\.ts$/];

const config: PlaywrightTestConfig = {
  testDir: ".",
  outputDir: "results",
  globalSetup: "./harness/global-setup.ts",
  forbidOnly: !!process.env["CI"],
  fullyParallel: true,
  // On two cores, which carry the control plane too: with two workers the cores are idle nearly half of the time.
  workers: 3,
  // What is too slow is listed at the end of a run. Some machines are three times slower than others.
  timeout: 120_000 * patience,
  // The cores are shared with the control plane, and at times with others: what passes the second time is told as flaky. On a slow machine
  // each test must pass each time.
  retries: slow ? 0 : 1,
  expect: { timeout: 15_000 * patience },
  reporter: [["./harness/slowest.ts"], ["list"], ["./harness/failed.ts"]],
  use: {
    // A page of its own costs each test a third of its time. What isn't taken back between two tests, no test may leave behind
    // (docs/decisions/0039); a test with options of its own gets a context of its own.
    reuseContext: true,
    navigationTimeout: 30_000 * patience,
    actionTimeout: 15_000 * patience,
    viewport: wide,
    // Recording costs as much as most tests: what fails is tried again, and that is recorded.
    trace: "on-first-retry",
    launchOptions: {
      executablePath: chromium,
      args: [
        ...always,
        // What a page compiled stays with its process, which all pages of a context share.
        "--disable-site-isolation-trials",
        "--renderer-process-limit=1",
        // No test stays long enough on a page to gain from the optimizing compiler, which took a seventh of all processor time.
        "--js-flags=--liftoff-only",
      ],
    },
  },
  projects: [
    // What needs neither a viewport nor a colour: once is enough.
    { name: "once", testMatch: once, use: { javaScriptEnabled: false } },
    {
      name: "nojs-light",
      testIgnore: [axe, once, live, narrowOnly, ...notNow],
      use: { javaScriptEnabled: false, colorScheme: "light" },
    },
    {
      // What colours change: the rest is the same in the dark, and `make eye` looks at both.
      name: "nojs-dark",
      testMatch: [/theme\.spec\.ts$/, shots].flat(),
      use: { javaScriptEnabled: false, colorScheme: "dark" },
    },
    {
      name: "nojs-narrow",
      testMatch: [narrowed, shots].flat(),
      use: { javaScriptEnabled: false, colorScheme: "light", viewport: narrow },
    },
    // With scripts on: the pages that live.
    { name: "live", testMatch: live, testIgnore: [liveNarrow, ...notNow], use: { colorScheme: "light" } },
    { name: "live-dark", testMatch: liveShots, use: { colorScheme: "dark" } },
    { name: "live-narrow", testMatch: [liveNarrow, liveShots].flat(), use: { colorScheme: "light", viewport: narrow } },
    // axe looks at each kind of page, which takes its time.
    { name: "axe", testMatch: axe, timeout: 180_000 * patience, use: { colorScheme: "light" } },
  ],
};

export default defineConfig(config);
