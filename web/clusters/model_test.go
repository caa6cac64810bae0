package clusters

import (
	"slices"
	"testing"

	"github.com/fieldmark/fieldmark/web/shell"
)

func TestACardSaysOnlyWhatIsKnown(t *testing.T) {
	for _, c := range []struct {
		entry Entry
		want  []string
	}{
		{Entry{}, nil},
		{Entry{Server: "127.0.0.1:6443", Version: "v1.37.1", User: "admin", Source: "/x/config"}, []string{"server", "version", "user", "from"}},
		{Entry{Source: "/x/config"}, []string{"from"}},
	} {
		var got []string
		for _, f := range c.entry.facts() {
			got = append(got, f.Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.entry, got, c.want)
		}
	}
}

func TestACardLeadsToTheSlug(t *testing.T) {
	e := Entry{Cluster: shell.Cluster{Slug: "arn-aws-1a2b3c4d", Name: "arn:aws/…"}}
	if got := e.href(); got != "/c/arn-aws-1a2b3c4d" {
		t.Errorf("got %s", got)
	}
}
