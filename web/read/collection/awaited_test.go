package collection

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/web/frame/page"
)

func TestRowsOnTheirWayAreStoodInForUnlessSomeAreThere(t *testing.T) {
	left := int64(1500)
	for what, c := range map[string]struct {
		query string
		want  bool
	}{
		"none of the first chunk passes the filter": {"filter=nosuch", true},
		"some do":   {"filter=web", false},
		"no filter": {"", false},
	} {
		m, _ := awake(t, "/api/v1/pods", c.query, func(m *Model) { m.Table.Continue, m.Table.Remaining = "tok", &left })
		var b strings.Builder
		if err := page.Main(m).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(b.String(), "Pods are loading"); got != c.want || strings.Contains(b.String(), `class="notice`) {
			t.Errorf("%s: rows are stood in for: %t\n%s", what, got, b.String())
		}
	}
}
