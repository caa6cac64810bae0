package concept

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		r    Refusal
		want string
	}{
		{Refusal{409, "Conflict", true}, "/learn/conflicts"},
		{Refusal{409, "Conflict", false}, "/learn/lost-updates"},
		{Refusal{410, "Expired", false}, "/learn/expired"},
		{Refusal{406, "NotAcceptable", false}, "/learn/representations"},
		{Refusal{422, "Invalid", false}, "/learn/glossary#validation"},
		{Refusal{403, "Forbidden", false}, "/learn/permissions"},
		{Refusal{504, "Timeout", false}, "/learn/future-versions"},
		{Refusal{504, "", false}, "/learn/future-versions"},
		{Refusal{500, "SomethingNew", false}, "/learn/glossary#status-object"},
		{Refusal{}, "/learn/glossary#status-object"},
	} {
		if got := c.r.Topic().Address(); got != c.want {
			t.Errorf("%+v leads to %s, and should to %s", c.r, got, c.want)
		}
	}
}

func TestEveryTopicLeadsToOnePlace(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "concept.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	declared := 0
	ast.Inspect(file, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && len(v.Values) == 1 {
			if call, ok := v.Values[0].(*ast.CallExpr); ok {
				if by, ok := call.Fun.(*ast.Ident); ok && (by.Name == "lesson" || by.Name == "term") {
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
