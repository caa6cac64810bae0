// After all samples: an exception that nothing needs is a rule that nobody reads.
import { test, expect } from "@playwright/test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { exceptions } from "./exceptions.ts";

test("each exception is needed", () => {
  const folder = process.env["FIELDMARK_SAMPLES"] ?? "";
  const idle = exceptions.filter((_, i) => !existsSync(join(folder, `needed-${i}`)));
  expect(idle.map(({ kind, where }) => `${kind} ${where}`)).toEqual([]);
});
