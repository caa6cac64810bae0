// Rewrites the views that templ generates for the browser's programs: what each of them says anew, how a component begins and how a
// text is written, becomes a call of package wasm/stub/lean. What isn't recognized stays as it is, and is right too.
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const v = "templ_7745c5c3_";
const begin = String.raw`templruntime\.GeneratedTemplate\(func\(${v}Input templruntime\.GeneratedComponentInput\) \(${v}Err error\) \{\s*${v}W, ctx := [\s\S]*?ctx = templ\.InitializeContext\(ctx\)`;
const children = String.raw`\s*${v}(Var\d+) := templ\.GetChildren\(ctx\)\s*if ${v}Var\d+ == nil \{\s*${v}Var\d+ = templ\.NopComponent\s*\}\s*ctx = templ\.ClearChildren\(ctx\)`;

/** An expression that is put into a variable, and written if there was no error. */
const written = (type, by) =>
  new RegExp(String.raw`var ${v}(Var\d+) ${type}\s*${v}\1, ${v}Err = templ\.${by}\((.*)\)\s*if ${v}Err != nil \{\s*return templ\.Error\{.*\}\s*\}\s*_, ${v}Err = ${v}Buffer\.WriteString\(templ\.EscapeString\(${v}\1\)\)`, "g");

const rules = [
  [
    new RegExp(`${begin}(${children})?`, "g"),
    (_, component, name) =>
      component
        ? `lean.Component(func(ctx lean.Context, ${v}Buffer *templruntime.Buffer, ${v}${name} templ.Component) (${v}Err error) {`
        : `lean.Children(func(ctx lean.Context, ${v}Buffer *templruntime.Buffer) (${v}Err error) {`,
  ],
  [written("string", "JoinStringErrs"), (_, name, value) => `${v}Err = lean.Text(${v}Buffer, ${value})`],
  [written(String.raw`templ\.SafeURL`, "JoinURLErrs"), (_, name, value) => `${v}Err = lean.Link(${v}Buffer, ${value})`],
  [new RegExp(String.raw`templruntime\.WriteString\(${v}Buffer, \d+, `, "g"), () => `lean.Literal(${v}Buffer, `],
];

const header = 'import templruntime "github.com/a-h/templ/runtime"\n';
const own = `${header}import "github.com/fieldmark/fieldmark/wasm/stub/lean"\n`;

/** Writes the views below a folder, by write, and gives what stands in for which of the sources. */
export function leanViews(folder, write) {
  const views = ["components", "web"].flatMap((root) => readdirSync(root, { recursive: true }).map((name) => join(root, name)));
  const replaced = {};
  for (const file of views.filter((name) => name.endsWith("_templ.go"))) {
    const before = readFileSync(file, "utf8");
    const after = rules.reduce((text, [pattern, by]) => text.replace(pattern, by), before.replace(header, () => own));
    const to = `${join(folder, file)}.txt`; // no package of ours for `go list`
    mkdirSync(dirname(to), { recursive: true });
    write(to, `${after}\nvar _ = lean.Literal\n`);
    replaced[resolve(file)] = resolve(to);
  }
  return replaced;
}
