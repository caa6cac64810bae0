// Package changes shows the changes of a write or of a dry run: the object before and after, line by line.
package changes

import (
	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/change"
)

// Look has the options of a comparison.
type Look struct {
	Label  string
	Side   bool // both documents side by side; otherwise one below the other
	All    bool // show all equal lines; otherwise only some around different lines
	Around int  // the number of equal lines before and after a difference
	Most   int  // the maximum number of lines; 0: no maximum
}

// Of compares the object before and after; more is true if lines were left out.
func Of(p *change.Preview, look Look) (d components.Difference, more bool) {
	lines := p.Lines
	if !look.Side {
		lines = change.Inline(lines)
	}
	if look.All {
		look.Around = len(lines)
	}
	d = components.Difference{Label: look.Label, Side: look.Side}
	for _, h := range change.Fold(lines, look.Around) {
		if h.Hidden > 0 {
			d.Lines = append(d.Lines, components.DiffLine{Left: h.Hidden})
		}
		for _, l := range lines[h.From:h.To] {
			if look.Most > 0 && len(d.Lines) == look.Most {
				return d, true
			}
			line := components.DiffLine{Mark: string(l.Mark), Path: l.Path}
			line.Old, line.New, line.OldNumber, line.NewNumber = p.Texts(l)
			d.Lines = append(d.Lines, line)
		}
	}
	return d, false
}
