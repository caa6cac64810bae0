// Writes the files for Go to link small stubs into the browser's program: OUT.json for `go build -overlay`, in place
// of packages of the standard library, and OUT.mod with OUT.sum for `go build -modfile`, in place of modules.
// Arguments: GOROOT, OUT. Why: docs/decisions/0010 and 0048.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const [goroot, out] = process.argv.slice(2);
const packages = { net: "net.go.txt", "net/http": "http.go.txt", "crypto/sha256": "sha256.go.txt", "html/template": "template.go.txt" };
const modules = { "github.com/json-iterator/go": "jsoniter", "sigs.k8s.io/yaml": "yaml" };

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

// Libraries and packages of ours compile some forty regular expressions in their initialization. Most are for what a page never does, and the first one has
// the browser compile the whole package regexp. So here, MustCompile only notes the text. An expression is compiled by the method that is called first
// (docs/decisions/0145).
const expressions = join(goroot, "src/regexp/regexp.go");
Replace[expressions] = resolve(`${out}.regexp.go.txt`);
const compiling = /^(\tregexp, err := Compile\(str\)\n[^}]*\}\n\treturn regexp\n\})/m;
const methods = /^func \(re \*Regexp\) (?!String|AppendText|MarshalText|UnmarshalText)[A-Z].*\{$/gm;
const late = readFileSync(expressions, "utf8").replace(compiling, "\treturn &Regexp{expr: str}\n}").replace(methods, "$&\n\tre.compile()");
if (late.match(/re\.compile\(\)/g)?.length < 30 || !late.includes("return &Regexp{expr: str}")) throw new Error(`${expressions} isn't as this script expects: compare it with docs/decisions/0145`);

mkdirSync(dirname(out), { recursive: true });
write(
  `${out}.regexp.go.txt`,
  `${late}
// compile compiles an expression that isn't compiled yet. There is one thread, so nobody sees a part of it.
func (re *Regexp) compile() {
	if re.prog != nil {
		return
	}
	made, err := Compile(re.expr)
	if err != nil {
		panic("regexp: Compile(" + quote(re.expr) + "): " + err.Error())
	}
	*re = *made
}
`,
);
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
