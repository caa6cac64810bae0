package check

import (
	"net/url"

	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/write/aim"
	"github.com/fieldmark/fieldmark/web/write/apply"
)

// preview opens the apply preview with the document of the selected finding. The apply page takes the text from this page (page.Handing). An
// address would be too short for it, and would keep secrets.
func (m Model) preview() (page.Page, []page.Cmd) {
	d := m.live.chosen.doc
	if d == nil {
		return m, nil
	}
	m.live.handed = d
	query := url.Values{apply.QueryManager: {m.manager()}}
	return m, []page.Cmd{page.Navigate{Address: web.WithQuery(web.Tool(m.Shell.Cluster.Slug, web.Apply), query)}}
}

// Handed implements page.Handing.
func (m Model) Handed() page.Manifest {
	d := m.live.handed
	if d == nil {
		return page.Manifest{}
	}
	return page.Manifest{Text: alone(d.Document.Source), Manager: m.manager(), Namespace: m.live.of.Namespace}
}

// Inherit implements page.Heir. After the apply preview, the reader finds the check unchanged.
func (m Model) Inherit(from page.Page) (page.Page, bool) {
	if coming, ok := from.(page.Coming); ok && m.live.input.given == nil {
		from = coming.Came()
	}
	former, ok := from.(Model)
	if !ok || former.Shell.Cluster.Slug != m.Shell.Cluster.Slug || former.live == nil || m.live.input.given != nil {
		return m, false
	}
	former.Shell, former.Look, former.Now = m.Shell, m.Look, m.Now
	l := former.live
	l.stopped = l.stopped || len(l.under) > 0 // their responses are lost with the former page
	for _, d := range l.under {
		l.next = min(l.next, d.place)
	}
	l.under, l.schemas, l.handed = nil, aim.Schemas{}, nil
	return former, false
}
