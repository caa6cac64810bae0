// bundle-vscode.mjs FOLDER: bundles the extension for VS Code and its packages into FOLDER/extension.js, and writes the licences of these packages beside it.
// VS Code itself has the package vscode.
import { build } from "esbuild";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const folder = process.argv[2];
const { metafile } = await build({
  entryPoints: ["deploy/vscode/extension.js"],
  outfile: join(folder, "extension.js"),
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["vscode"],
  minify: true,
  legalComments: "none",
  charset: "utf8",
  metafile: true,
  logLevel: "warning",
});

const packages = new Set(Object.keys(metafile.inputs).flatMap((file) => file.match(/^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.slice(0, 1) ?? []));
let text = "The script extension.js contains these packages.\n";
for (const at of [...packages].sort()) {
  const { name, version, license } = JSON.parse(await readFile(join(at, "package.json"), "utf8"));
  const file = (await readdir(at)).find((name) => /^licen[cs]e/i.test(name));
  if (!file) throw new Error(`${at} has no file with its licence`);
  text += `\n──── ${name} ${version} (${license})\n\n${(await readFile(join(at, file), "utf8")).trim()}\n`;
}
await writeFile(join(folder, "THIRD-PARTY-LICENCES.txt"), text);
