package components

import "github.com/fieldmark/fieldmark/kube/manifest"

// Difference is a document before and after, line by line.
type Difference struct {
	Label string
	Side  bool // both documents side by side; otherwise one below the other
	Lines []DiffLine
	// First and Second name the documents, if they are two documents and not one before and after; otherwise empty.
	First, Second string
}

// DiffLine is a line before, after, or both.
type DiffLine struct {
	Mark                 string // "" (equal), comes (added), goes (removed), changes, passes (equal, but with other owners), varies (always differs)
	Path                 string
	OldNumber, NewNumber int // 0: there is none
	Old, New             manifest.Line
	Left                 int // instead of a line: this number of lines is left out
}

// sign marks the kind of a line without a color.
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
	case "varies":
		return "≈"
	}
	return ""
}

// spoken is the sign of a line for screen readers.
func (d Difference) spoken(l DiffLine) string {
	switch {
	case l.Mark == "comes" && d.Second != "":
		return "only " + d.Second + ": "
	case l.Mark == "goes" && d.First != "":
		return "only " + d.First + ": "
	case l.Mark == "comes":
		return "added: "
	case l.Mark == "goes":
		return "removed: "
	case l.Mark == "changes" && d.First != "":
		return "different: "
	case l.Mark == "changes":
		return "changed: "
	case l.Mark == "passes":
		return "new owners: "
	case l.Mark == "varies":
		return "always different: "
	}
	return ""
}

// shown is the line to show if the documents are one below the other.
func (l DiffLine) shown() (number int, line manifest.Line) {
	if l.NewNumber > 0 {
		return l.NewNumber, l.New
	}
	return l.OldNumber, l.Old
}

// columns is the number of columns in a row.
func (d Difference) columns() string {
	if d.Side {
		return "5"
	}
	return "3"
}
