package guide

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/standby"
)

func TestTheMapFollowsAPracticeClusterThatIsCompiled(t *testing.T) {
	p, _ := Model{Pending: true, Waiting: &components.Notice{Words: "312 of 1,140 packages"}}.Awake(time.Time{})
	p, _ = p.Update(page.Acted{Action: forget})
	asks := 0
	tick := func() {
		var did []page.Cmd
		p, did = p.Update(page.Tick{})
		asks += len(did)
	}
	hear := func(m Model) Model {
		body, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		p, _ = p.Update(page.Response{ID: standby.ID, Status: 200, Body: body})
		return p.(Model)
	}
	tick()
	tick()
	if m := hear(Model{Pending: true, Waiting: &components.Notice{Words: "700"}}); asks != 1 || m.Waiting.Words != "700" || !m.live.asked.forget {
		t.Errorf("on the way: %d questions, %+v", asks, m)
	}
	if m := hear(Model{}); m.Waiting != nil || m.Pending || !m.live.asked.forget {
		t.Errorf("ready: %+v", m)
	}
	tick()
	tick()
	if asks != 1 {
		t.Errorf("it asks %d times", asks)
	}
}
