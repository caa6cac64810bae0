// Kubernetes’ protocol for terminals, and the output on its way into one, without a browser.
import { expect, test } from "@playwright/test";
import { inputEnds, outcome, parts, reported, sized, typed } from "../../static/terminal/framing.js";
import { mostWaiting, Output } from "../../static/terminal/output.js";

const bytes = (message: Uint8Array | null): number[] | null => message && [...message];

test("messages to a container", () => {
  expect(bytes(typed("aé\r"))).toEqual([0, 0x61, 0xc3, 0xa9, 13]);
  expect(bytes(reported("\x1b[M\xff"))).toEqual([0, 0x1b, 0x5b, 0x4d, 0xff]);
  expect(sized(80, 24)[0]).toBe(4);
  expect(new TextDecoder().decode(sized(80, 24).subarray(1))).toBe('{"Width":80,"Height":24}');
  expect(bytes(inputEnds("v5.channel.k8s.io"))).toEqual([255, 0]);
  expect(inputEnds("v4.channel.k8s.io")).toBeNull();
});

test("messages of a container", () => {
  expect(parts(Uint8Array.of(1, 2, 3).buffer)).toEqual({ channel: 1, bytes: Uint8Array.of(2, 3) });
  expect(parts(Uint8Array.of(3).buffer)).toEqual({ channel: 3, bytes: Uint8Array.of() });
  expect(parts(new ArrayBuffer(0))).toBeNull();
  expect(parts("1text")).toBeNull();
});

const ends: [string, string, { code: number; message: string }][] = [
  ["success", '{"kind":"Status","status":"Success"}', { code: 0, message: "" }],
  ["an exit code", '{"status":"Failure","reason":"NonZeroExitCode","message":"it ended","details":{"causes":[{"reason":"ExitCode","message":"3"}]}}', { code: 3, message: "it ended" }],
  ["an exit code that is none", '{"status":"Failure","reason":"NonZeroExitCode","message":"it ended","details":{"causes":[{"reason":"ExitCode","message":"x"}]}}', { code: -1, message: "it ended" }],
  ["no command", '{"status":"Failure","reason":"InternalError","message":"not found"}', { code: -1, message: "not found" }],
  ["the text of an old node", "container not found", { code: -1, message: "container not found" }],
  ["JSON that is no Status", "null", { code: -1, message: "null" }],
];
for (const [name, text, want] of ends) {
  test(`how a command ended: ${name}`, () => expect(outcome(text)).toEqual(want));
}

test("output that comes while the terminal is at work is joined, and what is too much is told in its place", () => {
  const written: string[] = [];
  const done: (() => void)[] = [];
  const output = new Output((bytes: Uint8Array, shown: () => void) => {
    written.push(new TextDecoder().decode(bytes));
    done.push(shown);
  });
  const show = (text: string): void => output.show(new TextEncoder().encode(text));
  show("a");
  show("b");
  show("c");
  expect(written, "the first at once").toEqual(["a"]);
  done.shift()!();
  expect(written, "the others in one piece").toEqual(["a", "bc"]);

  const line = "x".repeat(1 << 20);
  for (let n = 0; n < 5; n++) show(line);
  show("lost");
  while (done.length > 0) done.shift()!();
  const rest = written.slice(2);
  expect(rest.filter((text) => text === line)).toHaveLength(mostWaiting >> 20);
  expect(rest.at(-1)).toContain(`[Fieldmark left out ${line.length + 4} bytes`);
  show("after");
  expect(written.at(-1)).toBe("after");
});
