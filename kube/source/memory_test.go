package source

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
)

// mostMemory is how many times the length of a text its reading may need, piece by piece. Documents are kept without their values.
const mostMemory = 10

// live is how much memory the last collection of garbage has found to be in use.
func live() int {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return int(s[0].Value.Uint64())
}

// memory reads a text piece by piece, and returns how much memory that needs beside the text. Garbage is collected all the time.
func memory(text string) (most int) {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	runtime.GC()
	before := live()
	var all []*Document
	for _, p := range Pieces(0, text) {
		for _, d := range p.Parse().Documents {
			d = d.Unread()
			all = append(all, &d)
		}
		most = max(most, live()-before)
	}
	runtime.KeepAlive(all)
	return most
}

func TestMemoryIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("the work is the same on each platform")
	}
	item := `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"settings-%d"},"data":{"color":"blue","size":"5"}}`
	inYAML := "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings-%d\ndata:\n  color: blue\n  size: \"5\"\n"
	times := func(n int, of string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, of, i)
		}
		return b.String()
	}
	for name, text := range map[string]string{
		"a list of jq -c":       `{"apiVersion":"v1","items":[` + times(5000, item+",") + `{}],"kind":"List"}`,
		"a list of YAML":        "apiVersion: v1\nkind: List\nitems:\n" + times(2000, "- "+strings.ReplaceAll(strings.TrimSuffix(inYAML, "\n"), "\n", "\n  ")+"\n"),
		"documents":             times(4000, "---\n"+inYAML),
		"a list of tiny values": `{"apiVersion":"v1","kind":"List","items":[` + strings.Repeat("1,", 600_000) + `1]}`,
	} {
		if most := memory(text); most > mostMemory*len(text) {
			t.Errorf("%s: %d bytes need %d (%d times)", name, len(text), most, most/len(text))
		} else {
			t.Logf("%s: %d bytes need %.1f times", name, len(text), float64(most)/float64(len(text)))
		}
	}
}

// The YAML parser would need hundreds of times the memory of a text with nothing but tiny values, so it doesn't read it.
func TestTooManyValuesAreNotRead(t *testing.T) {
	text := Parse("a: [" + strings.Repeat("1,", maxBetween+1) + "1]")
	if len(text.Problems) != 1 || !strings.HasPrefix(text.Problems[0].Message, "The document has more than") || !text.Documents[0].Broken || text.steps > 20*maxBetween {
		t.Errorf("%+v after %d steps", text.Problems, text.steps)
	}
}
