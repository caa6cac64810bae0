// Package contention is the page of a contention scan: which objects it watches, for how long, and which managers disturb each other.
package contention

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// MediaType is the media type of the scan alone, a Run as JSON, at the page's address. A request for it causes no request to the API server.
const MediaType = "application/vnd.fieldmark.scan+json"

// Fields of the form, and the values of the buttons for FieldAct.
const (
	FieldTypes     = "types"
	FieldNamespace = "namespace"
	FieldSeconds   = "seconds"
	FieldAct       = "act"
	Start          = "start"
	Stop           = "stop"
)

// Form has the settings of a scan.
type Form struct {
	Types     string `json:"types"` // as the reader typed them; empty: all
	Namespace string `json:"namespace"`
	Seconds   int    `json:"seconds"`
}

// Lengths are the durations that the form offers, in seconds.
var Lengths = []int{30, 60, 120, 300, 900}

// Usual is the default duration of a scan, in seconds.
const Usual = 60

// Kind names the page in the embedded model.
const Kind = "contention"

// Model is the page's state.
type Model struct {
	page.Frame
	Form Form        `json:"form"`
	Run  *report.Run `json:"run"` // nil: there has been no scan

	live live
}

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Head implements page.Headed.
func (m Model) Head() page.Head {
	return page.Head{
		Live: new(m.liveness()), Below: below(m),
		Lead: page.Text("Watches many objects for some time, and ranks what managers do to each other: which fields they fight over, which writes " +
			"change nothing, which fields were taken by force, and which managedFields are old or full."),
	}
}

func (m Model) runs() bool { return m.Run != nil && m.Run.Runs() }

func (m Model) action() string { return web.Tool(m.Shell.Cluster.Slug, web.Contention) }

// liveness says how far the scan is.
func (m Model) liveness() components.Liveness {
	if m.live.trouble != "" && m.runs() {
		return components.Liveness{Tone: components.Bad, Words: m.live.trouble}
	}
	if m.Run == nil {
		return components.Liveness{}
	}
	r := m.Run
	switch r.Phase {
	case report.Arriving:
		return components.Liveness{
			Tone: components.Busy, Words: fmt.Sprintf("reading the objects, %d of %s", r.Read(), types(len(r.Report.Types))),
			Done: int64(r.Read()), All: int64(len(r.Report.Types)),
		}
	case report.Watching:
		return components.Liveness{
			Tone: components.Good, Words: fmt.Sprintf("watching, %s left", clock(r.Left)), Done: int64(r.Watched.Seconds()), All: int64(r.Lasts.Seconds()),
		}
	case report.Stopped:
		return components.Liveness{Words: fmt.Sprintf("stopped after %s of watching", clock(r.Watched))}
	case report.Failed:
		return components.Liveness{Tone: components.Bad, Words: "nothing could be read"}
	default:
		return components.Liveness{Tone: components.Good, Words: fmt.Sprintf("ended after %s of watching", clock(r.Watched))}
	}
}

func (m Model) facts() []components.Fact {
	r := m.Run.Report
	where := "all namespaces"
	if m.Run.Namespace != "" {
		where = "namespace " + m.Run.Namespace
	}
	what := types(len(r.Types))
	if m.Run.Types != "" {
		what = m.Run.Types
	}
	facts := []components.Fact{
		{Name: "scanned", Text: what + ", " + where},
		{Name: "objects", Text: words.Thousands(int64(r.Objects))},
		{Name: "events", Text: words.Thousands(int64(r.Events))},
	}
	if m.runs() {
		facts = append(facts, components.Fact{Name: "events per second", Text: strconv.FormatFloat(r.Rate, 'f', 1, 64), Hint: "In the last nine seconds"})
	}
	return append(facts, components.Fact{Name: "changed objects", Text: words.Thousands(int64(r.Followed)), Hint: "Objects that have changed since the scan began"})
}

func types(n int) string { return words.Count(int64(n), "type", "types") }

// clock is a duration in minutes and seconds.
func clock(d time.Duration) string {
	s := int(d.Round(time.Second).Seconds())
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

func every(d time.Duration) string {
	if d <= 0 {
		return "–"
	}
	return table.Duration(d)
}

func length(seconds int) string {
	if seconds < 60 {
		return strconv.Itoa(seconds) + " seconds"
	}
	return words.Count(int64(seconds/60), "minute", "minutes")
}

// href is the address of a tab of an object's page.
func (m Model) href(o report.Object, tab string) string {
	return web.Page(m.Shell.Cluster.Slug, o.Path) + "?tab=" + tab
}

// cast are the managers of the page.
func cast(r report.Report) *owners.Cast {
	var c owners.Cast
	meet := func(all ...report.Manager) {
		for _, m := range all {
			if m.Name != "" {
				c.Meet(m)
			}
		}
	}
	for _, f := range r.Fights.Rows {
		meet(f.Managers...)
	}
	for _, w := range r.Rewrites.Rows {
		meet(w.Writer)
	}
	for _, t := range r.Takings.Rows {
		meet(t.By)
		meet(t.From...)
	}
	for _, f := range r.Foreign.Rows {
		meet(f.Manager)
	}
	return &c
}

// row is the id of a row: it stays the same while the ranking changes.
func row(parts ...string) string {
	sum := fnv.New64a()
	for _, p := range parts {
		_, _ = sum.Write([]byte(p))
		_, _ = sum.Write([]byte{0})
	}
	return "row-" + strconv.FormatUint(sum.Sum64(), 36)
}

func percent(part, whole int64) string {
	if whole <= 0 {
		return "–"
	}
	return strconv.Itoa(int((100*part+whole/2)/whole)) + " %"
}

// shown says how many rows of a part are shown; empty: all.
func shown(rows, all int) string {
	if rows == all {
		return ""
	}
	return fmt.Sprintf("The first %d of %s are shown.", rows, words.Thousands(int64(all)))
}
