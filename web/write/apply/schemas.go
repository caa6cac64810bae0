package apply

import (
	"encoding/json"
	"net/url"

	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call/dryrun"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

const askSchema = "schema"

// known is what is known of a kind: nothing yet, nothing at all, or its schema.
type known struct {
	seq    int
	here   bool
	schema *schema.Schema
}

// ParseKind reads the kind that a query asks about; Query writes one.
func ParseKind(query url.Values) schema.Kind {
	return schema.Kind{Group: query.Get("group"), Version: query.Get("version"), Kind: query.Get("kind")}
}

func kindQuery(k schema.Kind) url.Values {
	return url.Values{"group": {k.Group}, "version": {k.Version}, "kind": {k.Kind}}
}

func kindOf(d source.Document) schema.Kind {
	group, version := splitVersion(d.APIVersion)
	return schema.Kind{Group: group, Version: version, Kind: d.Kind}
}

// mostKinds bounds how many schemas a page keeps.
const mostKinds = 30

// learn asks for the schema of a document's kind, once.
func (m *Model) learn(d *document) []page.Cmd {
	kind := kindOf(d.read)
	if m.live.schemas == nil {
		m.live.schemas = map[schema.Kind]*known{}
	}
	if m.live.schemas[kind] != nil || len(m.live.schemas) >= mostKinds {
		return nil
	}
	m.live.seq++
	m.live.schemas[kind] = &known{seq: m.live.seq}
	return []page.Cmd{page.Ask{
		ID: dryrun.ID(askSchema, m.live.seq), Address: web.WithQuery(web.Tool(m.Shell.Cluster.Slug, web.KindSchema), kindQuery(kind)), Accept: "application/json",
	}}
}

// learned takes a schema in, and looks anew at what is of its kind.
func (m Model) learned(seq int, f page.Response) (page.Page, []page.Cmd) {
	for kind, k := range m.live.schemas {
		if k.seq != seq {
			continue
		}
		k.here = true
		var found schema.Schema
		if f.Status == 200 && string(f.Body) != "null" && json.Unmarshal(f.Body, &found) == nil {
			k.schema = &found
		}
		for _, d := range m.live.docs {
			if k.schema != nil && d.shown != nil && kindOf(d.read) == kind {
				m.again(d)
			}
		}
	}
	return m, nil
}

// schemaOf is what is known of a document's kind; nil: nothing.
func (m Model) schemaOf(d *document) *schema.Schema {
	if k := m.live.schemas[kindOf(d.read)]; k != nil {
		return k.schema
	}
	return nil
}

// again judges anew what is shown of a document: more is known of its kind.
func (m Model) again(d *document) {
	now := d.dryRun
	d.dryRun = d.shown.dryRun
	d.shown = d.judge(d.shown.sent, m.writer(d), m.schemaOf(d))
	d.dryRun = now
}
