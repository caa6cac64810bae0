package events

import (
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/health"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	notice := s.Notice()
	m := Model{Frame: page.Frame{Kind: Kind, Shell: s.Shell(apipath.Path{})}, Query: Query{Namespace: "other", Warnings: true}, Read: pagetest.Now, Rest: -1}
	none, failed := m, m
	failed.Problem = &notice
	m.Groups = []health.EventGroup{
		{About: health.Ref{Kind: s.String(), Namespace: s.String(), Name: s.String(), Path: "/api/v1/namespaces/shop/pods/web"}, Reason: s.String(), Warning: true, Count: 3, First: pagetest.Now, Last: pagetest.Now, Message: s.String(), Others: 1},
		{About: health.Ref{Kind: s.String(), Name: s.String()}, Reason: s.String(), Message: s.String()},
	}
	return map[string]page.Page{"in events": m, "in events, none": none, "in events, problem": failed}
}
