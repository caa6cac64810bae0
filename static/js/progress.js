// In local mode, the server keeps the progress in the field guide, too: another browser goes on where this one stopped. Pages read and change the copy in
// this browser's storage. This script sends each change with the value before it, and takes over what other browsers have changed. Package server/learner
// is the other side.
const root = document.documentElement;
const address = `${root.dataset.base ?? ""}/-/progress`;
const [book, tasks, account] = ["fieldmark.learn", "fieldmark.tasks", "fieldmark.progress"];
const patience = 1000; // ms that a page waits for the progress before it begins

let known = root.dataset.progress; // the revision of the server's progress; undefined: the server keeps none

/** What the browser keeps as JSON; nothing if it can't be read. */
export function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? {};
  } catch {
    return {};
  }
}

const same = (a, b) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** What can change by itself, by name. */
function entries({ learn, done } = { learn: read(book), done: read(tasks) }) {
  const all = new Map();
  if (learn.learner) all.set("learner", learn.learner);
  for (const [id, value] of Object.entries(learn.lessons ?? {})) all.set(`lessons/${id}`, value);
  for (const [id, value] of Object.entries(done ?? {})) all.set(`tasks/${id}`, value);
  return all;
}

const differing = (a, b) => [...new Set([...a.keys(), ...b.keys()])].filter((name) => !same(a.get(name), b.get(name)));

// The account says which revision this browser has seen, and which entries the server doesn't have yet, each with the value that it knows.
const settle = (change) => {
  const now = { owed: {}, ...read(account) };
  change(now);
  localStorage.setItem(account, JSON.stringify(now));
};

function owe(before, names) {
  settle(({ owed }) => {
    for (const name of names) owed[name] ??= { was: before.get(name) ?? null };
  });
}

/** Makes a change of what this browser keeps, and sends it. */
export function keeping(key, change) {
  if (!known || (key !== book && key !== tasks)) return change();
  const before = entries();
  change();
  owe(before, differing(before, entries()));
  exchange();
}

let exchanges = Promise.resolve();

function exchange() {
  return (exchanges = exchanges.then(send).catch((error) => console.info(error))); // what is owed stays owed
}

async function send() {
  const { owed = {}, revision } = read(account);
  if (revision === known && Object.keys(owed).length === 0) return;
  const now = entries();
  const changes = Object.entries(owed).map(([name, { was }]) => ({ name, was, is: now.get(name) ?? null }));
  const body = JSON.stringify(changes);
  const response = await fetch(address, { method: "PATCH", body, keepalive: body.length < 60_000 });
  if (!response.ok) throw new Error(await response.text());
  take(changes, await response.json());
}

/** Takes over what the server has, except what has changed here since. */
function take(sent, { revision, refused = [], learn, tasks: done }) {
  const here = entries();
  known = revision;
  settle((now) => {
    now.revision = revision;
    for (const { name, is } of sent) {
      if (refused.includes(name) || same(here.get(name), is)) delete now.owed[name];
      else now.owed[name] = { was: is };
    }
  });
  const next = entries({ learn, done });
  for (const name of Object.keys(read(account).owed)) here.has(name) ? next.set(name, here.get(name)) : next.delete(name);
  if (differing(here, next).length > 0) adopt(next);
}

function adopt(next) {
  const below = (prefix) => Object.fromEntries([...next].filter(([name]) => name.startsWith(prefix)).map(([name, value]) => [name.slice(prefix.length), value]));
  write(book, { learner: next.get("learner") ?? "", lessons: below("lessons/") });
  write(tasks, below("tasks/"));
}

/** Writes a value, and tells the programs as if another tab had written it. */
function write(key, value) {
  const newValue = JSON.stringify(value);
  localStorage.setItem(key, newValue);
  dispatchEvent(new StorageEvent("storage", { key, newValue }));
}

async function first() {
  const { revision } = read(account);
  if (!revision || known === "none") owe(new Map(), entries().keys()); // this browser has never sent anything, or the server has lost everything
  await Promise.race([exchange(), new Promise((over) => setTimeout(over, patience))]);
}

/** The progress of other browsers is here. It is never rejected: a browser may refuse to store anything. */
export const arrived = known ? first().catch((error) => console.info(error)) : undefined;
