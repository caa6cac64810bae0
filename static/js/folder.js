// Reads what was chosen for a field that takes several files, or dropped there: files, folders with all that is in them, and zip archives,
// which count as folders. The script is loaded when that happens for the first time. The field says what it takes: data-endings are those of
// names, data-files is how many files, data-most is how many bytes a file may have, and data-total how many all of them may.

// How many names are looked at, and how long the list of names in an archive may be, in bytes.
const mostNames = 50_000;
const longestList = 8 << 20;

// How many archives that can’t be read are named. The others are counted.
const mostNamed = 10;

/** Posts how many files there are, and then one after the other. */
export async function take(field, given, post) {
  const wanted = new Wanted(field.dataset);
  for (const one of given) await (one.isFile === undefined ? wanted.file(one, one.webkitRelativePath || one.name) : wanted.entry(one));
  const { files, passed } = wanted;
  post("files", { field: field.name, files: files.length, passed, why: wanted.words() });
  let left = Number(field.dataset.total);
  for (const { name, size, read } of files) {
    const body = left < 0 ? null : await read(Math.min(left, Number(field.dataset.most)), (bytes) => { left -= bytes; }).catch(() => null);
    post("file", { field: field.name, name, size, body });
  }
}

/** What is wanted of all that was given. */
class Wanted {
  files = [];
  passed = 0;
  why = [];
  #seen = 0;
  #damaged = 0;

  constructor({ endings, files }) {
    this.endings = endings.split(" ");
    this.most = Number(files);
  }

  /** Notes a file by its name, unless that has another ending; read(most, spend) reads it as long as it has no more bytes. spend
   *  is told the bytes that were read or unpacked, also of a file that turns out to be too long: an archive can name one such file many times. */
  #add(name, size, read) {
    if (!this.endings.some((ending) => name.endsWith(ending))) this.passed++;
    else if (this.files.length < this.most) this.files.push({ name, size, read });
    else this.#full(`Fieldmark reads only the first ${this.most} files.`);
  }

  #full(words) {
    if (!this.why.includes(words)) this.why.push(words);
  }

  #goesOn() {
    if (++this.#seen > mostNames) this.#full(`Fieldmark looks at only the first ${mostNames} names.`);
    return this.#seen <= mostNames;
  }

  async file(file, name) {
    if (!this.#goesOn()) return;
    if (/\.zip$/i.test(name)) return this.archive(file, name);
    this.#add(name, file.size, async (most, spend) => {
      if (file.size > most) return null;
      spend(file.size);
      return file.arrayBuffer();
    });
  }

  /** Reads a dropped file or folder. */
  async entry(entry) {
    const name = entry.fullPath.replace(/^\//, "");
    if (entry.isFile) return this.file(await new Promise((is, fails) => entry.file(is, fails)), name);
    const reader = entry.createReader();
    for (let some; (some = await new Promise((is, fails) => reader.readEntries(is, fails))).length > 0; ) {
      some.sort((a, b) => (a.name < b.name ? -1 : 1));
      for (const one of some) if (this.#seen <= mostNames) await this.entry(one);
    }
  }

  /** Why something was not read, in sentences: the first archives by their names, and how many more. */
  words() {
    const more = this.#damaged - mostNamed;
    return [...this.why, ...(more > 0 ? [`Fieldmark can’t read ${more} more ${more === 1 ? "archive" : "archives"}.`] : [])].join(" ");
  }

  async archive(file, name) {
    try {
      for (const one of await listed(file)) if (this.#goesOn()) this.#add(`${name}/${one.name}`, one.size, (most, spend) => unpacked(file, one, most, spend));
    } catch (error) {
      if (++this.#damaged <= mostNamed) this.#full(`Fieldmark can’t read ${name}: ${error.message}.`);
    }
  }
}

const view = async (file, from, to) => new DataView(await file.slice(from, to).arrayBuffer());

/** The files in a zip archive, as the list at its end names them. */
async function listed(file) {
  const from = Math.max(0, file.size - 22 - 0xffff);
  const tail = await view(file, from, file.size);
  let end = tail.byteLength - 22;
  while (end >= 0 && tail.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0) throw new Error("it isn’t a zip archive");
  const [count, length, start] = [tail.getUint16(end + 10, true), tail.getUint32(end + 12, true), tail.getUint32(end + 16, true)];
  if (count === 0xffff || start === 0xffffffff) throw new Error("zip64 archives aren’t supported");
  if (length > longestList || start + length > file.size) throw new Error("its list of files is damaged, or too long");
  const list = await view(file, start, start + length);
  const files = [];
  for (let at = 0; at + 46 <= list.byteLength && files.length < count; ) {
    if (list.getUint32(at, true) !== 0x02014b50) throw new Error("its list of files is damaged");
    const [nameLength, extra, comment] = [28, 30, 32].map((place) => list.getUint16(at + place, true));
    const name = new TextDecoder().decode(new Uint8Array(list.buffer, at + 46, Math.min(nameLength, list.byteLength - at - 46)));
    if (!name.endsWith("/")) {
      files.push({
        name, encrypted: (list.getUint16(at + 8, true) & 1) === 1, method: list.getUint16(at + 10, true),
        packed: list.getUint32(at + 20, true), size: list.getUint32(at + 24, true), at: list.getUint32(at + 42, true),
      });
    }
    at += 46 + nameLength + extra + comment;
  }
  return files;
}

/** Unpacks a file of an archive; null: that failed, or it has more bytes than allowed, whatever the list says. */
async function unpacked(file, one, most, spend) {
  if (one.encrypted || one.size > most || (one.method !== 0 && one.method !== 8)) return null;
  const head = await view(file, one.at, one.at + 30);
  if (head.byteLength < 30 || head.getUint32(0, true) !== 0x04034b50) return null;
  const from = one.at + 30 + head.getUint16(26, true) + head.getUint16(28, true);
  const content = file.slice(from, from + one.packed);
  if (one.method === 0 && content.size > most) return null;
  if (one.method === 0) {
    spend(content.size);
    return content.arrayBuffer();
  }
  const parts = [];
  let size = 0;
  const reader = content.stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  for (let part; !(part = await reader.read()).done; ) {
    size += part.value.byteLength;
    spend(part.value.byteLength);
    if (size > most) {
      await reader.cancel();
      return null;
    }
    parts.push(part.value);
  }
  return new Blob(parts).arrayBuffer();
}
