package web_test

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	discoverylab "github.com/fieldmark/fieldmark/web/lab/discovery"
	"github.com/fieldmark/fieldmark/web/lab/watch"
)

// laboratories are the pages on which the API itself is tried out, as the server makes them and alive.
func (s sample) laboratories() map[string]templ.Component {
	in := func(tool string) shell.Model {
		m := s.shell(apipath.Path{})
		m.Tool = tool
		return m
	}
	watch := watch.Model{Frame: page.Frame{Shell: in(web.Watch)}, Options: watch.Options{Path: "/api/v1/pods", Begin: watch.Initial, As: watch.Objects}}
	unfit := watch
	unfit.Options.Path = s.text()
	pages := map[string]templ.Component{
		"in the watch laboratory": page.View(watch), "in the watch laboratory, unfit": page.View(unfit), "in the watch laboratory, alive": alive(watch, s.stream()...),
	}
	for name, m := range s.explored(in(web.Discovery)) {
		pages["in discovery, "+name] = page.View(m)
		pages["in discovery, alive, "+name] = alive(m)
	}
	return pages
}

// alive is a page after messages.
func alive(p page.Page, messages ...page.Msg) templ.Component {
	p, _ = p.Awake(time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC))
	for _, msg := range messages {
		p, _ = p.Update(msg)
		if works, is := p.(page.Working); is {
			for works.Work() {
			}
		}
	}
	return page.View(p)
}

// stream is what the watch laboratory hears of a stream that ends badly.
func (s sample) stream() []page.Msg {
	text, _ := json.Marshal(s.text())
	line := func(typ, object string) string { return fmt.Sprintf(`{"type":%q,"object":%s}`+"\n", typ, object) }
	object := fmt.Sprintf(`{"kind":%[1]s,"metadata":{"namespace":%[1]s,"name":%[1]s,"uid":%[1]s,"resourceVersion":%[1]s}}`, text)
	lines := line("ADDED", object) + line("BOOKMARK", `{"metadata":{"resourceVersion":"7","annotations":{"k8s.io/initial-events-end":"true"}}}`) +
		line("ERROR", fmt.Sprintf(`{"kind":"Status","code":410,"reason":%[1]s,"message":%[1]s}`, text))
	return []page.Msg{
		page.Acted{Action: "connect"},
		page.Opened{ID: "watch/1", Status: 200, At: time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)},
		page.Arrived{ID: "watch/1", Part: []byte(lines), Bytes: int64(len(lines)), After: time.Second},
		page.Ended{ID: "watch/1", How: page.Whole},
		page.Acted{Action: "show/1"},
		page.Acted{Action: "list-at/old"},
		page.Opened{ID: "probe/1", Status: 410},
		page.Ended{ID: "probe/1", How: page.Whole},
		page.Acted{Action: "race"},
		page.Acted{Action: "prove"},
		page.Tick{Now: time.Date(2026, 1, 2, 12, 0, 1, 0, time.UTC)},
	}
}

func (s sample) explored(in shell.Model) map[string]discoverylab.Model {
	pod := s.podType()
	notice := s.notice()
	return map[string]discoverylab.Model{
		"types": {Frame: page.Frame{Shell: in}, Query: discoverylab.Query{Tab: discoverylab.Types, Filter: s.text()}},
		"none":  {Frame: page.Frame{Shell: in, Problem: &notice}, Query: discoverylab.Query{Tab: discoverylab.Types}},
		"a type": {Frame: page.Frame{Shell: in}, Query: discoverylab.Query{Tab: discoverylab.Types, Type: "pods"}, Detail: &discoverylab.Detail{
			Name: s.text(), Versions: []discovery.Type{pod, pod}, Hashes: map[string]string{"v1": s.text()},
			Definition: &discoverylab.Definition{Name: s.text(), Conversion: s.text(), Stored: []string{s.text()}, Versions: []discoverylab.Defined{{Name: "v1", Deprecated: true, Warning: s.text(), Storage: true}}},
			Compared:   []string{s.text(), s.text()}, Differences: []schema.Difference{{Path: s.text(), In: []string{s.text(), ""}}}, Part: true,
		}},
		"documents":  {Frame: page.Frame{Shell: in}, Query: discoverylab.Query{Tab: discoverylab.OpenAPI}, Documents: []discoverylab.Document{{Name: s.text(), Path: "/openapi/v3/api/v1?hash=A", Hash: s.text()}}},
		"offers":     {Frame: page.Frame{Shell: in}, Query: discoverylab.Query{Tab: discoverylab.Offered}, Offers: []components.Feature{{Name: s.text(), Offered: "yes", Means: s.text(), Why: s.text(), Asked: s.text()}}},
		"deprecated": {Frame: page.Frame{Shell: in}, Query: discoverylab.Query{Tab: discoverylab.Deprecated}},
		"raw":        {Frame: page.Frame{Shell: in}, Query: discoverylab.Query{Tab: discoverylab.Raw}},
	}
}
