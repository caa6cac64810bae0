// Writes the file for `go build -overlay` with which the browser's program links small stand-ins for two packages of
// the standard library. Arguments: GOROOT, the file to write. Why: docs/decisions/0010.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const [goroot, out] = process.argv.slice(2);
const standIns = { "net/http": "wasm/overlay/http.go.txt", "html/template": "wasm/overlay/template.go.txt" };
const Replace = {};
for (const [name, standIn] of Object.entries(standIns)) {
  const folder = join(goroot, "src", name);
  for (const file of readdirSync(folder)) {
    if (file.endsWith(".go") && !file.endsWith("_test.go")) Replace[join(folder, file)] = "";
  }
  Replace[join(folder, "stand-in.go")] = resolve(standIn);
}
const text = JSON.stringify({ Replace });
let before;
try {
  before = readFileSync(out, "utf8");
} catch {
  before = undefined; // there is none yet
}
mkdirSync(dirname(out), { recursive: true });
if (before !== text) writeFileSync(out, text);
