package apply

import (
	"slices"

	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/dryrun"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

const askMay = "may"

// may is one permission of the reader for an object. An apply needs the verb patch, and also create if the object doesn't exist.
type may struct {
	call.May
	seq  int
	verb string
}

// mayI asks for a permission for a document's object, unless it has asked before.
func (m *Model) mayI(d *document, verb string) []page.Cmd {
	if slices.ContainsFunc(d.may, func(known *may) bool { return known.verb == verb }) {
		return nil
	}
	m.live.seq++
	asked, send := call.MayI(dryrun.ID(askMay, m.live.seq), m.Shell.Cluster.Slug, verb, d.target.Path)
	d.may = append(d.may, &may{May: asked, seq: m.live.seq, verb: verb})
	return []page.Cmd{send}
}

// heardMay takes in the response.
func (m *Model) heardMay(seq int, f page.Response) {
	for _, d := range m.live.docs {
		for _, asked := range d.may {
			if asked.seq == seq {
				asked.Hear(f)
			}
		}
	}
}

// mayNot says why the reader may not apply a document; empty if nothing is known against it.
func (m Model) mayNot(d *document) string {
	for _, asked := range d.may {
		if why := asked.Not(m.Shell.Limit()); why != "" {
			return why
		}
	}
	return call.May{}.Not(m.Shell.Limit())
}

// allowed is the server's reason for the permission; empty if it gives none.
func (d *document) allowed() string {
	for _, asked := range d.may {
		if asked.Heard && asked.Answer.Allowed && asked.Why() != "" {
			return asked.Why()
		}
	}
	return ""
}
