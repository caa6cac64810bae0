package scale

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the tables of docs/scale.md")

const document = "../../../docs/scale.md"

// TestTablesOfTheDocument compares the tables of the document with the model. Each table is between two comments.
func TestTablesOfTheDocument(t *testing.T) {
	c, err := Measured()
	if err != nil {
		t.Fatal(err)
	}
	old, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	text := string(old)
	for name, table := range map[string]string{"costs": CostRows(c), "needs": Needs(c), "breaks": Breaks(c), "clusters": ManyClusters(c), "chart": Chart(c), "measured": measuredOn(c)} {
		begin, end := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->"
		before, rest, found := strings.Cut(text, begin)
		_, after, ended := strings.Cut(rest, end)
		if !found || !ended {
			t.Fatalf("docs/scale.md has no place for the table %q", name)
		}
		text = before + begin + table + end + after
	}
	if *update {
		if err := os.WriteFile(document, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if text != string(old) {
		t.Error("docs/scale.md differs from the model: run go test ./dev/bench/scale -update, and commit the file")
	}
}

func measuredOn(c Costs) string {
	return fmt.Sprintf("Measured on %s with %d people at one replica (Fieldmark %s, %s).\nSharing and its check were measured with %s.\n",
		c.Measured, c.People, c.Version, c.Machine, c.SharedBy)
}
