// Output on its way into a terminal. What comes while the terminal is at work waits, and is written in larger pieces.

/** The most bytes that may wait. What comes then is left out, so that Ctrl-C helps soon. */
export const mostWaiting = 4 << 20;
/** The most bytes that are written at once: a terminal stops for nothing else while it reads a piece. */
const piece = 128 << 10;

const note = (lost) => new TextEncoder().encode(`\x18\x1b[0m\r\n[Fieldmark left out ${lost} bytes, because they came faster than they can be shown.]\r\n`);

/** Output for write(bytes, done), which calls done when it has shown them. */
export class Output {
  #write;
  #waiting = [];
  #bytes = 0;
  #lost = 0;
  #busy = false;

  constructor(write) {
    this.#write = write;
  }

  show(bytes) {
    if (this.#bytes >= mostWaiting) {
      this.#lost += bytes.length;
      return;
    }
    this.#confess();
    this.#add(bytes);
    if (!this.#busy) this.#next();
  }

  #add(bytes) {
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
  }

  /** Says in its place how much was left out. */
  #confess() {
    if (this.#lost > 0) this.#add(note(this.#lost));
    this.#lost = 0;
  }

  #next() {
    if (this.#waiting.length === 0) this.#confess();
    this.#busy = this.#waiting.length > 0;
    if (this.#busy) this.#write(this.#take(), () => this.#next());
  }

  /** The beginning of what waits, in one piece. */
  #take() {
    let length = 0;
    let count = 0;
    while (count < this.#waiting.length && (count === 0 || length + this.#waiting[count].length <= piece)) length += this.#waiting[count++].length;
    this.#bytes -= length;
    const parts = this.#waiting.splice(0, count);
    if (count === 1) return parts[0];
    const all = new Uint8Array(length);
    let at = 0;
    for (const part of parts) all.set(part, at), (at += part.length);
    return all;
  }
}
