// Changes a part of the document into what the program shows, and keeps what is the same: elements, focus, and what the reader has typed or opened.
import { unheard } from "/static/js/acts.js";
import { Idiomorph } from "/static/js/idiomorph.js";

// A field that the user has changed keeps its text or choice, unless the page itself sets another value. In live fields, the page
// knows every letter that is typed.
function edited(old, next) {
  if (old.matches?.("select, input:is([type=checkbox], [type=radio])")) return old.isEqualNode(next); // the user's choice is not an attribute
  return old instanceof HTMLInputElement && !("live" in old.dataset) && old.value !== old.defaultValue && next.defaultValue === old.defaultValue;
}

// Rows are known by their ids: those that stay are kept where they are, and only those that changed are touched.
function morphRows(old, next, touch = (row, changed) => Idiomorph.morph(row, changed, { ...morphing, morphStyle: "outerHTML" })) {
  const kept = new Map();
  const staying = new Set([...next.children].map((row) => row.id));
  for (const row of [...old.children]) {
    if (row.id && staying.has(row.id)) kept.set(row.id, row);
    else row.remove();
  }
  let at = old.firstElementChild;
  for (const row of [...next.children]) {
    const known = kept.get(row.id);
    if (!known) {
      old.insertBefore(row, at);
      continue;
    }
    if (known === at) at = at.nextElementSibling;
    else old.insertBefore(known, at);
    if (!known.isEqualNode(row)) touch(known, row);
  }
}

// Changes an element into another one, and compares their children by position. That is fast, and enough for content without
// fields whose structure stays the same.
function turnInto(old, next) {
  if (old.isEqualNode(next)) return;
  if (old.nodeName !== next.nodeName || !(old instanceof Element)) {
    old.replaceWith(next);
    return;
  }
  changeAttributes(old, next);
  const was = [...old.childNodes];
  const all = [...next.childNodes];
  was.forEach((node, n) => (n < all.length ? turnInto(node, all[n]) : node.remove()));
  old.append(...all.slice(was.length));
}

// Lines have no ids: equal lines at both ends stay, and the others are compared by position.
function becomeLines(old, next) {
  const was = [...old.children];
  const all = [...next.children];
  let first = 0;
  while (first < was.length && first < all.length && was[first].isEqualNode(all[first])) first++;
  while (was.length > first && all.length > first && was.at(-1).isEqualNode(all.at(-1))) was.pop(), all.pop();
  const rest = old.children[was.length] ?? null;
  was.slice(first).forEach((line, n) => (first + n < all.length ? turnInto(line, all[first + n]) : line.remove()));
  for (const line of all.slice(Math.max(first, was.length))) old.insertBefore(line, rest);
}

// The user decides which details are open.
const ofUser = (name, element) => name === "open" && element.localName === "details";

function changeAttributes(old, next) {
  for (const { name } of [...old.attributes]) if (!next.hasAttribute(name) && !ofUser(name, old)) old.removeAttribute(name);
  for (const { name, value } of next.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
}

// A text that stays the only content of a cell is changed in place.
const onlyText = (cell) => (cell.childNodes.length === 1 && cell.firstChild.nodeType === Node.TEXT_NODE ? cell.firstChild : null);

function changeCell(old, next) {
  changeAttributes(old, next);
  const [was, is] = [onlyText(old), onlyText(next)];
  if (was && is) was.data = is.data;
  else if (old.contains(document.activeElement)) Idiomorph.morph(old, [...next.childNodes], morphing);
  else old.replaceChildren(...next.childNodes);
}

// Only the cells that differ are touched, and what has the focus stays. places are those of the cells that the new row has; null: it has all.
function changeRow(old, next, places) {
  changeAttributes(old, next);
  const cells = [...next.cells];
  const was = [...old.cells];
  if (places) places.forEach((place, n) => changeCell(was[place], cells[n]));
  else if (cells.length !== was.length) old.replaceChildren(...cells);
  else cells.forEach((cell, n) => was[n].isEqualNode(cell) || changeCell(was[n], cell));
}

function morphNode(old, next) {
  if (old.editor?.stays(next)) return false; // editors and terminals manage their own content
  // For a document of thousands of lines, the browser's own comparison is fast and comes first.
  if (old.id === "document" && old.isEqualNode(next)) return false;
  if (old.matches?.(".change-rows, .diff") && next.className === old.className) {
    turnInto(old, next);
    return false;
  }
  if ((old.localName === "tbody" && next.localName === "tbody") || (old.id === "lines" && next.id === "lines")) {
    if (!("kept" in next.dataset)) morphRows(old, next);
    return false;
  }
  // With a hundred versions a second, everything shown is new each time.
  if (old.localName === "ol" && next.localName === "ol") {
    if (old.classList.contains("steps-line") || old.id === "wire-lines") return morphRows(old, next, turnInto), false;
    if (old.parentElement.classList.contains("compared")) return becomeLines(old, next), false;
  }
  return !edited(old, next);
}

const morphing = {
  morphStyle: "innerHTML",
  // A typed text is newer than the page's, and so is a slider that is being moved, or a box that was clicked. For other elements with the focus, this would keep old content.
  get ignoreActiveValue() {
    const active = document.activeElement;
    if (active instanceof HTMLTextAreaElement) return true;
    return active instanceof HTMLInputElement && (!["range", "checkbox"].includes(active.type) || unheard("typed"));
  },
  callbacks: {
    beforeNodeMorphed: morphNode,
    beforeAttributeUpdated: (name, element) => !ofUser(name, element),
  },
};

/** Makes an element's content look like this HTML. */
export function become(element, html) {
  if (html === "") element.replaceChildren();
  else Idiomorph.morph(element, html, morphing);
}

/** Changes the rows of a table. Each step is the index of an existing row, + for a new row, the index and + for a row with other cells, or the index, a colon
 * and the places of the cells that have changed. The HTML of the rows with a + or a colon follows in their order. */
export function stepRows(body, steps, html) {
  const old = [...body.children];
  const all = steps === "" ? [] : steps.split(" ");
  const kept = new Set(all.map((step) => parseInt(step, 10)));
  old.forEach((row, place) => kept.has(place) || row.remove());
  const parsed = document.createElement("template");
  parsed.innerHTML = html;
  let at = body.firstElementChild;
  for (const step of all) {
    const places = step.split(":")[1];
    const fresh = step.endsWith("+") || places !== undefined ? parsed.content.firstElementChild : null;
    const known = old[parseInt(step, 10)];
    fresh?.remove();
    if (known === at && known) at = at.nextElementSibling;
    else body.insertBefore(known ?? fresh, at);
    if (known && fresh) changeRow(known, fresh, places?.split(",").filter(Boolean));
  }
}
