// Package fields is the Fields tab of an object's page: the object with the owners of each line, and an explanation of the selected
// field.
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
	"github.com/fieldmark/fieldmark/kube/typed"
	"github.com/fieldmark/fieldmark/web/frame/fights"
	"github.com/fieldmark/fieldmark/web/read/object/document"
	"github.com/fieldmark/fieldmark/web/read/object/tab"
	"github.com/fieldmark/fieldmark/words"
)

// fieldsView is what the Fields tab shows: the object with its owners, after the Reading and the folds. A line has three numbers. Don't mix them:
//
//	row           its index in Rows and in Document.Lines
//	Node.ID       the number of its innermost node; all nodes inside it have numbers below Node.End, so a fold is one comparison
//	at, from, to  an index in shown, the rows that are left; the window to render is counted in these
type fieldsView struct {
	*laid
	m       on
	row     int            // of the selected field; -1: none
	node    *manifest.Node // of the selected field; nil: none
	matches []int          // before each node: how many lines up to there are highlighted
	passes  []int          // before each node: how many lines pass the filter
	shown   []int          // the rows that are neither folded nor filtered out
}

// view makes the view of an object.
func (m on) view(l *laid) *fieldsView {
	v := &fieldsView{laid: l, m: m}
	if v.row, v.node = l.findField(m.Reading.Field); v.node != nil {
		v.m.Reading.Field = l.Blame.Path(v.node)
	}
	v.matches = v.counted(v.standsOut)
	v.passes = v.counted(v.passesFilter())
	v.shown = v.visible()
	return v
}

// counted counts, before each node, the lines for which a condition is true. So the lines inside a node are a difference of two sums; see holds.
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

// holds tells whether a condition is true for a line, or for one inside the field that begins there.
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
	meant := typed.Path(wanted)
	return func(r owners.Row, l manifest.Line) bool {
		path := strings.ToLower(r.Path)
		return wanted == "" || strings.Contains(strings.ToLower(l.String()), wanted) || strings.Contains(path, wanted) || strings.Contains(path, meant)
	}
}

// dim tells whether a row is not highlighted while others are. Rows around highlighted ones are not dim.
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

