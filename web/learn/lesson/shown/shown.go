// Package shown has the widgets of lessons. Each shows the part of one or several responses that a step is about.
package shown

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/changes"
	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/change"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
	"github.com/fieldmark/fieldmark/words"
)

// View is the context of a widget.
type View struct {
	At      string // the block, for ids
	Cluster string // its slug
	Vars    lesson.Vars
	Now     time.Time
}

// blame is a response as an object with the owners of its fields; false: it isn't an object.
func (v View) blame(a *sent.Request) (components.BlameDocument, bool) {
	o, ok := a.Object()
	if !ok {
		return components.BlameDocument{}, false
	}
	w, err := owners.Write(o.Masked(), nil)
	if err != nil {
		return components.BlameDocument{}, false
	}
	d := components.BlameDocument{Label: "The object, with its owners", Beside: "-" + v.At, Managers: w.Shown()}
	page := v.pageOf(a)
	var runs owners.Runs
	for i, r := range w.Rows {
		l := w.Line(i, runs.Begins(r))
		l.ID = "line-" + v.At + "-" + strconv.Itoa(i)
		if l.Path != "" {
			l.Href = web.WithQuery(page, url.Values{"field": {l.Path}})
		}
		d.Lines = append(d.Lines, l)
	}
	return d, true
}

// difference compares two responses; false: one of them isn't an object.
func difference(before, after *sent.Request) (components.Difference, []change.Row, bool) {
	was, wasThere := before.Object()
	is, isThere := after.Object()
	if !wasThere || !isThere {
		return components.Difference{}, nil, false
	}
	shown := is.MaskedBeside(was).Fields
	p, err := change.Compare(change.Input{Live: was.Masked().Fields, Predicted: shown, Sent: shown})
	if err != nil {
		return components.Difference{}, nil, false
	}
	d, _ := changes.Of(&p, changes.Look{Label: "Differences", Around: around})
	return d, p.Rows, true
}

// around is how many equal lines are shown above and below a difference.
const around = 2

// namesOf are the names of owners, separated by commas; “nobody” if there is none.
func namesOf(all []ownership.Owner) string {
	var names []string
	for _, o := range all {
		if !slices.Contains(names, o.Name) {
			names = append(names, o.Name)
		}
	}
	return cmp.Or(strings.Join(names, ", "), "nobody")
}

// moved are the rows with changed owners.
func moved(rows []change.Row) []change.Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r change.Row) bool { return namesOf(r.Before) == namesOf(r.After) })
}

// mostRows bounds the rows of a table that are shown.
const mostRows = 30

// grid is a response as a table, with the number of rows that are left out; false: it isn't a Table.
func (v View) grid(a *sent.Request) (components.Grid, int, bool) {
	t, err := table.Parse(a.Call.Kept, v.Now)
	if err != nil {
		return components.Grid{}, 0, false
	}
	var left int
	t.Rows, left = components.First(t.Rows, mostRows)
	for n := range t.Rows {
		t.Rows[n].UID = v.At + "-" + strconv.Itoa(n) // the same object may be in several responses
	}
	return components.GridOf("The response as a table", t, false), left, true
}

// happened is an event of a stream, as texts for a line.
type happened struct{ kind, name, version, words string }

// mostEvents bounds the shown events.
const mostEvents = 40

// events are the newest events of a stream, the newest last, and how many arrived in all.
func events(a *sent.Request) ([]happened, int) {
	all := a.Answer().Happenings()
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

// sized is one of several responses whose sizes are compared.
type sized struct {
	name, media, coding string
	bytes, wire         int64
	part, wirePart      int // bytes and wire, in thousandths of the largest
	millis              int64
}

// sizes are the sizes of responses, in the order of the requests that the lesson names.
func sizes(s *lesson.Show, all []*sent.Request) []sized {
	var rows []sized
	top := int64(1)
	for i, a := range all {
		name := ""
		if i < len(s.Of) {
			name = s.Of[i]
		}
		r := sized{name: name, media: a.Call.MediaType(), bytes: a.Call.Bytes, wire: a.Call.Wire, millis: a.Call.Took.Milliseconds()}
		for _, h := range a.Call.Answer {
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

// pageOf is the address of the page for the path of a request.
func (v View) pageOf(a *sent.Request) string {
	path, _, _ := strings.Cut(a.Call.Path, "?")
	if p, err := apipath.Parse(path); err == nil && p.IsResource() {
		return web.Page(v.Cluster, p.String())
	}
	return web.Cluster(v.Cluster)
}

// coded says how the response was compressed.
func (s sized) coded() string {
	if s.coding == "" {
		return "not compressed"
	}
	return s.coding
}

// streamWords say how many events a stream has brought, and whether it goes on.
func streamWords(count int, open bool) string {
	events := words.Count(int64(count), "event", "events")
	if open {
		return fmt.Sprintf("%s until now. The stream is open.", events)
	}
	return fmt.Sprintf("%s. The stream has ended.", events)
}

// movedWords name the owners of a field in the first and in the second response.
func movedWords(r change.Row) string {
	return fmt.Sprintf("Owners before: %s. Owners now: %s.", namesOf(r.Before), namesOf(r.After))
}
