package components

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/a-h/templ"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden is a component in one of its states; its HTML is in testdata under its name.
type golden struct {
	name      string
	component templ.Component
}

func TestGolden(t *testing.T) {
	known := map[string]bool{}
	for _, c := range goldens() {
		file := filepath.Join("testdata", c.name+".html")
		if known[file] {
			t.Fatalf("two cases are called %s", c.name)
		}
		known[file] = true
		t.Run(c.name, func(t *testing.T) { compare(t, file, lines(render(t, c.component))) })
	}
	for _, file := range goldenFiles(t) {
		if !known[file] {
			t.Errorf("%s belongs to no case: remove it", file)
		}
	}
}

func goldenFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.html")
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func render(t testing.TB, c templ.Component) string {
	t.Helper()
	var b bytes.Buffer
	if err := c.Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// lines breaks HTML where two tags meet, and nowhere else: every space that a reader would see stays
// as it is. Text and attributes cannot hold the seam, for they are escaped. What cannot be seen is
// written as its code point, so that a golden file shows all that it holds.
func lines(markup string) string {
	var b strings.Builder
	for _, r := range strings.ReplaceAll(markup, "><", ">\n<") {
		if deceptive(r) {
			fmt.Fprintf(&b, "⟦%U⟧", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String() + "\n"
}

func compare(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (go test ./components -update writes it)", err)
	}
	if string(want) != got {
		t.Errorf("%s differs; if the new HTML is as it should be, run go test ./components -update\n%s", file, difference(string(want), got))
	}
}

// difference shows the lines between the common beginning and the common end.
func difference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	from := 0
	for from < len(a) && from < len(b) && a[from] == b[from] {
		from++
	}
	for len(a) > from && len(b) > from && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	var out strings.Builder
	fmt.Fprintf(&out, "from line %d on:\n", from+1)
	for _, l := range a[from:] {
		fmt.Fprintln(&out, "-", l)
	}
	for _, l := range b[from:] {
		fmt.Fprintln(&out, "+", l)
	}
	return out.String()
}

func TestDifferenceShowsOnlyWhatDiffers(t *testing.T) {
	if got, want := difference("a\nb\nc\nd", "a\nx\ny\nd"), "from line 2 on:\n- b\n- c\n+ x\n+ y\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
