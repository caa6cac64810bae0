package check

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// departing is a client that goes away after a number of requests. Until then, the API server fails.
type departing struct{ left int }

func (l *departing) Send(check.Ask) check.Response {
	l.left--
	return check.Response{No: &status.Status{Code: status.CodeInternalError, Message: "The API server failed."}}
}

func (*departing) Schema(schema.Kind) *schema.Schema { return nil }

func (*departing) Each(n int, f func(int)) {
	for at := range n {
		f(at)
	}
}

func (l *departing) Over() bool { return l.left <= 0 }

// shownAfter is what the server shows of six documents if its client leaves after so many requests.
func shownAfter(t *testing.T, requests int) (Model, string) {
	t.Helper()
	m := Model{Frame: page.Frame{Shell: shell.Model{Cluster: shell.Cluster{Slug: "practice"}, Catalog: catalog}}, Options: Options{Manager: "me", Namespace: UsualNamespace}, Now: now}
	for range 6 {
		m.Text += configMap("web", "blue") + "---\n"
	}
	m.Judge(&departing{requests})
	var b strings.Builder
	if err := page.Main(m).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return m, strings.Join(strings.Fields(b.String()), " ")
}

func TestTheServerStopsWhenNobodyWaits(t *testing.T) {
	const each = 2 // requests: the live object and the dry run
	for requests, judged := range map[int]int{1: 0, each: 0, 2*each + 1: 2, 6*each + 1: 6} {
		m, shown := shownAfter(t, requests)
		if ended := judged < 6; len(m.Judged) != judged && requests > 0 || m.Ended != ended || strings.Contains(shown, "The check took too long, so the server stopped it.") != ended {
			t.Errorf("%d requests: %d documents judged, ended: %t\n%s", requests, len(m.Judged), m.Ended, shown)
		}
	}
	if m, shown := shownAfter(t, 0); len(m.Judged) != 0 || !strings.Contains(shown, "The text from here on was not read, because the check took too long.") {
		t.Error(shown)
	}
}
