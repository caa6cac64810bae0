package app

import (
	"fmt"
	"slices"
	"testing"

	"github.com/fieldmark/fieldmark/web/frame/page"
)

// fakeTerminals note what they are told, and in which paint.
type fakeTerminals struct {
	page *notes
	told []string
}

func (f *fakeTerminals) Listen() {}

func (f *fakeTerminals) Connect(id, address string, raw bool) {
	f.told = append(f.told, fmt.Sprintf("connect %s: %s, raw %t, after paint %t", id, address, raw, f.page.shown > 0))
}

func (f *fakeTerminals) Focus(id string) { f.told = append(f.told, "focus "+id) }

func TestCommandsOfTerminals(t *testing.T) {
	const path = "/api/v1/namespaces/shop/pods/web/exec?command=sh"
	for what, c := range map[string]struct {
		command page.Cmd
		told    []string
		heard   []page.StreamState
	}{
		"connect":                 {page.Connect{ID: "s1", Cluster: "practice", Path: path, Raw: true}, []string{"connect s1: /clusters/practice" + path + ", raw true, after paint true"}, nil},
		"focus":                   {page.FocusTerminal{ID: "s1"}, []string{"focus s1"}, nil},
		"a path that leads away":  {page.Connect{ID: "s1", Cluster: "practice", Path: "/api/../../other/api/v1/pods"}, nil, []page.StreamState{page.StreamRefused}},
		"nothing for a terminal":  {page.Keep{Key: "k", Value: "v"}, nil, nil},
		"a path without a slash":  {page.Connect{ID: "s1", Cluster: "practice", Path: "api"}, nil, []page.StreamState{page.StreamRefused}},
		"a path with a backslash": {page.Connect{ID: "s1", Cluster: "practice", Path: `/api\..\x`}, nil, []page.StreamState{page.StreamRefused}},
	} {
		t.Run(what, func(t *testing.T) {
			b, n := start(t, pods("a"), here), &notes{}
			terminals := &fakeTerminals{page: n}
			Streams(b.App, terminals)
			b.startPage(desk{notes: n, awake: []page.Cmd{c.command}})
			b.settle()
			if !slices.Equal(terminals.told, c.told) {
				t.Errorf("told %q, want %q", terminals.told, c.told)
			}
			var states []page.StreamState
			for _, s := range heard[page.Streamed](n) {
				states = append(states, s.State)
			}
			if !slices.Equal(states, c.heard) {
				t.Errorf("heard %v, want %v", states, c.heard)
			}
		})
	}
}

func TestWhatBecomesOfAConnectionIsTold(t *testing.T) {
	b := start(t, pods("a"), here)
	n := &notes{}
	Streams(b.App, &fakeTerminals{page: n})
	b.startPage(desk{notes: n})
	b.act(Streamed{ID: "s1", State: page.StreamEnded, Code: 3, Words: "it ended"})
	all := heard[page.Streamed](n)
	if len(all) != 1 {
		t.Fatalf("%+v", n.heard)
	}
	got := all[0]
	if at := got.At; at.IsZero() || got != (page.Streamed{ID: "s1", State: page.StreamEnded, Code: 3, Words: "it ended", At: at}) {
		t.Errorf("%+v", got)
	}
}
