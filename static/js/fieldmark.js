// Starts the browser's program. The page is complete without it: whatever fails here leaves the page as it came.
// The names below are those of sources; the server puts in their place the addresses that hold their hashes.
import "/static/js/wasm_exec.js";
import { Idiomorph } from "/static/js/idiomorph.js";

const root = document.documentElement;

async function start() {
  root.dataset.wasm = "loading";
  globalThis.Idiomorph = Idiomorph;
  const go = new Go();
  const { instance } = await WebAssembly.instantiateStreaming(fetch("/static/fieldmark.wasm"), go.importObject);
  const ended = go.run(instance);
  root.dataset.wasm = "ready";
  await ended;
}

start().catch((error) => {
  root.dataset.wasm = "failed";
  console.error(error);
});
