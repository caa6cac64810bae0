package timeline

import (
	"slices"
	"strconv"

	"github.com/fieldmark/fieldmark/kube/timeline"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// sheet is a recording, and what of it the reader looks at.
type sheet struct {
	rec    *timeline.Recording
	shown  int // the newest version that is shown
	paused bool

	chosen  int    // the version that the reader looks at; 0: the newest that is shown
	against int    // the one that it is compared with; 0: the one before
	shut    int    // a version whose changes the reader has folded away
	field   string // only the steps that changed it are listed; empty: all
	listed  int    // how many steps are listed at most
	folded  bool   // of the document only what changed is shown

	people  cast
	drawn   drawn
	written []written // the documents that were written out last
}

func newSheet(rec *timeline.Recording) *sheet { return &sheet{rec: rec, listed: olderSteps} }

// catchUp shows all that has come, unless the reader wants to be left in peace.
func (s *sheet) catchUp() {
	if !s.paused {
		s.shown = s.rec.Last()
	}
}

// first is the oldest version that is kept.
func (s *sheet) first() int { return s.rec.Dropped() + 1 }

// newest is the newest version that is shown. While nothing is shown that comes, it may fall out.
func (s *sheet) newest() int { return min(max(s.shown, s.first()), s.rec.Last()) }

// waiting is how many versions have come that are not shown.
func (s *sheet) waiting() int { return s.rec.Last() - s.newest() }

// current is the version that the reader looks at.
func (s *sheet) current() int {
	if s.chosen == 0 {
		return s.newest()
	}
	return min(max(s.chosen, s.first()), s.newest())
}

// base is the version that it is compared with; 0: there is none.
func (s *sheet) base() int { return s.baseOf(s.current(), s.newest()) }

// baseOf is what a version is compared with, when another is the newest that is shown.
func (s *sheet) baseOf(n, newest int) int {
	if s.against >= s.first() && s.against <= newest && s.against != n {
		return s.against
	}
	if before := n - 1; before >= s.first() {
		return before
	}
	return 0
}

// follows tells whether the reader looks at whatever is the newest.
func (s *sheet) follows() bool { return !s.paused && s.chosen == 0 }

// prepare writes out one of the documents that will be shown once a version is the newest, and tells whether any was missing.
func (s *sheet) prepare(newest int, managed bool) bool {
	for _, n := range []int{s.baseOf(newest, newest), newest} {
		if _, ok := s.have(n, managed); n != 0 && !ok {
			_, _ = s.lines(n, managed) // why it can't be written is kept as well
			return true
		}
	}
	return false
}

// number reads a version's number; 0 where it is none.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// choose looks at a version; the newest one goes on being the newest.
func (s *sheet) choose(n int) {
	s.chosen, s.shut = n, 0
	if n >= s.newest() {
		s.chosen = 0
	}
}

// press looks at the version of a step, or folds away what changed in it.
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

// reveal brings into sight what is looked at: the step, and in the document what changed.
func (s *sheet) reveal() []page.Cmd {
	return []page.Cmd{page.Reveal{ID: "version-" + strconv.Itoa(s.current())}, page.Reveal{ID: "first-mark"}}
}

// pin compares all that is looked at from now on with what is looked at now; or no longer.
func (s *sheet) pin() {
	if s.against != 0 {
		s.against = 0
		return
	}
	s.against = s.current()
}

// only lists the steps that changed a field, and looks at the last of them; or lists all again.
func (s *sheet) only(path string) {
	if s.field == path {
		path = ""
	}
	s.field, s.listed = path, olderSteps
	if numbers := s.steps(); len(numbers) > 0 && !slices.Contains(numbers, s.current()) {
		s.choose(numbers[0])
	}
}

// pause leaves the page as it is while versions go on being recorded; or goes on.
func (s *sheet) pause() []page.Cmd {
	s.paused = !s.paused
	if s.paused {
		return []page.Cmd{page.Announce{Words: "Paused. New versions are recorded, but not shown"}}
	}
	s.catchUp()
	return []page.Cmd{page.Announce{Words: "Continued"}}
}

// walk moves to another step by a key; false where the key means nothing.
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

// steps are the numbers of the versions that are listed, the newest first.
func (s *sheet) steps() []int {
	var numbers []int
	for n := s.newest(); n >= s.first() && len(numbers) < s.listed; n-- {
		if v, ok := s.rec.Find(n); ok && (s.field == "" || v.Touches(s.field)) {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// older is how many versions are shown, and not listed.
func (s *sheet) older(listed []int) int {
	if s.field != "" && len(listed) < s.listed || len(listed) == 0 {
		return 0
	}
	return listed[len(listed)-1] - s.first()
}
