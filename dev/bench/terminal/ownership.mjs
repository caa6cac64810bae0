// Runs dev/bench/blame as WebAssembly in a real Chromium, gives it the standard input, and prints what it prints.
// Arguments: Go's wasm_exec.js, the program.
import { readFile } from "node:fs/promises";
import { launch } from "../browser/visit.mjs";

const [support, program] = process.argv.slice(2);
const input = await readFile("/dev/stdin");
const files = { "/": ["text/html", "<!doctype html><title>blame</title>"], "/blame.wasm": ["application/wasm", await readFile(program)], "/input": ["application/json", input] };

const browser = await launch();
const page = await browser.newPage();
await page.route("**/*", (route) => {
  const [contentType, body] = files[new URL(route.request().url()).pathname] ?? ["text/plain", ""];
  return route.fulfill({ contentType, body });
});
await page.goto("http://blame.test/");

/** Go's programs in a browser have no files: theirs are these, standard input and output. */
async function run() {
  const rest = new Uint8Array(await (await fetch("/input")).arrayBuffer());
  let at = 0;
  let out = "";
  const text = new TextDecoder();
  const read = (_file, into, offset, length, _position, done) => {
    const some = rest.subarray(at, at + length);
    into.set(some, offset);
    at += some.length;
    done(null, some.length);
  };
  const writeSync = (_file, from) => ((out += text.decode(from, { stream: true })), from.length);
  const write = (file, from, offset, length, _position, done) => done(null, writeSync(file, from.subarray(offset, offset + length)));
  globalThis.fs = { constants: { O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_TRUNC: 512, O_APPEND: 1024, O_EXCL: 128, O_DIRECTORY: 65536 }, read, write, writeSync };
  return async () => {
    const go = new globalThis.Go();
    const { instance } = await WebAssembly.instantiateStreaming(fetch("/blame.wasm"), go.importObject);
    await go.run(instance);
    return out;
  };
}
await page.evaluate(`globalThis.prepared = (${run})()`);
await page.addScriptTag({ content: await readFile(support, "utf8") });
process.stdout.write(await page.evaluate(async () => (await globalThis.prepared)()));
await browser.close();
