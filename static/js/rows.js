// The region that the rows of a list scroll in, of which only the rows in sight and some around them are in the document.

import { sent, unheard } from "/static/js/acts.js";

const region = () => document.querySelector("#main .scroll.rows");
const main = () => document.getElementById("main");

// Until when a scroll counts as the reader's, in milliseconds: pages scroll rows, too, and that place isn't the reader's.
let until = 0;
let brought = -1;
for (const by of ["wheel", "touchmove", "pointerdown", "pointermove"]) {
  addEventListener(by, (e) => (e.type !== "pointermove" || e.buttons) && (until = performance.now() + 300), { capture: true, passive: true });
}

let changed = () => {};
let watched;
const sizes = new ResizeObserver(() => changed(false));

/** Posts what can be seen of the rows, and whether the reader has scrolled: when they are scrolled, before the frame that shows it, and when the
 * region has another size. */
export function rowsTo(post) {
  changed = (scrolled) => {
    const r = region();
    if (!r || (scrolled instanceof Event && scrolled.target !== r)) return;
    const reader = scrolled !== false && r.scrollTop !== brought && performance.now() < until;
    if (reader) sent("rows");
    post("rows", { top: Math.trunc(r.scrollTop), height: r.clientHeight, width: r.clientWidth, reader });
  };
  document.addEventListener("scroll", changed, { capture: true, passive: true });
  watchRows();
}

/** Notices another region. Reading the size after each change would force a layout each time. */
export function watchRows() {
  const r = region();
  if (r === watched) return;
  sizes.disconnect();
  if (r) sizes.observe(r);
  watched = r;
}

/** Tells of the region that is in the document, for a program that doesn't know it. */
export function tellRows() {
  sizes.disconnect();
  watched = undefined;
  watchRows();
}

// The height of the table's head in pixels, which covers some rows.
const head = 29;

/** Scrolls the rows until these pixels are visible. If the reader has just scrolled them, and the program doesn't know it, they stay. */
export function bring(top, bottom) {
  const r = region();
  if (!r || unheard("rows")) return;
  const at = r.scrollTop;
  const height = r.clientHeight - head;
  let to = at;
  if (top < at) to = top;
  else if (bottom > at + height) to = bottom - height;
  makeRoom(r, bottom - to + head);
  if (to === at) return;
  r.scrollTop = to;
  brought = r.scrollTop;
  changed(false); // at once: a row may get the focus next
}

// Scrolls the page until so many pixels of the region are visible. In a small window, the end of the region may be out of sight, or under the card of the
// chosen line: the page's scroll padding is its height.
function makeRoom(r, pixels) {
  const covered = Number.parseFloat(getComputedStyle(main()).scrollPaddingBottom) || 0;
  const below = r.getBoundingClientRect().top + r.clientTop + pixels - (main().getBoundingClientRect().bottom - covered);
  if (below > 0) main().scrollTop = Math.ceil(main().scrollTop + below);
}

/** Scrolls the rows by so many pixels. Those that lead to an end are as in bring; others keep rows in their places. */
export function shift(by) {
  const r = region();
  if (!r || (Math.abs(by) > r.scrollHeight && unheard("rows"))) return;
  r.scrollTop += by;
}

/** How far the page and its rows are scrolled. */
export const position = () => ({ main: Math.trunc(main().scrollTop), rows: Math.trunc(region()?.scrollTop ?? 0) });

/** Scrolls the page and its rows. */
export function scrollTo(to) {
  main().scrollTop = to.main;
  const r = region();
  if (r) r.scrollTop = to.rows;
}
