// One connection between a terminal and a container.
import { channels, inputEnds, outcome, parts, protocols, reported, sized, typed } from "./framing.js";

/**
 * Opens a WebSocket. It calls output with bytes of the container, and happened with what became of the connection, a code and words: "open" with the
 * version of the protocol, then one of "ended" with the exit code and a message, "cut" if nothing told the end, or "refused" if it never opened.
 */
export class Stream {
  #socket;
  #opened = false;
  #outcome = null;
  #early = ""; // what was typed before the connection opened

  constructor(address, { output, happened }) {
    this.#socket = new WebSocket(address, protocols);
    this.#socket.binaryType = "arraybuffer";
    this.#socket.onopen = () => {
      this.#opened = true;
      happened("open", 0, this.#socket.protocol);
      if (this.#early) this.type(this.#early);
    };
    this.#socket.onmessage = ({ data }) => this.#heard(parts(data), output);
    this.#socket.onclose = ({ code, reason }) => {
      if (this.#outcome !== null) happened("ended", ...this.#ending());
      else if (this.#opened) happened("cut", -1, reason || `WebSocket close code ${code}`);
      else happened("refused", -1, "");
    };
  }

  #heard(part, output) {
    if (part?.channel === channels.error) this.#outcome = (this.#outcome ?? "") + new TextDecoder().decode(part.bytes);
    else if (part?.channel === channels.stdout || part?.channel === channels.stderr) output(part.bytes);
  }

  #ending() {
    const { code, message } = outcome(this.#outcome || '{"status":"Success"}');
    return [code, message];
  }

  #send(message) {
    if (message && this.#socket.readyState === WebSocket.OPEN) this.#socket.send(message);
  }

  type(text) {
    if (this.#socket.readyState === WebSocket.CONNECTING) this.#early += text;
    else this.#send(typed(text));
  }

  report(binary) {
    this.#send(reported(binary));
  }

  size(columns, rows) {
    this.#send(sized(columns, rows));
  }

  endInput() {
    this.#send(inputEnds(this.#socket.protocol));
  }

  get open() {
    return this.#socket.readyState <= WebSocket.OPEN;
  }

  /** Ends the connection without a word to anybody. */
  end() {
    this.#socket.onopen = this.#socket.onmessage = this.#socket.onclose = null;
    this.#socket.close(1000);
  }
}
