// Moves the focus in a grid of cells that have a place and a row, such as the picture of managers and types. Tab leads to one cell of a grid, and arrow keys
// from there to the others. A row has only the cells that show something, so a step up or down leads to the nearest one.

const steps = { ArrowUp: -1, ArrowDown: 1 };

const cellsOf = (row) => [...row.querySelectorAll("[role=gridcell]")];
const columnOf = (cell) => Number(cell.getAttribute("aria-colindex"));

// The cell that a key leads to; undefined: the key leads nowhere.
function next(key, cell) {
  const row = cell.closest("[role=row]");
  const cells = cellsOf(row);
  const at = cells.indexOf(cell);
  switch (key) {
    case "ArrowLeft":
      return cells[at - 1];
    case "ArrowRight":
      return cells[at + 1];
    case "Home":
      return cells[0];
    case "End":
      return cells.at(-1);
  }
  const rows = [...cell.closest("[role=grid]").querySelectorAll("[role=row]")].filter((r) => cellsOf(r).length > 0);
  const other = rows[rows.indexOf(row) + steps[key]];
  const far = (c) => Math.abs(columnOf(c) - columnOf(cell));
  return other && cellsOf(other).reduce((best, c) => (far(c) < far(best) ? c : best));
}

const keys = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]);

/** Handles a key in a grid; false: it is for others. */
export function stepInGrid(key, target) {
  const cell = keys.has(key) && target?.closest("[role=grid] [role=gridcell]");
  if (!cell) return false;
  const to = next(key, cell);
  if (to) {
    for (const c of cell.closest("[role=grid]").querySelectorAll("[role=gridcell][tabindex='0']")) c.setAttribute("tabindex", "-1");
    to.setAttribute("tabindex", "0");
    to.focus();
  }
  return true;
}
