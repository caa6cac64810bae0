// pack-wasm.mjs FILE FOLDER [QUALITY]: compress the browser's program into FOLDER, as Brotli and as gzip, for those who
// serve it. Brotli at its best takes ten seconds and more, so it is done only when the program changed. Beside the two
// lies FILE's SHA-256, written last: it is there only when both are, and of that very program.
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const [file, folder, quality = "11"] = process.argv.slice(2);
const to = join(folder, basename(file));

const program = await readFile(file);
const stamp = `${createHash("sha256").update(program).digest("hex")} brotli ${quality}\n`;
if ((await read(`${to}.sha256`)) !== stamp) await pack();

async function pack() {
  const begun = Date.now();
  console.log(`Compressing the browser's program (${megabytes(program)}; some ten seconds, more on a busy machine)…`);
  const [br, gz] = await Promise.all([smallest(program), promisify(gzip)(program, { level: 9, memLevel: 9 })]);
  await mkdir(folder, { recursive: true });
  await rm(`${to}.sha256`, { force: true });
  await replace(`${to}.br`, br);
  await replace(`${to}.gz`, gz);
  await replace(`${to}.sha256`, stamp);
  console.log(`Brotli ${megabytes(br)}, gzip ${megabytes(gz)}, ${Math.round((Date.now() - begun) / 1000)} s.`);
}

// smallest uses the largest window that browsers accept: 16 MB, all of the program.
function smallest(content) {
  return promisify(brotliCompress)(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: Number(quality),
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });
}

// replace puts a whole file in the place of an old one: nobody reads half of it.
async function replace(name, content) {
  const unfinished = `${name}.${process.pid}`;
  await writeFile(unfinished, content);
  await rename(unfinished, name);
}

async function read(name) {
  return readFile(name, "utf8").catch(() => undefined);
}

function megabytes(content) {
  return `${(content.length / 1e6).toFixed(2)} MB`;
}
