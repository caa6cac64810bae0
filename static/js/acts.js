// What the reader has done, and the program hasn't handled yet. A key may change what the next one means: one opens the palette, another moves the focus to
// a row. So acts that follow wait here until the program has handled it, and then count as if they were done at that moment.

const open = []; // kinds of acts, in the order in which the program handles them
const held = [];
let replay = () => {};

/** Calls f with each act that was held, once it counts. */
export const replayWith = (f) => (replay = f);

/** Notes that something was sent to the program: a key, an action of a button ("do"), a text ("typed"), or a place to which the reader has scrolled ("rows"). */
export const sent = (kind) => open.push(kind);

/** Whether a typed text, or a place to which the reader has scrolled, is on its way to the program. */
export const unheard = (kind) => open.includes(kind);

/** Whether an act must wait. */
export const waits = () => open.some((kind) => kind === "key" || kind === "do");

/** Holds an act until it counts, which may be now. */
export function hold(act) {
  held.push(act);
  release();
}

/** The program has handled the oldest act. */
export function handled() {
  open.shift();
  release();
}

/** There is another program, which knows of no act. */
export function forget() {
  open.length = 0;
  release();
}

function release() {
  while (held.length && !waits()) replay(held.shift());
}
