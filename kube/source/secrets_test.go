package source

import (
	"testing"

	"github.com/fieldmark/fieldmark/kube/object/canary"
)

// A text with values of a Secret says so, wherever they are in it.
func TestATextTellsThatItMayHoldSecrets(t *testing.T) {
	for _, d := range canary.Documents() {
		for _, read := range Parse("kind: ConfigMap\napiVersion: v1\n---\n" + d.JSON).Documents {
			if !d.Vague && !read.MayHold() {
				t.Errorf("%s: the document in line %d may be quoted", d.Name, read.Start.Line)
			}
		}
	}
	if Parse("kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\ndata: {a: b}\n").Documents[0].MayHold() {
		t.Error("a text without a Secret can't be quoted")
	}
}
