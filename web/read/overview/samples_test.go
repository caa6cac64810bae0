package overview

import (
	"testing"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/condition"
	"github.com/fieldmark/fieldmark/kube/health"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	of := func(p apipath.Path) page.Page {
		return Model{
			Frame: page.Frame{Kind: Kind, Shell: s.Shell(p)}, Server: s.String(), Version: s.String(), User: s.String(), State: s.String(), Tone: components.Good,
			Counts: map[string]Count{CountKey("", "pods"): {Why: s.String()}},
		}
	}
	whole := Model{Frame: page.Frame{Kind: Kind, Shell: s.Shell(apipath.Path{})}, Server: s.String(), Version: s.String(), User: s.String(), State: s.String(), Tone: components.Good, Health: reported(s)}
	narrowed := whole
	narrowed.Namespace = s.String()
	sound := whole
	sound.Health = &health.Report{
		Read: pagetest.Now, Ready: 41, Types: []string{"pods", "events"}, Custom: health.Custom{Judged: 120}, Namespaces: health.Namespaces{Known: true, Count: 7},
		Nodes: health.Nodes{Known: true, Count: 5, Ready: 5, Versions: []string{s.String()}},
	}
	sound.Census = &Census{Reading: true, Began: pagetest.Now}
	whole.Census = &Census{
		Began: pagetest.Now, Objects: 14_210, Types: 61, Managers: 423, Findings: 7, Worst: s.String(),
		Kinds: []Writers{
			{Look: components.WriterLook("gitops"), Kind: "GitOps", Names: []string{s.String(), "flux"}, Fields: 9_000, Share: 12},
			{Look: components.WriterLook("unknown"), Kind: "Others", Names: []string{s.String()}, More: 400, Fields: 70_000, Share: 88},
			{Look: components.WriterLook("helm"), Kind: "Helm", Names: []string{"helm"}, Fields: 3},
		},
	}
	practice := Model{Frame: page.Frame{Kind: Kind, Shell: s.Shell(apipath.Path{})}, Health: &health.Report{}, Fight: &Fight{Scenario: object.Object{Fields: map[string]any{
		"status": map[string]any{
			"conditions": []any{map[string]any{"type": "Holds", "status": "False", "message": s.String()}},
			"actors":     []any{map[string]any{"name": "gitops", "created": s.String(), "message": s.String()}},
		},
	}}}}
	puzzled := practice
	notice := s.Notice()
	puzzled.Fight = &Fight{Problem: &notice}
	return map[string]page.Page{
		"in a practice cluster":          practice,
		"in a practice cluster, puzzled": puzzled,

		"in a cluster":       whole,
		"in a sound cluster": sound,
		"in a namespace":     narrowed,
		"in the group list":  of(apipath.Path{Kind: apipath.KindGroupList}),
		"in an API group":    of(apipath.DiscoveryOf(s.String(), "")),
		"in a group version": of(apipath.DiscoveryOf("", "v1")),
	}
}

// reported is a report in which everything that a cluster says is the sample's text.
func reported(s pagetest.Text) *health.Report {
	ref := health.Ref{Kind: s.String(), Namespace: s.String(), Name: s.String(), Path: "/api/v1/namespaces/a/pods/b"}
	by := manager.Manager{Name: s.String(), Operation: s.String(), Subresource: s.String(), APIVersion: s.String()}
	write := health.Write{Manager: by, Last: pagetest.Now, Objects: 9, When: [health.Slots]int{0: 3, 4: 1, 18: 5, 19: 1}, Newest: []health.Ref{ref, {Kind: s.String(), Name: s.String()}}}
	return &health.Report{
		Read: pagetest.Now, Ready: 3, More: 2, Warned: 7, Types: []string{s.String()},
		Workloads: []health.Workload{{Ref: ref, Ready: "1 of 3", Why: []string{s.String()}, Said: s.String()}, {Ref: ref, Ready: "no"}},
		Warnings:  []health.Warning{{Reason: s.String(), Kind: s.String(), Count: 4, Objects: 2, About: ref, Message: s.String(), Last: pagetest.Now}},
		Writes:    []health.Write{write}, Status: []health.Write{write},
		Contested: []health.Contested{{Ref: ref, Managers: []manager.Manager{by}, Times: 40, Last: pagetest.Now}},
		Nodes:     health.Nodes{Known: true, Count: 2, Ready: 1, Odd: []health.OddNode{{Ref: ref, Status: s.String()}}, Versions: []string{s.String()}},
		Custom: health.Custom{Judged: 12, More: 3, Left: 4, Odd: []health.Odd{
			{Ref: ref, State: condition.State{Verdict: condition.Ill, Words: s.String(), Reason: s.String(), Message: s.String()}},
			{Ref: ref, State: condition.State{Verdict: condition.Busy, Words: s.String()}},
		}},
		Namespaces: health.Namespaces{Known: true, Count: 7, More: 1, Leaving: []health.Leaving{{Ref: ref, Since: pagetest.Now, Why: s.String()}}},
		Gaps: []health.Gap{
			{Resource: "pods", Forbidden: true}, {Resource: "events", Why: s.String()}, {Resource: "nodes", Rest: 12}, {Resource: s.String(), Rest: -1},
		},
	}
}
