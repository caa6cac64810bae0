package logs

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/podlog"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/views"
	"github.com/fieldmark/fieldmark/words"
)

// choice is an option of a menu of the form.
type choice struct {
	value, words string
	chosen       bool
}

func (m Model) sinceChoices() (all []choice) {
	for _, d := range withValue(sinces, m.Options.Since) {
		c := choice{value: short(d), words: "the last " + table.Duration(d), chosen: d == m.Options.Since}
		if d == 0 {
			c.value, c.words = "", "any time"
		}
		all = append(all, c)
	}
	return all
}

func (m Model) tailChoices() (all []choice) {
	for _, n := range withValue(tails, m.Options.tail()) {
		all = append(all, choice{value: strconv.Itoa(n), words: "last " + words.Thousands(int64(n)), chosen: n == m.Options.tail()})
	}
	return all
}

// withValue are the values of a menu, with the one that the address has.
func withValue[V comparable](values []V, v V) []V {
	if slices.Contains(values, v) {
		return values
	}
	return append(slices.Clone(values), v)
}

func (m Model) levelChoices() (all []choice) {
	for _, l := range levels {
		c := choice{value: l.String(), words: l.String() + " and worse", chosen: l == m.Options.Level}
		switch l {
		case podlog.NoLevel:
			c.words = "all"
		case podlog.Fatal:
			c.words = l.String()
		}
		all = append(all, c)
	}
	return all
}

// containerChoices are all containers, by name.
func (m Model) containerChoices() (all []choice) {
	all = []choice{{words: "all", chosen: m.Options.Container == ""}}
	for _, p := range m.Found {
		for _, c := range p.Containers {
			if slices.ContainsFunc(all, func(other choice) bool { return other.value == c.Name }) {
				continue
			}
			text := c.Name
			if c.Sort != podlog.Regular {
				text += " (" + string(c.Sort) + ")"
			}
			all = append(all, choice{value: c.Name, words: text, chosen: c.Name == m.Options.Container})
		}
	}
	if m.Options.Container != "" && !slices.ContainsFunc(all, func(c choice) bool { return c.chosen }) {
		all = append(all, choice{value: m.Options.Container, words: m.Options.Container + " (not there)", chosen: true})
	}
	return all
}

// toggle is an option that is on or off.
type toggle struct {
	words, href, key, hint string
	on                     bool
}

func (m Model) toggles() []toggle {
	o := m.Options
	all := []toggle{
		{"Follow", m.optionsAddress(func(o *Options) { o.Still = !o.Still }), "f", "Add new lines as they are written", !o.Still},
		{"Previous", m.optionsAddress(func(o *Options) { o.Previous = !o.Previous }), "p", "The run before the last restart", o.Previous},
		{"Timestamps", m.optionsAddress(func(o *Options) { o.NoTimes = !o.NoTimes }), "t", "When each line was written", !o.NoTimes},
		{"Wrap", m.optionsAddress(func(o *Options) { o.Wrap = !o.Wrap }), "w", "Show long lines in several rows", o.Wrap},
		{"Columns", m.optionsAddress(func(o *Options) { o.Columns = !o.Columns }), "", "Show fields of JSON lines in columns", o.Columns},
	}
	if o.Columns { // lines in columns aren't wrapped
		all = slices.DeleteFunc(all, func(t toggle) bool { return t.words == "Wrap" })
	}
	return all
}

// origin is one log in the list above the lines.
type origin struct {
	mark            components.Manager
	pod, name, href string
	tone            components.Tone
	state           string
	previous, whole string // addresses of the previous run's log and of the API call; empty: not offered
	container       string
	restarts        int
}

// mostOrigins bounds the list.
const mostOrigins = 12

func (m Model) origins() (all []origin, more int) {
	names, what := m.names()
	sources := m.sources()
	for _, s := range sources {
		if len(all) == mostOrigins {
			return all, len(sources) - mostOrigins
		}
		all = append(all, m.origin(s, names, what))
	}
	return all, 0
}

// sources are the logs; on the server, those of its pods.
func (m Model) sources() []*source {
	if m.live != nil {
		return m.live.sources
	}
	all := sourcesOf(m.Found, m.Options)
	for _, s := range all {
		s.begun = true
		for _, r := range m.Read {
			if s.is(r.Pod, r.Container) {
				s.no, s.cut = r.No, r.Cut
			}
		}
	}
	return all
}

func (m Model) origin(s *source, names []string, what by) origin {
	slug := m.Subject.Shell.Cluster.Slug
	path, query := Path(s.pod, s.container.Name, Options{Previous: m.Options.Previous}, 0)
	query.Del("tailLines")
	o := origin{pod: s.pod.Name, container: s.container.Name, name: s.pod.Name, restarts: s.container.Restarts}
	of := s.pod.Name
	if what == byContainer {
		of, o.name = s.container.Name, s.container.Name
	} else if m.containersPerPod() > 1 {
		o.name += " / " + s.container.Name
	}
	o.mark = markOf(names, of)
	o.tone, o.state = s.state(m.Options, m.now())
	if s.cut {
		o.state += ", only its last lines, because they are long"
	}
	if s.readable(m.Options) && s.no == nil {
		o.whole = web.API(slug, path) + "?" + query.Encode()
	}
	if !m.Options.Previous && s.container.Restarts > 0 && !s.gone {
		o.previous = m.optionsAddress(func(o *Options) { o.Previous, o.Container = true, s.container.Name })
	}
	if !m.isPod() && !s.gone {
		p := m.Subject.Shell.Path
		p.Group, p.Version, p.Resource, p.Namespace, p.Name = "", "v1", "pods", s.pod.Namespace, s.pod.Name
		o.href = web.WithQuery(web.Page(slug, p.String()), url.Values{web.TabField: {web.LogsTab}})
	}
	return o
}

