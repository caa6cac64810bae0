package watched

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func html(t *testing.T, p page.Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := page.Main(p).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func seen(state report.State, kept int) report.Watched {
	return report.Watched{
		Object: report.Object{Path: "/apis/apps/v1/namespaces/shop/deployments/web", Kind: "Deployment", Namespace: "shop", Name: "web"},
		Began:  noon.Add(-time.Hour), Ends: noon.Add(11 * time.Hour), State: state, Kept: kept,
	}
}

func TestTheListIsKeptCurrent(t *testing.T) {
	var m page.Page = Model{Objects: []report.Watched{seen(report.Followed, 1)}, Bounds: Bounds{8, 12, 500, 4}}
	m, _ = m.Awake(noon)
	if text := html(t, m); !strings.Contains(text, "none yet") || !strings.Contains(text, "up to 8 objects of a session for 12 hours each") {
		t.Error(text)
	}
	m, did := m.Update(page.Tick{Now: noon.Add(time.Second)})
	if len(did) != 0 {
		t.Errorf("it asks at once: %+v", did)
	}
	m, did = m.Update(page.Tick{Now: noon.Add(every)})
	if len(did) != 1 || !strings.HasSuffix(did[0].(page.Ask).Address, "/-/watched?look=1") {
		t.Fatalf("%+v", did)
	}
	m, _ = m.Update(page.Response{ID: asking, Status: 502})
	if text := html(t, m); !strings.Contains(text, "trying again") {
		t.Error(text)
	}
	m, _ = m.Update(page.Response{ID: asking, Status: 200, Body: []byte(`[{"object":{"path":"/p","name":"web"},"state":"followed","kept":3,"changes":2}]`)})
	if text := html(t, m); !strings.Contains(text, `<td class="number">2</td>`) || strings.Contains(text, "trying again") {
		t.Error(text)
	}
	m, _ = m.Update(page.Response{ID: asking, Status: 200, Body: []byte(`[]`)})
	if text := html(t, m); !strings.Contains(text, "No object is watched") {
		t.Error(text)
	}
}

func TestStates(t *testing.T) {
	for want, w := range map[string]report.Watched{
		"watching": seen(report.Followed, 1), "no such object yet": seen(report.Followed, 0), "interrupted": seen(report.Troubled, 1),
		"refused": seen(report.Refused, 0), "time is over": seen(report.Ended, 1), "connecting": seen(report.Reading, 0),
	} {
		if _, got := State(w); got != want {
			t.Errorf("%+v: %s, want %s", w, got, want)
		}
	}
}
