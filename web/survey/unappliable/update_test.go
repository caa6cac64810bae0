package unappliable

import (
	"flag"
	"net/url"
	"slices"
	"testing"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/golden"
	"github.com/fieldmark/fieldmark/components/specimen"
	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/pagetest"
	"github.com/fieldmark/fieldmark/web/survey/census"
)

var update = flag.Bool("update", false, "write the files in testdata")

func model(state *census.State, objects int) Model {
	return Model{
		Frame: page.Frame{Kind: Kind, Shell: shell.Model{Cluster: shell.Cluster{Slug: "practice"}}}, Pass: census.Pass{At: pagetest.Now, Types: 61, Others: 5},
		Body: census.Body{State: state, Objects: blocked(objects), All: objects, Kept: objects},
	}
}

func TestGolden(t *testing.T) {
	m := model(state(report.Done), 2)
	m.Groups, m.Chosen = []census.Group{gone("old")}, ways("not tried", components.Calm)
	m.Query.Path = m.Chosen.Path
	golden.Check(t, *update, []specimen.Specimen{{Name: "none", Shown: model(nil, 0).Content()}, {Name: "found", Shown: m.Content()}})
}

func TestAnotherObjectIsRequested(t *testing.T) {
	m := model(state(report.Done), 2)
	if _, commands := m.Update(page.Addressed{Query: url.Values{"path": {"/apis/a/v1/b/c"}, "page": {"2"}}}); !slices.Equal(commands, []page.Cmd{page.Navigate{Address: "/c/practice/-/unappliable?page=2&path=%2Fapis%2Fa%2Fv1%2Fb%2Fc"}}) {
		t.Errorf("%+v", commands)
	}
	if _, commands := m.Update(page.Addressed{Query: url.Values{"page": {"1"}}}); !slices.Equal(commands, []page.Cmd{page.Reload{}}) {
		t.Errorf("%+v", commands)
	}
	reads := model(state(report.Reading), 0)
	if _, commands := reads.Update(page.Tick{Now: pagetest.Now}); len(commands) != 1 {
		t.Errorf("%+v", commands)
	}
}
