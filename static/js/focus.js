// Moves the focus for the program, and for keys that only move the focus.

let wanted = ""; // the id of what gets the focus when it is there

/** Gives the focus to the element with an id. A row itself can't have it, but its link can, so that the object is one key away. */
export function focusOn(id) {
  const element = document.getElementById(id);
  if (!element) return false;
  const link = element.localName === "tr" && element.querySelector("td a[href]:not(.quiet)");
  const target = link || element;
  target.focus({ preventScroll: true });
  if (target.localName === "input") target.select();
  return document.activeElement === target; // a hidden element can't have the focus
}

/** Gives the focus to an element, now or as soon as it is there and visible. */
export const focusSoon = (id) => (wanted = focusOn(id) ? "" : id);

/** The document has changed. */
export function focusNow() {
  if (wanted && focusOn(wanted)) wanted = "";
}

// What the reader does meanwhile counts more.
for (const act of ["keydown", "pointerdown"]) addEventListener(act, () => (wanted = ""), { capture: true, passive: true });
