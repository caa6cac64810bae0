package call

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/kube/request"
)

const refusedApply = `{"kind":"Status","status":"Failure","reason":"Conflict","code":409,"message":"Apply failed with 1 conflict","details":{"causes":[{"reason":"FieldManagerConflict","message":"conflict with \"bob\"","field":".data.x"}]}}`

func TestConflictOpensInTheApplyPreview(t *testing.T) {
	apply := "application/apply-patch+yaml"
	entry := func(method, mediaType, answer string, code int, side record.Side) record.Entry {
		side.Header = []record.Field{{Name: "Content-Type", Value: mediaType}}
		return record.Entry{
			Line:    record.Line{Method: method, Path: "/apis/apps/v1/namespaces/shop/deployments/web/scale", Query: "fieldManager=ada+%26+co&dryRun=All", Status: code},
			Request: side, Answer: record.Side{Body: []byte(answer)},
		}
	}
	body := record.Side{Bytes: 5, Body: []byte("a: 1\n")}
	for name, c := range map[string]struct {
		entry    record.Entry
		want     string // in the HTML; empty: there is nothing
		manifest bool
	}{
		"a conflict":        {entry("PATCH", apply, refusedApply, 409, body), "See the conflict in the apply preview", true},
		"another patch":     {entry("PATCH", "application/merge-patch+json", refusedApply, 409, body), "", false},
		"another method":    {entry("PUT", apply, refusedApply, 409, body), "", false},
		"an old version":    {entry("PATCH", apply, `{"kind":"Status","code":409,"message":"the object has been modified"}`, 409, body), "", false},
		"accepted":          {entry("PATCH", apply, `{}`, 200, body), "", false},
		"a part of it":      {entry("PATCH", apply, refusedApply, 409, record.Side{Bytes: 5, Body: []byte("a:"), Cut: true}), "has only the first 2 B of the manifest", false},
		"with a credential": {entry("PATCH", apply, refusedApply, 409, record.Side{Bytes: 5, Body: []byte("a:"), Redacted: true}), "looks like a credential", false},
		"not recorded":      {entry("PATCH", apply, refusedApply, 409, record.Side{Bytes: 5, Withheld: "it is of a Secret"}), "wasn’t recorded: it is of a Secret", false},
		"CBOR":              {entry("PATCH", "application/apply-patch+cbor", refusedApply, 409, body), "isn’t text", false},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			found := ConflictIn("practice", c.entry)
			if err := Preview(found).Render(t.Context(), &b); err != nil {
				t.Fatal(err)
			}
			if (c.want == "") != (found == nil) || !strings.Contains(b.String(), c.want) || strings.Contains(b.String(), `method="post"`) != c.manifest {
				t.Errorf("%+v: %s", found, b.String())
			}
			if c.manifest && (found.Manager != "ada & co" || found.Namespace != "shop" || found.Subresource != "scale" || found.Manifest != "a: 1\n") {
				t.Errorf("%+v", found)
			}
		})
	}
}

func TestConflictOfACall(t *testing.T) {
	x := New("practice", "PATCH", "/api/v1/namespaces/shop/configmaps/a?fieldManager=ada", "application/apply-patch+yaml", []byte("a: 1\n"))
	if x.Conflict() != nil {
		t.Error("it was not sent")
	}
	x.State, x.Status, x.Kept = Whole, 409, []byte(refusedApply)
	if c := x.Conflict(); c == nil || c.Manifest != "a: 1\n" || c.Manager != "ada" {
		t.Errorf("%+v", c)
	}
	x.Body = nil
	if c := x.Conflict(); c == nil || c.Missing == "" || c.Manifest != "" {
		t.Errorf("without a body: %+v", c)
	}
	x.Header = []request.Header{{Name: "Content-Type", Value: "application/json-patch+json"}}
	if x.Conflict() != nil {
		t.Error("another patch")
	}
}
