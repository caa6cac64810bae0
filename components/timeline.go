package components

import (
	"slices"

	"github.com/fieldmark/fieldmark/kube/manifest"
)

// StepList shows the versions of an object that came one after the other, the newest first.
type StepList struct {
	Label string
	Break string // why versions that come now may be missed; empty: they are followed
	Steps []Step
	Older Button // shows more of them; without words there are no more
	End   string // what was before the oldest
}

// Button is a button that a page acts on.
type Button struct {
	Words, Do string
	Pressed   bool // it is on
	Off       bool
	Hint      string
}

// Step is one version of the object.
type Step struct {
	Number    int
	Do        string // to choose it
	Time, Age string
	Writers   []Manager
	Words     string // how much changed
	Tone      Tone
	Contended bool // a field changed over which managers fight
	Current   bool
	Missed    string // why versions may be missing before this one
	Changes   []FieldChange
	More      string // what of the changes is not listed
}

// FieldChange is what happened to a field.
type FieldChange struct {
	Path          string
	What          string // added, removed, changed or owner
	Old, New      string // as JSON
	Before, After []Manager
	Contended     bool
}

// word says what happened in a word.
func (c FieldChange) word() string {
	if c.What == "owner" {
		return "new owner"
	}
	return c.What
}

// samePeople tells whether the owners are who they were.
func (c FieldChange) samePeople() bool { return slices.Equal(c.Before, c.After) }

// Contention is a field whose value goes back and forth between managers.
type Contention struct {
	Path     string
	Words    string // how often, and at which period
	Values   [2]string
	Managers []Manager
	Steps    Button // those that changed it
}

// ComparedLine is a line of a document that is compared with another.
type ComparedLine struct {
	Mark   Mark
	Number int // in its document; of lines that went, in the one before
	Line   manifest.Line
	Left   int // so many equal lines are left out here, instead of a line
}

// Mark says what became of a line.
type Mark string

// The marks.
const (
	Stays Mark = ""
	Came  Mark = "came"
	Went  Mark = "went"
)

// Comparison is a document as it is, with what differs from another.
type Comparison struct {
	Label string
	Lines []ComparedLine
}

// firstMark is the place of the first line that differs; -1: none does.
func (c Comparison) firstMark() int {
	return slices.IndexFunc(c.Lines, func(l ComparedLine) bool { return l.Mark != Stays })
}

// Compared puts two documents into one: the lines of the newer, with those of the older that went before those which came
// in their place. Of equal lines only so many around the others are shown; all, where around is negative.
func Compared(before, after []manifest.Line, around int) []ComparedLine {
	c := comparing{before: before}
	for i, m := range manifest.Compare(before, after) {
		if !m.Changed {
			c.flush(m.From)
			c.all = append(c.all, ComparedLine{Number: i + 1, Line: after[i]})
			c.next = max(c.next, m.From+1)
			continue
		}
		c.came = append(c.came, ComparedLine{Mark: Came, Number: i + 1, Line: after[i]})
	}
	c.flush(len(before))
	if around < 0 {
		return c.all
	}
	return folded(c.all, around)
}

// comparing lays two documents into each other.
type comparing struct {
	before    []manifest.Line
	next      int // line of before that is not accounted for yet
	came, all []ComparedLine
}

// flush lays out what went up to a line of the former document, and what came there.
func (c *comparing) flush(to int) {
	for ; c.next < to; c.next++ {
		c.all = append(c.all, ComparedLine{Mark: Went, Number: c.next + 1, Line: c.before[c.next]})
	}
	c.all = append(c.all, c.came...)
	c.came = nil
}

// folded leaves out what is equal and not near to what isn't.
func folded(all []ComparedLine, around int) []ComparedLine {
	near := make([]bool, len(all))
	for i, l := range all {
		if l.Mark == Stays {
			continue
		}
		for k := max(0, i-around); k <= min(len(all)-1, i+around); k++ {
			near[k] = true
		}
	}
	var kept []ComparedLine
	for i, l := range all {
		switch n := len(kept); {
		case near[i]:
			kept = append(kept, l)
		case n > 0 && kept[n-1].Left > 0:
			kept[n-1].Left++
		default:
			kept = append(kept, ComparedLine{Left: 1})
		}
	}
	return kept
}
