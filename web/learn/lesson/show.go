package lesson

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/changes"
	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/change"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// answersOf are the answers that a widget shows, as far as all of them are there; else why there are none.
func (m Model) answersOf(s *lesson.Show, at block) ([]*asked, string) {
	names := s.Of
	if len(names) == 0 {
		names = []string{""}
	}
	var all []*asked
	for _, name := range names {
		a := m.answerOf(name, at)
		switch {
		case a != nil && a.before:
			return nil, "The answer was not kept when the page was left. Send the request again to see it here."
		case !a.known() && a.answer().Status == 0:
			return nil, "It is shown here once the answer is there."
		}
		all = append(all, a)
	}
	return all, ""
}

// objectOf reads an answer as one, with numbers as they are written; false: it is none.
func objectOf(a *asked) (object.Object, bool) {
	o, ok := documentOf(a.x).(map[string]any)
	return object.Object{Fields: o}, ok
}

// blame is an object with its owners in the gutter.
func (m Model) blame(a *asked, at block) (components.BlameDocument, bool) {
	o, ok := objectOf(a)
	if !ok {
		return components.BlameDocument{}, false
	}
	w, err := owners.Write(o.Masked(), nil)
	if err != nil {
		return components.BlameDocument{}, false
	}
	d := components.BlameDocument{Label: "The object, with its owners", Beside: "-" + at.String(), Managers: w.Shown()}
	page := m.pageOf(a)
	var runs owners.Runs
	for i, r := range w.Rows {
		l := w.Line(i, runs.Begins(r))
		l.ID = "line-" + at.String() + "-" + strconv.Itoa(i)
		if l.Path != "" {
			l.Href = web.WithQuery(page, url.Values{"field": {l.Path}})
		}
		d.Lines = append(d.Lines, l)
	}
	return d, true
}

// difference is one answer beside another.
func (m Model) difference(before, after *asked) (components.Difference, []change.Row, bool) {
	was, wasThere := objectOf(before)
	is, isThere := objectOf(after)
	if !wasThere || !isThere {
		return components.Difference{}, nil, false
	}
	shown := is.MaskedBeside(was).Fields
	p, err := change.Compare(change.Input{Live: was.Masked().Fields, Predicted: shown, Sent: shown})
	if err != nil {
		return components.Difference{}, nil, false
	}
	d, _ := changes.Of(&p, changes.Look{Label: "What differs", Around: around})
	return d, p.Rows, true
}

// around is how many equal lines are shown beside what differs.
const around = 2

// namesOf are the names of owners, for a sentence.
func namesOf(all []ownership.Owner) string {
	var names []string
	for _, o := range all {
		if !slices.Contains(names, o.Name) {
			names = append(names, o.Name)
		}
	}
	return cmp.Or(strings.Join(names, ", "), "nobody")
}

// moved are the rows whose owners are other ones.
func moved(rows []change.Row) []change.Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r change.Row) bool { return namesOf(r.Before) == namesOf(r.After) })
}

// mostRows bounds the rows of a table that are shown.
const mostRows = 30

// grid is an answer as a table, and how many rows are left out.
func (m Model) grid(a *asked, at block) (components.Grid, int, bool) {
	t, err := table.Parse(a.x.Kept, m.live.now)
	if err != nil {
		return components.Grid{}, 0, false
	}
	var left int
	t.Rows, left = components.First(t.Rows, mostRows)
	for n := range t.Rows {
		t.Rows[n].UID = at.String() + "-" + strconv.Itoa(n) // the same object may be in several answers
	}
	return components.GridOf("The answer as a table", t, false), left, true
}

// happened is an event of a stream, in a few words.
type happened struct{ kind, name, version, words string }

// mostEvents bounds the events that are shown.
const mostEvents = 40

// events are the newest of a stream, the newest last, and how many came.
func events(a *asked) ([]happened, int) {
	all := a.answer().Happenings()
	var shown []happened
	for _, e := range all[max(0, len(all)-mostEvents):] {
		var o struct {
			Kind     string `json:"kind"`
			Message  string `json:"message"`
			Metadata struct {
				Name            string            `json:"name"`
				ResourceVersion string            `json:"resourceVersion"`
				Annotations     map[string]string `json:"annotations"`
			} `json:"metadata"`
		}
		if json.Unmarshal(e.Object, &o) != nil {
			continue
		}
		h := happened{kind: string(e.Type), name: strings.TrimSpace(o.Kind + " " + o.Metadata.Name), version: o.Metadata.ResourceVersion, words: o.Message}
		if o.Metadata.Annotations["k8s.io/initial-events-end"] == "true" {
			h.words = "the initial state ends here"
		}
		shown = append(shown, h)
	}
	return shown, len(all)
}

