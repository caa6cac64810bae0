package events

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/health"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

var noon = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

func sample() Model {
	pod := health.Ref{Kind: "Pod", Namespace: "shop", Name: "web-1", Path: "/api/v1/namespaces/shop/pods/web-1"}
	return Model{
		Frame: page.Frame{Shell: shell.Model{Title: "Cluster events", Cluster: shell.Cluster{Slug: "practice"}, Namespaces: []string{"shop"}}}, Read: noon, Events: 7,
		Groups: []health.EventGroup{
			{About: pod, Reason: "BackOff", Warning: true, Count: 1200, First: noon.Add(-time.Hour), Last: noon.Add(-time.Minute), Message: "Back-off <b>", Others: 2},
			{About: health.Ref{Kind: "Gone", Name: "x"}, Reason: "Pulled", Count: 1},
		},
	}
}

func shown(t *testing.T, m Model) string {
	t.Helper()
	var b strings.Builder
	if err := page.Main(m).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGroups(t *testing.T) {
	got := shown(t, sample())
	for _, want := range []string{
		`href="/c/practice/api/v1/namespaces/shop/pods/web-1?tab=events">pod/web-1</a>`, "1,200", "Back-off &lt;b&gt;", "and 2 other messages", "60s ago",
		"60m ago", "gone/x", "2 groups, 1 of warnings", "Fieldmark read 7 Events, as of 12:00:00 UTC.", "(warning)",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
}

func TestWhatIsMissing(t *testing.T) {
	m := sample()
	for rest, want := range map[int64]string{0: "By default", 12: "12 more Events. It sorts them by name", -1: "The server has more."} {
		if m.Rest = rest; !strings.Contains(m.readSummary(), want) {
			t.Errorf("%d: %s", rest, m.readSummary())
		}
	}
	m.Groups = make([]health.EventGroup, MostGroups+5)
	if got := shown(t, m); strings.Count(got, "data-reason") != MostGroups || !strings.Contains(got, "the first 200 of 205 groups") {
		t.Error(m.readSummary())
	}
	m.Groups = nil
	if got := shown(t, m); !strings.Contains(got, "No events") {
		t.Error(got)
	}
	m.Query.Warnings = true
	if got := shown(t, m); !strings.Contains(got, "No warnings") || !strings.Contains(got, "Show all events") {
		t.Error(got)
	}
	m.Problem = &components.Notice{Title: "You don’t have permission"}
	if got := shown(t, m); !strings.Contains(got, "have permission") || strings.Contains(got, "Fieldmark read") {
		t.Error(got)
	}
}

func TestQuery(t *testing.T) {
	m := sample()
	for given, want := range map[string]string{"": "", "namespace=shop&warnings=1": "?namespace=shop&warnings=1", "namespace=../x&warnings=yes": ""} {
		query, _ := url.ParseQuery(given)
		if got := m.queryAddress(ParseQuery(query)); got != "/c/practice/-/events"+want {
			t.Errorf("%s: %s", given, got)
		}
	}
	m.Query = Query{Namespace: "other", Warnings: true}
	if got := m.collection(); got != "/c/practice/api/v1/namespaces/other/events?fieldSelector=type%3DWarning" {
		t.Error(got)
	}
	if got := m.namespaces(); len(got) != 2 || got[1] != "other" {
		t.Errorf("%v", got)
	}
	woken, _ := m.Awake(noon)
	if _, did := woken.Update(page.Addressed{Query: url.Values{"namespace": {"other"}, "warnings": {"1"}}}); did[0] != (page.Reload{}) {
		t.Errorf("%v", did)
	}
	if _, did := woken.Update(page.Addressed{Query: url.Values{}}); did[0] != (page.Navigate{Address: "/c/practice/-/events"}) {
		t.Errorf("%v", did)
	}
}
