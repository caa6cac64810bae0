// The worker in which a program runs. It gathers what the program says until it waits, and sends that as one message. Its first message says that this script
// has arrived. The server puts wasm_exec.js in front of this script, so that the worker has to load nothing else.
import { compile } from "/static/js/again.js";

let said = [];

/** Says something to the document: "show place html", for example, and the values of place and html. */
globalThis.tell = (signature, ...values) => {
  const [name, ...fields] = signature.split(" ");
  if (said.push([name, Object.fromEntries(fields.map((field, i) => [field, values[i]]))]) === 1) queueMicrotask(send);
};

// Says something of the worker itself.
const post = (name, fields) => postMessage([[name, fields]]);

function send() {
  const messages = said;
  said = [];
  painting ||= messages.some(([name]) => name === "show" || name === "showRows");
  postMessage(messages);
}

// At most one change is on its way to the screen. The document says when it has painted one; then the program may render the next.
let painting = false;
let next = null;

/** Calls f when the document can paint another change. */
globalThis.frame = (f) => {
  if (painting) next = f;
  else globalThis.later(f);
};

function painted() {
  painting = false;
  const f = next;
  next = null;
  f?.();
}

const channel = new MessageChannel();
const waiting = [];
channel.port1.onmessage = () => waiting.shift()();

/** Calls f after the messages that are waiting. */
globalThis.later = (f) => {
  waiting.push(f);
  channel.port2.postMessage(0);
};

let hear = null;
const unheard = [];

/** Calls f with each message of the document. */
globalThis.listen = (f) => {
  hear = f;
  for (const message of unheard.splice(0)) f(...message);
};

onmessage = ({ data }) => {
  if (typeof data === "string" || data instanceof WebAssembly.Module) return run(data).catch((error) => post("failed", { error: String(error), missing }));
  const [name] = data;
  if (name === "painted") return painted();
  if (name === "ping") return post("pong");
  if (name === "begin" || name === "arrive") painted(); // what was said to a document that showed another program is lost
  if (hear) hear(...data);
  else unheard.push(data);
};

// Notes a moment of the program's start for the browser's own tools, and for make bench.
const note = (what, now = performance.now()) => post("mark", { what, at: performance.timeOrigin + now });

let missing = false; // the program didn't arrive

// Runs a program: compiled, or at an address.
async function run(program) {
  const go = new Go();
  const module = typeof program === "string" ? await fetched(program) : program;
  note("compiled");
  const instance = await WebAssembly.instantiate(module, go.importObject);
  note("instantiated");
  await go.run(instance);
  silence(go);
  post("ended");
}

async function fetched(url) {
  try {
    note("asked");
    const module = await compile(url);
    note("fetched", performance.getEntriesByName(url).at(-1)?.responseEnd);
    return module;
  } catch (error) {
    missing = !(error instanceof WebAssembly.CompileError);
    throw error;
  }
}

// Stops the events and timers of a program that has ended; each would cause another error.
function silence(go) {
  for (const timeout of go._scheduledTimeouts.values()) clearTimeout(timeout);
  go._scheduledTimeouts.clear();
  go._resume = () => {};
}

postMessage("arrived");
