package check

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/kube/status"
)

// Documents about one object are compared with each other. So there is a limit, and what is beyond the limit fails the check.
func TestManyDocumentsAboutOneObject(t *testing.T) {
	var text strings.Builder
	for i := range mostAlike + 3 {
		fmt.Fprintf(&text, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x%d: y}\n---\n", i)
	}
	var all []Document
	for _, d := range source.Parse(text.String()).Documents {
		all = append(all, Document{File: "f", Source: d})
	}
	contents, none := ContentsOf(all), Response{No: &status.Status{Code: status.CodeNotFound, Reason: status.NotFound}}
	for i, d := range all {
		found := Judge(Input{Document: d, Manager: "me", Live: none, Plain: none}, contents)
		said := len(found) > 0 && found[0].Kind == Invalid && strings.Contains(found[0].Why, "more than 20 documents about this object") && ReportOf("me", 1, found).Fails(FailOn())
		if said != (i >= mostAlike) {
			t.Errorf("document %d: %+v", i, found)
		}
	}
	if n := len(contents.documents[all[0].Object()]); n != mostAlike {
		t.Errorf("%d documents are kept", n)
	}
}
