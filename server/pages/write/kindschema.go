package write

import (
	"encoding/json"
	"net/http"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web/write/aim"
)

// KindSchema responds with the schema of one kind from the server's OpenAPI document, or with null. Live pages use it, because the
// whole document may have megabytes.
func (p Pages) KindSchema(w http.ResponseWriter, r *http.Request, slug string) {
	c, ok := p.ClustersOf(r).Get(slug)
	if !ok {
		http.Error(w, "there is no such cluster", http.StatusNotFound)
		return
	}
	kind := aim.ParseKind(r.URL.Query())
	v, err := p.Begin(r, c, apipath.Collection(kind.Group, kind.Version, "", "any"))
	defer v.End()
	if err != nil {
		http.Error(w, "Fieldmark can’t connect to this cluster", http.StatusServiceUnavailable)
		return
	}
	var body *schema.Schema
	about := v.Describe(v.Path, v.SchemaPatience())
	if found, ok := about.Document.Schema(kind); about.Err == nil && ok {
		body = &found
	}
	text, err := json.Marshal(body)
	if err != nil || len(text) > visit.MaxSchema {
		text = []byte("null")
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(text)
}
