// Package migrate is the page with the plan for moving to server-side apply: which tools apply objects today, and what the first server-side apply of each
// object would do. An owner's objects are predicted after a click, because that sends dry runs.
package migrate

import (
	"net/url"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/survey/census"
	"github.com/fieldmark/fieldmark/words"
)

// Kind names the page in the embedded model.
const Kind = "migrate"

// Parameters of the page's address, and the values of the buttons that predict.
const (
	FieldOwner    = "owner" // the key of an owner
	FieldPage     = "page"
	Predict       = "predict"
	PredictStored = "predict-stored" // with the manifests of the stored release
)

// Bounds of the page.
const (
	AtOnce     = 25  // objects of an owner, which are predicted together
	MostOwners = 200 // rows of owners
	MostFields = 100 // rows of fields of an object
)

// Query is the query of the page's address.
type Query struct {
	Owner string `json:"owner,omitempty"` // empty: all owners are shown
	Page  int    `json:"page,omitempty"`  // from 1; 0: the first
}

// ParseQuery reads the query of the page's address. It ignores values that are not valid.
func ParseQuery(q url.Values) Query {
	number, _ := strconv.Atoi(q.Get(FieldPage))
	if number <= 1 {
		number = 0
	}
	return Query{Owner: q.Get(FieldOwner), Page: number}
}

// Number is the number of the page, from 1.
func (q Query) Number() int { return max(q.Page, 1) }

// Model is the page's state.
type Model struct {
	page.Frame
	census.Pass
	census.Body

	Query Query `json:"query"`
	Helm  bool  `json:"helm,omitempty"` // the owner may have a stored release
	Plan  *Plan `json:"plan,omitempty"` // nil: nothing was predicted

	live census.Live
}

// Plan is what the first server-side apply of some objects would do.
type Plan struct {
	Parts   []Part   `json:"parts"`
	Missing []string `json:"missing,omitempty"` // what could not be read, in sentences
	Stored  bool     `json:"stored,omitempty"`  // the stored release was read
}

// Part has the objects with one verdict.
type Part struct {
	Title   string          `json:"title"`
	Tone    components.Tone `json:"tone"`
	Objects []Object        `json:"objects"`
}

// Object is an object with its prediction.
type Object struct {
	census.Object

	Manifest string       `json:"manifest"` // where the manifest comes from, in words
	Why      string       `json:"why"`
	Findings []Finding    `json:"findings,omitempty"`
	Fields   []Field      `json:"fields,omitempty"`
	More     int          `json:"more,omitempty"` // fields that aren't listed
	Steps    []census.Way `json:"steps,omitempty"`
}

// Finding is a finding of check.
type Finding struct {
	Kind   string          `json:"kind"`
	Tone   components.Tone `json:"tone"`
	Path   string          `json:"path,omitempty"`
	Owners string          `json:"owners,omitempty"`
	Why    string          `json:"why"`
	Ways   []census.Way    `json:"ways,omitempty"`
}

// Field is a field with other owners after the apply.
type Field struct {
	Path   string `json:"path"`
	Before string `json:"before,omitempty"` // empty: nobody
	After  string `json:"after,omitempty"`
	Gone   bool   `json:"gone,omitempty"` // the apply removes it
}

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Head implements page.Headed.
func (m Model) Head() page.Head {
	h := page.Head{Small: page.Brief(m), Live: new(m.Liveness(m.live, m.At)), Why: why.Moving}
	if m.State != nil {
		h.Small = page.Text(m.State.Counted())
		h.Acts.Add(census.Acts(m.place(), m.Body))
		if !m.Reads() {
			h.Below = below(m)
		}
	}
	return h
}

func (m Model) place() census.Place { return census.Place{Shell: m.Shell, Action: m.here()} }

func (m Model) here() string { return web.Tool(m.Shell.Cluster.Slug, web.Migrate) }

func (m Model) address(q Query) string {
	v := url.Values{FieldOwner: {q.Owner}}
	if q.Page > 1 {
		v.Set(FieldPage, strconv.Itoa(q.Page))
	}
	return web.WithQuery(m.here(), v)
}

func (m Model) ownerHref(o census.Owner) string { return m.address(Query{Owner: o.Key}) }

// pageHref leads to a page of the owner's objects; empty: there is no such page.
func (m Model) pageHref(n int) string {
	if n < 1 || n > m.pages() {
		return ""
	}
	return m.address(Query{Owner: m.Query.Owner, Page: n})
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

// owner is the owner in the address; nil: none, or it isn't known.
func (m Model) owner() *census.Owner {
	for _, o := range m.Owners {
		if o.Key == m.Query.Owner && m.Query.Owner != "" {
			return &o
		}
	}
	return nil
}

func (m Model) pages() int { return (m.Kept + AtOnce - 1) / AtOnce }

// shown says which objects are shown.
func (m Model) shown() string {
	if m.All == len(m.Objects) {
		return words.Count(int64(m.All), "object", "objects")
	}
	first := (m.Query.Number() - 1) * AtOnce
	return words.Thousands(int64(first+1)) + " to " + words.Thousands(int64(first+len(m.Objects))) + " of " + words.Count(int64(m.All), "object", "objects")
}

// none says why there is no owner.
func (m Model) none() string {
	switch m.State.Phase {
	case report.Reading:
		return "No object was found so far that a tool applies."
	case report.Failed:
		return "The API server refused to list every type for you. So Fieldmark can’t say which tools apply objects."
	}
	return "No object was found that kubectl, Helm, Argo CD or Flux applies."
}

// summary says what a part of the plan has.
func (o Object) summary() string {
	gone := 0
	for _, f := range o.Fields {
		if f.Gone {
			gone++
		}
	}
	said := words.Count(int64(len(o.Fields)+o.More-gone), "field gets other owners", "fields get other owners")
	if gone > 0 {
		said += ", and " + words.Count(int64(gone), "field is removed", "fields are removed")
	}
	return said
}

// title names an owner.
func title(o census.Owner) string {
	if o.Name == "" {
		return o.Tool
	}
	return o.Tool + " " + o.Name
}

// name is the owner in a row that also has the tool.
func name(o census.Owner) string {
	if o.Name == "" {
		return "objects of " + o.Tool
	}
	return o.Name
}

// nothing says why the owner has no objects to show.
func (m Model) nothing(o *census.Owner) string {
	switch {
	case m.Reads():
		return "No object of the owner was found so far."
	case o == nil:
		return "No object of it was found. Read the cluster again, or choose another owner."
	case o.Objects == 0:
		return "Each of its objects is applied server-side already, and has no older entry. So nothing is to be done."
	}
	return "This page has no objects."
}

// lines are the objects of a part.
func (m Model) lines(p Part) (all []templ.Component) {
	for _, o := range p.Objects {
		all = append(all, predicted(m, o))
	}
	return all
}

func moreObjects(n int) string { return words.Count(int64(n), "more object", "more objects") }

func partID(i int) string { return "migrate-part-" + strconv.Itoa(i) }
