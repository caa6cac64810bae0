package copying

import (
	"cmp"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/words"
)

// Conflict is a refused or possible apply: fields that other managers own.
type Conflict struct {
	Title  string // what happened, in a few words; empty: "Conflict"
	Object string // as kubectl names it
	Fields []Contested
	Why    string
}

// Contested is a field of a conflict. Its values are JSON; empty: there is none.
type Contested struct {
	Path         string
	Live, Stated string
	Owners       []Owner
}

// Owner is a manager, and when it last wrote, in words.
type Owner struct {
	components.Manager
	Wrote string
}

// Fight is a field whose value goes back and forth.
type Fight struct {
	Object   string // as kubectl names it
	Path     string
	Values   [2]string // both empty: they are hidden, because they are secret
	Managers []components.Manager
	Returns  string // how often the value came back, and how fast, in words
}

// The limits of a sheet.
const (
	mostFields = 40
	mostValue  = 200 // characters
)

// whole names the path of an object itself.
const whole = "the whole object"

// sheet is a title, and a table whose rows are fields.
type sheet struct {
	title, object string
	names         []string // of the columns after the first, which has the path
	rows          []row
	more          int // the number of fields that are left out
	why           string
}

type row struct {
	path  string // empty: the whole object
	cells []cell
}

// cell has a value or managers.
type cell struct {
	value  string
	word   bool // the value is a word of ours
	owners []Owner
	more   int
}

func valued(value string) cell {
	if value == "" {
		return cell{value: "none", word: true}
	}
	return cell{value: cutToCells(line(value), mostValue)}
}

func owned(all []Owner) cell {
	if len(all) == 0 {
		return cell{value: "nobody", word: true}
	}
	shown, more := components.First(all, manager.MostNamed)
	return cell{owners: shown, more: more}
}

func (c Conflict) sheet() sheet {
	s := sheet{title: cmp.Or(c.Title, "Conflict"), object: c.Object, names: []string{"live value", "value in the manifest", "owners"}, why: c.Why}
	shown, more := components.First(c.Fields, mostFields)
	for _, f := range shown {
		s.rows = append(s.rows, row{f.Path, []cell{valued(f.Live), valued(f.Stated), owned(f.Owners)}})
	}
	s.more = more
	return s
}

func (f Fight) sheet() sheet {
	values := cell{value: "hidden", word: true}
	if f.Values[0] != "" || f.Values[1] != "" {
		values = cell{value: valued(f.Values[0]).value + " ⇄ " + valued(f.Values[1]).value}
	}
	owners := make([]Owner, 0, len(f.Managers))
	for _, m := range f.Managers {
		owners = append(owners, Owner{Manager: m})
	}
	return sheet{
		title: "Fight over a field", object: f.Object, names: []string{"values", "returns", "managers"},
		rows: []row{{f.Path, []cell{values, {value: f.Returns, word: true}, owned(owners)}}},
	}
}

// Markdown implements Subject: a heading, and a table.
func (c Conflict) Markdown() string { return c.sheet().markdown() }

// SVG implements Subject.
func (c Conflict) SVG() string { return c.sheet().svg() }

// File implements Subject.
func (c Conflict) File() string { return "fieldmark-conflict.png" }

// Markdown implements Subject: a heading, and a table.
func (f Fight) Markdown() string { return f.sheet().markdown() }

// SVG implements Subject.
func (f Fight) SVG() string { return f.sheet().svg() }

// File implements Subject.
func (f Fight) File() string { return "fieldmark-fight.png" }

func (s sheet) markdown() string {
	var b strings.Builder
	title := strings.TrimSuffix(s.title, ".")
	if s.object != "" {
		title += ": " + s.object
	}
	b.WriteString("### " + escaped(title))
	b.WriteString("\n\n")
	if len(s.rows) > 0 {
		b.WriteString("| field | " + strings.Join(s.names, " | ") + " |\n" + strings.Repeat("|---", len(s.names)+1) + "|\n")
	}
	for _, r := range s.rows {
		path := whole
		if r.path != "" {
			path = plain.Code(line(r.path))
		}
		b.WriteString("| " + path)
		for _, c := range r.cells {
			b.WriteString(" | " + c.markdown())
		}
		b.WriteString(" |\n")
	}
	if s.more > 0 {
		b.WriteString("\n" + s.rest() + "\n")
	}
	if s.why != "" {
		b.WriteString("\n" + escaped(s.why) + "\n")
	}
	return b.String()
}

