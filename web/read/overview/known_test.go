package overview

import (
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/contention/report"
)

var at = sick().Read

func TestKnownFightsComeBeforeSigns(t *testing.T) {
	m := pageOf(t, "/")
	m.Health = sick()
	m.Shell.Fights = []report.Known{{From: report.FromScan, Fight: report.Fight{
		Object: report.Object{Path: "/apis/apps/v1/namespaces/shop/deployments/web", Kind: "Deployment", Namespace: "shop", Name: "web"},
		Path:   ".spec.replicas", Count: 12, Last: at, Managers: []report.Manager{{Name: "ada"}, {Name: "ben"}}, Values: [2]string{"3", "5"},
	}}}
	m.Scan = &Scan{Phase: report.Done, Began: at.Add(-3 * time.Minute), Watched: time.Minute, Objects: 1204, Fights: 1, Types: "deploy", Namespace: "shop"}
	page := markup(t, m)
	known, signs := strings.Index(page, `data-fight=".spec.replicas"`), strings.Index(page, `id="signs"`)
	if known < 0 || signs < known {
		t.Errorf("the fight is at %d, the signs are at %d", known, signs)
	}
	for _, want := range []string{
		"12 times", "last 0s ago, found by a scan", "do=stop-fight", "It watched 1,204 objects of deploy in the namespace shop for 60 s, and found 1 field that goes back and forth.",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is missing", want)
		}
	}
	if got := m.fightsTile(); got.Number != "1" || got.Words != "field" || got.Tone != "bad" {
		t.Errorf("%+v", got)
	}
	m.Namespace = "other"
	if strings.Contains(markup(t, m), "data-fight") {
		t.Error("a fight of another namespace is shown")
	}
}

func TestTheLastScanInWords(t *testing.T) {
	for want, s := range map[string]Scan{
		"A scan is reading the objects.":                                                                       {Phase: report.Arriving},
		"A scan is running. It has found no field that goes back and forth so far.":                            {Phase: report.Watching},
		"The last scan began 3m ago. It could read nothing.":                                                   {Phase: report.Failed},
		"The last scan began 3m ago. It watched 1 object for 90 s, and found 2 fields that go back and forth.": {Phase: report.Stopped, Objects: 1, Fights: 2, Watched: 90 * time.Second},
	} {
		if got := s.summaryText("3m ago"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
