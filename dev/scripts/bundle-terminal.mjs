// bundle-terminal.mjs OUT: bundles the terminal's script and its packages into one file.
import { build } from "esbuild";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";

// xterm puts its rules into style elements, and colors into style attributes. The pages' policy refuses both when they are written as text, and allows
// them when a script sets them as values.
const policy = {
  name: "policy",
  setup({ onLoad }) {
    onLoad({ filter: /@xterm\/xterm\/lib\/xterm\.mjs$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      let changed = 0;
      const contents = source
        .replace(/([\w.]+)\.createElement\("style"\)/g, (_, owner) => (changed++, `sheetIn(${owner})`))
        .replace(/(\w)\.setAttribute\("style",`\$\{\1\.getAttribute\("style"\)\|\|""\}\$\{(\w)\};`\)/, (_, element, style) => (changed++, `${element}.style.cssText+=${style}+";"`));
      if (changed !== 4 || /setAttribute\("style"/.test(contents)) throw new Error(`${path} has another way to set styles (${changed} places changed): see what the pages' policy says of it`);
      return { contents: `import { sheetIn } from ${JSON.stringify(resolve("static/terminal/sheets.js"))};\n${contents}`, loader: "js" };
    });
  },
};

await build({
  entryPoints: ["static/terminal/terminal.js"],
  outfile: process.argv[2],
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  charset: "utf8",
  banner: { js: "/*! xterm.js: © The xterm.js authors and others, MIT */" },
  plugins: [policy],
  logLevel: "warning",
});
