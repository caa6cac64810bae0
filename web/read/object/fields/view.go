// Package fields is the Fields tab of an object's page: the object with who owns each of its lines, and what is to be said of one of
// them.
package fields

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/web/read/object/document"
	"github.com/fieldmark/fieldmark/web/read/object/tab"
	"github.com/fieldmark/fieldmark/words"
)

// fieldsView is what the Fields tab shows: the object with its owners, as the reader looks at it.
type fieldsView struct {
	*laid
	m       on
	row     int            // in focus; -1: none
	node    *manifest.Node // in focus
	matches []int          // before each node: how many lines up to there stand out
	passes  []int          // before each node: how many lines pass the filter
	shown   []int          // the rows that are neither folded away nor filtered out
}

// view looks at the object as the reader asked.
func (m on) view(l *laid) *fieldsView {
	v := &fieldsView{laid: l, m: m}
	v.row, v.node = l.find(m.Reading.Field)
	v.matches = v.counted(v.standsOut)
	v.passes = v.counted(v.passesFilter())
	v.shown = v.visible()
	return v
}

// counted adds up, node by node, the lines of which something is true.
func (v *fieldsView) counted(is func(owners.Row, manifest.Line) bool) []int {
	sums := make([]int, v.Document.Root.End+1)
	for i, r := range v.Rows {
		if is(r, v.Document.Lines[i]) {
			sums[r.Node.ID+1]++
		}
	}
	for i := 1; i < len(sums); i++ {
		sums[i] += sums[i-1]
	}
	return sums
}

// holds tells whether something is true of a line, or of one in what begins there.
func holds(sums []int, r owners.Row) bool {
	n := r.Node
	if len(r.Items) > 0 {
		n = r.Items[0]
	}
	return sums[n.End] > sums[n.ID]
}

func (v *fieldsView) standsOut(r owners.Row, _ manifest.Line) bool {
	chosen := v.m.Reading.Managers
	called := func(c int) bool { return slices.ContainsFunc(chosen, v.Managers[c].IsCalled) }
	if len(chosen) > 0 && !slices.ContainsFunc(r.Columns, called) {
		return false
	}
	switch v.m.Reading.Only {
	case Shared:
		return len(r.Columns) > 1
	case Nobody:
		return r.Nobody()
	case Status:
		return slices.ContainsFunc(r.Columns, func(c int) bool { return v.Managers[c].Subresource == "status" })
	default:
		return true
	}
}

func (v *fieldsView) passesFilter() func(owners.Row, manifest.Line) bool {
	wanted := strings.ToLower(v.m.Reading.Filter)
	return func(r owners.Row, l manifest.Line) bool {
		return wanted == "" || strings.Contains(strings.ToLower(l.String()), wanted) || strings.Contains(strings.ToLower(r.Path), wanted)
	}
}

// dim tells whether others stand out. What holds them does, too.
func (v *fieldsView) dim(r owners.Row) bool {
	switch {
	case !v.m.Reading.chooses():
		return false
	case r.Everybodys():
		return !holds(v.matches, r)
	case r.Kind == ownership.Head:
		return !v.standsOut(r, nil)
	default:
		return v.matches[r.Node.ID+1] == v.matches[r.Node.ID]
	}
}

// visible are the rows that are not hidden.
func (v *fieldsView) visible() []int {
	var shown []int
	until := -1 // the nodes before this one are folded away
	for i, r := range v.Rows {
		if r.Node.ID < until || !holds(v.passes, r) {
			continue
		}
		shown = append(shown, i)
		if n := foldable(r); n != nil && v.m.folded(r.Path) {
			until = n.End
		}
	}
	return shown
}

// foldable is what of a line can be folded away: the list item that begins in it, or what it is the head of.
func foldable(r owners.Row) *manifest.Node {
	switch {
	case r.Kind == ownership.Text:
		return nil
	case len(r.Items) > 0 && r.Items[0].End > r.Node.ID+1:
		return r.Items[0]
	case r.Kind == ownership.Head:
		return r.Node
	default:
		return nil
	}
}

// folded tells whether what is at a path is folded away. Only a living page folds.
func (m on) folded(path string) bool { return m.live != nil && m.live.folds[path] }

