package migrate

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/cli/schematest"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/migrate"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// hostile is a name that must not act in a terminal, a table or a spreadsheet.
const hostile = "=x|\x1b[31m\n::error::y"

func plan() migrate.Report {
	older := manager.Manager{Name: hostile, Operation: "Update", APIVersion: "v1"}
	findings := []check.Finding{
		{Kind: check.Conflict, Path: ".data." + hostile, Owners: []ownership.Owner{{Manager: older}}, Why: "Owned by " + hostile + ".", Ways: []check.Way{{Way: check.WayOverwrite, Text: "force it\n"}}},
		{Kind: check.Shared, Path: ".data.shared", Why: "Two own it."},
	}
	c := migrate.Cluster{Context: "practice", Done: 2, More: 1, Missing: []string{"secrets could not be listed: " + hostile}, Objects: []migrate.Object{
		{
			Type: "configmaps", APIVersion: "v1", Kind: "ConfigMap", Namespace: "shop", Name: hostile, Verdict: migrate.Breaks, Why: "It is refused.", Manifest: migrate.Annotation, Findings: findings,
			Owner: migrate.Owner{Tool: migrate.Helm, Name: hostile, Manager: "helm", Older: []manager.Manager{older}, Stored: "client-side"}, Fields: []migrate.Field{},
			Steps: []check.Way{{Way: migrate.WayPreview, Text: "look\n"}, {Way: migrate.WayStep, Text: "helm upgrade " + hostile + "\n"}},
		},
		{Type: "configmaps", APIVersion: "v1", Kind: "ConfigMap", Name: "a", Verdict: migrate.Safe, Why: "Nobody minds.", Findings: []check.Finding{}, Fields: []migrate.Field{}, Steps: []check.Way{}, Owner: migrate.Owner{Tool: migrate.Kubectl, Manager: "kubectl", Older: []manager.Manager{}}},
	}}
	return migrate.Report{APIVersion: migrate.APIVersion, Kind: migrate.ReportKind, Clusters: []migrate.Cluster{c.Counted(), migrate.Cluster{Context: "gone", Problem: "no response"}.Counted()}}
}

func printed(t *testing.T, format string, ways bool) string {
	t.Helper()
	var b bytes.Buffer
	if err := outputs[format](printing{ways: ways, read: []string{"4 objects of 1 type read", ""}}, &b, plan()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPlansAsText(t *testing.T) {
	out := printed(t, "text", false)
	for _, want := range []string{"Safe now: 1", "Will break: 1", "conflict", "practice: 1 safe, 1 breaks; 2 objects need nothing; 1 more object was not planned", "gone could not be planned: no response", "step:"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q isn't in\n%s", want, out)
		}
	}
	if strings.Contains(out, "force it") || strings.Contains(out, "look") || strings.Contains(out, "Two own it") || strings.Contains(out, "\x1b") || strings.Contains(out, "\n::error") {
		t.Error(out)
	}
	if strings.Index(out, "Safe now") > strings.Index(out, "Will break") {
		t.Error("the plan isn't in its order")
	}
	if out := printed(t, "text", true); !strings.Contains(out, "force it") || !strings.Contains(out, "look") {
		t.Error(out)
	}
}

func TestPlansForOthers(t *testing.T) {
	schematest.Valid(t, "migrate.v1.json", []byte(printed(t, "json", false)))
	lines, err := csv.NewReader(strings.NewReader(printed(t, "csv", false))).ReadAll()
	if err != nil || len(lines) != 5 || lines[2][1] != "safe" || lines[3][8] != "conflict" || !strings.HasPrefix(lines[3][4], "'=x") || lines[4][11] != "no response" {
		t.Errorf("%v %q", err, lines)
	}
	out := printed(t, "markdown", true)
	if !strings.Contains(out, "| Will break |") || !strings.Contains(out, "**overwrite**") && !strings.Contains(out, "**step**") || strings.Contains(out, "\x1b") {
		t.Error(out)
	}
}
