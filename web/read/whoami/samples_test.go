package whoami

import (
	"testing"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/access"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	notice := s.Notice()
	m := Model{
		Frame: page.Frame{Kind: Kind, Shell: s.Shell(apipath.Path{})}, Query: Query{Namespace: s.String(), Filter: s.String()}, Now: pagetest.Now,
		User:  &access.User{Name: s.String(), UID: s.String(), Groups: []string{s.String(), "system:masters"}, Extra: map[string][]string{s.String(): {s.String()}}},
		Login: Login{Facts: []components.Fact{{Name: s.String(), Text: s.String()}}, Ends: pagetest.Now, Notes: []string{s.String()}},
		Rules: &Rules{Incomplete: true, Error: s.String(), Rows: []access.Granted{
			{Group: s.String(), Resource: s.String(), Names: []string{s.String(), s.String()}, Verbs: []string{s.String()}}, {Path: s.String(), Verbs: []string{"*"}}, {Resource: "pods", Verbs: []string{"get"}},
		}, Match: 4, Total: 5},
	}
	m.Shell.User, m.Shell.ReadOnly, m.Shell.Why = s.String(), true, s.String()
	m.Shell.View = shell.Viewed{Cluster: s.String(), User: s.String(), Groups: []string{s.String(), s.String()}}
	failed := m
	failed.User, failed.Unknown, failed.Rules, failed.Problem = nil, &notice, nil, &notice
	failed.Asked, failed.Refuse, failed.Missing = Asked{User: s.String(), Groups: s.String()}, &notice, s.String()
	return map[string]page.Page{"in who am I": m, "in who am I, problem": failed}
}
