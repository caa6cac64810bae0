// wasm-lines.mjs FILE: empty the tables of source lines of a WebAssembly program that Go has linked, in place. Only a stack trace reads them. They are
// a tenth of what a visitor downloads. A trace still names each function and the place in it, so the line can be found again. Go's runtime takes
// the offset 0 for a missing table, so nothing moves. Go's runtime/symtab.go and internal/abi/symtab.go define the tables. Why: docs/decisions/0141.
import { readFileSync, writeFileSync } from "node:fs";

/** How the header of Go's tables begins: its version, two zeros, instructions of one byte, pointers of eight. */
const HEADER = Buffer.of(0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8);

/** Where a function's record has the offsets of its tables. The first ones after OTHERS are about unsafe points, stack maps, inlined calls and live arguments. */
const STACK = 16;
const FILES = 20;
const LINES = 24;
const COUNT = 28;
const UNIT = 32;
const START = 36;
const OTHERS = 44;

/** Of the other tables, these two are needed by the garbage collector, and by calls that recover. Nothing else reads the rest. */
const needed = new Set([1, 2]);

const [file] = process.argv.slice(2);
const program = readFileSync(file);
const before = Buffer.from(program);
empty(header(program));
if (!program.equals(before)) writeFileSync(file, program);

/** Where the tables are, as places in the program. */
function header(program) {
  const found = [];
  for (let at = program.indexOf(HEADER); at >= 0; at = program.indexOf(HEADER, at + 1)) {
    const place = (field) => at + Number(program.readBigUInt64LE(at + field));
    const one = { count: Number(program.readBigUInt64LE(at + 8)), names: place(32), units: place(40), files: place(48), tables: place(56), functions: place(64) };
    const places = [at, one.names, one.units, one.files, one.tables, one.functions, program.length];
    if (one.count > 0 && places.every((place, i) => i === 0 || places[i - 1] < place)) found.push(one);
  }
  if (found.length !== 1) throw new Error(`${file} has ${found.length} headers of Go's tables of functions, want 1. See whether a new version of Go has changed them.`);
  return found[0];
}

function empty({ count, units, tables, functions }) {
  const known = new Set();
  const kept = new Set();
  for (let i = 0; i < count; i++) {
    const at = functions + program.readUInt32LE(functions + 8 * i + 4);
    for (const [field, keep] of fields(at)) {
      const table = program.readUInt32LE(field);
      known.add(table);
      if (keep) kept.add(table);
      else program.writeUInt32LE(0, field);
    }
    program.writeUInt32LE(0, at + UNIT);
    program.writeUInt32LE(0, at + START);
  }
  const ordered = [...known].sort((a, b) => a - b);
  for (const [i, table] of ordered.entries()) {
    if (table !== 0 && !kept.has(table)) program.fill(0, tables + table, i + 1 < ordered.length ? tables + ordered[i + 1] : functions);
  }
  program.fill(0, units, tables); // which files a unit has, and their names
}

/** The places of the offsets in a function's record, and whether their tables are kept. */
function fields(at) {
  const others = Array.from({ length: program.readUInt32LE(at + COUNT) }, (_, i) => [at + OTHERS + 4 * i, needed.has(i)]);
  return [[at + STACK, true], [at + FILES, false], [at + LINES, false], ...others];
}
