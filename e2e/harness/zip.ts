// Zip archives, and one with a wrong size of its content.
import { deflateRawSync } from "node:zlib";

/** A number in this many bytes, the lowest byte first. */
const le = (n: number, bytes: number): number[] => Array.from({ length: bytes }, (_, at) => Math.floor(n / 256 ** at) % 256);

/** An archive of files with these texts. Its directory has the real sizes, unless other sizes are given. */
export function zip(files: Readonly<Record<string, string>>, said: Readonly<Record<string, number>> = {}): Buffer {
  const content: number[] = [];
  const list: number[] = [];
  for (const [name, text] of Object.entries(files)) {
    const packed = [...deflateRawSync(text)];
    const title = [...Buffer.from(name)];
    // The version, flags, deflate, no time, no checksum (browsers don't look at it), sizes, and no more than a name.
    const about = [...le(20, 2), ...le(0, 2), ...le(8, 2), ...le(0, 8), ...le(packed.length, 4), ...le(said[name] ?? Buffer.byteLength(text), 4), ...le(title.length, 2), ...le(0, 2)];
    list.push(...le(0x02014b50, 4), ...le(20, 2), ...about, ...le(0, 10), ...le(content.length, 4), ...title);
    content.push(...le(0x04034b50, 4), ...about, ...title, ...packed);
  }
  const count = le(Object.keys(files).length, 2);
  const end = [...le(0x06054b50, 4), ...le(0, 4), ...count, ...count, ...le(list.length, 4), ...le(content.length, 4), ...le(0, 2)];
  return Buffer.from([...content, ...list, ...end]);
}