// sized is one of several answers whose sizes are compared.
type sized struct {
	name, media, coding string
	bytes, wire         int64
	part, wirePart      int // of the largest, in thousandths
	millis              int64
}

// sizes are those of answers.
func (m Model) sizes(s *lesson.Show, all []*asked) []sized {
	var rows []sized
	top := int64(1)
	for i, a := range all {
		name := ""
		if i < len(s.Of) {
			name = s.Of[i]
		}
		r := sized{name: name, media: a.x.MediaType(), bytes: a.x.Bytes, wire: a.x.Wire, millis: a.x.Took.Milliseconds()}
		for _, h := range a.x.Answer {
			if h.Name == "content-encoding" {
				r.coding = h.Value
			}
		}
		top = max(top, r.bytes, r.wire)
		rows = append(rows, r)
	}
	for i := range rows {
		rows[i].part, rows[i].wirePart = int(1000*rows[i].bytes/top), int(1000*rows[i].wire/top)
	}
	return rows
}

// pageOf is the page of what a request addresses.
func (m Model) pageOf(a *asked) string {
	path, _, _ := strings.Cut(a.x.Path, "?")
	if p, err := apipath.Parse(path); err == nil && p.IsResource() {
		return web.Page(m.Shell.Cluster.Slug, p.String())
	}
	return web.Cluster(m.Shell.Cluster.Slug)
}

// opens are the pages on which there is more of what a request addresses.
func (m Model) opens(a *asked) components.Menu {
	slug := m.Shell.Cluster.Slug
	menu := components.Menu{Current: "Open this in…"}
	path, _, _ := strings.Cut(a.x.Path, "?")
	p, err := apipath.Parse(path)
	if err != nil {
		return menu
	}
	add := func(l components.Link) { menu.Links = append(menu.Links, l) }
	t, known := m.Shell.Catalog.Type(p.Group, p.Version, p.Resource)
	switch p.Kind {
	case apipath.KindObject, apipath.KindSubresource:
		of := apipath.ObjectOf(p)
		add(components.Link{Text: "Fields", Href: web.Page(slug, of.String()), Hint: "the object, and who owns what of it"})
		add(components.Link{Text: "Timeline", Href: web.WithQuery(web.Page(slug, of.String()), url.Values{"tab": {"timeline"}}), Hint: "what becomes of it"})
		if known {
			menu.Links = append(menu.Links, shell.ObjectTools(slug, of, t).Links...)
		}
	case apipath.KindCollection:
		add(components.Link{Text: "Its collection", Href: web.Page(slug, p.String())})
		if known {
			menu.Links = append(menu.Links, shell.CollectionTools(slug, p.String(), t).Links...)
		}
	default:
		add(components.Link{Text: "Request", Href: shell.ToolAt(slug, web.Request, path)})
	}
	if a.x.Entry != "" {
		add(components.Link{Text: "Wire log", Href: web.WithQuery(web.Tool(slug, web.Requests), url.Values{web.EntryField: {a.x.Entry}}), Hint: "all that went over the wire"})
	}
	return menu
}

// leads is the way to what a lesson points to.
func (m Model) leads(s *lesson.Show) components.Link {
	path := m.shown(lesson.Request{Target: s.Path}).Target
	slug := m.Shell.Cluster.Slug
	if s.Tool == "" {
		bare, _, _ := strings.Cut(path, "?")
		return components.Link{Text: "Open " + bare, Href: web.Cluster(slug) + path}
	}
	tool, _ := web.ToolNamed(s.Tool) // lessons that name others are refused when they are read
	link := components.Link{Text: "Open it in " + tool.Called, Href: shell.ToolAt(slug, tool.Name, path)}
	if tool.Name == web.Apply {
		link.Href = web.WithQuery(web.Tool(slug, tool.Name), url.Values{"edit": {path}})
	}
	return link
}

// coded says how an answer was compressed.
func (s sized) coded() string {
	if s.coding == "" {
		return "not compressed"
	}
	return s.coding
}

// boundWords say how much of an answer is there to see, where that is not all.
func boundWords(x call.Call) string {
	if int64(len(x.Kept)) >= x.Bytes {
		return ""
	}
	return "The first " + components.Bytes(int64(len(x.Kept))) + " of " + components.Bytes(x.Bytes) + " were kept."
}
