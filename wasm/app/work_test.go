package app

import (
	"testing"

	"github.com/fieldmark/fieldmark/web/frame/page"
)

// shift is a page with work, which has more once it hears that all is done.
type shift struct {
	page.Page
	left, more *int
}

func (s shift) Work() bool {
	if *s.left == 0 {
		return false
	}
	*s.left--
	return true
}

func (s shift) Update(m page.Msg) (page.Page, []page.Cmd) {
	if _, over := m.(page.Worked); over {
		*s.left, *s.more = *s.more, 0
	}
	return s, nil
}

// TestWorkThatBeginsWhenWorkIsOverIsDone, though nothing else happens.
func TestWorkThatBeginsWhenWorkIsOverIsDone(t *testing.T) {
	b := start(t, pods("a"), here)
	b.settle()
	left, more := 3, 2
	b.page = shift{b.page, &left, &more}
	b.drain()
	if left+more > 0 {
		t.Errorf("%d parts are left, and %d were not begun", left, more)
	}
}
