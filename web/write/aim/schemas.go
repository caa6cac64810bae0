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

// AskSchema is what the responses to questions about schemas are known by; see dryrun.ParseID.
const AskSchema = "schema"

// mostKinds bounds how many schemas a page keeps.
const mostKinds = 60

// Schemas are what a page knows of the kinds that its documents are of. The zero value knows nothing.
type Schemas struct {
	known map[schema.Kind]*Known
	seq   int
}

// Known is what is known of a kind.
type Known struct {
	seq    int
	Here   bool           // there was a response
	Schema *schema.Schema // nil: nothing is known
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

// Learn asks for the schema of a kind, once.
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

// Hear takes in what the response to one question says, and tells of which kind; false: it says nothing.
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

// Find is what is known of a kind; nil: it was not asked for.
func (s *Schemas) Find(k schema.Kind) *Known { return s.known[k] }

// Of is the schema of a document's kind; nil: it isn't known.
func (s *Schemas) Of(d source.Document) *schema.Schema {
	if k := s.known[KindOf(d)]; k != nil {
		return k.Schema
	}
	return nil
}
