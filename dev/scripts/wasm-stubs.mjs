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

// Each type that is sorted has a copy of the whole algorithm of package slices, some 15 kB of them. Package sort has the same algorithm once, for two
// functions that compare and swap (docs/decisions/0143).
const slices = join(goroot, "src/slices");
const once = readFileSync(join(goroot, "src/sort/zsortfunc.go"), "utf8").replace("package sort", "package slices");
Replace[join(slices, "zsortanyfunc.go")] = resolve(`${out}.sort.go.txt`);

mkdirSync(dirname(out), { recursive: true });
write(
  `${out}.sort.go.txt`,
  `${once}
type lessSwap struct {
	Less func(i, j int) bool
	Swap func(i, j int)
}

func by[E any](data []E, cmp func(a, b E) int) lessSwap {
	return lessSwap{
		func(i, j int) bool { return cmp(data[i], data[j]) < 0 },
		func(i, j int) { data[i], data[j] = data[j], data[i] },
	}
}

func insertionSortCmpFunc[E any](data []E, a, b int, cmp func(a, b E) int) { insertionSort_func(by(data, cmp), a, b) }

func pdqsortCmpFunc[E any](data []E, a, b, limit int, cmp func(a, b E) int) { pdqsort_func(by(data, cmp), a, b, limit) }

func stableCmpFunc[E any](data []E, n int, cmp func(a, b E) int) { stable_func(by(data, cmp), n) }
`,
);
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
