// Package drawer is the list of requests at the bottom of every page in the browser: the requests of its session, as they happen.
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

// Most is the most requests that the drawer keeps. Older ones are dropped.
const Most = 200

// Drawer is the state of the list.
type Drawer struct {
	lines  []record.Line // oldest first
	filter record.Filter
	held   uint64 // the newest request that is listed while the pointer is over the list; 0: all are listed
	shown  map[uint64]item
}

// item is a rendered line. It is kept, because most lines are the same the next time.
type item struct {
	line record.Line
	html HTML
}

// HTML is a rendered view.
type HTML string

// Render implements templ.Component.
func (h HTML) Render(_ context.Context, w io.Writer) error {
	_, err := io.WriteString(w, string(h))
	return err
}

// Empty tells whether there are no requests yet.
func (d *Drawer) Empty() bool { return len(d.lines) == 0 }

// Clear removes all requests, because another cluster has other ones. The filter stays.
func (d *Drawer) Clear() { *d = Drawer{filter: d.filter} }

// Hear handles a message from the server.
func (d *Drawer) Hear(m wire.Message) {
	if m.Anew {
		d.lines = d.lines[:0]
	}
	for _, line := range m.Lines {
		d.putLine(line)
	}
	if over := len(d.lines) - Most; over > 0 {
		d.lines = append(d.lines[:0], d.lines[over:]...)
	}
}

// putLine inserts a line, or replaces the one with its number. Most lines go to the end.
func (d *Drawer) putLine(line record.Line) {
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

// Filter sets the filter.
func (d *Drawer) Filter(words string) { d.filter.Text = words }

// Hold stops listing new requests, or lists them again.
func (d *Drawer) Hold(on bool) {
	d.held = 0
	if on && len(d.lines) > 0 {
		d.held = d.lines[len(d.lines)-1].ID
	}
}

// newest is the request that began last. There must be one.
func (d *Drawer) newest() record.Line { return d.lines[len(d.lines)-1] }

// countText says how many requests there are.
func (d *Drawer) countText() string {
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

// rendered is the HTML of a component. Writing to memory can't fail.
func rendered(c templ.Component) HTML {
	var b strings.Builder
	if err := c.Render(context.Background(), &b); err != nil {
		panic(err)
	}
	return HTML(b.String())
}

// request is a line for the components.
func request(l record.Line) components.Request {
	return components.Request{
		Verb: l.Verb, Method: l.Method, Target: l.Readable(), Status: l.Status, MediaType: l.MediaType, Bytes: l.Got, Millis: l.Took / 1000,
		Events: l.Events, Warnings: l.Warnings, Open: !l.Done,
	}
}

// href is the address of a request's page.
func href(m shell.Model, l record.Line) string {
	return web.Tool(m.Cluster.Slug, web.Requests) + "?" + web.EntryField + "=" + strconv.FormatUint(l.ID, 10)
}

// anatomy explains the parts of a request's path.
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
