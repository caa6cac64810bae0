package edit

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/cli/lsp/text"
	"github.com/fieldmark/fieldmark/kube/check"
)

// applied is a text after edits, from the last to the first.
func applied(t *text.Text, all []Edit) string {
	for i := len(all) - 1; i >= 0; i-- {
		t.Replace(text.Position{Line: all[i].From}, text.Position{Line: all[i].To}, all[i].With, text.UTF16)
	}
	return t.String()
}

func TestPatch(t *testing.T) {
	for what, c := range map[string]struct{ text, diff, want string }{
		"delete":            {"a: 1\nb: 2\nc: 3\n", "--- f\n+++ f\n@@ -1,3 +1,2 @@\n a: 1\n-b: 2\n c: 3\n", "a: 1\nc: 3\n"},
		"set":               {"a: 1\nb: 2\n", "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a: 1\n-b: 2\n+b: 3\n", "a: 1\nb: 3\n"},
		"in the middle":     {"x\ny\na: 1\nb: 2\n", "--- f\n+++ f\n@@ -3,2 +3,1 @@\n-a: 1\n b: 2\n", "x\ny\nb: 2\n"},
		"two places":        {"a\nb\nc\n", "--- f\n+++ f\n@@ -1,3 +1,1 @@\n-a\n b\n-c\n", "b\n"},
		"no newline":        {"a: 1\nb: 2", "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a: 1\n-b: 2\n\\ No newline at end of file\n+b: 3\n\\ No newline at end of file\n", "a: 1\nb: 3"},
		"Windows":           {"a: 1\r\nb: 2\r\n", "--- f\n+++ f\n@@ -1,2 +1,1 @@\n a: 1\r\n-b: 2\r\n", "a: 1\r\n"},
		"another text":      {"a: 1\nb: 9\n", "--- f\n+++ f\n@@ -1,2 +1,1 @@\n a: 1\n-b: 2\n", ""},
		"beyond the end":    {"a: 1\n", "--- f\n+++ f\n@@ -7,1 +7,0 @@\n-b: 2\n", ""},
		"words":             {"a: 1\n", "f:1: delete .a", ""},
		"nothing":           {"a: 1\n", "--- f\n+++ f\n@@ -1,1 +1,1 @@\n a: 1\n", ""},
		"a line without it": {"a: 1\n", "--- f\n+++ f\n@@ -1,1 +1,1 @@\n\n-a: 1\n", ""},
	} {
		of := text.New(c.text)
		all, ok := Patch(of, c.diff)
		if ok != (c.want != "") || ok && applied(of, all) != c.want {
			t.Errorf("%s: %v %+v %q, want %q", what, ok, all, of.String(), c.want)
		}
	}
}

const rule = "# fieldmark.yaml\napiVersion: fieldmark.dev/v1\nkind: Expected\nrules:\n- finding: conflict\n  match:\n    kind: Deployment\n    name: web\n  path: .spec.replicas\n  reason: Say here why you expect this.\n"

func TestRule(t *testing.T) {
	head := "apiVersion: fieldmark.dev/v1\nkind: Expected\n"
	for what, c := range map[string]struct {
		file string
		ok   bool
	}{
		"empty":                {"", true},
		"comments only":        {"# ours\n", true},
		"no rules yet":         {head, false}, // it is not a file of rules
		"one at the margin":    {head + "rules:\n- path: .a\n  reason: r\n", true},
		"one that is indented": {head + "rules:\n  - path: .a\n    reason: r", true},
		"a comment at the end": {head + "rules:\n- path: .a\n  reason: r\n# end\n", true},
		"in one line":          {head + "rules: [{path: .a, reason: r}]\n", true}, // the new rule is a document of its own
		"no file of rules":     {"kind: Pod\n", false},
	} {
		after, ok := Rule(c.file, rule)
		if !ok {
			if c.ok {
				t.Errorf("%s: no change", what)
			}
			continue
		}
		rules, err := check.ParseRules("f", after)
		if err != nil || !strings.HasPrefix(after, strings.TrimRight(c.file, "\n")) || rules[len(rules)-1].Path != ".spec.replicas" || !c.ok {
			t.Errorf("%s: %v\n%s", what, err, after)
		}
	}
}
