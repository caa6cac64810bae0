package managers

import (
	"html"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/manager/writer"
	"github.com/fieldmark/fieldmark/web/survey/census"
	"github.com/fieldmark/fieldmark/words"
)

// A picture has as many columns as can be read beside each other, and no more bytes than this, so that it stays a picture that people can send.
const (
	mostColumns = 60
	mostBytes   = 130_000
	perSquare   = 275 // of a square, besides names
	perLabel    = 350 // of a manager, or of a type, besides its names
)

// Measures of the picture, in pixels. Its letters are 11 pixels high; their width is an estimate, because a server can't measure them.
const (
	letter      = 6.3
	mostLabel   = 36 // letters of a name
	headingHigh = 24
	most        = 1125 // the width of a usual window, which the picture fills if its columns can be read
	overhang    = 90   // of the last label, about
	smallest    = 4
	edge        = 10
)

// fullAt is the number of fields, as a power of ten, whose square has the whole size.
const fullAt = 5

// picture is managers × types, in pixels.
type picture struct {
	names         int // width of the column of names, which stands in front of the squares
	width, height int // of the squares, with the labels above and beside them
	head          int // height of the labels of types
	steep         int // the angle of these labels, in degrees
	largest       int // side of the largest square
	labels        []label
	groups        []group
	bands         []band
	left          int // types that are left out
	to            addresses
}

// label is a type above its column.
type label struct {
	x                 int
	text, whole, href string
}

// group is where the types of an API group are, if their ground differs from that of the groups beside them.
type group struct{ x, width int }

// band is a manager's row, below the heading of its kind if it is the first of it.
type band struct {
	kind              writer.Kind
	heads             bool
	headAt            int
	y, high           int
	text, whole, href string
	place             int // of the row, from 1
	squares           []square
}

// square is a cell.
type square struct {
	x, y, side  int
	column      int // from 1
	how         string
	words, href string
	open        bool // its objects are shown
	last        bool // they are shown, or were the last ones
}

// Looks of squares: how most of their fields are written.
const (
	applied = "applied"
	updated = "updated"
	partial = "status"
)

// how is the look of a cell.
func (c cell) how() string {
	look := partial
	for _, e := range c.entries {
		switch {
		case e.Operation == manager.Apply:
			return applied
		case e.Subresource == "":
			look = updated
		}
	}
	return look
}

// ways are the ways in which a cell is written, in words: "Apply and Update, status".
func (c cell) ways() string {
	var all []string
	for _, e := range c.entries {
		if how := e.how(); !slices.Contains(all, how) {
			all = append(all, how)
		}
	}
	return strings.Join(all, " and ")
}

// side is the side of the square for a number of fields. It grows with the logarithm.
func (p picture) side(fields int) int {
	share := math.Log10(float64(max(fields, 1))) / fullAt
	return smallest + int(math.Round(float64(p.largest-smallest)*min(share, 1)))
}

// draw draws the rows of the page.
func (m Model) draw(a arranged, now time.Time) picture {
	to := m.addresses(a.rows)
	room := mostBytes
	for _, r := range a.rows {
		room -= perLabel + 2*len(to.managers[r.at]) + len(html.EscapeString(components.Visible(r.Name)))
	}
	rows, columns, left := m.Sheet.blocks(a.rows, mostColumns, room, func(r row, c cell) int {
		return perSquare + len(html.EscapeString(short(r.Name))) + len(to.managers[r.at]) + 2*len(to.types[c.typ]) + perLabel/len(a.rows)
	})
	p := picture{left: left, to: to}
	names := m.Sheet.shortNames()
	for _, r := range rows {
		p.names = max(p.names, wide(short(m.nameOf(r.Manager)))+3*edge)
	}
	p.names = max(p.names, 130)
	pitch, gap := pitchOf(columns, most-p.names-overhang)
	high := 24
	if len(rows) <= 16 {
		high = 30
	}
	p.largest, p.steep = min(pitch, high)-2, 52
	if pitch >= 40 {
		p.steep = 35
	}
	places := p.putLabels(m, columns, names, pitch, gap)
	p.putBands(m, rows, places, names, high, now)
	return p
}

// addresses are the parts of the addresses of cells, because a picture has hundreds of them.
type addresses struct {
	cells           string   // how all of them begin
	managers, types []string // parameters, by index
}

func (m Model) addresses(rows []row) addresses {
	to := addresses{cells: m.action() + "?", managers: make([]string, len(m.Sheet.Managers)), types: make([]string, len(m.Sheet.Types))}
	if values := m.Query.closed().Values().Encode(); values != "" {
		to.cells += values + "&"
	}
	for _, r := range rows {
		to.managers[r.at] = FieldManager + "=" + url.QueryEscape(r.Name)
	}
	for i, t := range m.Sheet.Types {
		to.types[i] = "&" + FieldType + "=" + url.QueryEscape(t.Name)
	}
	return to
}

