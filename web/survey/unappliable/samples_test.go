package unappliable

import (
	"fmt"
	"net/url"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/pagetest"
	"github.com/fieldmark/fieldmark/web/survey/census"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

func state(phase report.Phase) *census.State {
	s := &census.State{Phase: phase, Began: pagetest.Now.Add(-time.Minute), Ended: pagetest.Now.Add(-55 * time.Second), Types: 61, Done: 61, Objects: 4120}
	if phase == report.Reading {
		s.Ended, s.Done = time.Time{}, 20
	}
	return s
}

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	notice := s.Notice()
	with := func(state *census.State, objects int, chosen *Chosen, groups ...census.Group) Model {
		shell := s.Shell(apipath.Path{})
		shell.Tool, shell.Title = web.Unappliable, "Unappliable objects"
		m := Model{
			Frame: page.Frame{Kind: Kind, Shell: shell}, Pass: census.Pass{At: pagetest.Now, Types: 61, Others: 5},
			Body: census.Body{State: state, Groups: groups, Objects: blocked(min(objects, AtOnce)), All: objects, Kept: min(objects, 1000)}, Chosen: chosen,
		}
		if chosen != nil {
			m.Query.Path = chosen.Path
		}
		return m
	}
	text := s.String()
	odd := census.Object{Path: "/apis/example.com/v1/namespaces/shop/widgets/" + url.PathEscape(text), Type: text, Namespace: text, Name: text, Manager: text, Entries: text, Last: 5}
	hostile := with(state(report.Stopped), 0, &Chosen{Object: odd, Blocked: true, Ways: []census.Way{{Title: text, Text: text, Tried: text, Console: "path=%2F"}}}, gone(text))
	hostile.Objects, hostile.All, hostile.Kept = []census.Object{odd}, 1, 1
	hostile.Problem, hostile.Namespaces, hostile.State.Namespaces = &notice, text, []string{text}
	unread := with(state(report.Done), 3, &Chosen{Object: odd, Trouble: text}, gone("old"))
	second := with(state(report.Done), 1500, nil, gone("old"))
	second.Query.Page = 2
	return map[string]page.Page{
		"in unappliable objects, none":          with(nil, 0, nil),
		"in unappliable objects, begun":         with(state(report.Reading), 0, nil),
		"in unappliable objects, reading":       with(state(report.Reading), 2, nil, gone("old")),
		"in unappliable objects":                with(state(report.Done), 5, nil, gone("old"), fading()),
		"in unappliable objects, ways":          with(state(report.Done), 5, ways("not tried", components.Calm), gone("old")),
		"in unappliable objects, tried":         with(state(report.Done), 5, ways("the dry run passed", components.Good), gone("old")),
		"in unappliable objects, well again":    with(state(report.Done), 5, &Chosen{Object: blocked(1)[0]}, gone("old")),
		"in unappliable objects, unread":        unread,
		"in unappliable objects, second page":   second,
		"in unappliable objects, hostile":       hostile,
		"in unappliable objects, sound":         with(state(report.Done), 0, nil),
		"in unappliable objects, soon":          with(state(report.Done), 0, nil, fading()),
		"in unappliable objects, all failed":    with(state(report.Failed), 0, nil),
		"in unappliable objects, ways, running": with(state(report.Reading), 5, ways("not tried", components.Calm), gone("old")),
	}
}

func blocked(n int) (all []census.Object) {
	for i := range n {
		name := fmt.Sprint("storefront-", i)
		all = append(all, census.Object{
			Path: "/apis/example.com/v1/namespaces/shop/widgets/" + name, Type: "widgets.example.com", Namespace: "shop", Name: name, Manager: "old", Entries: "old (Apply) in example.com/v1beta1", Last: pagetest.Now.Add(-time.Hour).Unix(),
		})
	}
	return all
}

func ways(tried string, tone components.Tone) *Chosen {
	return &Chosen{Object: blocked(1)[0], Blocked: true, Ways: []census.Way{
		{Title: "Change the version of the entry", Tried: tried, Tone: tone, Console: "method=PATCH", Text: "# The managers stay the owners of their fields. No value changes.\nkubectl patch widgets.v1.example.com storefront-0 -n shop --type=json -p '[{\"op\":\"test\",\"path\":\"/metadata/uid\",\"value\":\"4c3f5a52-63c1-4a6e-9f6e-3c1d2b0a9f88\"},{\"op\":\"replace\",\"path\":\"/metadata/managedFields/0/apiVersion\",\"value\":\"example.com/v1\"}]'\n"},
		{Title: "Remove the entry", Tried: tried, Tone: tone, Console: "method=PATCH", Text: "# The managers own nothing afterwards. Fields that nobody else owns stay, until somebody changes them.\nkubectl patch widgets.v1.example.com storefront-0 -n shop --type=json -p '[{\"op\":\"remove\",\"path\":\"/metadata/managedFields/0\"}]'\n"},
	}}
}

func gone(manager string) census.Group {
	return census.Group{
		Kind: "unappliable", Tone: components.Bad, Title: "Objects can’t be applied any more", All: 1,
		Means: "An entry in managedFields has a version that the definition of the type no longer lists. The API server refuses each apply with 500. On Kubernetes 1.37, updates pass and are no longer recorded.",
		Do:    "Put the version back into the definition, or change the entry of each object.",
		Findings: []census.Finding{{
			About: "widgets.example.com", Type: "widgets.example.com", APIVersion: "example.com/v1beta1", Manager: &manager,
			Why:  "The entries of " + manager + " (Apply) in 5 objects of widgets.example.com are in example.com/v1beta1, which the definition no longer lists. No apply to these objects can succeed, by any manager. The last write was on 2026-10-04.",
			Ways: []census.Way{{Title: "Put the version back into the definition", Tried: "not tried", Tone: components.Calm, Text: "kubectl patch customresourcedefinitions.apiextensions.k8s.io widgets.example.com --type=json -p '[]'\n"}},
		}},
	}
}

func fading() census.Group {
	manager := ""
	return census.Group{
		Kind: "fading", Tone: components.Warn, Title: "Objects become unappliable when a version goes", All: 1, Means: "A manager’s entries have a version of a custom resource in which the objects aren’t stored.", Do: "Let the manager write the version in which objects are stored.",
		Findings: []census.Finding{{About: "gadgets.example.com", Type: "gadgets.example.com", APIVersion: "example.com/v1beta1", Manager: &manager, Why: "The entries of a manager without a name (Update) in 2 objects of gadgets.example.com are in example.com/v1beta1, but objects are stored in v1. The last write was on 2026-10-04."}},
	}
}
