// pack.mjs FILE FOLDER [QUALITY]: compress a file for browsers into FOLDER, as gzip and as Brotli with at least this quality
// (11, the best). For megabytes, the best takes ten seconds or more, so a file that was compressed before isn't compressed
// again. Beside both files is a stamp: FILE's SHA-256 and the quality. It is written last and removed first. So if it
// exists, both files exist and belong to FILE.
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const [file, folder, quality = "11"] = process.argv.slice(2);
const least = Number(quality);
const to = join(folder, basename(file));

const content = await readFile(file);
const hash = createHash("sha256").update(content).digest("hex");
if (!(await packed())) await pack();

async function packed() {
  const [before, , quality] = (await readFile(`${to}.sha256`, "utf8").catch(() => "")).trim().split(" ");
  return before === hash && Number(quality) >= least;
}

async function pack() {
  const begun = Date.now();
  const patience = least > 9 && content.length > 4e6 ? ", which takes ten seconds or more" : "";
  console.log(`Compressing ${basename(file)}, ${megabytes(content)}, with Brotli ${least}${patience}…`);
  const [br, gz] = await Promise.all([smallest(content), promisify(gzip)(content, { level: 9, memLevel: 9 })]);
  await mkdir(folder, { recursive: true });
  await rm(`${to}.sha256`, { force: true });
  await replace(`${to}.br`, br);
  await replace(`${to}.gz`, gz);
  await replace(`${to}.sha256`, `${hash} brotli ${least}\n`);
  console.log(`Brotli ${megabytes(br)}, gzip ${megabytes(gz)}: ${((Date.now() - begun) / 1000).toFixed(1)} s.`);
}

// smallest uses the largest window that browsers accept: 16 MB, all of the program.
function smallest(content) {
  return promisify(brotliCompress)(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: least,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });
}

// replace replaces a file in one step, so nobody can read an incomplete file.
async function replace(name, content) {
  const unfinished = `${name}.${process.pid}`;
  await writeFile(unfinished, content);
  await rename(unfinished, name);
}

function megabytes(content) {
  return `${(content.length / 1e6).toFixed(2)} MB`;
}