// visible are the rows that are neither folded nor filtered out.
func (v *fieldsView) visible() []int {
	var shown []int
	until := -1 // the nodes before this one are folded
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

// foldable is the node that can be folded in a line: the list item that begins there, or the map or list whose key is there. The fold of a list item
// is kept under the path of its row. That is the path of the item's first field, not of the item.
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

// folded tells whether the field at a path is folded. Only a page in the browser can fold.
func (m on) folded(path string) bool { return m.live != nil && m.live.folds[path] }

// blamed is the document with owners. In the browser, only the visible lines of a long document are rendered. The loop also passes the lines above them.
// A line names its owners only if they differ from those of the line before. On the server, a limit of bytes ends the loop.
func (v *fieldsView) blamed(d document.Document, marks []bool) components.BlameDocument {
	from, to := v.window()
	left := tab.MostBytes
	b := components.BlameDocument{Label: v.m.label(), Managers: v.Shown(), Above: from}
	var runs owners.Runs
	stopped := false
	second := false // the line above is the first line with the same owners
	for at, i := range v.shown[:to] {
		r := v.Rows[i]
		begins := runs.Begins(r) || at == from && r.Kind != ownership.Text && !r.Everybodys()
		if at >= from {
			l := v.line(d, marks, i, begins)
			l.Stop, l.Aside = l.Current || v.row < 0 && begins && !stopped, v.row >= 0 && !l.Current
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

// wrote says when the owner of a line last wrote; empty if the line has several owners, or if the time isn't recorded.
func (v *fieldsView) wrote(r owners.Row) string {
	if len(r.Columns) != 1 || v.Managers[r.Columns[0]].Written().IsZero() {
		return ""
	}
	return v.m.wrote(v.Managers[r.Columns[0]].Owner)
}

func (v *fieldsView) line(d document.Document, marks []bool, i int, begins bool) components.BlameLine {
	r := v.Rows[i]
	l := v.Line(i, begins)
	l.ID, l.Dim, l.Fresh = d.ID(i), v.dim(r), marks != nil && marks[i]
	if r.Kind == ownership.Text {
		return l
	}
	l.Current, l.Href = i == v.row, v.m.readingAddress(v.m.Reading.on(r.Path))
	if k, ok := fights.On(v.m.Fights, r.Path); ok {
		l.Badges = []components.Badge{fights.Badge(v.m.Cluster, k)}
	}
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

// inside shows the owners of folded lines, if nobody owns the field that contains them.
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

// readingAddress is the link to the tab with another Reading. It is in every line, so it has only a query.
func (m on) readingAddress(r Reading) string { return "?" + r.Query().Encode() }

// component renders the document with its owners.
func (v *fieldsView) component(d document.Document, marks []bool) templ.Component {
	return components.Blame(v.blamed(d, marks))
}

// window is the lines that are rendered: all, or, of very many, those around the visible ones. On the server, these are the lines around the selected
// one, or the first.
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

// window is the part of so many lines that a page in the browser renders.
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
	fields   []string // top-level fields of the document
	values   int
	nobody   int
	shared   int
	owned    []int            // values by manager
	alone    []int            // of owned: those that nobody else owns
	by       [][]int          // values by manager (the last: nobody) and field
	first    [][]string       // the path of the first value of each in by
	portions map[string]int   // values by their set of owners
	sets     map[string][]int // the managers in each set of owners
	order    []string
}

// countValues counts the values by their owners. Each value begins a line.
func (v *fieldsView) countValues() *census {
	n := len(v.Managers)
	c := &census{owned: make([]int, n), alone: make([]int, n), by: make([][]int, n+1), first: make([][]string, n+1), portions: map[string]int{}, sets: map[string][]int{}}
	field := -1
	for _, r := range v.Rows {
		if p := r.Node.Parent; p != nil && p.Parent == nil && r.Kind != ownership.Text {
			c.fields = append(c.fields, r.Node.Key)
			field++
		}
		if r.Kind == ownership.Leaf && field >= 0 {
			c.addRow(r, field)
		}
	}
	return c
}

func (c *census) addRow(r owners.Row, field int) {
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

// ownership is the number of values of each owner in each field, with links that select their lines. Fields that nobody can own are left out.
func (v *fieldsView) ownership(c *census) components.Ownership {
	r := v.m.Reading
	o := components.Ownership{Values: c.values, Portions: v.portions(c)}
	names, more := components.First(c.fields, mostFields)
	o.More = append(o.More, components.LeftOut(more, "more field isn’t shown.", "more fields aren’t shown.", "Find them by name above."))
	var columns []int
	for i, name := range names {
		if name != "apiVersion" && name != "kind" {
			columns = append(columns, i)
			o.Fields = append(o.Fields, components.Link{Text: name, Href: v.m.readingAddress(r.on("." + name))})
		}
	}
	rows, more := components.First(v.Managers, owners.MostManagers)
	o.More = append(o.More, components.LeftOut(more, "more manager isn’t shown.", "more managers aren’t shown.", components.InCall))
	o.More = slices.DeleteFunc(o.More, func(words string) bool { return words == "" })
	for i, mgr := range rows {
		o.Rows = append(o.Rows, components.OwnerRow{
			Manager: mgr.Manager, Wrote: v.m.wrote(mgr.Owner), Values: c.owned[i], Alone: c.alone[i], Notes: v.notes(mgr),
			Href: v.m.readingAddress(r.toggled(mgr)), Chosen: slices.ContainsFunc(r.Managers, mgr.IsCalled),
			Cells: v.cells(c, i, columns, Reading{Filter: r.Filter, Managers: []string{mgr.ID}}),
		})
	}
	o.Rows = append(o.Rows, components.OwnerRow{
		Nobody: true, Values: c.nobody, Href: v.m.readingAddress(r.only(Nobody)), Chosen: r.Only == Nobody,
		Cells: v.cells(c, len(v.Managers), columns, Reading{Filter: r.Filter, Only: Nobody}),
	})
	o.Only = []components.Link{
		v.only(Shared, "Only shared ("+strconv.Itoa(c.shared)+")", "Lines that several managers own together", why.SharedOwnership),
		v.only(Status, "Only status", "Lines that were written through the status subresource", why.Subresources),
	}
	if r.chooses() {
		o.Clear = v.m.readingAddress(Reading{Field: r.Field, Filter: r.Filter})
	}
	return o
}

func (v *fieldsView) only(what Only, text, hint string, topic why.Topic) components.Link {
	r := v.m.Reading
	return components.Link{Text: text, Hint: hint, Href: v.m.readingAddress(r.only(what)), Current: r.Only == what, Why: &topic}
}

// portions are the values by their sets of owners, in the order of the managers.
func (v *fieldsView) portions(c *census) []components.Portion {
	slices.SortFunc(c.order, func(a, b string) int { return slices.Compare(ranked(c.sets[a]), ranked(c.sets[b])) })
	keys, _ := components.First(c.order, owners.MostManagers)
	all := make([]components.Portion, 0, len(keys))
	for _, key := range keys {
		all = append(all, v.portion(c.sets[key], c.portions[key]))
	}
	return all
}

// portion is the values with the same set of owners. Its link selects the managers, or, if there are several, the lines that they share.
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
		Owners: v.Names(shown), Values: values, Href: v.m.readingAddress(r), Hint: words.Count(int64(values), "value", "values") + ": " + names,
	}
}

// ranked sorts columns, with nobody last.
func ranked(columns []int) []int {
	if len(columns) == 0 {
		return []int{1 << 30}
	}
	return columns
}

// wrote says when a manager last wrote.
func (m on) wrote(o ownership.Owner) string {
	at := o.Written()
	if at.IsZero() {
		return owners.WroteUnknown
	}
	return "last wrote " + m.Age(at) + " ago"
}

// notes are remarks about an unusual manager.
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

// cells are the numbers of values that an owner has in fields.
func (v *fieldsView) cells(c *census, owner int, fields []int, reading Reading) []components.Link {
	cells := make([]components.Link, len(fields))
	for i, field := range fields {
		if field >= len(c.by[owner]) || c.by[owner][field] == 0 {
			continue
		}
		first := c.first[owner][field]
		cells[i] = components.Link{
			Text: words.Thousands(int64(c.by[owner][field])), Href: v.m.readingAddress(reading.on(first)), Hint: "From " + first + " on",
		}
	}
	return cells
}

// kept are hidden fields for the form of the filter, with the rest of the address's query.
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

// found says how many lines pass the filter; empty if there is no filter, which needs no view.
func (m on) found() string {
	if m.Reading.Filter == "" {
		return ""
	}
	v, _ := m.shown()
	if v == nil {
		return ""
	}
	return words.Count(int64(v.passes[len(v.passes)-1]), "line", "lines") + " of " + words.Thousands(int64(len(v.Rows)))
}

// shown is the current view and its document. If the view is nil, the document says why.
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
