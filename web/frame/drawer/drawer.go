// Package drawer is what every living page shows at its bottom: the requests of its session, as they happen.
package drawer

import (
	"context"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/frame/wire"
	"github.com/fieldmark/fieldmark/words"
)

// Most is how many requests it shows, the newest.
const Most = 200

// Drawer is its state.
type Drawer struct {
	lines  []record.Line // oldest first
	filter record.Filter
	held   uint64 // what is newer waits, while the pointer is over the list; 0: nothing does
	shown  map[uint64]item
}

// item is a line as it was shown last: most are the same the next time.
type item struct {
	line record.Line
	html HTML
}

// HTML is a view that was rendered before.
type HTML string

// Render implements templ.Component.
func (h HTML) Render(_ context.Context, w io.Writer) error {
	_, err := io.WriteString(w, string(h))
	return err
}

// Empty tells whether nothing is known yet.
func (d *Drawer) Empty() bool { return len(d.lines) == 0 }

// Clear forgets all; another cluster has other requests.
func (d *Drawer) Clear() { *d = Drawer{filter: d.filter} }

// Hear takes a message in.
func (d *Drawer) Hear(m wire.Message) {
	if m.Anew {
		d.lines = d.lines[:0]
	}
	for _, line := range m.Lines {
		d.take(line)
	}
	if over := len(d.lines) - Most; over > 0 {
		d.lines = append(d.lines[:0], d.lines[over:]...)
	}
}

// take puts a line in its place, which is mostly at the end.
func (d *Drawer) take(line record.Line) {
	at := len(d.lines)
	for at > 0 && d.lines[at-1].ID > line.ID {
		at--
	}
	if at > 0 && d.lines[at-1].ID == line.ID {
		d.lines[at-1] = line
		return
	}
	d.lines = append(d.lines, line)
	copy(d.lines[at+1:], d.lines[at:])
	d.lines[at] = line
}

// Filter looks for words.
func (d *Drawer) Filter(words string) { d.filter.Text = words }

// Hold keeps what is listed where it is, or no longer.
func (d *Drawer) Hold(on bool) {
	d.held = 0
	if on && len(d.lines) > 0 {
		d.held = d.lines[len(d.lines)-1].ID
	}
}

// newest is the request that began last.
func (d *Drawer) newest() record.Line { return d.lines[len(d.lines)-1] }

// count says how many requests there are.
func (d *Drawer) count() string {
	if len(d.lines) == Most {
		return "the last " + strconv.Itoa(Most) + " requests"
	}
	return words.Count(int64(len(d.lines)), "request", "requests")
}

// listed are the lines that are shown, newest first.
func (d *Drawer) listed(view func(record.Line) templ.Component) []templ.Component {
	shown := map[uint64]item{}
	var all []templ.Component
	for _, l := range slices.Backward(d.lines) {
		if !d.filter.Passes(l) || d.held > 0 && l.ID > d.held {
			continue
		}
		was, known := d.shown[l.ID]
		if !known || was.line != l {
			was = item{l, rendered(view(l))}
		}
		shown[l.ID] = was
		all = append(all, was.html)
	}
	d.shown = shown
	return all
}

// rendered is the HTML of a component. Writing into memory does not fail.
func rendered(c templ.Component) HTML {
	var b strings.Builder
	if err := c.Render(context.Background(), &b); err != nil {
		panic(err)
	}
	return HTML(b.String())
}

// request is a line as components show it.
func request(l record.Line) components.Request {
	return components.Request{
		Verb: l.Verb, Method: l.Method, Target: l.Readable(), Status: l.Status, MediaType: l.MediaType, Bytes: l.Got, Millis: l.Took / 1000,
		Events: l.Events, Warnings: l.Warnings, Open: !l.Done,
	}
}

// href leads to a request's own place.
func href(m shell.Model, l record.Line) string {
	return web.Tool(m.Cluster.Slug, web.Requests) + "?" + web.EntryField + "=" + strconv.FormatUint(l.ID, 10)
}

// anatomy says what the parts of a request's path are.
func anatomy(m shell.Model, l record.Line) string {
	p, err := apipath.Parse(l.Path)
	if err != nil {
		return ""
	}
	var parts []string
	for _, s := range m.AnatomyOf(p) {
		parts = append(parts, s.Text+": "+s.Means)
	}
	return strings.Join(parts, "\n")
}
