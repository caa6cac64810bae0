// What a key means where it is pressed, for the page before its program is there (before.js) and with it (events.js).

/** The element of an event; null for events on text or on the document. */
export const elementOf = ({ target }) => (target?.closest ? target : null);

// An editor and a terminal have keys and fields of their own.
export const inEditor = (target) => target?.closest("[data-mounted]");
export const inTerminal = (target) => target?.closest("[data-terminal]");
export const inField = (target) => target?.matches("input:not([type=range], [type=file], [data-range]), select, textarea, [contenteditable]");

/** Tells whether keys are text for an element. */
export const takesText = (target) => Boolean(inField(target) || inEditor(target) || inTerminal(target));

/** Arrow keys do among lines what j and k do everywhere. */
export const arrows = { ArrowDown: "j", ArrowUp: "k" };

/** Tells whether a key can be held and count later: others do something in the browser that a script can't do. */
export const holdable = ({ key, ctrlKey, metaKey }, target) => (key.length === 1 && !ctrlKey && !metaKey && (key !== " " || inField(target))) || key === "Enter" || key === "Escape";

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

/** The uid of the row that an element is in; empty: none. */
export const rowOf = (element) => element?.closest("tr[data-uid]")?.dataset.uid ?? "";

/** The uid of the row that has the focus; empty: none. */
export const rowInFocus = () => rowOf(document.activeElement);
