package apply

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/change"
	"github.com/fieldmark/fieldmark/kube/feature"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/dryrun"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// marks are the marks beside the editor's lines: errors and warnings of the text, and conflicts.
func (m Model) marks() page.Mark {
	all := page.Mark{Field: Field}
	for _, i := range m.issues() {
		all.Marks = append(all.Marks, mark(i.span, i.severity, i.message()))
	}
	for _, d := range m.live.docs {
		if d.shown == nil || d.stale() {
			continue
		}
		for _, c := range d.shown.conflicts {
			all.Marks = append(all.Marks, mark(d.spanOfConflict(c), page.Warning, "Conflict with "+holders(c)+"."))
		}
		for _, missed := range d.shown.preview.Missed {
			all.Marks = append(all.Marks, mark(d.spanOf(missed.Path), page.Warning, "This value won’t arrive. "+missed.Words))
		}
	}
	return all
}

func mark(s source.Span, severity page.Severity, message string) page.Marking {
	return page.Marking{Line: s.Start.Line, Column: s.Start.Column, EndLine: s.End.Line, EndColumn: s.End.Column, Severity: severity, Message: message}
}

// headSpan is the place of a document's kind or apiVersion; otherwise its beginning.
func (d *document) headSpan() source.Span {
	for _, path := range []string{".kind", ".apiVersion"} {
		for _, n := range d.read.Find(path) {
			return d.read.Head(n)
		}
	}
	return source.Span{Start: d.read.Start, End: d.read.Start}
}

// spanOf is the place of a field, or of the nearest field around it.
func (d *document) spanOf(path string) source.Span {
	if n := d.read.Nearest(path); n != nil && n != d.read.Root {
		return d.read.Head(n)
	}
	return d.headSpan()
}

// spanOfConflict is the place of a field in conflict.
func (d *document) spanOfConflict(c change.Conflict) source.Span {
	if c.Node != nil && d.read.Root != nil {
		if n := c.Node.In(d.read.Root); n != nil {
			return d.read.Head(n)
		}
	}
	return d.spanOf(c.Path)
}

// about is the place that a message of the server is about. Such messages name fields in quotes, or as paths that begin with a dot.
func (d *document) about(words string) source.Span {
	i, _ := d.issueAbout("", words, page.Error)
	return i.span
}

// pathsIn are the paths that a message of the server names.
func pathsIn(words string) []string {
	var all []string
	for _, path := range named.FindAllStringSubmatch(words, -1) {
		all = append(all, path[1]+path[2])
	}
	return all
}

var named = regexp.MustCompile(`"([^"]+)"|(\.[^\s:,]+)`)

func (d *document) warnings() []status.Warning {
	if d.shown == nil {
		return nil
	}
	t := d.shown.dryRun
	if t.plain == nil {
		return nil
	}
	if d.forces() && t.forced != nil {
		return t.forced.Warnings
	}
	return t.plain.Warnings
}

// sum is the state of all documents in a line: what was applied, and what would change.
func (m Model) sum() string {
	happened := m.happened()
	switch would := m.would(); {
	case len(m.live.docs) == 0:
		return "Nothing to preview"
	case m.live.run != nil && !m.live.run.over:
		return happened
	case happened != "" && m.waits():
		return happened
	case happened != "" && would == "":
		return happened + ". No more changes"
	case happened != "":
		return happened + ". " + would
	case would != "":
		return would
	case m.waits():
		return "Waiting for the preview"
	}
	return "No changes"
}

// would counts the results of all previews in a line. It is empty if there are none.
func (m Model) would() string {
	var changes, shared, server, warnings, refused, created, later int
	for _, d := range m.live.docs {
		switch {
		case d.why != "":
			refused++
		case m.later(d):
			later++
		}
		if d.shown == nil || d.why != "" || m.later(d) {
			continue
		}
		warnings += len(d.warnings())
		switch {
		case d.shown.dryRun.unchanged():
		case d.shown.dryRun.ok() == nil:
			refused++
		case d.shown.preview.New:
			created++
		default:
			yours, passing, others := tally(d.shown.preview.Rows)
			changes, shared, server = changes+yours, shared+passing, server+others
		}
	}
	var parts []string
	add := func(n int, one, many string) {
		if n > 0 {
			parts = append(parts, words.Count(int64(n), one, many))
		}
	}
	if n := count(m.live.docs...); n.all > 0 {
		parts = append(parts, n.words())
	}
	add(refused, "document that can’t be applied", "documents that can’t be applied")
	add(created, "new object", "new objects")
	add(changes, "change", "changes")
	add(shared, "field shared without a change", "fields shared without a change")
	if changes+shared+created == 0 {
		add(server, "change by the server", "changes by the server")
	}
	add(warnings, "warning", "warnings")
	add(later, "document in stage 2", "documents in stage 2")
	return strings.Join(parts, ", ")
}

