package watched

import (
	"slices"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	scan "github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	who := scan.Manager{Name: s.String(), Operation: s.String(), Subresource: s.String(), APIVersion: s.String()}
	frame := s.Shell(apipath.Path{})
	frame.Tool, frame.Watching = web.Watched, shell.Watching{Objects: 2, News: 3, Fights: 1}
	o := scan.Object{Path: "/api/v1/namespaces/default/pods/a", Kind: s.String(), Namespace: s.String(), Name: s.String()}
	var all []scan.Watched
	for _, state := range []scan.State{scan.Reading, scan.Followed, scan.Troubled, scan.Refused, scan.Ended} {
		all = append(all, scan.Watched{
			Object: o, Began: pagetest.Now, Ends: pagetest.Now.Add(time.Hour), State: state, Why: s.String(), Changes: 4, Kept: 5,
			Last: scan.Latest{At: pagetest.Now, Writers: []scan.Manager{who}, Paths: []string{s.String()}, More: 2}, Fights: slices.Repeat(frame.Fights, 5),
		})
	}
	all[1].Object.Gone, all[1].Fights, all[1].Last = true, nil, scan.Latest{}
	notice := s.Notice()
	return map[string]page.Page{
		"in a list of watched objects":        Model{Frame: page.Frame{Kind: Kind, Shell: frame, Problem: &notice}, Objects: all, Bounds: Bounds{Session: 8, Hours: 12, Versions: 500, Megabytes: 4}, Now: pagetest.Now},
		"in an empty list of watched objects": Model{Frame: page.Frame{Kind: Kind, Shell: s.Shell(apipath.Path{})}},
	}
}
