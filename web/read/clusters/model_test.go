package clusters

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
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

func TestThePageOfAStartingClusterCompletesByItself(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for _, refresh := range []bool{false, true} {
		p, did := Model{Refresh: refresh}.Awake(now)
		if len(did) != 0 {
			t.Errorf("waking up does %v", did)
		}
		var reloads []bool
		for range 6 {
			now = now.Add(time.Second)
			p, did = p.Update(page.Tick{Now: now})
			reloads = append(reloads, slices.Equal(did, []page.Cmd{page.Reload{}}))
		}
		if want := []bool{false, refresh, false, refresh, false, refresh}; !slices.Equal(reloads, want) {
			t.Errorf("refresh %v: reloads %v", refresh, reloads)
		}
		if _, did = p.Update(page.Pointed{Over: true}); len(did) != 0 {
			t.Errorf("the pointer does %v", did)
		}
		if _, did = p.Update(page.Addressed{}); !slices.Equal(did, []page.Cmd{page.Reload{}}) {
			t.Errorf("looking again does %v", did)
		}
	}
}

func TestThePageSurvivesJSON(t *testing.T) {
	for what, m := range map[string]Model{
		"nothing at all": {},
		"compiling":      {Entries: []Entry{{State: "compiling", Tone: components.Busy, Done: 312, Total: 1140}}, Refresh: true},
		"everything": {
			Shell:   shell.Model{Title: "Choose a cluster", Here: "/", Clusters: []shell.Cluster{{Slug: "a", Name: "A"}}},
			Entries: []Entry{{Cluster: shell.Cluster{Slug: "a", Name: "A & <b>"}, Server: "127.0.0.1:6443", State: "ready", Tone: components.Good, Words: "Connected.", Usable: true}},
			Steps:   []Step{{Name: "etcd", Words: "listens", State: "done", Tone: components.Good}, {Name: "nodes", State: "failed", Tone: components.Bad}},
			Trouble: []components.Notice{{Tone: components.Warn, Title: "Trouble", Details: []string{"x"}, Links: []components.Link{{Text: "On", Href: "/"}}}},
			Notes:   []string{"A note."}, Refresh: true, Log: []string{"# core", "x.go:1: <b>"},
		},
	} {
		text, err := json.Marshal(page.Embed(m))
		if err != nil {
			t.Fatal(err)
		}
		var back struct{ Page Model }
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if before, after := markup(t, m), markup(t, back.Page); before != after {
			t.Errorf("%s: was\n%s\nis\n%s", what, before, after)
		}
	}
}

func markup(t *testing.T, m Model) string {
	t.Helper()
	var b bytes.Buffer
	if err := m.View().Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
