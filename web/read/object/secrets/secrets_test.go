package secrets

import (
	"net/url"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/web/read/object/tab"
)

func about(t *testing.T) tab.About {
	t.Helper()
	p, err := apipath.Parse("/api/v1/namespaces/shop/secrets/login")
	if err != nil {
		t.Fatal(err)
	}
	return tab.About{Path: p, Cluster: "practice", Query: url.Values{"tab": {"yaml"}}}
}

func show(t *testing.T, m Model, a tab.About) string {
	t.Helper()
	var b strings.Builder
	if err := Show(m, a).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// One value shows at a time, and none once the object changed. An older Model still shows what it did.
func TestAValueIsHiddenOnceTheObjectChanged(t *testing.T) {
	a := about(t)
	shown := Model{Values: []object.SecretValue{{Key: "password", Bytes: 3}, {Key: "user", Bytes: 4}}, Reveal: &Revealed{Key: "password", Text: "abc"}}
	hidden := shown.Hide()
	if got := show(t, shown, a); !strings.Contains(got, ">abc</pre>") || !strings.Contains(got, "?reveal=user&amp;tab=yaml") {
		t.Error(got)
	}
	got := show(t, hidden, a)
	if strings.Contains(got, ">abc<") || !strings.Contains(got, "Select Show again") || strings.Count(got, "Select Show again") != 1 {
		t.Error(got)
	}
	a.Gone = true
	if got := show(t, hidden, a); !strings.Contains(got, "the Secret was deleted") || strings.Contains(got, "reveal=") {
		t.Error(got)
	}
	if Address(a, "user"); a.Query.Has("reveal") {
		t.Error("the page's own query has changed")
	}
}
