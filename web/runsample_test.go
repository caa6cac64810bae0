package web_test

import (
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/podlog"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/views"
	"github.com/fieldmark/fieldmark/web/run/logs"
	"github.com/fieldmark/fieldmark/web/run/subject"
)

// logs are the pages of logs: with lines, live, and without.
func (s sample) logs() map[string]templ.Component {
	pages := map[string]templ.Component{}
	add := func(name string, change func(*logs.Model)) {
		m := s.log()
		change(&m)
		pages["in logs"+name] = page.View(m)
	}
	add("", func(*logs.Model) {})
	add(", columns", func(m *logs.Model) { m.Options.Columns = true })
	add(", filtered", func(m *logs.Model) {
		m.Options.Filter, m.Options.Container, m.Options.NoTimes = "nothing has this"+s.text(), s.text(), true
	})
	add(", no such pattern", func(m *logs.Model) { m.Options.Filter, m.Options.Pattern = "("+s.text(), true })
	add(", a line that is gone", func(m *logs.Model) {
		m.Options.Line = logs.Place{Pod: s.text(), Container: s.text(), Time: now.Add(-time.Hour)}
	})
	add(", forbidden", func(m *logs.Model) {
		m.Lines, m.Read[0].No = nil, &status.Status{Code: 403, Reason: status.Forbidden, Message: s.text()}
	})
	add(", no such container", func(m *logs.Model) { m.Lines, m.Read, m.Options.Container = nil, nil, "no"+s.text() })
	add(", waiting", func(m *logs.Model) {
		m.Lines, m.Read = nil, nil
		m.Found[0].Containers = []podlog.Container{{Name: s.text(), Waiting: s.text(), Message: s.text()}}
	})
	add(", no pods", func(m *logs.Model) { m.Lines, m.Read, m.Found = nil, nil, nil })
	add(", no selector", func(m *logs.Model) { m.Lines, m.Read, m.Found, m.Pods = nil, nil, nil, "" })
	add(", pods unknown", func(m *logs.Model) {
		n := s.notice()
		m.Lines, m.Read, m.Found, m.Problem = nil, nil, nil, &n
	})
	for name, o := range map[string]logs.Options{"": {}, ", wrapped": {Wrap: true}, ", columns": {Columns: true, Previous: true}} {
		m := s.log()
		m.Options = o
		live, _ := m.Awake(now)
		live, _ = live.Update(page.Scrolled{Height: 300, Width: 500})
		pages["in logs, live"+name] = page.View(live)
	}
	return pages
}

func (s sample) log() logs.Model {
	ended := podlog.Exit{Code: 1, Reason: s.text(), At: now}
	return logs.Model{
		Subject: subject.Subject{
			Frame: page.Frame{Shell: s.shell(apipath.Object("", "v1", "default", "pods", s.text()))}, Type: s.podType(), Object: s.object().Object, View: views.Logs, Now: now,
		},
		Pods: "/api/v1/namespaces/default/pods",
		Found: []podlog.Pod{{Namespace: "default", Name: s.text(), UID: "u", Node: s.text(), Containers: []podlog.Container{
			{Name: s.text(), Running: now, Restarts: 2, Before: &ended}, {Name: "second", Ended: &ended}, {Name: "third", Sort: podlog.Init, Waiting: s.text(), Message: s.text()},
		}}},
		Read: []logs.Read{{Pod: s.text(), Container: s.text()}, {Pod: s.text(), Container: "second"}},
		Lines: []podlog.Line{
			{Time: now, Text: s.text(), Level: podlog.Error, Lost: 5, Parts: []podlog.Part{{From: 0, To: len(s.text()), Style: podlog.Style{Color: podlog.Red, Bold: true}}}},
			{Time: now, Text: `{"msg":"a","level":"info"}`, Level: podlog.Info, Source: 1},
			{Time: now, Text: s.text(), Note: true},
		},
		Earlier: true,
	}
}
