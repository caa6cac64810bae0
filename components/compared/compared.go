// Package compared shows how two responses to the same request differ: see kube/compare.
package compared

import (
	"fmt"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/change"
	"github.com/fieldmark/fieldmark/kube/compare"
	"github.com/fieldmark/fieldmark/words"
)

// Look has the options of a comparison.
type Look struct {
	Label         string
	First, Second string // name the responses
	Side          bool   // both bodies side by side; otherwise one below the other
	All           bool   // what always differs counts
	Equal         bool   // show all equal lines; otherwise only some around different lines
	Around        int    // the number of equal lines before and after a difference
	Most          int    // the maximum number of lines
}

// Words say in what two responses differ. At least one difference counts.
func Words(c compare.Counts) string {
	headers, lines := words.Count(int64(c.Headers), "header", "headers"), words.Count(int64(c.Lines), "line", "lines")
	switch {
	case c.Status && c.Headers > 0 && c.Lines > 0:
		return fmt.Sprintf("The responses differ in the status, %s and %s.", headers, lines)
	case c.Status && c.Headers > 0:
		return fmt.Sprintf("The responses differ in the status and %s.", headers)
	case c.Status && c.Lines > 0:
		return fmt.Sprintf("The responses differ in the status and %s.", lines)
	case c.Status:
		return "The responses differ in the status."
	case c.Headers > 0 && c.Lines > 0:
		return fmt.Sprintf("The responses differ in %s and %s.", headers, lines)
	case c.Headers > 0:
		return fmt.Sprintf("The responses differ in %s.", headers)
	}
	return fmt.Sprintf("The responses differ in %s.", lines)
}

// Mark is the mark of a line in components.Diff and in package change. If all is true, what always differs counts.
func Mark(l compare.Line, all bool) change.Mark {
	switch {
	case l.What == compare.Only && l.Left < 0:
		return change.Comes
	case l.What == compare.Only:
		return change.Goes
	case l.What == compare.Changes, l.What == compare.Varies && all:
		return change.Changes
	}
	return change.Same
}

// Of has the lines of both bodies; more is true if only the first ones are in it.
func Of(found *compare.Difference, look Look) (d components.Difference, more bool) {
	lines := make([]change.Line, len(found.Lines))
	varies := map[int]bool{} // lines of the second body
	for i, l := range found.Lines {
		lines[i] = change.Line{Old: l.Left, New: l.Right, Mark: Mark(l, look.All)}
		varies[l.Right] = l.What == compare.Varies && !look.All
	}
	if !look.Side {
		lines = change.Inline(lines)
	}
	d = components.Difference{Label: look.Label, Side: look.Side, First: look.First, Second: look.Second}
	hunks := []change.Hunk{{To: len(lines)}}
	if !look.Equal {
		hunks = change.Fold(lines, look.Around)
	}
	for _, h := range hunks {
		if h.Hidden > 0 {
			d.Lines = append(d.Lines, components.DiffLine{Left: h.Hidden})
		}
		for _, l := range lines[h.From:h.To] {
			if len(d.Lines) >= look.Most {
				return d, true
			}
			d.Lines = append(d.Lines, line(found, l, varies[l.New]))
		}
	}
	return d, false
}

func line(found *compare.Difference, l change.Line, varies bool) components.DiffLine {
	shown := components.DiffLine{Mark: string(l.Mark)}
	if varies {
		shown.Mark = "varies"
	}
	if l.Old >= 0 {
		shown.OldNumber, shown.Old = l.Old+1, found.Left.Lines[l.Old]
	}
	if l.New >= 0 {
		shown.NewNumber, shown.New = l.New+1, found.Right.Lines[l.New]
	}
	return shown
}
