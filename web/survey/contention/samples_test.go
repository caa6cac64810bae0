package contention

import (
	"net/url"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	scan "github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	who := scan.Manager{Name: s.String(), Operation: s.String(), Subresource: s.String(), APIVersion: s.String()}
	o := scan.Object{Path: "/api/v1/namespaces/default/pods/" + url.PathEscape(s.String()), Kind: s.String(), Namespace: s.String(), Name: s.String()}
	gone := o
	gone.Gone, gone.Path = true, o.Path+"2"
	full := scan.Run{Phase: scan.Watching, Types: s.String(), Namespace: s.String(), Lasts: time.Minute, Left: time.Second, Report: scan.Report{
		Types: []scan.Type{
			{Name: s.String(), State: scan.Followed, Objects: 3, Bytes: 300, Managed: 100},
			{Name: s.String() + "2", State: scan.Refused, Code: 403, Reason: s.String(), Why: s.String()},
			{Name: s.String() + "3", State: scan.Waiting},
			{Name: s.String() + "4", State: scan.Troubled, Why: s.String()},
		},
		Objects: 3, Events: 4, Rate: 1.5, Bytes: 300, Managed: 100,
		Fights: scan.Part[scan.Fight]{All: 30, Rows: []scan.Fight{
			{Object: o, Path: s.String(), Count: 3, Period: time.Minute, Managers: []scan.Manager{who, who}, Values: [2]string{s.String(), s.String()}}, {Object: gone, Path: s.String()},
		}},
		Rewrites: scan.Part[scan.Rewrite]{All: 2, Rows: []scan.Rewrite{{Object: o, Count: 1, Writer: who}, {Object: gone, Count: 1}}},
		Takings:  scan.Part[scan.Taking]{All: 1, Rows: []scan.Taking{{Object: o, By: who, Count: 2, Paths: []string{s.String(), s.String()}, More: true, From: []scan.Manager{who}}}},
		Foreign:  scan.Part[scan.Foreign]{All: 1, Rows: []scan.Foreign{{Manager: who, Objects: 2, Example: o}}},
		Crowded:  scan.Part[scan.Crowded]{All: 2, Rows: []scan.Crowded{{Object: o, Updates: 9, Managed: 99}, {Object: gone, Ancient: true}}},
		Dropped:  scan.Dropped{Objects: 1, Histories: 2, Findings: 3, Unreadable: 4},
	}}
	arriving := scan.Run{Phase: scan.Arriving, Lasts: time.Minute, Report: scan.Report{Types: full.Report.Types}}
	failed := scan.Run{Phase: scan.Failed, Report: scan.Report{Types: full.Report.Types[1:2]}}
	notice := s.Notice()
	with := func(run *scan.Run) page.Page {
		shell := s.Shell(apipath.Path{})
		shell.Tool = web.Contention
		return Model{Frame: page.Frame{Kind: Kind, Shell: shell, Problem: &notice}, Form: Form{Types: s.String(), Namespace: s.String(), Seconds: 60}, Run: run}
	}
	return map[string]page.Page{
		"in a scan, none": with(nil), "in a scan, arriving": with(&arriving), "in a scan": with(&full), "in a scan, failed": with(&failed),
		"in a scan, over": with(&scan.Run{Phase: scan.Done}),
	}
}
