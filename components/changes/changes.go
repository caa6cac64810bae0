// Package changes shows what a write would change, or did: the object before and after, line by line.
package changes

import (
	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/change"
)

// Look is how the reader looks at a comparison.
type Look struct {
	Label  string
	Side   bool // both beside each other; else one below the other
	All    bool // lines that are the same are shown, too; else only some around those that differ
	Around int  // how many of these
	Most   int  // lines that are shown; 0: as many as there are
}

// Of is the object before and after, and whether there is more of it.
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
