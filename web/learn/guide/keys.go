package guide

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Keys implements page.Keyed. The browser handles Enter, because a link has the focus.
func (Model) Keys() []components.Key {
	return []components.Key{
		{Keys: []string{"j", "k"}, Does: "Next and previous lesson"},
		{Keys: []string{"Enter"}, Does: "Open the lesson"},
		{Keys: []string{"g", "G"}, Does: "First and last lesson"},
	}
}

// linkID is the id of a lesson's link in the list.
func linkID(lesson string) string { return "lesson-" + lesson }

// follow notes that a lesson got the focus without our keys.
func (m *Model) follow(id string) {
	if lesson, ok := strings.CutPrefix(id, linkID("")); ok {
		m.live.at = lesson
	}
}

// pressed moves among the lessons of the path.
func (m Model) pressed(key string) (page.Page, []page.Cmd) {
	at := slices.IndexFunc(m.chosen(), func(l Lesson) bool { return l.ID == m.live.at })
	switch key {
	case "j":
		return m.move(at + 1)
	case "k":
		return m.move(at - 1)
	case "g":
		return m.move(0)
	case "G":
		return m.move(len(m.chosen()) - 1)
	}
	return m, nil
}

func (m Model) move(to int) (page.Page, []page.Cmd) {
	lessons := m.chosen()
	if len(lessons) == 0 {
		return m, nil
	}
	m.live.at = lessons[min(max(to, 0), len(lessons)-1)].ID
	return m, []page.Cmd{page.Focus{ID: linkID(m.live.at)}, page.Reveal{ID: linkID(m.live.at)}}
}
