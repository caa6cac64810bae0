package source

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// mostSteps is how much work a byte of a text may be. Steps are counted, because times differ from machine to machine.
const mostSteps = 300

// hard are texts that a reader would take too long for if it weren't linear. In each of them, the middle part is repeated.
var hard = map[string][3]string{
	"nulls in a line":       {"apiVersion: v1\nkind: List\nitems: [", "null,", "null]"},
	"objects in a line":     {"apiVersion: v1\nkind: List\nitems: [", "{},", "{}]"},
	"not ASCII":             {"apiVersion: v1\nkind: List\nitems: [", `"😀",`, "1]"},
	"ConfigMaps in a line":  {`{"apiVersion":"v1","kind":"List","items":[`, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"a":"b"}},`, `{}]}`},
	"nulls in lines":        {"apiVersion: v1\nkind: List\nitems:\n", "-\n", ""},
	"lists in lists":        {strings.Repeat(`{apiVersion: v1, kind: List, items: [`, 90) + "[", "null,", "1]" + strings.Repeat("]}", 90)},
	"a long text deep down": {strings.Repeat("{a: ", 190) + `"`, "x", `"` + strings.Repeat("}", 190)},
	"documents":             {"", "a: b\n---\n", ""},
	"bad documents":         {"", "a: 1\nb: 2\nc: 3\nd: [1\ne: 3\nf: 4\ng: 5\n---\n", ""},
	"a bad line at the end": {"", "a: 1\n", "b: [\n"},
	"comments":              {"a: [", "1,#\n", "1]"},
	"fields that are twice": {"{", "a: 1, ", "a: 1}"},
	"numbers as fields":     {"{", "1: 2, ", "3: 4}"},
	"mappings as fields":    {"{", "{a: 1}: 2, ", "3: 4}"},
	"merges":                {"", "<<: [1]\n", ""},
	"merges in merges":      {strings.Repeat("{<<: [", 90), "1,", "1" + strings.Repeat("]}", 90)},
	"aliases":               {"a: [&a 1,", "*a,", "1]"},
	"aliases of blanks":     {"a: [&a " + strings.Repeat(" ", 2000) + "1,", "*a,", "1]"},
	"aliases of a list":     {"a: [&a [1," + strings.Repeat(" ", 2000) + "1],", "*a,", "1]"},
	"fields from an alias":  {"a: {&a " + strings.Repeat(" ", 2000) + "b: 1,", "*a : 1,", "c: 1}"},
	"blank lines":           {"a: |\n", "\n", " a\n"},
	"texts of lines":        {"", "- |\n a\n", ""},
	"brackets":              {"", "[", ""},
	"quotes":                {`a: "`, `\"`, `"`},
}

// steps is how much work it is to read a text with the items of its lists.
func steps(text string) int { return Parse(text).Items().steps }

// stepsByPieces is how much work it is to read a text piece by piece, and each document again.
func stepsByPieces(text string) (n int) {
	pieces := wholeOf(text, 0).pieces(least, func(steps int) { n += steps })
	return n + readBy(pieces).steps
}

func TestTheWorkGrowsWithTheText(t *testing.T) {
	if testing.Short() {
		t.Skip("the work is the same on each platform")
	}
	for name, parts := range hard {
		of := func(size int) string { return parts[0] + strings.Repeat(parts[1], size/len(parts[1])) + parts[2] }
		small, large := of(40_000), of(160_000)
		for way, steps := range map[string]func(string) int{"as a whole": steps, "by pieces": stepsByPieces} {
			if n := steps(large); n > mostSteps*len(large) || n > 6*steps(small) {
				t.Errorf("%s, %s: %d steps for %d bytes, %d for %d", name, way, steps(small), len(small), n, len(large))
			}
		}
	}
}

func FuzzTheWorkIsBounded(f *testing.F) {
	for _, parts := range hard {
		f.Add(parts[0], parts[1], parts[2], uint16(100))
	}
	f.Fuzz(func(t *testing.T, before, again, after string, times uint16) {
		if len(again) > 1000 {
			t.Skip()
		}
		text := before + strings.Repeat(again, int(times)) + after
		if n := max(steps(text), stepsByPieces(text)); n > mostSteps*(len(text)+10) {
			t.Errorf("%d steps for %d bytes", n, len(text))
		}
	})
}

// One text has one limit of problems, also if it is a list of many items.
func TestProblemsOfAllItemsTogetherAreBounded(t *testing.T) {
	text := Parse("apiVersion: v1\nkind: List\nitems: [" + strings.Repeat("null,", 4000) + "null]").Items()
	if len(text.Problems) != maxProblems || len(text.Documents) != 4001 || !text.Documents[4000].Broken {
		t.Errorf("%d problems, %d documents", len(text.Problems), len(text.Documents))
	}
}

func TestTooManyItems(t *testing.T) {
	if testing.Short() {
		t.Skip("the work is the same on each platform")
	}
	for name, item := range map[string]string{
		"broken": "null", "objects": `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}`, "objects of YAML": "{apiVersion: v1, kind: Pod, metadata: {name: a}}",
	} {
		const head = `{"apiVersion": "v1", "kind": "List", "items": [`
		text := readBy(Pieces(0, head+strings.Repeat(item+",", maxItems)+item+"]}"))
		last := text.Problems[len(text.Problems)-1]
		text.Problems = slices.DeleteFunc(text.Problems, func(p Problem) bool { return p.Document >= 0 })
		want := fmt.Sprintf("The text has more than %d objects. The objects from here on are not read. Split the text.", maxItems)
		if len(text.Documents) != maxItems || len(text.Problems) != 1 || last.Message != want || last.Document != -1 || last.Start.Column != len(head)+1+maxItems*(len(item)+1) {
			t.Errorf("%s: %d documents, %+v, want column %d", name, len(text.Documents), last, len(head)+1+maxItems*(len(item)+1))
		}
	}
}

// Columns are in UTF-16 code units, and a long line has as many as a short one.
func TestPositionsInALongLine(t *testing.T) {
	for _, piece := range []string{"ab", "é", "😀", "a😀é"} {
		text := strings.Repeat(piece, 200)
		l := linesOf("x\n"+text+"\r\nz", 0)
		for at := range text {
			want := Position{Line: 2, Column: 1 + units(text[:at])}
			if got := l.position(2 + at); got != want {
				t.Fatalf("%q, byte %d: %v, want %v", piece, at, got, want)
			}
			if back := l.offset(want); back != 2+at {
				t.Fatalf("%q, %v: byte %d, want %d", piece, want, back, 2+at)
			}
		}
		if end := l.lineEnd(5); end != 2+len(text) || l.offset(Position{Line: 2, Column: 100_000}) != end {
			t.Errorf("%q: the line ends at %d, want %d", piece, end, 2+len(text))
		}
	}
}

// Each finding of a check finds its field in a list without a walk over all items.
func TestFindingItemsIsLinear(t *testing.T) {
	const items = 3000
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: A\nmetadata: {name: a}\nports:\n")
	for i := range items {
		protocol := []string{"", ", protocol: TCP", ", protocol: UDP"}[i%3]
		fmt.Fprintf(&b, "- {port: %d%s, name: p%d}\n", i, protocol, i)
	}
	b.WriteString("set:\n")
	for i := range items {
		fmt.Fprintf(&b, "- v%d\n", i)
	}
	d := Parse(b.String()).Documents[0]
	for i := range items {
		wanted := 1 - i%3/2 // the items of UDP don't have TCP
		for path, want := range map[string]int{
			fmt.Sprintf(".ports[%d].port", i): 1, fmt.Sprintf(`.ports[name="p%d"]`, i): 1, fmt.Sprintf(`.ports[port=%d,protocol="TCP"]`, i): wanted,
			fmt.Sprintf(`.ports[port=%d,protocol="TCP"]`, items+i): 0, fmt.Sprintf(`.ports[port=%d.0].name`, i): 1, fmt.Sprintf(`.set[="v%d"]`, i): 1, fmt.Sprintf(`.set[="w%d"]`, i): 0,
		} {
			if got := d.Find(path); len(got) != want {
				t.Fatalf("%s: %d nodes, want %d", path, len(got), want)
			}
		}
	}
	if most := 20 * items; d.lists.steps > most {
		t.Errorf("%d steps for %d items, want at most %d", d.lists.steps, items, most)
	}
}
