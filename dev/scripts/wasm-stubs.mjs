// Writes the files for Go to link small stubs into the browser's program: OUT.json for `go build -overlay`, in place
// of packages of the standard library, and OUT.mod with OUT.sum for `go build -modfile`, in place of modules.
// Arguments: GOROOT, OUT. Why: docs/decisions/0010 and 0048.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const [goroot, out] = process.argv.slice(2);
const packages = { net: "net.go.txt", "net/http": "http.go.txt", "crypto/sha256": "sha256.go.txt", "html/template": "template.go.txt" };
const modules = { "github.com/json-iterator/go": "jsoniter" };

const Replace = {};
for (const [name, stub] of Object.entries(packages)) {
  const folder = join(goroot, "src", name);
  for (const file of readdirSync(folder)) {
    if (file.endsWith(".go") && !file.endsWith("_test.go")) Replace[join(folder, file)] = "";
  }
  Replace[join(folder, "stub.go")] = resolve("wasm/stub", stub);
}
const replaced = Object.entries(modules).map(([name, stub]) => `replace ${name} => ./wasm/stub/${stub}\n`);

mkdirSync(dirname(out), { recursive: true });
write(`${out}.json`, JSON.stringify({ Replace }));
write(`${out}.mod`, `${readFileSync("go.mod", "utf8")}\n${replaced.join("")}`);
write(`${out}.sum`, readFileSync("go.sum", "utf8"));

/** Writes a file unless it is so already. */
function write(file, text) {
  let before;
  try {
    before = readFileSync(file, "utf8");
  } catch {
    before = undefined; // there is none yet
  }
  if (before !== text) writeFileSync(file, text);
}
