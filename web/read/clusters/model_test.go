package clusters

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web"
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
		{Entry{Source: "/b", Parts: twoFiles}, []string{"context from", "cluster from", "user from"}},
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

// twoFiles are the entries of a context of a second file, whose cluster and user have the same names as those of the first file.
var twoFiles = []Part{
	{Kind: "context", Name: "b", File: "/b"},
	{Kind: "cluster", Name: "kubernetes", File: "/a", LeftOut: []LeftOut{{File: "/b"}, {File: "/c"}}},
	{Kind: "user", Name: "admin", File: "/a", LeftOut: []LeftOut{{File: "/b", Same: true}}},
}

func TestACardSaysWhatWasLeftOut(t *testing.T) {
	for name, c := range map[string]struct {
		source string
		parts  []Part
		says   []string
		advice string
	}{
		"a context of the second file": {
			"/b", twoFiles, []string{
				"Several files have the cluster “kubernetes”. The entry of /a counts, because this file comes first. Left out: /b, /c.",
				"Several files have the user “admin”. The entry of /a counts, because this file comes first. Left out: /b (the same).",
			}, "So this context doesn’t use the cluster of its own file. kubectl does the same. Give the entry of this file another name, and correct the context.",
		},
		"a context of the first file": {"/a", twoFiles[1:2], []string{"Several files have the cluster “kubernetes”. The entry of /a counts, because this file comes first. Left out: /b, /c."}, ""},
		"one file":                    {"/a", Parted([]Part{{Kind: "context", Name: "a", File: "/a"}, {Kind: "cluster", Name: "k", File: "/a"}, {Kind: "user", Name: "none"}}), nil, ""},
		"two files, no two of a name": {"/a", Parted([]Part{{Kind: "context", Name: "a", File: "/a"}, {Kind: "cluster", Name: "k", File: "/b"}}), nil, ""},
	} {
		e := Entry{Source: c.source, Parts: c.parts}
		if !slices.Equal(e.leftOut(), c.says) || e.foreign() != c.advice {
			t.Errorf("%s: %q, %q", name, e.leftOut(), e.foreign())
		}
	}
	if Parted([]Part{{File: "/a"}, {File: "/a"}}) != nil || Parted(nil) != nil || len(Parted([]Part{{File: "/a"}, {File: "/b"}})) != 2 {
		t.Error("one file is said to be several, or several one")
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

func TestThePageFollowsTheKubeconfig(t *testing.T) {
	for name, c := range map[string]struct {
		model    Model
		response page.Response
		asks     bool
		reloads  bool
	}{
		"the same":       {Model{Revision: "7"}, page.Response{Status: 200, Body: []byte("7")}, true, false},
		"another":        {Model{Revision: "7"}, page.Response{Status: 200, Body: []byte("8")}, true, true},
		"no response":    {Model{Revision: "7"}, page.Response{}, true, false},
		"refused":        {Model{Revision: "7"}, page.Response{Status: 401, Body: []byte("sign in")}, true, false},
		"people sign in": {Model{Revision: "7", Shared: true}, page.Response{}, false, false},
	} {
		p := page.Page(c.model)
		tick := func(times int) (asked int) {
			for range times {
				var did []page.Cmd
				p, did = p.Update(page.Tick{})
				if slices.Contains(did, page.Cmd(page.Ask{ID: revisionID, Address: web.Contexts, Accept: "text/plain"})) {
					asked++
				}
			}
			return asked
		}
		if asked := tick(6); (asked == 1) != c.asks || asked > 1 {
			t.Errorf("%s: %d requests at the same time", name, asked)
		}
		if !c.asks {
			continue
		}
		c.response.ID = revisionID
		var did []page.Cmd
		if p, did = p.Update(c.response); slices.Equal(did, []page.Cmd{page.Reload{}}) != c.reloads {
			t.Errorf("%s: %v", name, did)
		}
		if tick(2) != 1 {
			t.Errorf("%s: the page asks no more", name)
		}
	}
}

func TestThePageSurvivesJSON(t *testing.T) {
	for what, m := range map[string]Model{
		"nothing at all": {},
		"compiling":      {Entries: []Entry{{State: "compiling", Tone: components.Busy, Done: 312, Total: 1140}}, Refresh: true},
		"everything": {
			Frame:   page.Frame{Shell: shell.Model{Title: "Choose a cluster", Here: "/", Clusters: []shell.Cluster{{Slug: "a", Name: "A"}}}},
			Entries: []Entry{{Cluster: shell.Cluster{Slug: "a", Name: "A & <b>"}, Server: "127.0.0.1:6443", State: "ready", Tone: components.Good, Words: "Connected.", Usable: true}},
			Steps:   []Step{{Name: "etcd", Words: "listens", State: "done", Tone: components.Good}, {Name: "nodes", State: "failed", Tone: components.Bad}},
			Trouble: []components.Notice{{Tone: components.Warn, Title: "Trouble", Details: []string{"x"}, Links: []components.Link{{Text: "On", Href: "/"}}}},
			Notes:   []string{"A note."}, Refresh: true, Log: []string{"# core", "x.go:1: <b>"},
		},
	} {
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var back Model
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if before, after := markup(t, m), markup(t, back); before != after {
			t.Errorf("%s: was\n%s\nis\n%s", what, before, after)
		}
	}
}

func markup(t *testing.T, m Model) string {
	t.Helper()
	var b bytes.Buffer
	if err := page.View(m).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
