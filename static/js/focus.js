// Moves the focus for the program.
import { focusOn } from "/static/js/keys.js";

let wanted = ""; // the id of what gets the focus when it is there

/** Gives the focus to an element, now or as soon as it is there and visible. */
export const focusSoon = (id) => (wanted = focusOn(id) ? "" : id);

/** The document has changed. */
export function focusNow() {
  if (wanted && focusOn(wanted)) wanted = "";
}

// What the reader does meanwhile counts more.
for (const act of ["keydown", "pointerdown"]) addEventListener(act, () => (wanted = ""), { capture: true, passive: true });
