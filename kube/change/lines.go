package change

import (
	"slices"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// Mark says what a line shows.
type Mark string

// The marks.
const (
	Same    Mark = ""
	Comes   Mark = "comes"
	Goes    Mark = "goes"
	Changes Mark = "changes"
	Passes  Mark = "passes" // the line stays, its owners change
)

// Line is a line of the object before and after, side by side.
type Line struct {
	Old, New int // in Preview.Before.Lines and After.Lines; -1: there is none
	Mark     Mark
	Path     string
	Row      int   // what happens to the field, in Preview.Rows; -1: nothing
	Items    []int // what happens to list items that begin in the line (- name: app) and contain the field
	Before   []int // its owners before and after, as indexes in Preview.Managers
	After    []int
}

// Hunk is a range of lines, From up to To, with the number of hidden lines before it.
type Hunk struct{ From, To, Hidden int }

// Texts returns the lines of the object before and after that a line of the preview shows, with their numbers from 1. A number is 0 if
// there is no line.
func (p *Preview) Texts(l Line) (old, now manifest.Line, oldNumber, newNumber int) {
	if l.Old >= 0 {
		old, oldNumber = p.Before.Lines[l.Old], l.Old+1
	}
	if l.New >= 0 {
		now, newNumber = p.After.Lines[l.New], l.New+1
	}
	return old, now, oldNumber, newNumber
}

// Fold hides lines without a change, except some around those with one. Hidden lines at the end make a last hunk without lines.
func Fold(lines []Line, around int) []Hunk {
	var hunks []Hunk
	end := 0 // of the lines that are in a hunk or hidden
	for i, line := range lines {
		if line.Mark == Same {
			continue
		}
		from, to := max(end, i-around), min(len(lines), i+around+1)
		if n := len(hunks); n > 0 && from <= end {
			hunks[n-1].To = to
		} else {
			hunks = append(hunks, Hunk{From: from, To: to, Hidden: from - end})
		}
		end = to
	}
	if end < len(lines) {
		hunks = append(hunks, Hunk{From: len(lines), To: len(lines), Hidden: len(lines) - end})
	}
	return hunks
}

// Inline puts lines one below the other. For lines that change side by side, first come all removed ones, and then all new ones.
func Inline(lines []Line) []Line {
	var all, come []Line
	flush := func() {
		all = append(all, come...)
		come = nil
	}
	for _, line := range lines {
		switch line.Mark {
		case Changes:
			old, now := line, line
			old.New, old.Mark = -1, Goes
			now.Old, now.Mark = -1, Comes
			all, come = append(all, old), append(come, now)
		case Comes:
			come = append(come, line)
		case Goes:
			all = append(all, line)
		default:
			flush()
			all = append(all, line)
		}
	}
	flush()
	return all
}

// side is one of the two documents.
type side struct {
	blame *ownership.Blame
	doc   manifest.Document
	rows  map[*manifest.Node]int
	whole map[*manifest.Node]int // those of rows that are compared as a whole
	known map[*manifest.Node][]int
}

func sideOf(b *ownership.Blame, d manifest.Document) side {
	return side{b, d, map[*manifest.Node]int{}, map[*manifest.Node]int{}, map[*manifest.Node][]int{}}
}

func (s side) setRow(n *manifest.Node, row int, r Row) {
	if n == nil {
		return
	}
	s.rows[n] = row
	if r.Whole || r.What != ownership.Passed && len(n.Children) > 0 {
		s.whole[n] = row
	}
}

func (c *comparison) lines() []Line {
	was, is := sideOf(c.before, c.Before), sideOf(c.after, c.After)
	for i, r := range c.Rows {
		was.setRow(r.Was, i, r)
		is.setRow(r.Is, i, r)
	}
	var all []Line
	next := 0
	for i, m := range manifest.Compare(c.Before.Lines, c.After.Lines) {
		for ; m.From > next; next++ {
			all = append(all, c.line(was, is, next, -1, Goes))
		}
		mark := Same
		switch {
		case m.From < 0:
			mark = Comes
		case m.Changed:
			mark = Changes
		}
		all = append(all, c.line(was, is, m.From, i, mark))
		next = max(next, m.From+1)
	}
	for ; next < len(c.Before.Lines); next++ {
		all = append(all, c.line(was, is, next, -1, Goes))
	}
	return all
}

func (c *comparison) line(was, is side, old, now int, mark Mark) Line {
	l := Line{Old: old, New: now, Mark: mark, Row: -1}
	if old >= 0 {
		n := was.doc.Places[old].Inner
		l.Before, l.Row, l.Items = c.columns(was, n), was.row(old), was.items(old)
		if now < 0 {
			l.Path = c.before.Path(n)
		}
	}
	if now >= 0 {
		n := is.doc.Places[now].Inner
		l.Path, l.After = c.after.Path(n), c.columns(is, n)
		if row := is.row(now); row >= 0 {
			l.Row = row
		}
		for _, row := range is.items(now) {
			if !slices.Contains(l.Items, row) {
				l.Items = append(l.Items, row)
			}
		}
	}
	if l.Mark == Same && (l.Row >= 0 || len(l.Items) > 0) && !is.doc.Places[now].Continued {
		l.Mark = Passes
	}
	return l
}

// row is the row for what a line shows, or for the list around it that is compared as a whole; -1 if there is none.
func (s side) row(line int) int {
	p := s.doc.Places[line]
	row, ok := s.rows[p.Inner]
	for n := p.Inner.Parent; !ok && n != nil; n = n.Parent {
		row, ok = s.whole[n]
	}
	if !ok {
		return -1
	}
	return row
}

// items are the rows for the list items that begin in a line, without the row of the line itself.
func (s side) items(line int) []int {
	p := s.doc.Places[line]
	if p.Continued {
		return nil
	}
	var rows []int
	for n := p.Inner; n != p.Outer; {
		n = n.Parent
		if row, ok := s.rows[n]; ok {
			rows = append(rows, row)
		}
	}
	return rows
}

// columns are the owners of a node, as indexes in Preview.Managers.
func (c *comparison) columns(s side, n *manifest.Node) []int {
	if known, ok := s.known[n]; ok {
		return known
	}
	var columns []int
	for _, o := range s.blame.Owners(n) {
		for i, m := range c.Managers {
			if m.Same(o.Manager) {
				columns = append(columns, i)
				break
			}
		}
	}
	s.known[n] = columns
	return columns
}

// managers are all owners before or after, the writer first.
func (c *comparison) managers() []ownership.Owner {
	var all []ownership.Owner
	for _, r := range []ownership.Record{c.before.Record, c.after.Record} {
		for _, o := range r.Managers() {
			if len(without([]ownership.Owner{o}, all)) == 0 {
				continue
			}
			if o.Same(c.Manager) {
				all = append([]ownership.Owner{o}, all...)
			} else {
				all = append(all, o)
			}
		}
	}
	return all
}
