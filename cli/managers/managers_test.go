package managers

import (
	"bytes"
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/kube/manager/writer"
)

// some is a census of a cluster, with a hostile name.
func some(context string) counted {
	return counted{Report: report.Report{
		APIVersion: report.APIVersion, Kind: report.Kind, Context: context, Phase: report.Done,
		Types: []report.Type{{Resource: "pods", State: report.Read, Objects: 3}, {Resource: "secrets", State: report.Refused, Code: 403}},
		Managers: []report.Manager{
			{Name: "kubelet", Writer: writer.System, Objects: 3, Fields: 30},
			{Name: "=a\x1b[31m", Objects: 1, Fields: 2},
		},
		Cells: []report.Cell{
			{Objects: 3, Fields: 30, Entries: []report.Entry{{Operation: "Update", Subresource: "status", APIVersion: "v1", Objects: 3, Fields: 30}}},
			{Manager: 1, Objects: 1, Fields: 2, Entries: []report.Entry{{Operation: "Apply", APIVersion: "v1", Objects: 1, Fields: 2}}},
		},
		Findings: []report.Finding{{Problem: report.Person, Manager: "kubectl-edit", Objects: 1, Why: "Somebody did.", Samples: []report.Sample{{Path: "/api/v1/namespaces/n/pods/a", Fields: []string{".spec"}}}}},
	}}
}

func printed(t *testing.T, as string, r result) string {
	t.Helper()
	var b bytes.Buffer
	if err := outputs[as](&b, r); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsRune(b.String(), '\x1b') {
		t.Errorf("a name acts in the terminal: %q", b.String())
	}
	return b.String()
}

func TestText(t *testing.T) {
	const want = `3 objects of 1 type, 2 managers
not read, or only partly: secrets

person
  Somebody did.
  /api/v1/namespaces/n/pods/a .spec

MANAGER   WRITER                   OBJECTS  FIELDS  LAST WRITE
kubelet   component of Kubernetes  3        30
=a·[31m  unknown                  1        2
`
	if got := printed(t, "text", result{clusters: []counted{some("one")}}); strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
		t.Errorf("%s, want\n%s", got, want)
	}
}

func TestSeveralClusters(t *testing.T) {
	r := result{clusters: []counted{some("one"), counted{Report: report.Report{Context: "two"}}.failed(errors.New("it doesn't respond"))}}
	got := printed(t, "text", r)
	for _, part := range []string{"one: 3 objects", "two: could not be read: it doesn't respond", "one  two", "30   ?"} {
		if !strings.Contains(got, part) {
			t.Errorf("%q isn't in\n%s", part, got)
		}
	}
	if err := r.wrong(); err == nil || err.Error() != "two: it doesn't respond" {
		t.Error(err)
	}
	if got := printed(t, "json", r); !strings.Contains(got, `"kind": "CensusList"`) {
		t.Error(got)
	}
	if got := printed(t, "markdown", r); !strings.Contains(got, "## two\n\nThe cluster could not be read") || !strings.Contains(got, "| kubelet |") {
		t.Error(got)
	}
}

func TestAnExportIsCompared(t *testing.T) {
	earlier := some("one")
	text := printed(t, "json", result{clusters: []counted{earlier}})
	read, err := report.ReadExport(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	now := some("one")
	now.Managers[1].Name, now.Cells[0].Fields = "new-one", 31
	c := report.Compare(read, now.Report)
	got := printed(t, "text", result{clusters: []counted{now}, comparison: &c})
	for _, part := range []string{"new   new-one owns 2 fields", "gone  =a·[31m owned 2 fields", "more  kubelet owns 31 fields of pods, before 30"} {
		if !strings.Contains(got, part) {
			t.Errorf("%q isn't in\n%s", part, got)
		}
	}
}

func TestCSV(t *testing.T) {
	lines, err := csv.NewReader(strings.NewReader(printed(t, "csv", result{clusters: []counted{some("one")}}))).ReadAll()
	if err != nil || len(lines) != 3 || lines[2][1][:2] != "'=" {
		t.Errorf("%v %q", err, lines)
	}
}

func TestFlags(t *testing.T) {
	file := filepath.Join(t.TempDir(), "earlier.json")
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, o := range map[string]options{
		"--output must be":          {output: "yaml"},
		"exclude each other":        {output: "text", all: true, namespaces: []string{"a"}},
		"Did you mean":              {output: "text", failOn: []string{"persn"}},
		"the export is cut off":     {output: "text", compare: file},
		"no such file or directory": {output: "text", compare: file + ".none"},
	} {
		if _, _, err := o.check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	kinds, _, err := options{output: "json", failOn: []string{"person", "heavy"}}.check()
	if err != nil || len(kinds) != 2 || !some("").Fails(kinds) {
		t.Errorf("%v %v", kinds, err)
	}
}
