package apply

import (
	"slices"

	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/dryrun"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

const askMay = "may"

// may is what the API server says about whether the reader may do one thing to an object. To apply takes patch, and create
// where there is none yet.
type may struct {
	call.May
	seq  int
	verb string
}

// mayI asks whether the reader may do something to a document's object, once for each.
func (m *Model) mayI(d *document, verb string) []page.Cmd {
	if slices.ContainsFunc(d.may, func(known *may) bool { return known.verb == verb }) {
		return nil
	}
	m.live.seq++
	asked, send := call.MayI(dryrun.ID(askMay, m.live.seq), m.Shell.Cluster.Slug, verb, d.target.Path)
	d.may = append(d.may, &may{May: asked, seq: m.live.seq, verb: verb})
	return []page.Cmd{send}
}

// heardMay takes the answer in.
func (m *Model) heardMay(seq int, f page.Response) {
	for _, d := range m.live.docs {
		for _, asked := range d.may {
			if asked.seq == seq {
				asked.Hear(f)
			}
		}
	}
}

// mayNot says why a document must not be applied; empty: it may be.
func (m Model) mayNot(d *document) string {
	for _, asked := range d.may {
		if why := asked.Not(m.Shell.ReadOnly); why != "" {
			return why
		}
	}
	return call.May{}.Not(m.Shell.ReadOnly)
}

// allowed says by which rule the reader may write, where the server tells.
func (d *document) allowed() string {
	for _, asked := range d.may {
		if asked.Heard && asked.Answer.Allowed && asked.Why() != "" {
			return asked.Why()
		}
	}
	return ""
}
