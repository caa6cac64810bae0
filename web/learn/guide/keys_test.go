package guide

import (
	"slices"
	"testing"

	"github.com/fieldmark/fieldmark/web/frame/page"
)

func TestKeysMoveAmongTheLessonsOfThePath(t *testing.T) {
	m := some()
	tell := func(msg page.Msg) []page.Cmd {
		p, commands := m.Update(msg)
		m = p.(Model)
		return commands
	}
	press := func(key, want string) {
		t.Helper()
		commands := tell(page.Pressed{Key: key})
		if !slices.Equal(commands, []page.Cmd{page.Focus{ID: "lesson-" + want}, page.Reveal{ID: "lesson-" + want}}) {
			t.Errorf("%s: %v", key, commands)
		}
	}
	press("j", "kinds")
	press("k", "kinds")
	press("j", "paths")
	press("G", "fields")
	press("j", "fields")
	press("k", "watch")
	press("g", "kinds")
	tell(page.Focused{ID: "lesson-watch"})
	tell(page.Focused{ID: "how-far"})
	press("k", "paths")
	m.Path = "operators"
	press("k", "paths")
	press("j", "watch")
	m.Path = "beginners" // without the one that the keyboard was on
	press("k", "kinds")
	m.Path = "controller-authors"
	if commands := append(tell(page.Pressed{Key: "j"}), tell(page.Pressed{Key: "s"})...); len(commands) > 0 {
		t.Errorf("without lessons: %v", commands)
	}
}
