package learn

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/identity"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web"
)

// known are clusters with a practice cluster, and one of somebody.
func known(t *testing.T) *cluster.Registry {
	t.Helper()
	clusters := cluster.New(cluster.Options{})
	for name, origin := range map[string]cluster.Origin{cluster.Practice: cluster.FromPractice, "prod": cluster.FromKubeconfig} {
		file := filepath.Join(t.TempDir(), name)
		text := "apiVersion: v1\nkind: Config\ncurrent-context: NAME\ncontexts: [{name: NAME, context: {cluster: c, user: u}}]\nclusters: [{name: c, cluster: {server: 'https://127.0.0.1:1'}}]\nusers: [{name: u, user: {token: t}}]\n"
		if err := os.WriteFile(file, []byte(strings.ReplaceAll(text, "NAME", name)), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := clusters.AddFile(file, origin); err != nil {
			t.Fatal(err)
		}
	}
	return clusters
}

// A task writes on behalf of a session. A session that only reads, or that views a cluster as somebody else, must not begin one.
func TestReadOnly_TasksAreOnlyRead(t *testing.T) {
	clusters := known(t)
	practice, _ := clusters.Get(cluster.Practice)
	prod, _ := clusters.Get("prod")
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, web.Task("handing-over"), strings.NewReader(url.Values{"act": {"begin"}}.Encode()))
	for name, c := range map[string]struct {
		readOnly bool
		who      identity.Visitor
		on       *cluster.Cluster
		want     string
	}{
		"anybody":                   {on: practice},
		"another cluster":           {on: prod, want: "practice cluster"},
		"no cluster":                {want: "practice cluster"},
		"a read-only Fieldmark":     {readOnly: true, on: practice, want: "read-only"},
		"a session that only reads": {who: identity.Visitor{ReadOnly: "Your group only reads."}, on: practice, want: "Your group only reads."},
		"as somebody else":          {who: identity.Visitor{View: identity.View{Cluster: cluster.Practice}}, on: practice, want: "as somebody else"},
	} {
		p := Pages{visit.New(visit.Options{ReadOnly: c.readOnly, Who: func(*http.Request) identity.Visitor { return c.who }})}
		if got := p.unable(r, c.on); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
