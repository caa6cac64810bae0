package guide

import (
	"time"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/progress"
	"github.com/fieldmark/fieldmark/web/learn/standby"
	"github.com/fieldmark/fieldmark/words"
)

// What the buttons of the map do, and their ids.
const (
	forget     = "forget"
	forgetDone = "forget-now"
	forgetNot  = "forget-not"
)

// Awake implements page.Page.
func (m Model) Awake(time.Time) (page.Page, []page.Cmd) { return m, nil }

// Keeps implements page.Keeper.
func (Model) Keeps() []string { return []string{progress.Key, progress.TasksKey} }

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	switch msg := msg.(type) {
	case page.Kept:
		book := progress.Read(msg.Values[progress.Key])
		m.live.book, m.live.tasks = &book, progress.ReadTasks(msg.Values[progress.TasksKey])
	case page.Addressed:
		m.Path, m.live.asking = ParsePath(msg.Query), false
		return m, []page.Cmd{
			page.Remember{Address: m.pathAddress(m.Path)},
			page.Announce{Words: m.track().title + ": " + words.Count(int64(len(m.chosen())), "lesson", "lessons")},
		}
	case page.Acted:
		return m.handleAction(msg.Action)
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

func (m Model) handleAction(action string) (page.Page, []page.Cmd) {
	switch action {
	case forget:
		m.live.asking = true
		return m, []page.Cmd{page.Focus{ID: forgetNot}}
	case forgetNot:
		m.live.asking = false
		return m, []page.Cmd{page.Focus{ID: forget}}
	case forgetDone:
		m.live.asking, m.live.book, m.live.tasks = false, &progress.Book{}, nil
		return m, []page.Cmd{page.Keep{Key: progress.Key}, page.Keep{Key: progress.TasksKey}, page.Focus{ID: "main"}, page.Announce{Words: "Progress is forgotten"}}
	}
	return m, nil
}
