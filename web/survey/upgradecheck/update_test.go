package upgradecheck

import (
	"encoding/json"
	"flag"
	"net/url"
	"slices"
	"testing"

	"github.com/fieldmark/fieldmark/components/golden"
	"github.com/fieldmark/fieldmark/components/specimen"
	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/pagetest"
	"github.com/fieldmark/fieldmark/web/survey/census"
)

var update = flag.Bool("update", false, "write the files in testdata")

func model(state *census.State, groups ...census.Group) Model {
	return Model{
		Frame: page.Frame{Kind: Kind, Shell: shell.Model{Cluster: shell.Cluster{Slug: "practice"}}}, Pass: census.Pass{At: pagetest.Now, Types: 61, Others: 5},
		Body: census.Body{State: state, Groups: groups}, Server: "v1.36.2", MadeFor: "1.37", To: "1.38", Choices: []Choice{{To: "1.37"}, {To: "1.38", Planned: true}},
	}
}

func TestGolden(t *testing.T) {
	m := model(state(report.Done), dropped(6), unread())
	golden.Check(t, *update, []specimen.Specimen{
		{Name: "none", Shown: model(nil).Content()}, {Name: "found", Shown: m.Content()}, {Name: "below", Shown: below(m)},
	})
}

func TestAnotherTargetIsRequested(t *testing.T) {
	m := model(state(report.Done))
	for query, want := range map[string]page.Cmd{
		"to=1.37":  page.Navigate{Address: "/c/practice/-/upgrade-check?to=1.37"},
		"to=v1.38": page.Reload{},
		"":         page.Navigate{Address: "/c/practice/-/upgrade-check"},
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		if _, commands := m.Update(page.Addressed{Query: values}); !slices.Equal(commands, []page.Cmd{want}) {
			t.Errorf("%s: %+v", query, commands)
		}
	}
}

// A page follows the pass, and says what it doesn't know.
func TestThePassIsFollowed(t *testing.T) {
	var p page.Page = model(state(report.Reading))
	step := func(msg page.Msg) []page.Cmd {
		next, commands := p.Update(msg)
		p = next
		return commands
	}
	asked := step(page.Tick{Now: pagetest.Now})
	if want := (page.Ask{ID: "pass", Address: "/c/practice/-/upgrade-check?to=1.38", Accept: census.MediaType}); len(asked) != 1 || asked[0] != page.Cmd(want) {
		t.Fatalf("%+v", asked)
	}
	if again := step(page.Tick{Now: pagetest.Now}); again != nil {
		t.Errorf("it asks while it waits: %+v", again)
	}
	words := func() string { return p.(Model).Head().Live.Words }
	step(page.Response{ID: "pass", Status: 502})
	if got := words(); got != "Fieldmark doesn’t respond, trying again" {
		t.Error(got)
	}
	body, err := json.Marshal(census.Body{State: state(report.Done), Groups: []census.Group{dropped(2)}})
	if err != nil {
		t.Fatal(err)
	}
	if said := step(page.Response{ID: "pass", Status: 200, Body: body}); !slices.Equal(said, []page.Cmd{page.Announce{Words: "The cluster has been read. 32 findings."}}) {
		t.Errorf("%+v", said)
	}
	if got := words(); got != "read in 5.0 s, 55s ago" || len(p.(Model).Groups) != 1 {
		t.Error(got)
	}
	if more := step(page.Tick{Now: pagetest.Now}); more != nil {
		t.Errorf("it asks after the end: %+v", more)
	}
	p = model(state(report.Reading))
	if said := step(page.Response{ID: "pass", Status: 200, Body: []byte(`{"state":null}`)}); !slices.Equal(said, []page.Cmd{page.Reload{}}) {
		t.Errorf("the pass is gone: %+v", said)
	}
	step(page.Response{ID: "pass", Status: 401})
	if got := words(); got != census.SignedOut {
		t.Error(got)
	}
}
