package logs

import (
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/podlog"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/views"
	"github.com/fieldmark/fieldmark/web/pagetest"
	"github.com/fieldmark/fieldmark/web/run/subject"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	pages := map[string]page.Page{}
	add := func(name string, change func(*Model)) {
		m := log(s)
		change(&m)
		pages["in logs"+name] = m
	}
	add("", func(*Model) {})
	add(", columns", func(m *Model) { m.Options.Columns = true })
	add(", filtered", func(m *Model) {
		m.Options.Filter, m.Options.Container, m.Options.NoTimes = "nothing has this"+s.String(), s.String(), true
	})
	add(", no such pattern", func(m *Model) { m.Options.Filter, m.Options.Pattern = "("+s.String(), true })
	add(", a line that is gone", func(m *Model) {
		m.Options.Line = Place{Pod: s.String(), Container: s.String(), Time: pagetest.Now.Add(-time.Hour)}
	})
	add(", forbidden", func(m *Model) {
		m.Lines, m.Read[0].No = nil, &status.Status{Code: 403, Reason: status.Forbidden, Message: s.String()}
	})
	add(", no such container", func(m *Model) { m.Lines, m.Read, m.Options.Container = nil, nil, "no"+s.String() })
	add(", waiting", func(m *Model) {
		m.Lines, m.Read = nil, nil
		m.Found[0].Containers = []podlog.Container{{Name: s.String(), Waiting: s.String(), Message: s.String()}}
	})
	add(", no pods", func(m *Model) { m.Lines, m.Read, m.Found = nil, nil, nil })
	add(", no selector", func(m *Model) { m.Lines, m.Read, m.Found, m.Pods = nil, nil, nil, "" })
	add(", pods unknown", func(m *Model) {
		n := s.Notice()
		m.Lines, m.Read, m.Found, m.Problem = nil, nil, nil, &n
	})
	for name, o := range map[string]Options{"": {}, ", wrapped": {Wrap: true}, ", columns": {Columns: true, Previous: true}} {
		m := log(s)
		m.Options = o
		live, _ := m.Awake(pagetest.Now)
		live, _ = live.Update(page.Scrolled{Height: 300, Width: 500})
		pages["in logs, live"+name] = live
	}
	return pages
}

func log(s pagetest.Text) Model {
	ended := podlog.Exit{Code: 1, Reason: s.String(), At: pagetest.Now}
	return Model{
		Subject: subject.Subject{
			Frame: page.Frame{Kind: Kind, Shell: s.Shell(apipath.Object("", "v1", "default", "pods", s.String()))}, Type: s.PodType(), Object: s.Object(), View: views.Logs, Now: pagetest.Now,
		},
		Pods: "/api/v1/namespaces/default/pods",
		Found: []podlog.Pod{{Namespace: "default", Name: s.String(), UID: "u", Node: s.String(), Containers: []podlog.Container{
			{Name: s.String(), Running: pagetest.Now, Restarts: 2, Before: &ended}, {Name: "second", Ended: &ended}, {Name: "third", Sort: podlog.Init, Waiting: s.String(), Message: s.String()},
		}}},
		Read: []Read{{Pod: s.String(), Container: s.String()}, {Pod: s.String(), Container: "second"}},
		Lines: []podlog.Line{
			{Time: pagetest.Now, Text: s.String(), Level: podlog.Error, Lost: 5, Parts: []podlog.Part{{From: 0, To: len(s.String()), Style: podlog.Style{Color: podlog.Red, Bold: true}}}},
			{Time: pagetest.Now, Text: `{"msg":"a","level":"info"}`, Level: podlog.Info, Source: 1},
			{Time: pagetest.Now, Text: s.String(), Note: true},
		},
		Earlier: true,
	}
}
