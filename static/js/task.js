// The card of a task, which stands beside every page: follows how the task stands, and is folded and opened by a key.
import { takesText } from "/static/js/keys.js";
import { become } from "/static/js/morph.js";
import { read } from "/static/js/progress.js";
import { keep } from "/static/js/screen.js";

let card;
const opened = "fieldmark.task.open";
const tasks = () => `fieldmark.${card.dataset.kept}`; // what is kept of tasks, by lesson: {solved, alone, helped}

/** Keeps how far the task is. */
function note() {
  const id = card.dataset.task;
  const all = read(tasks());
  const before = all[id] ?? {};
  all[id] = inside().dataset.phase === "solved" ? { ...before, solved: true, alone: before.alone || !before.helped } : { ...before, helped: true };
  keep(tasks(), JSON.stringify(all));
}

/** A hint or the solution was opened, in the card or on the task's page. */
function help({ target }) {
  const here = card.isConnected && (card.contains(target) || location.pathname === new URL(card.dataset.address, location.href).pathname);
  if (here && target.open && target.matches(".task-hint, .task-solution") && inside().dataset.phase === "working") note();
}

const inside = () => card.firstElementChild;
const pause = (time) => new Promise((over) => setTimeout(over, time));
const visible = () => new Promise((shown) => (document.hidden ? document.addEventListener("visibilitychange", () => shown(visible()), { once: true }) : shown()));

/** Says that the card may be old. The next response says again how the task stands. */
function doubt() {
  const status = inside().querySelector("summary [role=status]");
  status.textContent = card.dataset.away;
  status.className = "tone tone-warn";
  inside().dataset.revision = 0; // so that the next response comes at once
}

/** Gives an answer from the card, so that its reader stays on the page. The next response says what the task says of it. */
async function give(event) {
  const { target: form, submitter } = event;
  if (submitter?.value !== "give") return;
  event.preventDefault();
  const { type } = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form, submitter)), redirect: "manual" }).catch(() => ({}));
  if (type !== "opaqueredirect") doubt();
}

/** Waits for the next revision, again and again. The server answers when there is one, or after a while. */
async function follow() {
  for (;;) {
    await visible();
    let answer;
    try {
      answer = await fetch(`${card.dataset.address}?card=1&revision=${inside().dataset.revision}`);
    } catch {
      doubt();
      await pause(3000);
      continue;
    }
    if (answer.status === 204 || answer.status === 401) return card.remove();
    if (answer.ok) {
      const before = inside().dataset.phase;
      const within = card.contains(document.activeElement);
      become(card, await answer.text());
      if (within && !card.contains(document.activeElement)) inside().querySelector("summary").focus(); // what had the focus is gone
      if (inside().dataset.phase === "solved" && before !== "solved") note();
    } else {
      doubt();
      await pause(3000);
    }
  }
}

/** Opens the card if its reader has opened it on the page before, and follows the task. Without a task, it does nothing. */
export function showTask() {
  card = document.getElementById("task-card");
  if (!card) return;
  inside().open = sessionStorage.getItem(opened) !== null;
  if (inside().dataset.phase === "solved") note(); // while no page was there to see it
  card.addEventListener("toggle", () => (inside().open ? sessionStorage.setItem(opened, "1") : sessionStorage.removeItem(opened)), true);
  card.addEventListener("submit", give);
  addEventListener("toggle", help, true);
  addEventListener("keydown", (event) => {
    if (event.key !== "T" || event.ctrlKey || event.altKey || event.metaKey || takesText(event.target)) return;
    event.preventDefault();
    inside().open = !inside().open;
    inside().querySelector("summary").focus();
  });
  follow();
}
