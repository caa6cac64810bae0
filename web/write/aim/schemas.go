package aim

import (
	"encoding/json"
	"net/url"

	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call/dryrun"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// AskSchema marks the IDs of requests for schemas; see dryrun.ParseID.
const AskSchema = "schema"

// mostKinds bounds how many schemas a page keeps.
const mostKinds = 60

// Schemas are the schemas that a page has loaded for the kinds of its documents. The zero value is empty.
type Schemas struct {
	known map[schema.Kind]*Known
	seq   int
}

// Known is the schema of a kind, once it is loaded.
type Known struct {
	seq    int
	Here   bool           // the response has arrived
	Schema *schema.Schema // nil: not loaded, or the cluster has none
}

// KindOf is the kind of a document.
func KindOf(d source.Document) schema.Kind {
	group, version := SplitVersion(d.APIVersion)
	return schema.Kind{Group: group, Version: version, Kind: d.Kind}
}

// ParseKind reads the kind that a query asks about.
func ParseKind(query url.Values) schema.Kind {
	return schema.Kind{Group: query.Get("group"), Version: query.Get("version"), Kind: query.Get("kind")}
}

// Learn requests the schema of a kind, unless it has done so before.
func (s *Schemas) Learn(cluster string, k schema.Kind) []page.Cmd {
	if s.known[k] != nil || len(s.known) >= mostKinds {
		return nil
	}
	if s.known == nil {
		s.known = map[schema.Kind]*Known{}
	}
	s.seq++
	s.known[k] = &Known{seq: s.seq}
	query := url.Values{"group": {k.Group}, "version": {k.Version}, "kind": {k.Kind}}
	return []page.Cmd{page.Ask{ID: dryrun.ID(AskSchema, s.seq), Address: web.WithQuery(web.Tool(cluster, web.KindSchema), query), Accept: "application/json"}}
}

// Hear takes the response to request seq, and returns its kind. It returns false if the response has no schema.
func (s *Schemas) Hear(seq int, f page.Response) (schema.Kind, bool) {
	for kind, k := range s.known {
		if k.seq != seq {
			continue
		}
		k.Here = true
		var found schema.Schema
		if f.Status == 200 && string(f.Body) != "null" && json.Unmarshal(f.Body, &found) == nil {
			k.Schema = &found
		}
		return kind, k.Schema != nil
	}
	return schema.Kind{}, false
}

// Find returns what is known of a kind; nil if its schema was not requested.
func (s *Schemas) Find(k schema.Kind) *Known { return s.known[k] }

// Of returns the schema of a document's kind; nil if it isn't known.
func (s *Schemas) Of(d source.Document) *schema.Schema {
	if k := s.known[KindOf(d)]; k != nil {
		return k.Schema
	}
	return nil
}
