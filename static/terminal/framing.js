// Kubernetes’ protocol for terminals over a WebSocket: each message is the number of a channel, and then bytes of that channel.
// Nothing here needs a browser, so the tests run it without one.

/** The versions of the protocol, the newest first. Version 5 can end the input, and versions before 4 report errors as plain text. */
export const protocols = ["v5.channel.k8s.io", "v4.channel.k8s.io", "channel.k8s.io"];

export const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 };

const encoder = new TextEncoder();

function message(channel, bytes) {
  const all = new Uint8Array(bytes.length + 1);
  all[0] = channel;
  all.set(bytes, 1);
  return all;
}

/** The message for text that was typed or pasted. */
export const typed = (text) => message(channels.stdin, encoder.encode(text));

/** The message for bytes, one in each character, as terminals report some movements of a mouse. */
export const reported = (binary) => message(channels.stdin, Uint8Array.from(binary, (character) => character.charCodeAt(0)));

/** The message for another size of the terminal. */
export const sized = (columns, rows) => message(channels.resize, encoder.encode(JSON.stringify({ Width: columns, Height: rows })));

/** The message that ends the input; null: this version of the protocol has none. */
export const inputEnds = (protocol) => (protocol === protocols[0] ? Uint8Array.of(channels.close, channels.stdin) : null);

/** The channel of a message, and its bytes; null: the message is empty, or it isn't binary. */
export function parts(data) {
  if (!(data instanceof ArrayBuffer) || data.byteLength < 1) return null;
  const all = new Uint8Array(data);
  return { channel: all[0], bytes: all.subarray(1) };
}

/**
 * How a command ended, by the text of the error channel: with an exit code, or with a message of the node. In the newer versions, the text is a Status.
 * A code of -1 means that there is no exit code.
 */
export function outcome(text) {
  let status;
  try {
    status = JSON.parse(text);
  } catch {
    return { code: -1, message: text };
  }
  if (status?.status === "Success") return { code: 0, message: "" };
  const cause = status?.reason === "NonZeroExitCode" && status.details?.causes?.find?.(({ reason }) => reason === "ExitCode");
  const code = cause ? Number.parseInt(cause.message, 10) : -1;
  return { code: Number.isInteger(code) ? code : -1, message: String(status?.message ?? text) };
}
