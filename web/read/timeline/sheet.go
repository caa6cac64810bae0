package timeline

import (
	"slices"
	"strconv"

	"github.com/fieldmark/fieldmark/kube/timeline"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// sheet is a recording, with what the reader has selected in it.
type sheet struct {
	rec    *timeline.Recording
	shown  int // the newest version that is shown
	paused bool

	chosen  int    // the selected version; 0: the newest that is shown
	against int    // the version to compare with; 0: the one before
	shut    int    // a version whose changes are folded
	field   string // only steps that changed this field are listed; empty: all
	listed  int    // the most steps that are listed
	folded  bool   // the document shows only changed lines

	people  cast
	drawn   drawn
	written []written // the last documents that were written
}

func newSheet(rec *timeline.Recording) *sheet { return &sheet{rec: rec, listed: olderSteps} }

// catchUp shows all new versions, unless the reader has paused.
func (s *sheet) catchUp() {
	if !s.paused {
		s.shown = s.rec.Last()
	}
}

// first is the oldest version that is kept.
func (s *sheet) first() int { return s.rec.Dropped() + 1 }

// newest is the newest version that is shown. If new versions are not shown for long, it may be deleted; then the oldest one that is kept is shown.
func (s *sheet) newest() int { return min(max(s.shown, s.first()), s.rec.Last()) }

// waiting is the number of new versions that are not shown yet.
func (s *sheet) waiting() int { return s.rec.Last() - s.newest() }

// current is the selected version.
func (s *sheet) current() int {
	if s.chosen == 0 {
		return s.newest()
	}
	return min(max(s.chosen, s.first()), s.newest())
}

// selected is the selected version; 0: the sheet has no versions.
func (s *sheet) selected() int {
	if s.rec.Last() == 0 {
		return 0
	}
	return s.current()
}

// base is the version that the selected one is compared with; 0: there is none.
func (s *sheet) base() int { return s.baseOf(s.current(), s.newest()) }

// baseOf is the base of a version, if newest is the newest version that is shown.
func (s *sheet) baseOf(n, newest int) int {
	if s.against >= s.first() && s.against <= newest && s.against != n {
		return s.against
	}
	if before := n - 1; before >= s.first() {
		return before
	}
	return 0
}

// follows tells whether the newest version is always selected.
func (s *sheet) follows() bool { return !s.paused && s.chosen == 0 }

// prepare writes one of the documents that the page will show when a version is the newest. It returns false if all are written.
func (s *sheet) prepare(newest int, managed bool) bool {
	for _, n := range []int{s.baseOf(newest, newest), newest} {
		if _, ok := s.have(n, managed); n != 0 && !ok {
			_, _ = s.lines(n, managed) // an error is kept, too
			return true
		}
	}
	return false
}

// number reads a version's number; 0 if the text isn't a number.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// choose selects a version. If it is the newest, newer versions will be selected when they arrive.
func (s *sheet) choose(n int) {
	s.chosen, s.shut = n, 0
	if n >= s.newest() {
		s.chosen = 0
	}
}

// press selects the version of a step, or folds its changes if it is selected.
func (s *sheet) press(text string) []page.Cmd {
	n := number(text)
	if n == s.current() {
		if s.shut == n {
			n = 0
		}
		s.shut = n
		return nil
	}
	s.chosen, s.shut = n, 0
	return s.reveal()
}

// reveal scrolls to the selected step, and to the first change in the document.
func (s *sheet) reveal() []page.Cmd {
	return []page.Cmd{page.Reveal{ID: "version-" + strconv.Itoa(s.current())}, page.Reveal{ID: "first-mark"}}
}

// pin compares all versions with the selected one from now on, or no longer.
func (s *sheet) pin() {
	if s.against != 0 {
		s.against = 0
		return
	}
	s.against = s.current()
}

// only lists only the steps that changed a field, and selects the last of them. If it did already, it lists all steps again.
func (s *sheet) only(path string) {
	if s.field == path {
		path = ""
	}
	s.field, s.listed = path, olderSteps
	if numbers := s.steps(); len(numbers) > 0 && !slices.Contains(numbers, s.current()) {
		s.choose(numbers[0])
	}
}

// pause stops showing new versions, which are still recorded, or shows them again.
func (s *sheet) pause() []page.Cmd {
	s.paused = !s.paused
	if s.paused {
		return []page.Cmd{page.Announce{Words: "Paused. New versions are recorded, but not shown"}}
	}
	s.catchUp()
	return []page.Cmd{page.Announce{Words: "Continued"}}
}

// walk selects another step by a key. It returns false if the key has no meaning here.
func (s *sheet) walk(key string) bool {
	numbers := s.steps()
	at := slices.Index(numbers, s.current())
	switch key {
	case "j":
		at++
	case "k":
		at--
	case "g":
		at = 0
	case "G":
		at = len(numbers) - 1
	default:
		return false
	}
	if len(numbers) == 0 {
		return false
	}
	s.chosen, s.shut = numbers[min(max(at, 0), len(numbers)-1)], 0
	return true
}

// steps are the numbers of the listed versions, the newest first.
func (s *sheet) steps() []int {
	var numbers []int
	for n := s.newest(); n >= s.first() && len(numbers) < s.listed; n-- {
		if v, ok := s.rec.Find(n); ok && (s.field == "" || v.Touches(s.field)) {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// older is the number of versions that are older than the listed ones.
func (s *sheet) older(listed []int) int {
	if s.field != "" && len(listed) < s.listed || len(listed) == 0 {
		return 0
	}
	return listed[len(listed)-1] - s.first()
}
