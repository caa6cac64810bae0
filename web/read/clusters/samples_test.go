package clusters

import (
	"testing"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	notice := s.Notice()
	card := Entry{
		Cluster: shell.Cluster{Slug: "practice", Name: s.String()}, Server: s.String(), User: s.String(), Source: s.String(), State: "ready",
		Tone: components.Good, Words: s.String(), Advice: s.String(), Version: s.String(), Usable: true, Current: true,
	}
	broken := card
	broken.Parts = []Part{{Kind: "cluster", Name: s.String(), File: s.String(), LeftOut: []LeftOut{{File: broken.Source}, {File: s.String(), Same: true}}}}
	card.Same, broken.Same = []string{s.String()}, []string{s.String(), "b", "c", "d", "e"}
	broken.Usable, broken.Cluster.Slug = false, "other"
	titled := s.Outside()
	titled.Title = "Choose a cluster"
	fought := card
	fought.Fights, fought.Behind, fought.SameMore = 3, -4, 12
	scanned := card
	scanned.Cluster.Slug, scanned.Scanned, scanned.Behind, scanned.Advice = "scanned", true, 2, ""
	odd := List{Total: 512, Found: 120, From: 50, Query: s.String(), Sort: ByState}
	return map[string]page.Page{
		"clusters, table":    pagetest.Live(Model{Frame: page.Frame{Kind: Kind, Shell: titled}, List: odd, Kubectl: s.String(), Entries: []Entry{fought, broken, scanned}}, page.Tick{}, page.Response{ID: readyID + "practice", Status: 200}),
		"clusters, no match": Model{Frame: page.Frame{Kind: Kind, Shell: titled}, List: List{Total: 512, Query: s.String()}},
		"clusters, one":      Model{Frame: page.Frame{Kind: Kind, Shell: titled}, List: List{Total: 1, Found: 1}, Kubectl: s.String(), Entries: []Entry{fought}},
		"clusters":           Model{Frame: page.Frame{Kind: Kind, Shell: titled}, Doors: []Door{{Name: "owner", Title: "See", Words: s.String(), Href: "/c/practice"}, {Name: "guide", Title: "Begin", Words: s.String()}}, Entries: []Entry{card, broken}},
		"clusters, healthy":  pagetest.Live(Model{Frame: page.Frame{Kind: Kind, Shell: titled}, Entries: []Entry{card, broken}}, page.Tick{}, page.Response{ID: readyID + "practice", Status: 500, Body: []byte("[-]etcd failed")}, page.Response{ID: nodesID + "practice", Status: 500, Body: []byte(`{"kind":"Status","message":` + s.Quoted() + `}`)}),
		"clusters, none":     Model{Frame: page.Frame{Kind: Kind, Shell: titled}},
		"clusters, trouble":  Model{Frame: page.Frame{Kind: Kind, Shell: titled}, Trouble: []components.Notice{notice}},
		"clusters, starting": Model{Frame: page.Frame{Kind: Kind, Shell: titled}, Entries: []Entry{broken}, Steps: []Step{{Name: "etcd", State: "done", Words: s.String()}}, Refresh: true},
	}
}
