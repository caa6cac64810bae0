// Package managers is the page that says who runs a cluster: every field manager, what it owns of which resource types, and which of them disturb
// each other.
package managers

import (
	"fmt"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/manager/writer"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/survey/census"
	"github.com/fieldmark/fieldmark/words"
)

// ObjectsType is the media type of the Objects of the cell in the page's address. With that of a pass, the page's address has the Sheet.
const ObjectsType = "application/vnd.fieldmark.census-objects+json"

// Kind names the page in the embedded model.
const Kind = "managers"

// Model is the page's state.
type Model struct {
	page.Frame
	census.Pass

	Query   Query    `json:"query"`
	Sheet   *Sheet   `json:"sheet"`             // nil: there has been no census
	Objects *Objects `json:"objects,omitempty"` // of the cell in Query; nil: they are not read

	live live
}

// Objects are the objects of a cell.
type Objects struct {
	Manager string   `json:"manager"`
	Type    string   `json:"type"`
	Objects []Object `json:"objects"`
	More    bool     `json:"more,omitempty"`    // there are others, or there may be some
	Trouble string   `json:"trouble,omitempty"` // why not all could be read
}

// MostObjects is how many objects of a cell a page shows.
const MostObjects = 100

// Object is an object of which a manager owns fields.
type Object struct {
	Path      string   `json:"path"`
	Namespace string   `json:"namespace,omitempty"`
	Name      string   `json:"name"`
	Fields    int      `json:"fields"`
	Paths     []string `json:"paths,omitempty"`  // of some of the fields
	How       []string `json:"how"`              // how each of its entries is written
	Last      int64    `json:"last,omitempty"`   // seconds since 1970; 0: not known
	Others    int      `json:"others,omitempty"` // other managers with entries of the object
}

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Head implements page.Headed.
func (m Model) Head() page.Head {
	h := page.Head{Live: new(m.Sheet.state().Liveness(m.live.trouble, m.now())), Why: why.WhoRuns}
	if m.Sheet == nil {
		return h
	}
	h.Small = page.Text(m.counted())
	h.Below = below(m)
	h.Acts.Add(census.Acts(m.place(), m.body()))
	if !m.reads() {
		h.Acts.Rest = append(h.Acts.Rest, census.Exports(m.place())...)
	}
	return h
}

func (m Model) reads() bool { return m.Sheet != nil && m.Sheet.Phase == report.Reading }

func (m Model) place() census.Place { return census.Place{Shell: m.Shell, Action: m.action()} }

func (m Model) body() census.Body { return census.Body{State: m.Sheet.state()} }

func (m Model) action() string { return web.Tool(m.Shell.Cluster.Slug, web.Managers) }

// now is the reader's time.
func (m Model) now() time.Time {
	if m.live.now.IsZero() {
		return m.At
	}
	return m.live.now
}

// href is the page's address with another query.
func (m Model) href(change func(*Query)) string {
	q := m.Query
	change(&q)
	return web.WithQuery(m.action(), q.Values())
}

// ofHref leads to a manager's types, or to its objects of one type.
func (m Model) ofHref(manager, typ string) string {
	return m.href(func(q *Query) { *q = q.of(manager, typ) })
}

// textHref leads to all that a name matches.
func (m Model) textHref(name string) string {
	return web.WithQuery(m.action(), Query{Text: name}.Values())
}

// counted says in short what was counted.
func (m Model) counted() string {
	s := m.Sheet
	said := words.Count(int64(s.objects()), "object", "objects") + " of " + types(s.count(report.Read, report.Partly, report.Arrives)) +
		" · " + words.Count(int64(len(s.Managers)), "manager", "managers")
	if s.Folded > 0 {
		said = fmt.Sprintf("%s, and %s counted together", said, words.Thousands(int64(s.Folded)))
	}
	if refused := s.count(report.Refused); refused > 0 {
		said += " · " + types(refused) + " can’t be listed"
	}
	return said
}

func types(n int) string { return words.Count(int64(n), "type", "types") }

// nameOf is a manager's name as the page shows it.
func (m Model) nameOf(who Manager) string {
	switch {
	case who.Others:
		return words.Count(int64(m.Sheet.Folded), "more manager", "more managers")
	case who.Name == "":
		return noName
	}
	return components.Visible(who.Name)
}

// noName stands for the name of a manager that has none.
const noName = "(without a name)"

// cast are the managers of the page.
func (m Model) cast(rows []row) *owners.Cast {
	var c owners.Cast
	for _, r := range rows {
		c.Meet(manager.Manager{Name: r.Name})
	}
	for _, f := range m.Sheet.Findings {
		c.Meet(manager.Manager{Name: f.Manager})
		c.Meet(manager.Manager{Name: f.Other})
	}
	return &c
}

// face is a manager with its face.
func face(who *owners.Cast, name string) components.Manager {
	f := who.Of(manager.Manager{Name: name})
	if name == "" {
		f.Name = noName
	}
	return f
}

// whatIs says what a manager is.
func whatIs(m Manager) string {
	if m.Others || m.Writer == writer.Unknown {
		return "–"
	}
	return m.Writer.Words()
}