func (m Model) containersPerPod() int {
	if len(m.Found) == 0 {
		return 0
	}
	return len(m.Found[0].Containers)
}

// countText says how many lines are shown.
func (m Model) countText(l layout) string {
	if m.live == nil {
		return words.Count(int64(l.count), "line", "lines")
	}
	all := int64(m.live.log.Len())
	text := words.Count(all, "line", "lines")
	if !m.live.shown.filter.all() {
		text = words.Thousands(int64(l.count)) + " of " + text
	}
	if d := m.live.log.Dropped(); d > 0 {
		text += ". " + words.Thousands(int64(d)) + " older ones were dropped: the page keeps the newest " + words.Thousands(maxLines) + " lines, up to " +
			components.Bytes(maxBytes) + "."
	}
	return text
}

// empty says why there are no lines.
func (m Model) empty() components.Notice {
	all := m.sources()
	switch {
	case m.filter().err != "":
		return components.Notice{Tone: components.Bad, Title: "The regular expression can’t be read", Words: m.filter().err}
	case m.Problem != nil:
		return *m.Problem
	case m.Pods == "":
		return components.Notice{Title: "The object selects no pods", Words: "It has no selector, or an empty one. So no pods belong to it."}
	case len(m.Found) == 0:
		return components.Notice{Title: "There are no pods", Words: "No pod matches the selector of this object now. Logs of new pods appear here."}
	case len(all) == 0:
		return components.Notice{Title: fmt.Sprintf("There is no container %q", m.Options.Container), Words: "Choose another container above."}
	case m.live != nil && m.live.log.Len() > 0 || m.live == nil && len(m.Lines) > 0:
		return components.Notice{Title: "No line matches the filter"}
	}
	return m.without(all)
}

// without says why no log has lines.
func (m Model) without(all []*source) components.Notice {
	for _, s := range all {
		if s.no != nil {
			n := call.Refusal(s.no)
			if s.no.Is(status.Forbidden) {
				n.Title, n.Advice = "You don’t have permission to read logs", "You need permission for the verb get on the resource pods/log."
			} else {
				n.Title = "The API server has no such log"
			}
			return n
		}
	}
	s := all[0]
	tone, text := s.state(m.Options, m.now())
	n := components.Notice{Tone: tone, Title: "No lines yet", Words: s.pod.Name + ", container " + s.container.Name + ": " + strings.TrimSuffix(text, ".") + "."}
	switch {
	case m.Options.Previous:
		n.Title, n.Tone = "There is no log of a previous run", components.Calm
		n.Links = []components.Link{{Text: "Show the current run", Href: m.optionsAddress(func(o *Options) { o.Previous = false }), Primary: true}}
	case m.Options.Since > 0:
		n.Title = "No lines in the last " + table.Duration(m.Options.Since)
	case s.container.Ended != nil:
		n.Title = "The container ended without a line"
	case s.readable(m.Options):
		n.Title, n.Tone = "The log is empty", components.Calm
		n.Words = "The container runs, but it has written nothing yet. New lines appear here."
	case s.container.Waiting == "CrashLoopBackOff":
		n.Links = []components.Link{{Text: "Show the previous run", Href: m.optionsAddress(func(o *Options) { o.Previous = true }), Primary: true}}
	case m.isPod():
		n.Links = []components.Link{{Text: "Events of the pod", Href: views.Events.Address(m.Subject.Shell.Cluster.Slug, m.Subject.Shell.Path)}}
	}
	return n
}

// missing says that the line of the address isn't there; empty: it is, or it may still come.
func (m Model) missing() string {
	p := m.Options.Line
	if p.Time.IsZero() {
		return ""
	}
	switch {
	case m.live != nil && (m.live.marked || m.live.log.Len() == 0):
		return ""
	case m.live == nil && (len(m.Lines) == 0 || slices.ContainsFunc(m.Lines, m.isMarked)):
		return ""
	}
	return "The line that the link leads to isn’t in the log any more. The log was rotated, the pod was deleted, or the container started again. It was written at " + p.Time.UTC().Format("2006-01-02 15:04:05 UTC") + "."
}

// linesHref is the address of all lines, without the line itself. It always has a query: the view.
func (m Model) linesHref() string {
	return m.Subject.Address(Options{Container: m.Options.Container, Previous: m.Options.Previous, Wrap: m.Options.Wrap, Columns: m.Options.Columns}.Values())
}

// lineHref is the address of a line.
func (m Model) lineHref(line podlog.Line, l layout) string {
	pod, container := m.of(line)
	return l.href + "&" + fieldLine + "=" + url.QueryEscape(Place{Pod: pod, Container: container, Time: line.Time}.String())
}

func stamp(at time.Time) string { return at.UTC().Format(time.RFC3339Nano) }

func lineID(l podlog.Line) string { return "line-" + strconv.Itoa(l.Serial) }

// rowClass is the class of a line's row.
func rowClass(l podlog.Line) string {
	if l.Note {
		return "log-note"
	}
	return levelClasses[l.Level]
}

// levelClasses are the classes of levels.
var levelClasses = map[podlog.Level]string{podlog.Debug: "log-debug", podlog.Info: "log-info", podlog.Warning: "log-warn", podlog.Error: "log-error", podlog.Fatal: "log-fatal"}