// blamed is the document. Of its lines those in sight are laid out, where the page lives and they are many.
func (v *fieldsView) blamed(d document.Document, marks []bool) components.BlameDocument {
	from, to := v.window()
	left := tab.MostBytes
	b := components.BlameDocument{Label: v.m.label(), Managers: v.Shown(), Above: from}
	var runs owners.Runs
	stopped := false
	second := false // the line above is where its owners begin
	for at, i := range v.shown[:to] {
		r := v.Rows[i]
		begins := runs.Begins(r) || at == from && r.Kind != ownership.Text && !r.Everybodys()
		if at >= from {
			l := v.line(d, marks, i, begins)
			l.Stop = l.Current || begins && !stopped && !v.isCurrent(at+1)
			if second && !begins && !r.Everybodys() {
				l.Wrote = v.wrote(r)
			}
			b.Lines, stopped = append(b.Lines, l), l.Stop
			if left -= cost(l); left < 0 && v.m.live == nil {
				to = at + 1
				break
			}
		}
		second = begins
	}
	if b.Below = len(v.shown) - to; v.m.live == nil {
		b.Rest = "They appear when you scroll, as soon as the page is live. Or find a field, a value or a path above. The API call has all lines."
	}
	return b
}

// wrote says when the one who owns a line last wrote; of several, or where it is not on record, nothing.
func (v *fieldsView) wrote(r owners.Row) string {
	if len(r.Columns) != 1 || v.Managers[r.Columns[0]].Written().IsZero() {
		return ""
	}
	return v.m.wrote(v.Managers[r.Columns[0]].Owner)
}

// isCurrent tells whether one of the rows that are shown has the focus.
func (v *fieldsView) isCurrent(at int) bool { return at < len(v.shown) && v.shown[at] == v.row }

func (v *fieldsView) line(d document.Document, marks []bool, i int, begins bool) components.BlameLine {
	r := v.Rows[i]
	l := v.Line(i, begins)
	l.ID, l.Dim, l.Fresh = d.ID(i), v.dim(r), marks != nil && marks[i]
	if r.Kind == ownership.Text {
		return l
	}
	l.Current, l.Href = i == v.row, v.m.look(v.m.Reading.on(r.Path))
	if n := foldable(r); n != nil && v.m.live != nil {
		l.Folds = components.Unfolded
		if v.m.folded(r.Path) {
			l.Folds, l.Hidden = components.Folded, v.linesOf(n)-1
			v.inside(&l, n)
		}
	}
	return l
}

// linesOf is how many lines a node has.
func (v *fieldsView) linesOf(n *manifest.Node) int {
	count := 0
	for i := max(v.byNode[n.ID], 0); i < len(v.Rows) && v.Rows[i].Node.ID < n.End; i++ {
		count++
	}
	return count
}

// inside shows who owns what is folded away, where nobody owns what holds it.
func (v *fieldsView) inside(l *components.BlameLine, n *manifest.Node) {
	if len(l.Columns) > 0 {
		return
	}
	l.Inside = true
	for i := v.byNode[n.ID]; i >= 0 && i < len(v.Rows) && v.Rows[i].Node.ID < n.End; i++ {
		l.Columns = append(slices.Clone(l.Columns), v.Rows[i].Columns...)
	}
	slices.Sort(l.Columns)
	l.Columns = owners.Strips(slices.Compact(l.Columns))
}

// look is the address of the tab with another look at it. It is in every line, so it is but a query.
func (m on) look(r Reading) string { return "?" + r.Query().Encode() }

// component is the document with its owners.
func (v *fieldsView) component(d document.Document, marks []bool) templ.Component {
	return components.Blame(v.blamed(d, marks))
}

// window is the part of the lines that is laid out: those around what is in sight where a page lives and has very many. On the server,
// these are the lines around the one in focus, or the first.
func (v *fieldsView) window() (from, to int) {
	lines := len(v.shown)
	if v.m.live != nil || lines <= maxWhole {
		return v.m.window(lines)
	}
	if at, _ := slices.BinarySearch(v.shown, v.row); v.row >= 0 {
		from = max(0, at-maxWhole/12)
	}
	return from, min(from+maxWhole, lines)
}

// window is the part of so many lines that a living page lays out.
func (m on) window(lines int) (from, to int) {
	if m.live == nil || lines <= maxWhole {
		return 0, lines
	}
	const step = 40
	from = max(0, m.live.top/components.BlameRow/step*step-2*step)
	to = min(lines, (m.live.top+m.live.height)/components.BlameRow/step*step+4*step)
	return min(from, to), to
}

