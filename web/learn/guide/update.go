package guide

import (
	"time"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/progress"
	"github.com/fieldmark/fieldmark/web/learn/standby"
	"github.com/fieldmark/fieldmark/words"
)

// Awake implements page.Page.
func (m Model) Awake(time.Time) (page.Page, []page.Cmd) { return m, nil }

// Keeps implements page.Keeper.
func (Model) Keeps() []string { return []string{progress.Key, progress.TasksKey} }

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	switch msg := msg.(type) {
	case page.Kept:
		m.take(msg.Values)
	case page.Addressed:
		m.Path, m.live.asked = ParsePath(msg.Query), asked{}
		return m, []page.Cmd{
			page.Remember{Address: m.pathAddress(m.Path)},
			page.Announce{Words: m.track().title + ": " + words.Count(int64(len(m.chosen())), "lesson", "lessons")},
		}
	case page.Acted:
		cmds := m.handleAction(msg.Action)
		return m, cmds
	case page.Loaded:
		cmds := m.loaded(msg)
		return m, cmds
	case page.Pressed:
		return m.pressed(msg.Key)
	case page.Focused:
		m.follow(msg.ID)
	case page.Tick:
		if m.Pending {
			return m, m.live.wait.Tick(m.pathAddress(m.Path))
		}
	case page.Response:
		if now, ok := standby.Read[Model](msg); ok {
			m.Waiting, m.Pending = now.Waiting, now.Pending
		}
	}
	return m, nil
}
