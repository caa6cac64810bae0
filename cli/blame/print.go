package blame

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/fieldmark/fieldmark/cli/output"
	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/copying"
	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/kube/table"
)

// printer writes objects and their owners in one of the formats.
type printer struct {
	out   io.Writer
	color bool
	now   time.Time
	field string // only this field; empty: all fields
	short bool   // JSON has no white space, and lines refer to a list of owners
	width int    // of the terminal; 0: the output is none, or lines may be wider
}

func (p *printer) printText(all []Written) error {
	var b strings.Builder
	for i, w := range all {
		if p.field != "" {
			line, err := p.oneField(w)
			if err != nil {
				return err
			}
			output.Sentences(&b, "", line, p.width)
			continue
		}
		if len(all) > 1 {
			if i > 0 {
				b.WriteString("\n")
			}
			b.WriteString("# " + name(w.Object) + "\n")
		}
		b.WriteString(p.lines(w))
	}
	return output.Text(p.out, b.String())
}

// blame is an object with a column of owners on the left. The column names owners only where they differ from those of the line above. In a
// terminal, a column that would take more than half of the width names fewer owners, and lines are cut; cut tells whether any was.
func (p *printer) blame(w Written) (b copying.Blame, cut bool) {
	b = p.naming(w, manager.MostNamed)
	if p.width == 0 {
		return b, false
	}
	for most := manager.MostNamed - 1; most > 0 && b.Column() > p.width/2; most-- {
		b = p.naming(w, most)
	}
	shorten := func(text *string, room int) {
		whole := components.Visible(*text)
		*text = output.Cut(whole, max(room, leastRoom))
		cut = cut || *text != whole
	}
	for i := range b.Lines {
		shorten(&b.Lines[i].Label, p.width/2)
	}
	room := p.width - b.Column() - utf8.RuneCountInString(" │ ")
	for i := range b.Lines {
		shorten(&b.Lines[i].Text[0].Text, room)
	}
	return b, cut
}

// leastRoom is how many columns a line of the object and its owners have at least.
const leastRoom = 10

func (p *printer) naming(w Written, most int) copying.Blame {
	b := copying.Blame{Object: name(w.Object), Lost: w.Lost}
	for _, l := range w.Lines {
		shown := copying.Line{Text: manifest.Line{{Text: l.Text}}}
		if l.Begins {
			shown.Label = p.label(l, most)
		}
		b.Lines = append(b.Lines, shown)
	}
	return b
}

// lines writes an object with its owners as text.
func (p *printer) lines(w Written) string {
	hues := map[ownership.Manager]int{}
	shown, cut := p.blame(w)
	if p.width > 0 {
		shown.Lost = nil // as sentences
	}
	var b strings.Builder
	b.WriteString(shown.Text(func(i int, label string) string { return p.hued(label, w.Lines[i], hues) }))
	if p.width > 0 {
		p.fit(&b, w, cut)
	}
	return b.String()
}

// fit adds what is below the lines of an object in a terminal, broken at spaces: the fields that no line shows, and how to see lines that were cut.
func (p *printer) fit(b *strings.Builder, w Written, cut bool) {
	if len(w.Lost) > 0 {
		output.Sentences(b, "", "\n"+copying.LostTitle, p.width)
	}
	for _, lost := range w.Lost {
		output.Sentences(b, "  ", copying.LostWords(lost), p.width)
	}
	if cut {
		output.Sentences(b, "", "\nSome lines are cut to the width of the terminal. To see them in full, add --wide.", p.width)
	}
}

// label names the owners of a line, and how long ago each of them last wrote.
func (p *printer) label(l Line, most int) string {
	if len(l.Elsewhere) > 0 {
		return plain.Text(owners.Unplaced(l.Elsewhere))
	}
	if more := len(l.Owners) - 1; most == 1 && more > 0 && p.width > 0 { // the shortest form
		return copying.Label(l.Owners[:1], most, false, p.now) + fmt.Sprintf(" +%d", more)
	}
	return copying.Label(l.Owners, most, l.Default, p.now)
}

