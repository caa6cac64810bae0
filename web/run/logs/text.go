package logs

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/podlog"
)

// piece is a part of a line's text that looks the same everywhere.
type piece struct {
	text  string
	class string // of its style; empty: plain
	found bool   // the filter matches it
}

// pieces are the pieces of a part of a line's text.
func pieces(l podlog.Line, from, to int, found [][]int) (all []piece) {
	edges := []int{from, to}
	add := func(a, b int) {
		for _, edge := range []int{a, b} {
			if edge > from && edge < to {
				edges = append(edges, edge)
			}
		}
	}
	for _, p := range l.Parts {
		add(p.From, p.To)
	}
	for _, f := range found {
		add(f[0], f[1])
	}
	slices.Sort(edges)
	edges = slices.Compact(edges)
	for i := 1; i < len(edges); i++ {
		all = append(all, piece{
			text: components.Visible(l.Text[edges[i-1]:edges[i]]), class: classAt(l.Parts, edges[i-1]),
			found: slices.ContainsFunc(found, func(f []int) bool { return f[0] <= edges[i-1] && edges[i-1] < f[1] }),
		})
	}
	return all
}

// classAt are the classes of the style at a place.
func classAt(parts []podlog.Part, at int) string {
	for _, p := range parts {
		if p.From <= at && at < p.To {
			return classOf(p.Style)
		}
	}
	return ""
}

func classOf(s podlog.Style) string {
	var classes []string
	add := func(class string, is bool) {
		if is {
			classes = append(classes, class)
		}
	}
	add("ansi-"+strconv.Itoa(int(s.Color)), s.Color != podlog.NoColor)
	add("ansi-bold", s.Bold)
	add("ansi-faint", s.Faint)
	add("ansi-italic", s.Italic)
	add("ansi-underlined", s.Underlined)
	add("ansi-struck", s.Struck)
	return strings.Join(classes, " ")
}

// rowTexts are the pieces of each row of a line, and how many bytes aren't shown.
func (m Model) rowTexts(l podlog.Line, columns int) (rows [][]piece, left int) {
	found := m.filter().found(l.Text)
	if columns == 0 {
		head, rest := rowHead(l.Text)
		return [][]piece{pieces(l, 0, len(head), found)}, rest + l.Lost
	}
	from := 0
	for _, to := range append(breaks(l.Text, columns), len(l.Text)) {
		rows = append(rows, pieces(l, from, to, found))
		from = to
	}
	return rows, l.Lost
}

// filter is the filter of what is shown.
func (m Model) filter() filter {
	if m.live == nil {
		return newFilter(m.Options)
	}
	return m.live.shown.filter
}

// mostFields bounds the columns of fields.
const mostFields = 8

// first are the fields that come first, in their order: they say when, how bad and what.
var first = []string{"time", "ts", "timestamp", "level", "severity", "logger", "msg", "message", "error"}

// fieldsOf are the names of the fields that are columns: those that most of the lines have.
func fieldsOf(lines []podlog.Line, o Options) (names []string) {
	if !o.Columns {
		return nil
	}
	counts := map[string]int{}
	for _, l := range lines {
		for _, f := range podlog.Fields(l.Text) {
			if counts[f.Name]++; counts[f.Name] == 1 {
				names = append(names, f.Name)
			}
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(counts[b], counts[a]) })
	names = names[:min(len(names), mostFields)]
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	return names
}

func rank(name string) int {
	if i := slices.Index(first, name); i >= 0 {
		return i
	}
	return len(first)
}

// cells are the values of a line's fields in the columns, and its other fields as text. ok is false for a line that isn't a JSON object.
func cells(l podlog.Line, names []string) (values []string, others string, ok bool) {
	all := podlog.Fields(l.Text)
	if all == nil {
		return nil, "", false
	}
	values = make([]string, len(names))
	var rest []string
	for _, f := range all {
		if i := slices.Index(names, f.Name); i >= 0 && values[i] == "" {
			values[i] = f.Text
		} else {
			rest = append(rest, f.Name+"="+f.Text)
		}
	}
	return values, strings.Join(rest, " "), true
}

// clock is the time of a line, in the reader's time zone; on the server, in UTC.
func (m Model) clock(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	if m.live == nil {
		return at.UTC().Format("15:04:05.000")
	}
	return at.Local().Format("15:04:05.000")
}

// mark is the mark of a line's pod, or of its container if there is only one pod.
func (m Model) mark(line podlog.Line, l layout) components.Manager {
	pod, container := m.of(line)
	if l.by == byContainer {
		pod = container
	}
	return markOf(l.names, pod)
}

// by says what marks tell apart.
type by int

const (
	byPod by = iota
	byContainer
)

// names are the names that marks tell apart, in their order.
func (m Model) names() (names []string, what by) {
	pods, containers := []string{}, []string{}
	each := func(pod, container string) {
		if !slices.Contains(pods, pod) {
			pods = append(pods, pod)
		}
		if !slices.Contains(containers, container) {
			containers = append(containers, container)
		}
	}
	if m.live == nil {
		for _, r := range m.Read {
			each(r.Pod, r.Container)
		}
	} else {
		for _, s := range m.live.sources {
			each(s.pod.Name, s.container.Name)
		}
	}
	if len(pods) > 1 {
		return pods, byPod
	}
	return containers, byContainer
}

// markOf is the mark of a name: a hue, and two letters of its end, because names of pods differ there.
func markOf(names []string, name string) components.Manager {
	i := max(0, slices.Index(names, name))
	short := lastPart(name)
	return components.Manager{
		Hue: i%components.Hues + 1, Mark: i / components.Hues % (components.Marks + 1), Initials: strings.ToUpper(short[:min(2, len(short))]), Name: name,
	}
}

// lastPart is what follows the last hyphen of a name.
func lastPart(name string) string { return name[strings.LastIndexByte(name, '-')+1:] }

// who names a line's pod and container as its row does: in short, because the marks above have the whole names.
func (m Model) who(line podlog.Line, what by) string {
	pod, container := m.of(line)
	if what == byContainer {
		return container
	}
	return lastPart(pod)
}
