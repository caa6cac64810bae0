// Package golden compares the HTML of specimens with files in testdata.
package golden

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components/specimen"
	"github.com/fieldmark/fieldmark/kube/plain"
)

// Check compares each specimen with the file of its name in testdata. If update is true, it writes the file instead. A file without a
// specimen is an error, too.
func Check(t *testing.T, update bool, specimens []specimen.Specimen) {
	t.Helper()
	known := map[string]bool{}
	for _, s := range specimens {
		file := filepath.Join("testdata", s.Name+".html")
		if known[file] {
			t.Fatalf("two specimens are called %s", s.Name)
		}
		known[file] = true
		t.Run(s.Name, func(t *testing.T) { compare(t, update, file, lines(Render(t, s.Shown))) })
	}
	for _, file := range Files(t) {
		if !known[file] {
			t.Errorf("%s belongs to no specimen: remove it", file)
		}
	}
}

// Files are the files in testdata.
func Files(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.html")
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Render returns a component's HTML.
func Render(t testing.TB, c templ.Component) string {
	t.Helper()
	var b bytes.Buffer
	if err := c.Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Deceptive tells whether a character must be shown as its code point, because users can't see it. It doesn't call components.Visible,
// because the test compares both.
func Deceptive(r rune) bool {
	return r != '\n' && r != '\t' && !plain.Printable(r)
}

// lines breaks HTML between two tags, and nowhere else, so every visible space stays. Text and attributes can't contain such a place,
// because they are escaped. Invisible characters are written as code points, so a golden file shows all its content.
func lines(markup string) string {
	var b strings.Builder
	for _, r := range strings.ReplaceAll(markup, "><", ">\n<") {
		if Deceptive(r) {
			fmt.Fprintf(&b, "⟦%U⟧", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String() + "\n"
}

func compare(t *testing.T, update bool, file, got string) {
	t.Helper()
	if update {
		writeFile(t, file, got)
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (go test -update in this package writes it)", err)
	}
	if string(want) != got {
		t.Errorf("%s differs; if the new HTML is as it should be, run go test -update in this package\n%s", file, Difference(string(want), got))
	}
}

func writeFile(t *testing.T, file, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil { //nolint:gosec // what is committed is for everyone
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil { //nolint:gosec // the same
		t.Fatal(err)
	}
}

// Difference shows the lines between the common beginning and the common end.
func Difference(want, got string) string {
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
