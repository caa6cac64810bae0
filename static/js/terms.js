// Terms of the glossary, and the marks that ask why, open in place: a click, a touch or Enter on one shows its definition beside it, so
// that the page goes on with what it does. The guide itself opens in a new tab. Without this script each is a link into the guide.
const below = document.documentElement.dataset.base ?? ""; // the path below which Fieldmark is
const card = document.createElement("div");
card.id = "term";
card.popover = "auto"; // a click elsewhere closes it; the focus returns to the term
card.tabIndex = -1;
card.setAttribute("role", "note");
const meaning = document.createElement("p");
const [more, practise] = ["a", "a"].map((name) => Object.assign(document.createElement(name), { title: "Opens a new tab", target: "_blank" }));
practise.textContent = "Practise it";
card.append(meaning, more, practise);
document.body.append(card);

let briefs = null; // what marks open, by the address in the guide; fetched when the first one is used

async function brief(address) {
  briefs ??= fetch(`${below}/learn`, { headers: { Accept: "application/vnd.fieldmark.briefs+json" } }).then((r) => (r.ok ? r.json() : Promise.reject(r.status)));
  try {
    return (await briefs)[address];
  } catch {
    briefs = null; // the next mark asks again
  }
}

let shown = null; // the term whose definition is open
let pressed = null; // the term whose definition was open when the pointer went down
const opens = "a.term, a.why";
const margin = 8; // pixels between the card and the edges of the window

function place(term) {
  const at = term.getClientRects()[0];
  const { width, height } = card.getBoundingClientRect();
  const below = at.bottom + 4;
  card.style.left = `${Math.max(margin, Math.min(at.left, innerWidth - width - margin))}px`;
  card.style.top = `${below + height + margin <= innerHeight ? below : Math.max(margin, at.top - height - 4)}px`;
}

async function open(term) {
  const { pathname, hash } = new URL(term.href);
  more.textContent = pathname === `${below}/learn/glossary` ? "Open in the glossary" : "Open the lesson";
  more.href = term.href;
  meaning.textContent = term.title;
  practise.hidden = true;
  card.setAttribute("aria-label", term.ariaLabel ?? term.textContent);
  card.showPopover();
  place(term);
  card.focus({ preventScroll: true });
  shown = term;
  if (!term.matches(".why")) return;
  const of = await brief(pathname.slice(below.length) + hash);
  if (!of || shown !== term) return; // what the mark says itself stays
  meaning.textContent = of.text;
  practise.hidden = !of.task;
  practise.href = below + of.task;
  place(term);
}

card.addEventListener("toggle", ({ newState }) => {
  if (newState === "closed") shown = null;
});
addEventListener("pointerdown", ({ target }) => (pressed = shown && target.closest?.(opens) === shown ? shown : null), true);
addEventListener(
  "click",
  (event) => {
    const term = event.target.closest?.(opens);
    if (!term?.title || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (new URL(term.href).pathname === location.pathname) return; // in the glossary it is a place in the page
    event.preventDefault();
    event.stopImmediatePropagation();
    if (pressed === term) card.hidePopover();
    else open(term);
    pressed = null;
  },
  true,
);
addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Escape" || !shown) return;
    event.stopImmediatePropagation(); // so that the page doesn't handle this Esc
    card.hidePopover();
  },
  true,
);
addEventListener(
  "scroll",
  ({ target }) => {
    if (!shown || card.contains(target)) return;
    const { top, bottom } = shown.getBoundingClientRect();
    if (bottom < 0 || top > innerHeight) card.hidePopover();
    else place(shown);
  },
  true,
);
addEventListener("resize", () => shown && card.hidePopover());