// census counts values by their owners.
type census struct {
	fields   []string // of the document
	values   int
	nobody   int
	shared   int
	owned    []int            // by manager
	alone    []int            // of these, owned by nobody else
	by       [][]int          // manager (the last: nobody) by field
	first    [][]string       // the path of the first of these
	portions map[string]int   // by who owns them
	sets     map[string][]int // who that is
	order    []string
}

// count counts the values, of which each begins a line.
func (v *fieldsView) count() *census {
	n := len(v.Managers)
	c := &census{owned: make([]int, n), alone: make([]int, n), by: make([][]int, n+1), first: make([][]string, n+1), portions: map[string]int{}, sets: map[string][]int{}}
	field := -1
	for _, r := range v.Rows {
		if p := r.Node.Parent; p != nil && p.Parent == nil && r.Kind != ownership.Text {
			c.fields = append(c.fields, r.Node.Key)
			field++
		}
		if r.Kind == ownership.Leaf && field >= 0 {
			c.add(r, field)
		}
	}
	return c
}

func (c *census) add(r owners.Row, field int) {
	c.values++
	columns := r.Columns
	switch len(columns) {
	case 0:
		c.nobody++
		columns = []int{len(c.owned)}
	case 1:
		c.alone[columns[0]]++
	default:
		c.shared++
	}
	key := ""
	for _, column := range columns {
		key += strconv.Itoa(column) + " "
		if column < len(c.owned) {
			c.owned[column]++
		}
		for len(c.by[column]) <= field {
			c.by[column], c.first[column] = append(c.by[column], 0), append(c.first[column], "")
		}
		if c.by[column][field]++; c.by[column][field] == 1 {
			c.first[column][field] = r.Path
		}
	}
	if c.portions[key]++; c.portions[key] == 1 {
		c.order, c.sets[key] = append(c.order, key), r.Columns
	}
}

// ownership is who owns how much, and the ways to choose among it.
func (v *fieldsView) ownership(c *census) components.Ownership {
	r := v.m.Reading
	o := components.Ownership{Fields: c.values}
	slices.SortFunc(c.order, func(a, b string) int { return slices.Compare(ranked(c.sets[a]), ranked(c.sets[b])) })
	portions, _ := components.First(c.order, owners.MostManagers)
	for _, key := range portions {
		o.Portions = append(o.Portions, v.portion(c.sets[key], c.portions[key]))
	}
	rows, more := components.First(v.Managers, owners.MostManagers)
	o.More = components.LeftOut(more, "manager", "managers", components.InCall)
	for i, mgr := range rows {
		o.Rows = append(o.Rows, components.OwnerRow{
			Manager: mgr.Manager, Wrote: v.m.wrote(mgr.Owner), Fields: c.owned[i], Alone: c.alone[i], Notes: v.notes(mgr),
			Href: v.m.look(r.toggled(mgr)), Chosen: slices.ContainsFunc(r.Managers, mgr.IsCalled),
		})
	}
	o.Rows = append(o.Rows, components.OwnerRow{Nobody: true, Fields: c.nobody, Href: v.m.look(r.only(Nobody)), Chosen: r.Only == Nobody})
	for _, only := range []struct {
		what       Only
		text, hint string
		why        *why.Topic
	}{
		{Shared, "Only shared (" + strconv.Itoa(c.shared) + ")", "Lines that several managers own together", &why.SharedOwnership},
		{Status, "Only status", "Lines that were written through the status subresource", &why.Subresources},
	} {
		o.Only = append(o.Only, components.Link{Text: only.text, Hint: only.hint, Href: v.m.look(r.only(only.what)), Current: r.Only == only.what, Why: only.why})
	}
	if r.chooses() {
		o.Clear = v.m.look(Reading{Field: r.Field, Filter: r.Filter})
	}
	return o
}

