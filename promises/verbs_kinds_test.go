package promises

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/cli/schematest"
	"github.com/fieldmark/fieldmark/kube/check"
)

// writing is an apply that made an object what it is.
type writing struct{ manager, verb, text string }

// TestEachKindOfFinding makes the API server say each of them, and holds what is printed to the schemas.
func TestEachKindOfFinding(t *testing.T) {
	namespace := space(t)
	on := func(name, data string) string { return configMap(namespace, name, "data: {"+data+"}\n") }
	service := func(kind string) string {
		return "---\napiVersion: v1\nkind: Service\nmetadata: {name: server, namespace: " + namespace + "}\nspec: {type: " + kind + ", selector: {a: b}, ports: [{port: 80}]}\n"
	}
	for _, s := range []writing{
		{"somebody", "apply", on("contested", "a: zero")},
		{"me", "apply", on("changed", "a: zero")},
		{"me", "apply", on("pruned", "a: one, b: one")},
		{"me", "apply", on("released", "a: one, b: one")},
		{"somebody", "apply", on("released", "b: one")},
		{"somebody", "apply", on("shared", "a: one")},
		{"me", "create", on("stuck", "a: one, b: one")},
		{"me", "apply", on("extra", "a: one")},
		{"somebody", "apply", on("extra", "b: one")},
		{"me", "apply", service("ClusterIP")},
	} {
		args := []string{s.verb, "--field-manager", s.manager, "-f", "-"}
		if s.verb == "apply" {
			args = append(args, "--server-side")
		}
		kubectl(t, s.text, args...)
	}
	kubectl(t, "", "create", "rolebinding", "readers", "--clusterrole=view", "--user=only-reads", "-n", namespace)
	text := service("NodePort") + on("invalid", "a: one") + "odd: field\n---\napiVersion: nosuch.example.com/v1\nkind: Thing\nmetadata: {name: x}\n"
	for _, name := range []string{"contested", "changed", "pruned", "released", "shared", "stuck", "extra", "created"} {
		text += on(name, "a: one")
	}
	seen := map[check.Kind]bool{}
	for _, flags := range []string{"", "--force-conflicts", "--as only-reads"} {
		args := append([]string{"check", "-f", "-", "--manager", "me"}, strings.Fields(flags)...)
		_, out, errs := onPractice(t, text, append(args, "-o", "json")...)
		schematest.Valid(t, "check.v1.json", []byte(out))
		var r check.Report
		if err := json.Unmarshal([]byte(out), &r); err != nil || errs != "" {
			t.Fatal(err, errs)
		}
		for _, f := range r.Findings {
			seen[f.Kind] = true
		}
		_, out, _ = onPractice(t, text, append(args, "-o", "sarif")...)
		schematest.SARIF(t, []byte(out))
	}
	for _, kind := range check.Kinds() {
		if !seen[kind] {
			t.Errorf("there is no finding %s", kind)
		}
	}
	if len(seen) != len(slices.Compact(check.Kinds())) {
		t.Errorf("%v", seen)
	}
	for _, args := range [][]string{{"blame", "configmaps", "-n", namespace}, {"blame", "service/server", "-n", namespace}} {
		_, out, _ := onPractice(t, "", append(args, "-o", "json")...)
		schematest.Valid(t, "blame.v1.json", []byte(out))
	}
}
