// Package unappliable is the page of objects that can't be applied any more, because the definition of their type dropped a version. It also says for
// which objects it isn't too late.
package unappliable

import (
	"net/url"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/survey/census"
	"github.com/fieldmark/fieldmark/words"
)

// Kind names the page in the embedded model. The kind of finding that the page is about has the same name.
const Kind = "unappliable"

// Parameters of the page's address, and a value of the button that tries ways out.
const (
	FieldPath = "path" // of the object whose ways out are shown
	FieldPage = "page"
	Try       = "try"
)

// AtOnce is how many objects a page has.
const AtOnce = 100

// Query is the query of the page's address.
type Query struct {
	Path string `json:"path,omitempty"`
	Page int    `json:"page,omitempty"` // from 1; 0: the first
}

// ParseQuery reads the query of the page's address. It ignores values that are not valid.
func ParseQuery(q url.Values) Query {
	number, _ := strconv.Atoi(q.Get(FieldPage))
	if number <= 1 {
		number = 0
	}
	return Query{Path: q.Get(FieldPath), Page: number}
}

// Model is the page's state.
type Model struct {
	page.Frame
	census.Pass
	census.Body

	Query  Query   `json:"query"`
	Chosen *Chosen `json:"chosen,omitempty"` // nil: no object is chosen

	live census.Live
}

// Chosen is the object whose ways out are shown, as it is now.
type Chosen struct {
	census.Object

	Blocked bool         `json:"blocked"` // it still can't be applied
	Trouble string       `json:"trouble,omitempty"`
	Ways    []census.Way `json:"ways,omitempty"`
}

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Head implements page.Headed.
func (m Model) Head() page.Head {
	h := page.Head{Small: page.Brief(m), Live: new(m.Liveness(m.live, m.At)), Why: why.DroppedVersions}
	if m.State != nil {
		h.Small = page.Text(m.State.Counted())
		h.Acts.Add(census.Acts(m.place(), m.Body))
		if !m.Reads() {
			h.Acts.Rest = append(h.Acts.Rest, census.Exports(m.place())...)
			h.Below = below(m)
		}
	}
	return h
}

func (m Model) place() census.Place { return census.Place{Shell: m.Shell, Action: m.here()} }

func (m Model) here() string { return web.Tool(m.Shell.Cluster.Slug, web.Unappliable) }

func (m Model) address(q Query) string {
	v := url.Values{FieldPath: {q.Path}}
	if q.Page > 1 {
		v.Set(FieldPage, strconv.Itoa(q.Page))
	}
	return web.WithQuery(m.here(), v)
}

// Awake implements page.Page.
func (m Model) Awake(now time.Time) (page.Page, []page.Cmd) {
	m.live.Now = now
	return m, nil
}

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	if a, is := msg.(page.Addressed); is {
		if q := ParseQuery(a.Query); q != m.Query {
			return m, []page.Cmd{page.Navigate{Address: m.address(q)}}
		}
		return m, []page.Cmd{page.Reload{}}
	}
	var commands []page.Cmd
	m.Body, m.live, commands = m.Follow(m.live, msg, m.address(m.Query))
	return m, commands
}

func (m Model) now() time.Time {
	if m.live.Now.IsZero() {
		return m.At
	}
	return m.live.Now
}

func (m Model) page() int { return max(m.Query.Page, 1) }

func (m Model) pages() int { return (m.Kept + AtOnce - 1) / AtOnce }

// pageHref leads to a page of objects; empty: there is no such page.
func (m Model) pageHref(n int) string {
	if n < 1 || n > m.pages() {
		return ""
	}
	return m.address(Query{Page: n})
}

func (m Model) waysHref(path string) string { return m.address(Query{Path: path, Page: m.Query.Page}) }

// shown says which objects are shown.
func (m Model) shown() string {
	if m.All == len(m.Objects) {
		return words.Thousands(int64(m.All))
	}
	first := (m.page() - 1) * AtOnce
	return words.Thousands(int64(first+1)) + " to " + words.Thousands(int64(first+len(m.Objects))) + " of " + words.Thousands(int64(m.All))
}

// unkept says how many objects no page has; empty: none.
func (m Model) unkept() string {
	if m.All <= m.Kept {
		return ""
	}
	return "Fieldmark keeps the first " + words.Thousands(int64(m.Kept)) + ". Read some namespaces only to see the others."
}

// parted are the findings about objects that can't be applied now, and the others.
func (m Model) parted() (now, others []census.Group) {
	for _, g := range m.Groups {
		if g.Kind == Kind {
			now = append(now, g)
		} else {
			others = append(others, g)
		}
	}
	return now, others
}

// none says why there is no object.
func (m Model) none() string {
	switch m.State.Phase {
	case report.Reading:
		return "No such object was found so far."
	case report.Failed:
		return "The API server refused to list every type for you. So Fieldmark can’t say which objects can’t be applied."
	}
	return "Every object that was read can be applied."
}

// moment is a time for a tooltip.
func moment(at int64) string {
	if at == 0 {
		return "The entries have no time"
	}
	return time.Unix(at, 0).UTC().Format("2006-01-02 15:04:05 UTC")
}