// portion is what the same managers own. Its address chooses them; of several, what they share.
func (v *fieldsView) portion(columns []int, values int) components.Portion {
	r := Reading{Field: v.m.Reading.Field, Filter: v.m.Reading.Filter, Only: Nobody}
	names := "nobody"
	if len(columns) > 0 {
		r.Only, names = "", v.Named(columns)
	}
	if len(columns) > 1 {
		r.Only = Shared
	}
	shown, _ := components.First(columns, owners.MostManagers)
	for _, c := range shown {
		r.Managers = append(r.Managers, v.Managers[c].ID)
	}
	return components.Portion{
		Owners: v.Names(shown), Fields: values, Href: v.m.look(r), Hint: words.Count(int64(values), "value", "values") + ": " + names,
	}
}

// ranked puts nobody last.
func ranked(columns []int) []int {
	if len(columns) == 0 {
		return []int{1 << 30}
	}
	return columns
}

// wrote dates a manager's entry.
func (m on) wrote(o ownership.Owner) string {
	at := o.Written()
	if at.IsZero() {
		return owners.WroteUnknown
	}
	return "last wrote " + m.Age(at) + " ago"
}

// notes are what is special about a manager.
func (v *fieldsView) notes(mgr manager) []string {
	var notes []string
	if mgr.History {
		notes = append(notes, "not a real manager: the server merged older Update entries here")
	}
	if version := mgr.Owner.APIVersion; slices.Contains(v.m.Unserved, version) {
		notes = append(notes, version+" is no longer served: the next write may delete these claims. In a custom resource, applies may fail because of them")
	} else if version != "" && version != v.m.Object.APIVersion() {
		notes = append(notes, "claims in "+version)
	}
	return notes
}

// matrix is managers by fields of the document. Fields of which nobody could own anything are left out.
func (v *fieldsView) matrix(c *census) components.Matrix {
	var x components.Matrix
	var fields []int
	names, more := components.First(c.fields, mostFields)
	x.More = components.LeftOut(more, "field", "fields", "Find them by name above.")
	for i, name := range names {
		if name != "apiVersion" && name != "kind" {
			fields = append(fields, i)
			x.Fields = append(x.Fields, components.Link{Text: name, Href: v.m.look(v.m.Reading.on("." + name))})
		}
	}
	for column := range c.by {
		if column >= owners.MostManagers && column < len(v.Managers) {
			continue // those who have no row above
		}
		row := components.MatrixRow{Nobody: column == len(v.Managers)}
		reading := Reading{Filter: v.m.Reading.Filter, Only: Nobody}
		if !row.Nobody {
			row.Manager = v.Managers[column].Manager
			reading.Only, reading.Managers = "", []string{v.Managers[column].ID}
		}
		for _, field := range fields {
			row.Cells = append(row.Cells, v.cell(c, column, field, reading))
		}
		x.Rows = append(x.Rows, row)
	}
	return x
}

func (v *fieldsView) cell(c *census, column, field int, reading Reading) components.Link {
	if field >= len(c.by[column]) || c.by[column][field] == 0 {
		return components.Link{}
	}
	first := c.first[column][field]
	return components.Link{
		Text: words.Thousands(int64(c.by[column][field])), Href: v.m.look(reading.on(first)), Hint: "From " + first + " on",
	}
}

// kept are the fields of the form that asks for a filter: what else the address says.
func (m on) kept() []components.Fact {
	m.Reading.Filter = ""
	var fields []components.Fact
	query := m.Reading.Query()
	for _, name := range slices.Sorted(maps.Keys(query)) {
		for _, value := range query[name] {
			fields = append(fields, components.Fact{Name: name, Text: value})
		}
	}
	return fields
}

// found says how many lines pass the filter; nothing where there is none.
func (v *fieldsView) found() string {
	if v.m.Reading.Filter == "" {
		return ""
	}
	found := v.passes[len(v.passes)-1]
	return words.Count(int64(found), "line", "lines") + " of " + words.Thousands(int64(len(v.Rows)))
}

// shown is the tab as it is shown now. Without a view the document says why.
func (m on) shown() (*fieldsView, document.Document) {
	if m.live != nil {
		if m.live.laid == nil {
			return nil, m.live.document
		}
		return m.view(m.live.laid), m.live.document
	}
	l, err := m.lay()
	if err != nil {
		return nil, document.Document{Label: m.label(), Err: err}
	}
	v := m.view(l)
	return v, document.Document{Label: m.label(), Lines: l.Document.Lines, Dress: v.component}
}

// label names the document.
func (m on) label() string { return m.Title + " as fields" }
