package clusters

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
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

// Another order, part or query is another request to the server, and what is typed becomes the address.
func TestTheTableIsChosenByItsAddress(t *testing.T) {
	m := Model{List: List{Total: 500, Found: 500, Sort: ByState, From: 50}}
	for name, c := range map[string]struct {
		msg  page.Msg
		want []page.Cmd
	}{
		"typed": {page.Typed{Field: "q", Text: "prod eu"}, []page.Cmd{
			page.Remember{Address: "/?q=prod+eu&sort=state", Replace: true}, page.Ask{ID: tableID, Address: "/?q=prod+eu&sort=state", Accept: page.MediaType},
		}},
		"again":      {page.Addressed{Query: url.Values{"from": {"50"}, "sort": {"state"}}}, []page.Cmd{page.Reload{}}},
		"next":       {page.Addressed{Query: url.Values{"from": {"100"}, "sort": {"state"}}}, []page.Cmd{page.Navigate{Address: "/?from=100&sort=state"}}},
		"everything": {page.Addressed{}, []page.Cmd{page.Navigate{Address: "/"}}},
	} {
		if _, did := m.Update(c.msg); !slices.Equal(did, c.want) {
			t.Errorf("%s: %v, want %v", name, did, c.want)
		}
	}
	for want, l := range map[string]List{"500 contexts": {Total: 500, Found: 50}, "1 to 50 of 500 contexts": {Total: 500, Found: 500}, "51 to 100 of 120 matches in 500 contexts": {Total: 500, Found: 120, From: 50, Query: "x"}} {
		if got := l.shown(50); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A table renews itself in its place: while states are missing, and for what is typed. A response for what was typed before is dropped, and health is requested
// at the same time.
func TestATableRenewsItself(t *testing.T) {
	entry := Entry{Cluster: shell.Cluster{Slug: "a", Name: "a"}, Usable: true, Tone: components.Good}
	var p page.Page = Model{List: List{Total: 500, Found: 500}, Refresh: true, Revision: "7", Entries: []Entry{entry}}
	did := func(msg page.Msg) []page.Cmd {
		t.Helper()
		next, commands := p.Update(msg)
		p = next
		return commands
	}
	ask := func(address string) page.Cmd { return page.Ask{ID: tableID, Address: address, Accept: page.MediaType} }
	answer := func(m Model) page.Response {
		body, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return page.Response{ID: tableID, Status: 200, Body: body}
	}
	if got := did(page.Tick{}); len(got) != 2 {
		t.Errorf("at first: %v", got)
	}
	if got := did(page.Tick{}); !slices.Equal(got, []page.Cmd{ask("/")}) {
		t.Errorf("for the missing states: %v", got)
	}
	if got := did(page.Typed{Field: "q", Text: "eu"}); !slices.Equal(got, []page.Cmd{page.Remember{Address: "/?q=eu", Replace: true}}) {
		t.Errorf("while a request runs: %v", got)
	}
	if got := did(answer(Model{List: List{Total: 500, Found: 500}, Revision: "7"})); !slices.Equal(got, []page.Cmd{ask("/?q=eu")}) || p.(Model).Query != "eu" {
		t.Errorf("after a response that is too old: %v", got)
	}
	fresh := Model{List: List{Total: 500, Found: 1, Query: "eu"}, Revision: "7", Entries: []Entry{{Cluster: shell.Cluster{Slug: "eu"}}}}
	if got := did(answer(fresh)); len(got) != 0 || p.(Model).Found != 1 || p.(Model).Refresh || len(p.(Model).live.health) != 1 {
		t.Errorf("after the response: %v, %+v", got, p)
	}
	did(page.Typed{Field: "q", Text: ""})
	if got := did(page.Response{ID: tableID}); len(got) != 0 || len(p.(Model).Entries) != 1 {
		t.Errorf("without a response: %v", got)
	}
	did(page.Typed{Field: "q", Text: "x"})
	if got := did(answer(Model{List: List{Query: "x"}, Revision: "8"})); !slices.Equal(got, []page.Cmd{page.Reload{}}) {
		t.Errorf("with another kubeconfig: %v", got)
	}
}

// kubectl is named only where it is too far from a server.
func TestTheTableSaysWhichServersKubectlIsFor(t *testing.T) {
	m := Model{Kubectl: "v1.33.1", Entries: []Entry{{}, {Behind: -4}, {Behind: 2}}}
	if !strings.Contains(m.supported(), "v1.33.1") || m.Entries[1].skew() != "4 minor versions newer" || m.Entries[2].skew() != "2 minor versions older" {
		t.Errorf("%q, %q, %q", m.supported(), m.Entries[1].skew(), m.Entries[2].skew())
	}
	m.Entries = m.Entries[:1]
	if m.supported() != "" || m.Entries[0].skew() != "" {
		t.Errorf("%q, %q", m.supported(), m.Entries[0].skew())
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
