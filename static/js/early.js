// Runs before layout, and starts what takes longest: fetching and compiling the browser's program while the document is read.
// data-wasm says from now on that a program is loading, or that a script failed to load.
(() => {
  const root = document.documentElement;
  const programs = { read: "/static/read.wasm", write: "/static/write.wasm", lab: "/static/lab.wasm", learn: "/static/learn.wasm", run: "/static/run.wasm" };
  const name = document.currentScript.dataset.program;
  root.dataset.wasm = "loading";
  const program = (async () => WebAssembly.compileStreaming(fetch(programs[name])))();
  program.catch(() => {}); // the code that awaits the program reports the error
  globalThis.fieldmark = { program };
  const failed = ({ target }) => {
    if (target?.localName === "script") root.dataset.wasm = "failed";
  };
  addEventListener("error", failed, true);
  // The program shows rows far below. If it takes longer than this, they are shown without it.
  setTimeout(() => (root.dataset.far = "shown"), 3000);
})();