func (a addresses) cell(manager, typ int) string { return a.cells + a.managers[manager] + a.types[typ] }

// shortNames are the names of all types, without their groups where no other type has the same name.
func (s *Sheet) shortNames() []string {
	count := map[string]int{}
	for _, t := range s.Types {
		short, _, _ := strings.Cut(t.Name, ".")
		count[short]++
	}
	all := make([]string, len(s.Types))
	for i, t := range s.Types {
		all[i] = t.Name
		if short, _, _ := strings.Cut(t.Name, "."); count[short] == 1 {
			all[i] = short
		}
	}
	return all
}

// pitchOf is how far columns are from each other, and how much further if another API group begins.
func pitchOf(columns []column, room int) (pitch, gap int) {
	groups := 0
	for i, c := range columns {
		if i > 0 && c.group != columns[i-1].group {
			groups++
		}
	}
	gap = 6
	if len(columns) > 30 {
		gap = 3
	}
	return min(max((room-groups*gap)/max(len(columns), 1), 14), 46), gap
}

// putLabels puts the types above their columns, and returns where the columns are, by type.
func (p *picture) putLabels(m Model, columns []column, names []string, pitch, gap int) map[int]place {
	sin, cos := math.Sincos(float64(p.steep) * math.Pi / 180)
	x, longest, begins, tinted := edge+pitch/2, 0, edge, false
	places := map[int]place{}
	for i, c := range columns {
		if i > 0 && c.group != columns[i-1].group {
			x += gap
			begins, tinted = x-pitch/2-gap/2, !tinted
		}
		if last := i+1 == len(columns) || columns[i+1].group != c.group; last && tinted {
			p.groups = append(p.groups, group{begins, x + (pitch+gap)/2 - begins})
		}
		text := short(names[c.typ])
		p.labels = append(p.labels, label{x: x, text: text, whole: m.Sheet.Types[c.typ].Name, href: m.textHref(m.Sheet.Types[c.typ].Name)})
		places[c.typ] = place{x, i + 1}
		length := wide(text)
		longest = max(longest, length)
		p.width = max(p.width, x+int(cos*float64(length))+edge, x+pitch/2+edge)
		x += pitch
	}
	p.head = int(sin*float64(longest)) + 18
	return places
}

// look is the class that gives the squares of a kind their color.
func (b band) look() string { return components.WriterLook(b.kind.ID()) }

// place is where a column is: its middle, and its number from 1.
type place struct{ x, number int }

// putBands puts the managers below each other.
func (p *picture) putBands(m Model, rows []row, places map[int]place, names []string, high int, now time.Time) {
	y := p.head
	for i, r := range rows {
		b := band{kind: writer.Kinds()[r.Writer.Place()], high: high, place: i + 1, whole: m.nameOf(r.Manager), text: short(m.nameOf(r.Manager)), href: m.ofHref(r.Name, "")}
		if b.heads = i == 0 || rows[i-1].Writer.Place() != r.Writer.Place(); b.heads {
			b.headAt = y + headingHigh - 8
			y += headingHigh
		}
		b.y = y
		for _, c := range r.cells {
			at, shown := places[c.typ]
			if !shown {
				continue
			}
			side, typ := p.side(c.fields), m.Sheet.Types[c.typ].Name
			b.squares = append(b.squares, square{
				x: at.x - side/2, y: y + high/2 - side/2, side: side, column: at.number, how: c.how(),
				words: short(m.nameOf(r.Manager)) + " owns " + words.Count(int64(c.fields), "field", "fields") + " of " + names[c.typ] +
					" (" + words.Count(int64(c.objects), "object", "objects") + ") by " + c.ways() + ", last write " + census.Ago(c.last, now),
				href: p.to.cell(r.at, c.typ),
				open: m.Query.Type != "" && m.Query.Manager == r.Name && m.Query.Type == typ,
				last: r.Name == m.live.manager && typ == m.live.typ || m.Query.Manager == r.Name && m.Query.Type == typ,
			})
		}
		slices.SortFunc(b.squares, func(a, b square) int { return a.column - b.column })
		p.bands = append(p.bands, b)
		y += high
	}
	p.height = y + edge
}

// short is a name that fits the picture.
func short(name string) string {
	name = components.Visible(name)
	if utf8.RuneCountInString(name) <= mostLabel {
		return name
	}
	return string([]rune(name)[:mostLabel-1]) + "…"
}

// wide is about how wide a text is.
func wide(text string) int { return int(letter * float64(utf8.RuneCountInString(text))) }

func px(n int) string { return strconv.Itoa(n) }

// slanted is the place and the angle of a label.
func (p picture) slanted(l label) string {
	return "translate(" + px(l.x+3) + " " + px(p.head-8) + ") rotate(-" + px(p.steep) + ")"
}

// rule is the line above the first manager of a kind.
func (p picture) rule(b band) string {
	return "M0 " + px(b.headAt-14) + ".5H" + px(p.width)
}
