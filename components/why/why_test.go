package why

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"

	"github.com/fieldmark/fieldmark/kube/status"
)

func TestRefusals(t *testing.T) {
	conflict := []status.Cause{{Reason: status.FieldManagerConflict, Field: ".spec.replicas"}}
	for _, c := range []struct {
		no   status.Status
		want string
	}{
		{status.Status{Code: 409, Reason: "Conflict", Causes: conflict}, "/learn/conflicts"},
		{status.Status{Code: 409, Reason: "Conflict"}, "/learn/lost-updates"},
		{status.Status{Code: 410, Reason: "Expired"}, "/learn/expired"},
		{status.Status{Code: 406, Reason: "NotAcceptable"}, "/learn/representations"},
		{status.Status{Code: 422, Reason: "Invalid", Causes: conflict}, "/learn/glossary#validation"},
		{status.Status{Code: 403, Reason: "Forbidden"}, "/learn/permissions"},
		{status.Status{Code: 504, Reason: "Timeout"}, "/learn/future-versions"},
		{status.Status{Code: 504}, "/learn/future-versions"},
		{status.Status{Code: 500, Reason: "SomethingNew"}, "/learn/glossary#status-object"},
		{status.Status{}, "/learn/glossary#status-object"},
	} {
		if got := Refusal(&c.no).Address(); got != c.want {
			t.Errorf("%+v leads to %s, and should to %s", c.no, got, c.want)
		}
	}
}

func TestWaysOfWritingAreExplained(t *testing.T) {
	for _, c := range []struct{ method, contentType, want string }{
		{"PUT", "application/json", "/learn/glossary#put"},
		{"POST", "application/json", "/learn/verbs"},
		{"PATCH", "application/apply-patch+yaml", "/learn/glossary#apply"},
		{"PATCH", "text/plain", ""},
	} {
		if got, ok := Write(c.method, c.contentType); ok != (c.want != "") || ok && got.Address() != c.want {
			t.Errorf("%s with %s leads to %s, and should to %s", c.method, c.contentType, got.Address(), c.want)
		}
	}
}

func TestEveryTopicLeadsToOnePlace(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "why.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	declared := 0
	ast.Inspect(file, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && len(v.Values) == 1 {
			if value, ok := v.Values[0].(*ast.CompositeLit); ok {
				if is, ok := value.Type.(*ast.Ident); ok && is.Name == "Topic" {
					declared++
				}
			}
		}
		return true
	})
	if declared == 0 || len(All()) != declared {
		t.Errorf("%d topics are listed, of %d", len(All()), declared)
	}
	seen := map[string]bool{}
	for _, topic := range All() {
		if (topic.Lesson == "") == (topic.Term == "") || topic.Asks == "" {
			t.Errorf("%+v is not one lesson or one term, with what is explained there", topic)
		}
		if seen[topic.Address()] {
			t.Errorf("%s is listed twice", topic.Address())
		}
		seen[topic.Address()] = true
	}
}

func TestFieldsOfHeadsAndBodiesAreExplained(t *testing.T) {
	for name, want := range map[string]string{
		"Accept": "/learn/representations", "content-type": "/learn/representations", "Content-Encoding": "/learn/compression",
		"Retry-After": "/learn/glossary#retry-after", "WARNING": "/learn/glossary#warning",
		"X-Kubernetes-Pf-Flowschema-Uid": "/learn/glossary#priority-and-fairness",
		"Date":                           "",
	} {
		if got, ok := Header(name); ok != (want != "") || ok && got.Address() != want {
			t.Errorf("%s leads to %s, and should to %s", name, got.Address(), want)
		}
	}
	for contentType, want := range map[string]string{
		"application/json": "/learn/glossary#json", "application/apply-patch+yaml": "/learn/glossary#apply",
		"application/json-patch+json": "/learn/glossary#json-patch", "application/merge-patch+json": "/learn/glossary#merge-patch",
		"application/strategic-merge-patch+json": "/learn/glossary#strategic-merge-patch",
		"text/plain":                             "",
	} {
		if got, ok := Body(contentType); ok != (want != "") || ok && got.Address() != want {
			t.Errorf("%s leads to %s, and should to %s", contentType, got.Address(), want)
		}
	}
}
