// bundle-editor.mjs OUT: bundles the editor's script and its packages into one file.
import { build } from "esbuild";
import { readFile } from "node:fs/promises";

// After each key, CodeMirror parses the text after the cursor for up to 20 ms before it shows anything. That is longer than a frame. In a text
// of thousands of lines, most lines are not visible, and it is enough to parse them in pauses.
const patience = {
  name: "patience",
  setup({ onLoad }) {
    onLoad({ filter: /@codemirror\/language\/dist\/index\.js$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const contents = source.replaceAll("20 /* Work.Apply */", "3 /* Work.Apply */");
      if (contents === source) throw new Error(`${path} has another way to say how long it parses: see what a key costs now (dev/bench/pages/editor.mjs)`);
      return { contents, loader: "js" };
    });
  },
};

await build({
  entryPoints: ["static/editor/editor.js"],
  outfile: process.argv[2],
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  charset: "utf8",
  banner: { js: "/*! CodeMirror and Lezer: © Marijn Haverbeke and others, MIT */" },
  plugins: [patience],
  logLevel: "warning",
});
