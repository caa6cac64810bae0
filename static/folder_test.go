package static

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// unpacking reads archives with static/js/folder.js, and prints how many files it told of, how many it read, and whether it unpacked few bytes.
const unpacking = `
import { readFile } from "node:fs/promises";
import { deflateRawSync } from "node:zlib";
const { take } = await import("data:text/javascript;base64," + (await readFile(process.argv[1])).toString("base64"));

let unpacked = 0;
const Real = DecompressionStream;
globalThis.DecompressionStream = class {
  constructor(form) {
    const real = new Real(form);
    this.writable = real.writable;
    this.readable = real.readable.pipeThrough(new TransformStream({ transform(part, to) { unpacked += part.byteLength; to.enqueue(part); } }));
  }
};

// zip is an archive with a name for each file, all of them with the same content, of a length that it says.
function zip(content, says, names) {
  const packed = deflateRawSync(content);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  const list = names.map((name) => {
    const entry = Buffer.alloc(46 + name.length);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(says, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.write(name, 46);
    return entry;
  });
  const end = Buffer.alloc(22), start = local.length + packed.length, length = list.reduce((sum, one) => sum + one.length, 0);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(length, 12);
  end.writeUInt32LE(start, 16);
  return new File([local, packed, ...list, end], "a.zip");
}

const most = 300_000, total = 1_000_000;
for (const [length, says] of [[5_000_000, 1], [200_000, 200_000]]) {
  unpacked = 0;
  let told = 0, read = 0;
  const names = Array.from({ length: 300 }, (_, n) => "f" + n + ".yaml");
  const field = { name: "files", dataset: { endings: ".yaml", files: "5000", most: String(most), total: String(total) } };
  await take(field, [zip(Buffer.alloc(length, "a"), says, names)], (what, { body }) => {
    if (what === "file") told++;
    if (what === "file" && body) read++;
  });
  console.log(told, read, unpacked <= total + 2 * most);
}
`

// An archive can name the same long file many times, and lie about its length. All that is unpacked counts, also what is thrown away.
func TestUnpackingIsBounded(t *testing.T) {
	folder, err := filepath.Abs("js/folder.js")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "node", "--input-type=module", "-e", unpacking, folder).CombinedOutput()
	if got := strings.TrimSpace(string(out)); err != nil || got != "300 0 true\n300 5 true" {
		t.Errorf("%v: %s", err, got)
	}
}
