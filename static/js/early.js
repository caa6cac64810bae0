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
  // Rows beyond the first screen come as text, because the program makes them from its data. If it doesn't start in time, they are read here.
  const readRows = () => {
    const text = document.querySelector("#rows > noscript");
    if (!text) return;
    const rows = document.createElement("template");
    rows.innerHTML = text.textContent;
    document.getElementById("room-below").replaceWith(rows.content);
    text.remove();
  };
  setTimeout(() => (document.readyState === "loading" ? addEventListener("DOMContentLoaded", readRows) : readRows()), 3000);
})();