// verdict is the state of one document, in a few words: its conflicts, and what else there is.
func (m Model) verdict(d *document) (text string, tone components.Tone) {
	n := count(d)
	if n.open > 0 {
		return n.words(), components.Bad
	}
	text, tone = m.verdictBesides(d)
	switch {
	case n.all > 0 && d.shown.dryRun.plain.Conflicts():
		return n.words(), components.Warn
	case n.all > 0:
		return n.words() + ", " + text, tone
	}
	return text, tone
}

// verdictBesides is the state of a document apart from its conflicts.
func (m Model) verdictBesides(d *document) (text string, tone components.Tone) {
	switch {
	case d.why != "":
		return "can’t be sent", components.Bad
	case m.later(d):
		_, tone = m.predicted(d)
		return fmt.Sprintf("waits for document %d", m.needed(d)+1), tone
	case d.shown == nil && d.currentResult().stored():
		return "applied", components.Good
	case d.shown == nil:
		return "waiting for the response", components.Busy
	case d.shown.dryRun.unread(), d.shown.dryRun.failed != nil:
		return "can’t be compared", components.Bad
	case d.shown.dryRun.unchanged() && d.stale():
		return "waiting for the response", components.Busy
	case d.shown.dryRun.unchanged():
		return "no changes", components.Calm
	case d.shown.dryRun.ok() == nil:
		return "refused", components.Bad
	case d.shown.preview.New:
		return "will be created", components.Good
	case d.shown.preview.Nothing() && d.stale():
		return "waiting for the response", components.Busy
	case d.shown.preview.Nothing():
		return "no changes", components.Calm
	}
	yours, passing, server := tally(d.shown.preview.Rows)
	switch {
	case yours > 0:
		return words.Count(int64(yours), "change", "changes"), components.Warn
	case passing > 0:
		return words.Count(int64(passing), "field shared", "fields shared"), components.Warn
	}
	return words.Count(int64(server), "change by the server", "changes by the server"), components.Warn
}

// tally counts the reader's changes, the fields that the reader would share without a change, and the changes of the server.
func tally(rows []change.Row) (yours, passing, server int) {
	for _, r := range rows {
		switch {
		case shares(r):
			passing++
		case r.Cause == change.You:
			yours++
		default:
			server++
		}
	}
	return yours, passing, server
}

// shares tells whether the reader becomes an owner of a field without changing it.
func shares(r change.Row) bool {
	return r.What == ownership.Passed && r.Cause == change.You && (r.Claim == change.Shared || r.Claim == change.Gained)
}

// title names a document's object.
func (d *document) title() string {
	name := d.read.Name
	if name == "" && d.read.GenerateName != "" {
		name = d.read.GenerateName + "…"
	}
	if d.target.Path.Namespace != "" {
		name = d.target.Path.Namespace + "/" + name
	}
	if d.read.Kind == "" {
		return "A document without a kind"
	}
	return strings.TrimSpace(d.read.Kind + " " + name)
}

// took says how long the dry runs took.
func (d *document) took() string {
	if d.shown == nil || d.shown.dryRun.plain == nil {
		return ""
	}
	took := d.shown.dryRun.plain.Took
	words := "dry run " + dryrun.Milliseconds(took)
	if f := d.shown.dryRun.forced; f != nil {
		words += ", with force " + dryrun.Milliseconds(f.Took)
	}
	return words
}

func holders(c change.Conflict) string {
	var names []string
	for _, o := range c.Owners {
		names = append(names, o.Words())
	}
	return strings.Join(names, ", ")
}

// clock is the reader's time.
func (m Model) clock() time.Time {
	if m.live.now.IsZero() {
		return m.Now
	}
	return m.live.now
}

// refusal explains a refusal of the API server.
func refusal(no *status.Status) components.Notice {
	n := call.Refusal(no)
	switch {
	case no.Code == status.CodeUnsupportedMediaType: // of the body, which is an apply
		lacking := components.Lacking(feature.ServerSideApply)
		n.Title, n.Words, n.Advice = lacking.Title, lacking.Words, lacking.Advice
	case no.Is(status.NotFound):
		n.Title = "The namespace (or parent object) doesn’t exist" // an apply creates a missing object
	}
	return n
}

// contention is the address of a scan for fights in the namespace of a document's object.
func (m Model) contention(d *document) string {
	return web.WithQuery(web.Tool(m.Shell.Cluster.Slug, web.Contention), url.Values{"types": {d.target.Type.FullName()}, "namespace": {d.target.Path.Namespace}})
}

// timeline is the address of the object's timeline.
func (m Model) timeline(d *document) string {
	return web.Page(m.Shell.Cluster.Slug, d.target.Path.String()) + "?tab=timeline"
}
