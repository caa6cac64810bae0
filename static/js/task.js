// The card of a task, which stands beside every page: follows how the task stands, and is folded and opened by a key.
import { takesText } from "/static/js/events.js";
import { become } from "/static/js/morph.js";

let card;
const opened = "fieldmark.task.open";

const inside = () => card.firstElementChild;
const pause = (time) => new Promise((over) => setTimeout(over, time));
const visible = () => new Promise((shown) => (document.hidden ? document.addEventListener("visibilitychange", () => shown(visible()), { once: true }) : shown()));

/** Waits for the next revision, again and again. The server answers when there is one, or after a while. */
async function follow() {
  for (;;) {
    await visible();
    let answer;
    try {
      answer = await fetch(`${card.dataset.address}?card=1&revision=${inside().dataset.revision}`);
    } catch {
      await pause(3000);
      continue;
    }
    if (answer.status === 204 || answer.status === 401) return card.remove();
    if (answer.ok) become(card, await answer.text());
    else await pause(3000);
  }
}

/** Opens the card if its reader has opened it on the page before, and follows the task. Without a task, it does nothing. */
export function showTask() {
  card = document.getElementById("task-card");
  if (!card) return;
  inside().open = sessionStorage.getItem(opened) !== null;
  card.addEventListener("toggle", () => (inside().open ? sessionStorage.setItem(opened, "1") : sessionStorage.removeItem(opened)), true);
  addEventListener("keydown", (event) => {
    if (event.key !== "T" || event.ctrlKey || event.altKey || event.metaKey || takesText(event.target)) return;
    event.preventDefault();
    inside().open = !inside().open;
    inside().querySelector("summary").focus();
  });
  follow();
}
