// bundle-scripts.mjs OUT: makes one file of each script that a document needs at once, with the scripts that it imports. A document then asks for few files, and
// what fails is one file that can be asked for again. Names of files that are served by themselves stay: the server replaces them by URLs with hashes.
import { build } from "esbuild";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const named = {
  name: "named",
  setup({ onResolve }) {
    onResolve({ filter: /^\/static\/js\// }, ({ path }) => ({
      path: path.endsWith("/idiomorph.js") ? `${root}node_modules/idiomorph/dist/idiomorph.esm.js` : root + path.slice(1),
    }));
  },
};

const [, , outdir] = process.argv;
const options = { outdir, bundle: true, target: "es2022", minify: true, charset: "utf8", plugins: [named], logLevel: "warning" };
await build({ ...options, entryPoints: ["static/js/early.js", "static/js/worker.js"], format: "iife" });
await build({ ...options, entryPoints: ["static/js/fieldmark.js"], format: "esm", banner: { js: "/*! idiomorph: © Big Sky Software, 0BSD */" } });