// oneField writes the owners of one field, in one line.
func (p *printer) oneField(w Written) (string, error) {
	lines, err := w.At(p.field)
	if err != nil {
		return "", err
	}
	own := lines[0]
	said := p.label(own, manager.MostNamed)
	if len(own.Owners) == 0 && !own.Nobody {
		said = p.parts(lines[1:], said)
	}
	return name(w.Object) + " " + plain.Text(own.Path) + ": " + said + "\n", nil
}

// parts names the owners of the parts of a field that has none as a whole; nobody if there are no owners.
func (p *printer) parts(lines []Line, nobody string) string {
	var order, elsewhere distinct
	for _, l := range lines {
		if l.Path != "" {
			order.addOwners(l.Owners)
		}
		elsewhere.addOwners(l.Elsewhere)
	}
	var all []string
	first, more := manager.Few(order.all)
	for _, o := range first {
		all = append(all, plain.Text(o.Words())+" "+table.Age(o.Written(), p.now))
	}
	if more > 0 {
		all = append(all, fmt.Sprintf("and %d more", more))
	}
	if len(elsewhere.all) > 0 {
		all = append(all, plain.Text(owners.Unplaced(elsewhere.all)))
	}
	if len(all) == 0 {
		return nobody
	}
	return "nobody owns the field as a whole; owners of its parts: " + strings.Join(all, ", ")
}

// distinct are owners in their order, each once.
type distinct struct {
	all  []ownership.Owner
	seen map[ownership.Owner]bool
}

func (d *distinct) addOwners(more []ownership.Owner) {
	if d.seen == nil {
		d.seen = map[ownership.Owner]bool{}
	}
	for _, o := range more {
		if !d.seen[o] {
			d.seen[o], d.all = true, append(d.all, o)
		}
	}
}

// name names an object as kubectl does.
func name(o object.Object) string {
	return plain.Object(o.Kind(), o.Meta("namespace"), o.Meta("name"))
}

// colors are one color for each manager, as SGR parameters. They are legible on light and on dark terminals.
var colors = []string{"34", "35", "36", "32", "33", "31", "94", "95", "96"}

func (p *printer) hued(label string, l Line, hues map[ownership.Manager]int) string {
	if !p.color {
		return label
	}
	if len(l.Owners) == 0 {
		return "\x1b[2m" + label + "\x1b[0m"
	}
	who := l.Owners[0].Manager
	if _, known := hues[who]; !known {
		hues[who] = len(hues)
	}
	return "\x1b[" + colors[hues[who]%len(colors)] + "m" + label + "\x1b[0m"
}

func (p *printer) markdown(all []Written) error {
	var b strings.Builder
	for i, w := range all {
		if i > 0 {
			b.WriteString("\n")
		}
		if p.field == "" {
			shown, _ := p.blame(w)
			b.WriteString(shown.Markdown())
			continue
		}
		line, err := p.oneField(w)
		if err != nil {
			return err
		}
		b.WriteString(copying.Block(name(w.Object), "", line))
	}
	return output.Text(p.out, b.String())
}

func (p *printer) json(all []Written) error {
	printed, err := p.documents(all)
	if err != nil {
		return err
	}
	if p.short {
		return output.Compact(p.out, printed)
	}
	return output.JSON(p.out, printed)
}

func (p *printer) yaml(all []Written) error {
	printed, err := p.documents(all)
	if err != nil {
		return err
	}
	return output.YAML(p.out, printed)
}

// documents are the objects as one document, or as a list.
func (p *printer) documents(all []Written) (any, error) {
	var items []Document
	for _, w := range all {
		lines := w.Lines
		if p.field != "" {
			var err error
			if lines, err = w.At(p.field); err != nil {
				return nil, err
			}
		}
		items = append(items, documentOf(w, lines))
	}
	if p.short {
		return shortened(items), nil
	}
	if len(items) == 1 {
		return items[0], nil
	}
	return List{APIVersion: APIVersion, Kind: "BlameList", Items: items}, nil
}

// shortened are the documents for --compact.
func shortened(items []Document) any {
	list := CompactList{APIVersion: CompactVersion, Kind: "BlameList"}
	for _, d := range items {
		list.Items = append(list.Items, compact(d))
	}
	if len(items) == 1 {
		return list.Items[0]
	}
	return list
}
