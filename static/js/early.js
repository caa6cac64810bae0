// Runs before anything is laid out, and begins what takes longest: the browser's program is fetched and compiled while
// the document is read. That a program is coming is known from here on; if the rest doesn't come, that is known too.
(() => {
  const root = document.documentElement;
  const programs = { read: "/static/read.wasm", write: "/static/write.wasm", lab: "/static/lab.wasm", learn: "/static/learn.wasm" };
  const name = document.currentScript.dataset.program;
  root.dataset.wasm = "loading";
  const program = (async () => WebAssembly.compileStreaming(fetch(programs[name])))();
  program.catch(() => {}); // whoever waits for it says what is the matter
  globalThis.fieldmark = { program };
  const failed = ({ target }) => {
    if (target?.localName === "script") root.dataset.wasm = "failed";
  };
  addEventListener("error", failed, true);
  // Rows far below are left to the program. Whoever waits longer than this sees them without.
  setTimeout(() => (root.dataset.far = "shown"), 3000);
})();
