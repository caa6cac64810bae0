package pages

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/cli/blame"
	"github.com/fieldmark/fieldmark/components/copying"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/inquiry"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/object/canary"
	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/kube/refusal"
	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/server/wiretap"
)

// TestSecretValues_AreHiddenEverywhereAlike: of one document, each output hides the same values, also those of a Secret inside another object.
func TestSecretValues_AreHiddenEverywhereAlike(t *testing.T) {
	for _, d := range canary.Documents() {
		if d.Vague || strings.Contains(d.JSON, "PartialObjectMetadata") {
			continue // only the path says that it is a Secret, and this one is read at the path of a Pod
		}
		for output, said := range everywhere(t, d.JSON) {
			if said == "" || canary.Escapes(said) {
				t.Errorf("%s in %s: %s", d.Name, output, said)
			}
		}
	}
}

// everywhere is what each output says about a document.
func everywhere(t *testing.T, text string) map[string]string {
	t.Helper()
	all := map[string]string{}
	note := func(output string, value any) {
		said, err := json.Marshal(value)
		must(t, err)
		all[output] = string(said)
	}
	o, err := object.Parse([]byte(text))
	must(t, err)
	written, err := blame.Write(o, nil)
	must(t, err)
	note("blame", written.Lines)
	copied := copying.Blame{Object: "an object"}
	for _, l := range written.Lines {
		copied.Lines = append(copied.Lines, copying.Line{Text: manifest.Line{{Text: l.Text}}})
	}
	all["Copy"] = copied.Markdown() + copied.SVG()
	var documents []check.Document
	for _, one := range source.Parse(text).Documents {
		documents = append(documents, check.Document{File: "a.yaml", Source: one})
	}
	note("check", check.Judge(check.Input{
		Document: documents[0], Manager: "me", Live: check.Response{Object: o.Fields}, Plain: check.Response{Object: map[string]any{"kind": "Other"}},
	}, check.ContentsOf(documents)))
	note("explain", inquiry.New(refusal.Read(t.Context(), `Apply failed with 1 conflict: conflict with "ada": .spec.manifest.data.password`), inquiry.Options{Documents: documents}).Answer())
	var tap *wiretap.Log
	s := scripted(t, answers(http.StatusOK, "application/json", text), func(o *Options) { tap = o.Tap })
	all["page"] = s.get(oddPod+"?tab=yaml").body + s.get(oddPod+"?tab=fields").body
	entries := tap.Entries("test", 0)
	note("the wire log", entries)
	var recorded []record.Entry
	for _, e := range entries {
		all["the wire log"] += string(e.Answer.Body)
		if one, found := tap.View("test").Entry("odd", e.ID); found {
			recorded = append(recorded, one)
		}
	}
	var har bytes.Buffer
	must(t, record.WriteHAR(&har, "test", recorded))
	if all["HAR"] = har.String(); len(recorded) == 0 || !strings.Contains(all["HAR"], oddPod[len("/c/odd"):]) {
		t.Errorf("the HTTP archive has %d requests", len(recorded))
	}
	return all
}
