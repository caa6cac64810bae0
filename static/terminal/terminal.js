// Puts xterm into each [data-terminal], and connects it with a container. Keys and output pass only through this script, so a key never waits for
// the page’s program. The page says when to connect, and gets what became of it. Everything here is called by placed.js.
import { FitAddon } from "@xterm/addon-fit";
import { Terminal } from "@xterm/xterm";
import { filter } from "./filter.js";
import { font, theme, themed } from "./look.js";
import { Output } from "./output.js";
import { Stream } from "./stream.js";

/** The most lines that can be scrolled back to. */
const scrollback = 5000;
/** Leaves every mode that a program may have set: another screen, a mouse, marks around pasted text, colors. */
const calm = "\x18\x1b[?1049l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[!p\x1b[0m";

const sessions = new Map(); // by element

class Session {
  #stream = null;
  #cleared;

  constructor(element, tell) {
    this.element = element;
    this.id = element.dataset.terminal;
    this.tell = tell;
    element.dataset.mounted = "";
    element.editor = this;
    this.ready = this.#mount();
  }

  async #mount() {
    const face = await font(this.element);
    if (!sessions.has(this.element)) return;
    this.term = new Terminal({
      ...face, theme: theme(this.element), scrollback, lineHeight: 1.2, minimumContrastRatio: 4.5, cursorBlink: false, screenReaderMode: true,
      allowProposedApi: false, rightClickSelectsWord: false, macOptionIsMeta: false,
    });
    filter(this.term);
    this.fitting = new FitAddon();
    this.term.loadAddon(this.fitting);
    this.term.attachCustomKeyEventHandler((event) => this.#ours(event));
    this.term.open(this.element);
    this.term.textarea.ariaLabel = this.element.ariaLabel;
    this.term.textarea.setAttribute("aria-describedby", this.element.dataset.keys);
    this.term.onData((text) => this.#typed(text));
    this.term.onBinary((binary) => this.#stream?.report(binary));
    this.term.onResize(({ cols, rows }) => this.#stream?.size(cols, rows));
    this.resizing = new ResizeObserver(() => this.#fit());
    this.resizing.observe(this.element);
    this.#cleared = themed(() => (this.term.options.theme = theme(this.element)));
    this.#fit();
  }

  /** Makes the terminal as large as its place. A place that isn't shown has no size. */
  #fit() {
    if (this.element.clientHeight > 0) this.fitting.fit();
  }

  /** The keys of the terminal itself: true if the key is for the container. */
  #ours(event) {
    if (event.type !== "keydown") return true;
    if (event.key === "F6") {
      event.preventDefault();
      document.getElementById(this.element.dataset.leave)?.focus();
      return false;
    }
    if (!event.ctrlKey || !event.shiftKey || event.altKey) return true;
    if (event.code === "KeyC") {
      event.preventDefault();
      if (this.term.hasSelection()) navigator.clipboard?.writeText(this.term.getSelection()).catch(console.info);
      return false;
    }
    return event.code !== "KeyV"; // the browser pastes, and xterm gets the text
  }

  /** Without a terminal in the container, nobody else shows what is typed, and lines end as in files. */
  #typed(text) {
    if (!this.#stream?.open) return;
    if (this.raw) return void this.#stream.type(text);
    for (const key of text.replaceAll("\r", "\n")) {
      if (key === "\x04") this.#stream.endInput();
      else this.#stream.type(key);
    }
    this.term.write(text.replaceAll("\r", "\r\n").replaceAll("\x04", ""));
  }

  /** Connects with a container. An earlier connection ends. With raw, the container has a terminal too, and gets each key as it is. */
  async connect(address, raw) {
    await this.ready;
    if (!this.term) return;
    if (this.#stream) this.term.write(`${calm}\r\n`);
    this.#stream?.end();
    this.raw = raw;
    this.term.options.convertEol = !raw;
    this.term.options.disableStdin = false;
    this.#fit();
    this.term.focus();
    const output = new Output((bytes, done) => this.term.write(bytes, done));
    this.#stream = new Stream(address, {
      output: (bytes) => output.show(bytes),
      happened: (state, code, words) => {
        if (state === "open") this.#stream.size(this.term.cols, this.term.rows);
        else this.term.options.disableStdin = true;
        this.tell("streamed", { id: this.id, state, code, words });
      },
    });
  }

  focus() {
    this.#fit();
    this.term?.focus();
  }

  /** Tells whether the terminal stays when the page is shown again. */
  stays(next) {
    const same = next.dataset?.terminal === this.id;
    if (!same) this.end();
    return same;
  }

  /** Another page is about to be shown. */
  leave() {
    this.end();
  }

  end() {
    if (!sessions.delete(this.element)) return;
    this.#stream?.end();
    this.#cleared?.();
    this.resizing?.disconnect();
    this.term?.dispose();
    delete this.element.dataset.mounted;
    delete this.element.editor;
  }
}

const of = (id) => [...sessions.values()].find((session) => session.id === id);

/** Mounts a terminal in each place for one, and ends those whose place is gone. */
export function tend(tell) {
  for (const [element, session] of sessions) if (!element.isConnected) session.end();
  for (const element of document.querySelectorAll("[data-terminal]:not([data-mounted])")) {
    const session = new Session(element, tell);
    sessions.set(element, session);
  }
}

export const connect = (id, address, raw) => of(id)?.connect(address, raw);
export const focus = (id) => of(id)?.focus();
