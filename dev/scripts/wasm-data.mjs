// wasm-data.mjs FILE: join the data segments of a WebAssembly program that Go has linked, in place. Go's linker leaves out each run of
// eight or more zeros, and begins another segment after it: 100,000 segments, each with a head. Compressed, these heads are larger
// than the zeros. A memory is zero before a program starts, so zeros can be written or left out. Why: docs/decisions/0048.
import { readFileSync, writeFileSync } from "node:fs";

/** Two segments are joined if at most this many bytes are between them. */
const NEAR = 1024;
const DATA = 11;

const [file] = process.argv.slice(2);
const before = readFileSync(file);
const after = joined(before);
if (!after.equals(before)) writeFileSync(file, after);

/** The program with fewer segments. All sections but the one of data stay as they are. */
function joined(program) {
  const parts = [program.subarray(0, 8)];
  for (let at = 8; at < program.length; ) {
    const size = unsigned(program, at + 1);
    const end = size.next + size.value;
    if (program[at] === DATA) {
      const content = written(join(segments(program, size.next, end)));
      parts.push(Buffer.of(DATA), leb(content.length), content);
    } else {
      parts.push(program.subarray(at, end));
    }
    at = end;
  }
  return Buffer.concat(parts);
}

/** The segments of a data section: where in the memory each begins, where it ends, and its bytes. */
function segments(program, start, end) {
  const count = unsigned(program, start);
  const found = [];
  let at = count.next;
  for (let i = 0; i < count.value; i++) {
    if (program[at] !== 0 || program[at + 1] !== 0x41) throw new Error(`Segment ${i} isn't one of Go's: an active one, whose offset is an i32.const.`);
    const offset = signed(program, at + 2);
    if (program[offset.next] !== 0x0b) throw new Error(`The offset of segment ${i} isn't a single constant.`);
    const size = unsigned(program, offset.next + 1);
    at = size.next + size.value;
    found.push({ begin: offset.value, end: offset.value + size.value, bytes: [program.subarray(size.next, at)] });
  }
  if (at !== end) throw new Error("The data section is longer than its segments.");
  return found;
}

function join(segments) {
  const fewer = [];
  for (const segment of segments.toSorted((a, b) => a.begin - b.begin)) {
    const last = fewer.at(-1);
    const gap = last && segment.begin - last.end;
    if (gap < 0) throw new Error("Two segments overlap.");
    if (gap <= NEAR) {
      last.bytes.push(Buffer.alloc(gap), ...segment.bytes);
      last.end = segment.end;
    } else {
      fewer.push(segment);
    }
  }
  return fewer;
}

/** The content of a data section. */
function written(segments) {
  const heads = segments.map(({ begin, end, bytes }) => [Buffer.of(0, 0x41), leb(begin, true), Buffer.of(0x0b), leb(end - begin), ...bytes]);
  return Buffer.concat([leb(segments.length), ...heads.flat()]);
}

/** The number of at most 32 bits that begins at a place, in LEB128, and the place after it. */
function unsigned(bytes, at) {
  const number = signed(bytes, at);
  const bits = 7 * (number.next - at);
  return { value: bits < 32 ? number.value & (2 ** bits - 1) : number.value >>> 0, next: number.next };
}

function signed(bytes, at) {
  let value = 0;
  let bits = 0;
  let byte;
  do {
    byte = bytes[at++];
    value |= (byte & 0x7f) << bits;
    bits += 7;
  } while (byte & 0x80);
  if (bits < 32 && byte & 0x40) value |= -1 << bits;
  return { value, next: at };
}

/** A number that isn't negative, in LEB128. A signed one has a bit for its sign. */
function leb(number, hasSign = false) {
  const bytes = [];
  for (let rest = number; ; rest >>>= 7) {
    const last = rest < (hasSign ? 0x40 : 0x80);
    bytes.push((rest & 0x7f) | (last ? 0 : 0x80));
    if (last) return Buffer.from(bytes);
  }
}
