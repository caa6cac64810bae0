package migrate

import (
	"flag"
	"net/url"
	"slices"
	"testing"

	"github.com/fieldmark/fieldmark/components/golden"
	"github.com/fieldmark/fieldmark/components/specimen"
	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

var update = flag.Bool("update", false, "write the files in testdata")

func TestGolden(t *testing.T) {
	all := samples("web")
	golden.Check(t, *update, []specimen.Specimen{
		{Name: "owners", Shown: all["in the move to server-side apply"].Content()}, {Name: "plan", Shown: all["in the move to server-side apply, a plan"].Content()},
	})
}

func TestAnotherOwnerIsRequested(t *testing.T) {
	m := samples("web")["in the move to server-side apply, an owner"].(Model)
	m.Shell.Cluster.Slug = "practice"
	if _, commands := m.Update(page.Addressed{Query: url.Values{"owner": {"kubectl "}, "page": {"2"}}}); !slices.Equal(commands, []page.Cmd{page.Navigate{Address: "/c/practice/-/migrate?owner=kubectl+&page=2"}}) {
		t.Errorf("%+v", commands)
	}
	if _, commands := m.Update(page.Addressed{Query: url.Values{"owner": {m.Query.Owner}, "page": {"1"}}}); !slices.Equal(commands, []page.Cmd{page.Reload{}}) {
		t.Errorf("%+v", commands)
	}
	m.State = state(report.Reading)
	if _, commands := m.Update(page.Tick{Now: pagetest.Now}); len(commands) != 1 {
		t.Errorf("%+v", commands)
	}
}

func TestWhyAnOwnerHasNoObjects(t *testing.T) {
	all := samples("web")
	for name, want := range map[string]string{
		"moved":         "Each of its objects is applied server-side already, and has no older entry. So nothing is to be done.",
		"unknown owner": "No object of it was found. Read the cluster again, or choose another owner.", "owner, reading": "No object of the owner was found so far.",
	} {
		m := all["in the move to server-side apply, "+name].(Model)
		if got := m.nothing(m.owner()); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}
