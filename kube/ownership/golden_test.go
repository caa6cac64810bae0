package ownership

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
)

var update = flag.Bool("update", false, "write what is painted to testdata; read it before it is committed")

// TestPainted compares what every line of real objects shows and who owns it with what was checked by eye.
func TestPainted(t *testing.T) {
	names, err := filepath.Glob("testdata/*.json")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		base := strings.TrimSuffix(name, ".json")
		t.Run(filepath.Base(base), func(t *testing.T) {
			got := painted(t, load(t, name))
			if *update {
				if err := os.WriteFile(base+".golden", []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if want := string(read(t, base+".golden")); got != want {
				t.Errorf("%s: got\n%s\nwant\n%s", base, got, want)
			}
		})
	}
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func load(t testing.TB, name string) object.Object {
	t.Helper()
	return parse(t, read(t, name))
}

func parse(t testing.TB, data []byte) object.Object {
	t.Helper()
	o, err := object.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// blamed lays the record of an object on its document, without the record itself.
func blamed(t testing.TB, o object.Object) (*Blame, manifest.Document) {
	t.Helper()
	document, err := manifest.YAMLDocument(o.WithoutManagedFields().Fields)
	if err != nil {
		t.Fatal(err)
	}
	return Parse(o.Fields).On(document.Root, nil), document
}

// painted spells what every line shows: its text, kind and path, and who owns it and why.
func painted(t testing.TB, o object.Object) string {
	t.Helper()
	b, document := blamed(t, o)
	var text strings.Builder
	for i, e := range b.Record.Entries {
		fmt.Fprintf(&text, "%c = %s\n", 'A'+i, spellManager(e.Manager))
	}
	for i, line := range Lines(document.Places) {
		fmt.Fprintf(&text, "%-60s|", document.Lines[i])
		for _, item := range line.Items {
			fmt.Fprintf(&text, " %s {%s} +", b.Path(item), spellClaims(b, item))
		}
		fmt.Fprintf(&text, " %s {%s} %s\n", b.Path(line.Node), spellClaims(b, line.Node), line.Kind)
	}
	for _, lost := range b.Lost() {
		fmt.Fprintf(&text, "lost: %s: %s (%s: %s)\n", lost.Owner.Name, strings.Join(lost.Keys, " "), lost.Reason, lost.Detail)
	}
	return text.String()
}

func spellManager(m Manager) string {
	return strings.TrimSpace(strings.Join([]string{m.Name, m.Operation, m.APIVersion, m.Subresource}, " "))
}

// spellClaims gives the letter of each owner; small, where it owns what is around the value.
func spellClaims(b *Blame, n *manifest.Node) string {
	var letters string
	for _, claim := range b.Claims(n) {
		for i, e := range b.Record.Entries {
			if e.Owner == claim.Owner {
				letter := string(rune('A' + i))
				if claim.Why != Direct {
					letter = strings.ToLower(letter)
				}
				if claim.OtherVersion {
					letter += "'"
				}
				letters += letter
			}
		}
	}
	return letters
}
