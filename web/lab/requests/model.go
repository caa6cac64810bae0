// Package requests is the wire log page: all requests of the session as they happen, and the details of each.
package requests

import (
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// Kind names the page in the embedded model.
const Kind = "requests"

// MediaType is the media type of an entry alone, a record.Entry as JSON, at the page's address.
const MediaType = "application/vnd.fieldmark.entry+json"

// Parameters of the page's address.
const (
	FieldVerb   = "verb"
	FieldStatus = "status"
	FieldOrigin = "origin"
	FieldText   = "text"
	FieldEntry  = web.EntryField
	FieldBodies = "bodies" // raw: bodies are shown as they were sent
	FieldBefore = "before" // only requests with a smaller number
)

// Raw is the value of FieldBodies for bodies as they were sent.
const Raw = "raw"

// AtOnce is how many requests the page shows without the program in the browser.
const AtOnce = 200

// Query is the query of the page's address.
type Query struct {
	Filter record.Filter `json:"filter"`
	Entry  uint64        `json:"entry,omitempty"` // the number of the opened request; 0: none
	Raw    bool          `json:"raw,omitempty"`
	Before uint64        `json:"before,omitempty"`
}

// ParseQuery reads the query of the page's address. It ignores values that are not valid.
func ParseQuery(q url.Values) Query {
	number := func(name string) uint64 {
		n, _ := strconv.ParseUint(q.Get(name), 10, 64)
		return n
	}
	return Query{
		Filter: record.Filter{Verb: q.Get(FieldVerb), Status: q.Get(FieldStatus), Origin: q.Get(FieldOrigin), Text: q.Get(FieldText)},
		Entry:  number(FieldEntry), Raw: q.Get(FieldBodies) == Raw, Before: number(FieldBefore),
	}
}

// Values is the inverse of ParseQuery.
func (q Query) Values() url.Values {
	v := url.Values{FieldVerb: {q.Filter.Verb}, FieldStatus: {q.Filter.Status}, FieldOrigin: {q.Filter.Origin}, FieldText: {q.Filter.Text}}
	if q.Entry > 0 {
		v.Set(FieldEntry, strconv.FormatUint(q.Entry, 10))
	}
	if q.Raw {
		v.Set(FieldBodies, Raw)
	}
	if q.Before > 0 {
		v.Set(FieldBefore, strconv.FormatUint(q.Before, 10))
	}
	return v
}

// Model is the page's state.
type Model struct {
	page.Frame
	Query     Query         `json:"query"`
	Recording bool          `json:"recording"`
	Since     time.Time     `json:"since,omitzero"` // when this replica's record of the person began; zero: not in the shared mode, or there is none
	Most      int           `json:"most"`           // requests kept at most
	At        int64         `json:"at"`             // the time of this state, in microseconds since 1970
	All       int           `json:"all"`            // requests kept
	Passed    int           `json:"passed"`         // kept requests that pass the filter
	Lines     []record.Line `json:"lines"`          // the newest of those, newest first
	Detail    *record.Entry `json:"detail"`         // of Query.Entry; nil: it is not kept
	live      *live
}

// Fill fills the page from the record, whose lines are given oldest first.
func (m *Model) Fill(lines []record.Line) {
	m.All = len(lines)
	for _, l := range slices.Backward(lines) {
		if !m.Query.Filter.Passes(l) {
			continue
		}
		m.Passed++
		if (m.Query.Before == 0 || l.ID < m.Query.Before) && len(m.Lines) < AtOnce {
			m.Lines = append(m.Lines, l)
		}
	}
}

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Head implements page.Headed.
func (m Model) Head() page.Head {
	h := page.Head{Small: counted(m), Live: new(m.liveness()), Lead: lead(m)}
	if m.Recording {
		h.Below = chosen(m)
	}
	return h
}

func (m Model) action() string { return web.Tool(m.Shell.Cluster.Slug, web.Requests) }

// href is the page's address with another query.
func (m Model) href(change func(*Query)) string {
	q := m.Query
	change(&q)
	return web.WithQuery(m.action(), q.Values())
}

func (m Model) opened(id uint64) string { return m.href(func(q *Query) { q.Entry = id }) }

func (m Model) closed() string {
	return m.href(func(q *Query) { q.Entry, q.Raw = 0, false })
}

// older is the address of the requests before the shown ones; empty: there are none, or the program in the browser shows all.
func (m Model) older() string {
	if m.live != nil || len(m.Lines) < AtOnce {
		return ""
	}
	return m.href(func(q *Query) { q.Before = m.Lines[len(m.Lines)-1].ID })
}

// archive is the address of the filtered requests as an HTTP archive.
func (m Model) archive() string {
	return web.WithQuery(web.Tool(m.Shell.Cluster.Slug, web.Archive), Query{Filter: m.Query.Filter}.Values())
}

func (m Model) now() time.Time {
	if m.live != nil {
		return m.live.now
	}
	return time.UnixMicro(m.At)
}

// countText says how many requests there are, and how many pass the filter.
func (m Model) countText() string {
	all, passed := m.All, m.Passed
	if m.live != nil {
		all, passed = len(m.live.lines), len(m.live.passed)
	}
	if m.Query.Filter.All() {
		return words.Count(int64(all), "request", "requests")
	}
	return words.Thousands(int64(passed)) + " of " + words.Count(int64(all), "request", "requests")
}

// verbs are the verbs of the filter.
var verbs = []string{"get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"}

// choice is an option of a field of the form.
type choice struct{ value, words string }

func verbChoices(chosen string) []choice {
	all := []choice{{"", "any"}}
	for _, v := range verbs {
		all = append(all, choice{v, v})
	}
	if chosen != "" && !slices.Contains(verbs, chosen) {
		all = append(all, choice{chosen, chosen})
	}
	return all
}

func statusChoices() []choice {
	words := map[string]string{record.Unanswered: "no response", record.UnderWay: "in progress", record.Warned: "with warnings"}
	all := []choice{{"", "any"}}
	for _, s := range record.Statuses {
		c := choice{s, words[s]}
		if c.words == "" {
			c.words = s
		}
		all = append(all, c)
	}
	return all
}

func originChoices() []choice {
	all := []choice{{"", "any"}}
	for _, o := range record.Origins {
		all = append(all, choice{o, o})
	}
	return all
}

// madeBy explains an origin.
func madeBy(origin string) string {
	switch origin {
	case record.Page:
		return "Sent by Fieldmark to render a page"
	case record.Relay:
		return "Sent by Fieldmark to keep a page up to date"
	case record.Scan:
		return "Sent by Fieldmark for a scan of many types"
	case record.Check:
		return "Sent by Fieldmark to check that you may still follow a watch that you share with other people"
	case record.Browser:
		return "Sent through Fieldmark by a page, in the browser"
	default:
		return "Sent through Fieldmark by kubectl, curl or another program"
	}
}
