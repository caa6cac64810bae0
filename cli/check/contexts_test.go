package check

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/check"
)

// Findings that not all contexts have come first, and each context has a line.
func TestFindingsOfSeveralContexts(t *testing.T) {
	finding := func(path, namespace string) check.Finding {
		return check.Finding{Kind: "conflict", Object: check.Object{Kind: "ConfigMap", Namespace: namespace, Name: "settings"}, Path: path, Why: "Another manager owns the field.", File: "a.yaml", Line: 3}
	}
	of := func(name, space string, findings ...check.Finding) inContext {
		return inContext{name: name, space: space, done: true, result: result{Report: Report{Report: check.ReportOf("me", 1, findings)}}}
	}
	there := []inContext{
		of("a", "one", finding(".data.everywhere", "one")), of("b", "two", finding(".data.alone", "two"), finding(".data.everywhere", "two")),
		{name: "dead", err: errors.New("the API server did not respond within 5s")},
	}
	got := textOf(there)
	alone, everywhere := strings.Index(got, "Only in b:\n"), strings.Index(got, "Only in a, b:\n")
	if alone < 0 || everywhere < alone || strings.Count(got, ".data.everywhere") != 1 || !strings.Contains(got, "dead     not checked: the API server did not respond within 5s\n") {
		t.Error(got)
	}
	if got := textOf(there[:2]); !strings.Contains(got, "In all contexts:\n") {
		t.Error(got)
	}
	if got := markdownOf(there); !strings.Contains(got, "| dead | not checked:") || !strings.Contains(got, "#### Only in b\n") {
		t.Error(got)
	}
	var b bytes.Buffer
	if err := printContexts(&b, "json", there); err != nil {
		t.Fatal(err)
	}
	var back Contexts
	if err := json.Unmarshal(b.Bytes(), &back); err != nil || len(back.Items) != 3 || back.Items[1].Context != "b" || back.Items[1].Counts["conflict"] != 2 || back.Items[2].Findings == nil || back.Items[2].Error == "" {
		t.Errorf("%v: %s", err, b.String())
	}
}
