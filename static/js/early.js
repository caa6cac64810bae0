// Runs before layout, and starts what takes longest: fetching and compiling the browser's program, and the worker in which it runs. Meanwhile, the
// document is read. data-wasm says from now on that a program is loading, or that a script failed to load.
(() => {
  const root = document.documentElement;
  const urls = { read: "/static/read.wasm", write: "/static/write.wasm", lab: "/static/lab.wasm", learn: "/static/learn.wasm", run: "/static/run.wasm" };
  const modules = {};
  // Fetches and compiles a program, so that it starts at once when it is needed.
  const compile = (name) => (modules[name] ??= (async () => WebAssembly.compileStreaming(fetch(urls[name])))());
  // Starts a program in a worker of its own, which fetches and compiles it unless that is done.
  const start = (name) => {
    const worker = new Worker("/static/js/worker.js", { name });
    const run = (program) => worker.postMessage(program);
    const url = new URL(urls[name], location.href).href;
    if (modules[name]) modules[name].then(run, () => run(url));
    else run(url);
    const said = []; // before anybody listens
    worker.onmessage = ({ data }) => said.push(...data);
    worker.onerror = ({ message }) => said.push(["failed", message]);
    return { name, worker, said };
  };
  root.dataset.wasm = "loading";
  globalThis.fieldmark = { names: Object.keys(urls), compile, start, first: start(document.currentScript.dataset.program) };
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