func (s sheet) rest() string {
	return "… and " + words.Count(int64(s.more), "more field", "more fields")
}

func escaped(text string) string { return plain.Markdown(line(text)) }

func (c cell) markdown() string {
	switch {
	case c.word:
		return escaped(c.value)
	case len(c.owners) == 0:
		return plain.Code(c.value)
	}
	var all []string
	for _, o := range c.owners {
		all = append(all, strings.TrimSuffix(plain.Code(line(o.Name))+" ("+escaped(o.manner())+")", " ()"))
	}
	if c.more > 0 {
		all = append(all, c.others())
	}
	return strings.Join(all, ", ")
}

func (c cell) others() string {
	return "and " + words.Thousands(int64(c.more)) + " more"
}

// manner is how the manager writes, and when it last did.
func (o Owner) manner() string {
	if o.Operation == "" || o.Wrote == "" {
		return o.How() + o.Wrote
	}
	return o.How() + ", " + o.Wrote
}

// Sizes of a drawn sheet, in pixels.
const (
	sheetWide  = 640
	nameWide   = 150
	sheetRow   = 22
	valueMost  = 62 // in cells
	whyMost    = 92
	nameMost   = 36
	nameAndHow = 410
	boldCell   = 78 // at 12 pixels
	sansCell   = 66 // at 12 pixels
	betweenRow = 10
)

func (s sheet) svg() string {
	d := &drawing{}
	y := d.heading(s.title, "")
	if s.object != "" {
		d.drawText(edge, y+6, `font-family="`+sans+`" font-size="13" fill="`+ink+`"`, cutToCells(line(s.object), whyMost-10))
		y += sheetRow + 2
	}
	for _, r := range s.rows {
		d.rule(edge, y, sheetWide-edge)
		y += betweenRow
		d.drawText(edge, y+12, `font-family="`+mono+`" font-size="12.5" font-weight="600" fill="`+key+`"`, cutToCells(line(cmp.Or(r.path, whole)), valueMost+16))
		y += sheetRow + 2
		for i, c := range r.cells {
			d.drawText(edge, y+12, `font-family="`+sans+`" font-size="12" fill="`+soft+`"`, s.names[i])
			y = c.draw(d, y)
		}
		y += betweenRow - 4
	}
	if s.more > 0 {
		d.drawText(edge, y+12, `font-family="`+sans+`" font-size="12" fill="`+soft+`"`, s.rest())
		y += sheetRow
	}
	if s.why != "" {
		d.rule(edge, y, sheetWide-edge)
		y += betweenRow
		for _, l := range wrapped(line(s.why), whyMost) {
			d.drawText(edge, y+12, `font-family="`+sans+`" font-size="12" fill="`+ink+`"`, l)
			y += sheetRow - 4
		}
	}
	return d.done(sheetWide, y+edge-4)
}

// draw draws the cell from y on, and returns the place below it.
func (c cell) draw(d *drawing, y int) int {
	const left = edge + nameWide
	if c.word {
		d.drawText(left, y+12, `font-family="`+sans+`" font-size="12" fill="`+soft+`"`, cutToCells(line(c.value), valueMost))
		return y + sheetRow
	}
	if len(c.owners) == 0 {
		d.drawText(left, y+12, `font-family="`+mono+`" font-size="12.5" fill="`+ink+`"`, cutToCells(c.value, valueMost))
		return y + sheetRow
	}
	for _, o := range c.owners {
		d.swatch(o.Manager, left, y, 22, 16, 3)
		d.initials(o.Manager, left+11, y+12)
		name := cutToCells(line(o.Name), nameMost)
		d.names(left+30, y+12, name, cutToCells(line(o.manner()), (nameAndHow-cells(name)*boldCell/10)*10/sansCell))
		y += sheetRow
	}
	if c.more > 0 {
		d.drawText(left, y+12, `font-family="`+sans+`" font-size="12" fill="`+soft+`"`, c.others())
		y += sheetRow
	}
	return y
}
