package source

import (
	"fmt"
	"strings"
	"testing"
)

// A text read piece by piece has the documents, problems and places that it has as a whole.
func TestPiecesAreReadAsTheWhole(t *testing.T) {
	var b strings.Builder
	for i := range 400 {
		fmt.Fprintf(&b, "# the %dth\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: map-%d\ndata:\n  x: %q\n", i, i, strings.Repeat("é", i%90))
		if i%50 == 7 {
			b.WriteString("  bad: [\n")
		}
		b.WriteString("---\n")
	}
	for name, text := range map[string]string{
		"many": b.String(), "empty": "", "blank": "\n\n", "one": "a: b", "marked": "\ufeff---\napiVersion: v1\nkind: A\n", "ends in a marker": "a: 1\n---", "Windows": strings.ReplaceAll(b.String(), "\n", "\r\n"),
	} {
		whole := Parse(text)
		var documents, problems, joined []string
		for _, p := range Pieces(0, text) {
			joined = append(joined, text[p.whole.from:p.whole.to])
			read := p.Parse()
			for _, d := range read.Documents {
				documents = append(documents, described(d))
			}
			for _, p := range read.Problems {
				if p.Severity == Error {
					problems = append(problems, fmt.Sprint(p.Span, p.Message))
				}
			}
		}
		var want, wrong []string
		for _, d := range whole.Documents {
			want = append(want, described(d))
		}
		for _, p := range whole.Problems {
			if p.Severity == Error {
				wrong = append(wrong, fmt.Sprint(p.Span, p.Message))
			}
		}
		if fmt.Sprint(documents) != fmt.Sprint(want) || fmt.Sprint(problems) != fmt.Sprint(wrong) || strings.Join(joined, "") != text {
			t.Errorf("%s:\n%v %v\nwanted\n%v %v", name, documents, problems, want, wrong)
		}
	}
	if n := len(Pieces(0, b.String())); n < 3 || n > 10 {
		t.Errorf("%d pieces of %d bytes", n, b.Len())
	}
}

func described(d Document) string {
	where := fmt.Sprint(d.Span, d.Kind, d.Name, d.Broken)
	for _, n := range d.Find(".data.x") {
		where += fmt.Sprint(d.Place(n), d.Head(n), d.At(d.Head(n).Start) == n)
	}
	return where
}
