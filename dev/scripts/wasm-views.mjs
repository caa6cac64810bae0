// Makes the views in the browser's programs smaller. For every component, templ generates the same dozen lines at its beginning,
// and for every piece of text four lines that write it and name its source line. This script replaces these lines by calls of
// three functions of package wasm/stub/lean, which do the same:
//
//   return templruntime.GeneratedTemplate(func(…) {       →   return lean.Component(func(ctx, buffer, children) (err error) {
//       … context, buffer, children …
//   var v string; v, err = templ.JoinStringErrs(x) …      →   err = lean.Text(buffer, x)
//   err = templruntime.WriteString(buffer, 7, "<p>")      →   err = lean.Literal(buffer, "<p>")
//
// Only the build for the browser sees the result (by `go build -overlay`); the committed files stay as templ wrote them. Code that no
// rule recognizes doesn't change, and still works. A test in dev/rules checks that every component, text and literal is recognized, and
// that the rewritten views write the same HTML. What each rule saves: docs/decisions/0041.
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const v = "templ_7745c5c3_";
const begin = String.raw`templruntime\.GeneratedTemplate\(func\(${v}Input templruntime\.GeneratedComponentInput\) \(${v}Err error\) \{\s*${v}W, ctx := [\s\S]*?ctx = templ\.InitializeContext\(ctx\)`;
const children = String.raw`\s*${v}(Var\d+) := templ\.GetChildren\(ctx\)\s*if ${v}Var\d+ == nil \{\s*${v}Var\d+ = templ\.NopComponent\s*\}\s*ctx = templ\.ClearChildren\(ctx\)`;

/** A text that is put into a variable, and written if there was no error. */
const text = String.raw`var ${v}(Var\d+) string\s*${v}\1, ${v}Err = templ\.JoinStringErrs\((.*)\)\s*if ${v}Err != nil \{\s*return templ\.Error\{.*\}\s*\}\s*_, ${v}Err = ${v}Buffer\.WriteString\(templ\.EscapeString\(${v}\1\)\)`;

const rules = [
  [
    new RegExp(`${begin}(${children})?`, "g"),
    (_, component, name) =>
      component
        ? `lean.Component(func(ctx lean.Context, ${v}Buffer *templruntime.Buffer, ${v}${name} templ.Component) (${v}Err error) {`
        : `lean.Children(func(ctx lean.Context, ${v}Buffer *templruntime.Buffer) (${v}Err error) {`,
  ],
  [new RegExp(text, "g"), (_, name, value) => `${v}Err = lean.Text(${v}Buffer, ${value})`],
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
