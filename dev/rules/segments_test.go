package rules

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A program with a memory of two pages, which it exports as "m". Its data segments begin at 70,000, 16, 40 and 5,000: out of order, and
// two of them near each other. In joined they are in order, and these two are one.
var (
	memory = "\x00asm\x01\x00\x00\x00" + "\x05\x03\x01\x00\x02" + "\x07\x05\x01\x01m\x02\x00"
	sparse = memory + "\x0b\x21\x04" + "\x00\x41\xf0\xa2\x04\x0b\x02yz" + "\x00\x41\x10\x0b\x03abc" + "\x00\x41\x28\x0b\x01d" + "\x00\x41\x88\x27\x0b\x03efg"
	joined = memory + "\x0b\x31\x03" + "\x00\x41\x10\x0b\x19abc" + strings.Repeat("\x00", 21) + "d" + "\x00\x41\x88\x27\x0b\x03efg" + "\x00\x41\xf0\xa2\x04\x0b\x02yz"
)

// compare prints how the memories with which two programs start differ, and how many bytes of the first aren't zero.
const compare = `
const start = async (file) => new Uint8Array((await WebAssembly.instantiate(require("fs").readFileSync(file))).instance.exports.m.buffer);
Promise.all(process.argv.slice(1).map(start)).then(([a, b]) => console.log(Buffer.compare(a, b), a.filter((byte) => byte).length));`

// The build joins the data segments of the browser's programs, which Go's linker splits wherever it finds eight zeros. Visitors download
// 7 % less, and the programs must start with the same memory.
func TestJoinedSegmentsFillTheMemoryAsBefore(t *testing.T) {
	folder := t.TempDir()
	before, after := filepath.Join(folder, "before.wasm"), filepath.Join(folder, "after.wasm")
	for _, name := range []string{before, after} {
		if err := os.WriteFile(name, []byte(sparse), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, when := range []string{"joined", "joined again"} {
		output(t, "node", "dev/scripts/wasm-data.mjs", after)
		program, err := os.ReadFile(after)
		if err != nil {
			t.Fatal(err)
		}
		if string(program) != joined {
			t.Fatalf("%s, the program is\n%q, want\n%q", when, program, joined)
		}
	}
	if got := string(output(t, "node", "-e", compare, before, after)); got != "0 9\n" {
		t.Errorf("the memories differ (%q, want no difference and nine bytes)", got)
	}
}
