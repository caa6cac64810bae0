package components

import "github.com/fieldmark/fieldmark/kube/manifest"

// Difference is a document before and after, line by line.
type Difference struct {
	Label string
	Side  bool // both beside each other; else one below the other
	Lines []DiffLine
}

// DiffLine is a line before, after, or both.
type DiffLine struct {
	Mark                 string // "" (the same), comes, goes, changes, passes (the same, of other owners)
	Path                 string
	OldNumber, NewNumber int // 0: there is none
	Old, New             manifest.Line
	Left                 int // so many lines are left out here, instead of a line
}

// sign is how a line is told from others without its colour.
func (l DiffLine) sign() string {
	switch l.Mark {
	case "comes":
		return "+"
	case "goes":
		return "−"
	case "changes":
		return "~"
	case "passes":
		return "⇄"
	}
	return ""
}

// spoken is the same for those who don't see it.
func (l DiffLine) spoken() string {
	switch l.Mark {
	case "comes":
		return "added: "
	case "goes":
		return "removed: "
	case "changes":
		return "changed: "
	case "passes":
		return "new owners: "
	}
	return ""
}

// shown is the line where only one has room.
func (l DiffLine) shown() (number int, line manifest.Line) {
	if l.NewNumber > 0 {
		return l.NewNumber, l.New
	}
	return l.OldNumber, l.Old
}

// columns is how many a row has.
func (d Difference) columns() string {
	if d.Side {
		return "5"
	}
	return "3"
}
