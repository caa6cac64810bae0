package watch

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	frame := s.Shell(apipath.Path{})
	frame.Tool = web.Watch
	watch := Model{Frame: page.Frame{Kind: Kind, Shell: frame}, Options: Options{Path: "/api/v1/pods", Begin: Initial, As: Objects}}
	unfit := watch
	unfit.Options.Path = s.String()
	return map[string]page.Page{
		"in the watch laboratory": watch, "in the watch laboratory, unfit": unfit, "in the watch laboratory, alive": pagetest.Live(watch, streamed(s)...),
	}
}

// streamed is what the watch laboratory hears of a stream that ends badly.
func streamed(s pagetest.Text) []page.Msg {
	text, _ := json.Marshal(s.String())
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
