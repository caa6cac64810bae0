package components

import (
	"slices"

	"github.com/fieldmark/fieldmark/kube/manifest"
)

// StepList shows the versions of an object, the newest first.
type StepList struct {
	Label string
	Break string // why new versions may be missed at the moment; empty: they are not
	Steps []Step
	Older Button // shows more versions; without words: there are no more
	End   string // what was before the oldest version
}

// Button is a button with an action of the page.
type Button struct {
	Words, Do string
	Pressed   bool // the button is switched on
	Off       bool
	Hint      string
}

// Step is one version of the object.
type Step struct {
	Number    int
	Do        string // the action that selects the version; empty: it can't be selected
	Time, Age string
	Writers   []Manager
	Words     string // the number of changes, in words
	Tone      Tone
	Contended bool // the version changed a field that managers fight over
	Current   bool
	Missed    string // why versions may be missing before this one
	Changes   []FieldChange
	More      string // says how many changes aren't listed
	// Quiet are versions that aren't worth a line each. If there are any, the step stands for them: Number is the oldest, Writers are all, and Time is
	// from the first to the last.
	Quiet []Step
}

// FieldChange is what happened to a field.
type FieldChange struct {
	Path          string
	What          string // added, removed, changed or owner
	Old, New      string // the values as JSON
	Before, After []Manager
	Contended     bool
}

// word is What in a word for people.
func (c FieldChange) word() string {
	if c.What == "owner" {
		return "new owner"
	}
	return c.What
}

// samePeople tells whether the owners are the same as before.
func (c FieldChange) samePeople() bool { return slices.Equal(c.Before, c.After) }

// Contention is a field whose value managers change back and forth.
type Contention struct {
	Path     string
	Words    string // how often, and with which period
	Values   [2]string
	Managers []Manager
	Steps    Button // shows only the versions that changed the field; without words: there is none
	Stop     string // the address where the fight is stopped; empty: the managers are not known
	Copy     string // the key by which the page copies the fight; empty: it doesn’t
}

// ComparedLine is a line of a comparison of two documents.
type ComparedLine struct {
	Mark   Mark
	Number int // in the newer document; for a removed line, in the older one
	Line   manifest.Line
	Left   int // instead of a line: this number of equal lines is left out
}

// Mark is the kind of a line: equal, added or removed.
type Mark string

// The marks.
const (
	Stays Mark = ""
	Came  Mark = "came"
	Went  Mark = "went"
)

// Comparison is a document with its differences from an older one.
type Comparison struct {
	Label string
	Lines []ComparedLine
}

// firstMark is the index of the first different line; -1: there is none.
func (c Comparison) firstMark() int {
	return slices.IndexFunc(c.Lines, func(l ComparedLine) bool { return l.Mark != Stays })
}

// Compared merges two documents: the lines of the newer one, and before them the lines of the older one that they replaced. Only around
// equal lines are shown before and after a difference. If around is negative, all are shown.
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

// comparing merges two documents.
type comparing struct {
	before    []manifest.Line
	next      int // the next line of before that isn't merged yet
	came, all []ComparedLine
}

// flush adds the removed lines up to a line of the older document, and the lines that replaced them.
func (c *comparing) flush(to int) {
	for ; c.next < to; c.next++ {
		c.all = append(c.all, ComparedLine{Mark: Went, Number: c.next + 1, Line: c.before[c.next]})
	}
	c.all = append(c.all, c.came...)
	c.came = nil
}

// folded leaves out equal lines that are not near a difference.
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
