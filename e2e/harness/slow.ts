// `make test-slow` runs the browser tests as on a slow machine: each Chromium and each server has half a core. Control groups hold them to it, because
// the DevTools protocol slows pages and not the workers in which the programs run (docs/decisions/0095).
import { type TestInfo } from "@playwright/test";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Tells whether the tests run as on a slow machine: dev/scripts/slow.sh sets the variable. */
export const slow = !!process.env["FIELDMARK_SLOW"];

/** How many times longer a test and each of its waits may take. */
export const patience = slow ? 6 : 1;

const scripts = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "dev", "scripts");

/** A server's command: with half a core on a slow machine. */
export const command = (program: string, ...args: string[]): [string, string[]] => (slow ? [join(scripts, "half-core.sh"), [program, ...args]] : [program, args]);

/** The browser's program. */
export const chromium = slow ? join(scripts, "slow-chromium.sh") : process.env["CHROMIUM"] || "/usr/bin/chromium";

/** Makes the limits longer that a test gives itself. */
export function lengthen(info: TestInfo): void {
  const set = info.setTimeout.bind(info);
  info.setTimeout = (limit) => set(limit * patience);
}
