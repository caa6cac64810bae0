// Terms of the glossary open in place: a click, a touch or Enter on one shows its definition beside it, so that the page goes on with
// what it does. The glossary itself opens in a new tab. Without this script a term is a link to the glossary.
const card = document.createElement("div");
card.id = "term";
card.popover = "auto"; // a click elsewhere closes it; the focus returns to the term
card.tabIndex = -1;
card.setAttribute("role", "note");
const meaning = document.createElement("p");
const more = document.createElement("a");
more.textContent = "Open in the glossary";
more.title = "Opens a new tab";
more.target = "_blank";
card.append(meaning, more);
document.body.append(card);

let shown = null; // the term whose definition is open
let pressed = null; // the term whose definition was open when the pointer went down
const margin = 8; // pixels between the card and the edges of the window

function place(term) {
  const at = term.getClientRects()[0];
  const { width, height } = card.getBoundingClientRect();
  const below = at.bottom + 4;
  card.style.left = `${Math.max(margin, Math.min(at.left, innerWidth - width - margin))}px`;
  card.style.top = `${below + height + margin <= innerHeight ? below : Math.max(margin, at.top - height - 4)}px`;
}

function open(term) {
  meaning.textContent = term.title;
  card.setAttribute("aria-label", term.textContent);
  more.href = term.href;
  card.showPopover();
  place(term);
  card.focus({ preventScroll: true });
  shown = term;
}

card.addEventListener("toggle", ({ newState }) => {
  if (newState === "closed") shown = null;
});
addEventListener("pointerdown", ({ target }) => (pressed = shown && target.closest?.("a.term") === shown ? shown : null), true);
addEventListener(
  "click",
  (event) => {
    const term = event.target.closest?.("a.term");
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
    event.stopImmediatePropagation(); // the page's own Esc is another
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
