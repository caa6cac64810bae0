package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/manager/writer"
)

// sample is a census with some managers that each own fields of some types.
func sample(owns ...string) Report {
	r := Report{APIVersion: APIVersion, Kind: Kind, Phase: Done}
	for _, word := range owns {
		var m, typ string
		var n int
		if _, err := fmt.Sscanf(word, "%s %s %d", &m, &typ, &n); err != nil {
			panic(err)
		}
		r.Managers = append(r.Managers, Manager{Name: m, Objects: n, Fields: n})
		r.Types = append(r.Types, Type{Resource: typ, State: Read})
		r.Cells = append(r.Cells, Cell{Manager: len(r.Managers) - 1, Type: len(r.Types) - 1, Objects: n, Fields: n, Entries: []Entry{{Operation: "Apply", APIVersion: "v1", Objects: n, Fields: n}}})
	}
	return r
}

func TestAnExportIsReadAgain(t *testing.T) {
	r := sample("a pods 1", "b nodes 2")
	r.Began = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	back, err := ReadExport(strings.NewReader(string(text)))
	if again, _ := json.Marshal(back); err != nil || !bytes.Equal(again, text) { // it was marshaled before
		t.Errorf("%v\n%s, want\n%s", err, again, text)
	}
}

func TestWhatIsNoExport(t *testing.T) {
	whole, err := json.Marshal(sample("a pods 1"))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"":                           "is empty",
		"\u000a":                     "is empty",
		string(whole[:len(whole)-9]): "is cut off",
		"hello":                      "not an export",
		"[]":                         "not an export",
		"{}":                         "not an export",
		`{"kind":"List"}`:            `its kind is "List"`,
		strings.Replace(string(whole), "dev/v1", "dev/v9", 1):                    `has the version "fieldmark.dev/v9"`,
		strings.Replace(string(whole), `"types":[`, `"types":[7,`, 1):            "can't be read",
		strings.Replace(string(whole), `"manager":0`, `"manager":7`, 1):          "damaged",
		strings.Replace(string(whole), `"manager":0`, `"manager":-1`, 1):         "damaged",
		strings.Replace(string(whole), `"name":"a"`, `"name":"a","future":1`, 1): "",
	} {
		_, err := ReadExport(strings.NewReader(text))
		if got := fmt.Sprint(err); want == "" && err != nil || !strings.Contains(got, want) {
			t.Errorf("%.60s: %s, want %q", text, got, want)
		}
	}
	if _, err := ReadExport(&endless{}); err == nil || !strings.Contains(err.Error(), "larger than 64 MB") {
		t.Error(err)
	}
}

type endless struct{}

func (*endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestCompare(t *testing.T) {
	before := sample("stays pods 5", "grows nodes 1", "goes jobs 3", "hidden secrets 3", "shrinks leases 9")
	now := sample("stays pods 5", "grows nodes 4", "comes jobs 2", "hidden secrets 1", "shrinks leases 2")
	now.Types[3].State = Partly
	now.Namespaces = []string{"shop"}
	now.Managers = append(now.Managers, Manager{Others: true})
	c := Compare(before, now)
	if len(c.New) != 1 || c.New[0].Name != "comes" || len(c.Gone) != 1 || c.Gone[0].Name != "goes" || !c.Namespaces || c.Folded || c.Same() {
		t.Errorf("%+v", c)
	}
	want := []Change{{"shrinks", "leases", Pair{9, 2}, Pair{9, 2}}, {"grows", "nodes", Pair{1, 4}, Pair{1, 4}}}
	if fmt.Sprint(c.Cells) != fmt.Sprint(want) || c.Cells[0].Grew() || !c.Cells[1].Grew() || strings.Join(c.Apart, " ") != "secrets" {
		t.Errorf("%+v; apart %v", c.Cells, c.Apart)
	}
	if c := Compare(before, before); !c.Same() {
		t.Errorf("%+v", c)
	}
}

func TestByKind(t *testing.T) {
	r := sample("flux pods 5", "argocd-controller nodes 9", "kubectl-edit jobs 3")
	for i, k := range []writer.Kind{writer.GitOps, writer.GitOps, writer.Person} {
		r.Managers[i].Writer = k
	}
	r.Folded, r.Managers = 40, append(r.Managers, Manager{Others: true, Fields: 7}, Manager{Name: "x", Writer: "of another build"})
	want := "[{gitops [argocd-controller flux] 0 14} {person [kubectl-edit] 0 3} { [x] 40 7}]"
	if got := fmt.Sprint(ByKind(r)); got != want {
		t.Errorf("%s", got)
	}
}

func TestHostileNamesInCSV(t *testing.T) {
	r := sample("a pods 1", "b pods 1", "c pods 1", "d pods 1", "e pods 1", "f pods 1", "g pods 1", "h pods 1")
	names := []string{`=HYPERLINK("x")`, "+1", "-1", "@x", "\t=1", "\r=1", `a,"b"`, ""}
	for i, name := range names {
		r.Managers[i].Name = name
	}
	read := csv.NewReader(strings.NewReader(CSV(r)))
	lines, err := read.ReadAll()
	if err != nil || len(lines) != 9 {
		t.Fatalf("%v %q", err, lines)
	}
	for i, want := range []string{`'=HYPERLINK("x")`, "'+1", "'-1", "'@x", "'·=1", "'·=1", `a,"b"`, "(without a name)"} {
		if got := lines[i+1][1]; got != want {
			t.Errorf("%q is written as %q, want %q", names[i], got, want)
		}
	}
}

func TestMarkdown(t *testing.T) {
	r := sample("a pods 12345", "b pods 1")
	r.Managers[1].Name = "x|y\n# <b>`_*[z](u)"
	r.Findings = []Finding{{Problem: Person, Manager: "a|b", Type: "pods", Objects: 2, Why: "Because."}}
	want := "| Finding | Manager | Type | Objects | Why |\n|---|---|---|--:|---|\n| person | a\\|b | pods | 2 | Because. |\n\n" +
		"| Manager | Writer | Types | Objects | Fields | Last write |\n|---|---|--:|--:|--:|---|\n| a | unknown | 1 | 12,345 | 12,345 |  |\n"
	if got := r.Markdown(); !strings.HasPrefix(got, want) || strings.Count(got, "\n") != 8 || strings.Contains(got, "<b>") {
		t.Errorf("%s, want\n%s", got, want)
	}
}

func TestProblems(t *testing.T) {
	for _, p := range Problems() {
		if a := p.About(); a.Title == "" || a.Means == "" || p.Rank() < 0 {
			t.Errorf("%+v", a)
		}
	}
	r := Report{Findings: []Finding{{Problem: Heavy}}}
	if r.Fails(FailOn()) || !r.Fails([]Problem{Heavy}) {
		t.Error("the wrong kinds fail")
	}
}

func FuzzReadExport(f *testing.F) {
	text, err := json.Marshal(sample("a pods 1"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	f.Fuzz(func(_ *testing.T, text string) {
		if r, err := ReadExport(strings.NewReader(text)); err == nil {
			_, _ = io.WriteString(io.Discard, CSV(r)+r.Markdown())
			Compare(r, r)
		}
	})
}
