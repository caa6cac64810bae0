package migrate

import (
	"fmt"
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
	with := func(state *census.State, of string, plan *Plan, owners ...census.Owner) Model {
		shell := s.Shell(apipath.Path{})
		shell.Tool, shell.Title = web.Migrate, "Move to server-side apply"
		m := Model{
			Frame: page.Frame{Kind: Kind, Shell: shell}, Pass: census.Pass{At: pagetest.Now, Types: 61, Others: 5},
			Body: census.Body{State: state, Owners: owners}, Query: Query{Owner: of}, Plan: plan,
		}
		if o := m.owner(); o != nil && o.Objects > 0 {
			m.All, m.Kept, m.Helm, m.Objects = o.Objects, o.Objects, o.Tool == "Helm", owned(min(o.Objects, AtOnce))
		}
		return m
	}
	text := s.String()
	odd := census.Object{Path: "/api/v1/namespaces/shop/configmaps/a", Type: text, Namespace: text, Name: text, Manager: text, Entries: text}
	hostile := with(state(report.Stopped), text, &Plan{
		Missing: []string{text},
		Parts: []Part{{Title: "Will break", Tone: components.Bad, Objects: []Object{{
			Object: odd, Manifest: text, Why: text, More: 3, Findings: []Finding{{Kind: text, Tone: components.Bad, Path: text, Owners: text, Why: text, Ways: []census.Way{{Title: text, Text: text}}}},
			Fields: []Field{{Path: text, Before: text, After: text}, {Path: text, Gone: true}}, Steps: []census.Way{{Title: text, Text: text, Console: "path=%2F"}},
		}}}},
	}, census.Owner{Key: text, Tool: text, Name: text, Objects: 1, Done: 1})
	hostile.Problem, hostile.Namespaces, hostile.State.Namespaces = &notice, text, []string{text}
	second := with(state(report.Done), "kubectl ", nil, tools...)
	second.Query.Page, second.All = 2, 3000
	second.Kept = 2000
	many := with(state(report.Done), "", nil, tools...)
	many.MoreOwners = 14
	return map[string]page.Page{
		"in the move to server-side apply, none":           with(nil, "", nil),
		"in the move to server-side apply, begun":          with(state(report.Reading), "", nil),
		"in the move to server-side apply, reading":        with(state(report.Reading), "", nil, tools[0]),
		"in the move to server-side apply":                 with(state(report.Done), "", nil, tools...),
		"in the move to server-side apply, many owners":    many,
		"in the move to server-side apply, nobody":         with(state(report.Done), "", nil),
		"in the move to server-side apply, all failed":     with(state(report.Failed), "", nil),
		"in the move to server-side apply, an owner":       with(state(report.Done), "helm shop/storefront", nil, tools...),
		"in the move to server-side apply, a plan":         with(state(report.Done), "helm shop/storefront", predictions(), tools...),
		"in the move to server-side apply, a page of many": second,
		"in the move to server-side apply, moved":          with(state(report.Done), "flux flux-system/apps", nil, tools...),
		"in the move to server-side apply, unknown owner":  with(state(report.Done), "helm shop/gone", nil, tools...),
		"in the move to server-side apply, owner, reading": with(state(report.Reading), "helm shop/gone", nil),
		"in the move to server-side apply, hostile":        hostile,
	}
}

var tools = []census.Owner{
	{Key: "kubectl ", Tool: "kubectl", Objects: 3000, Done: 12},
	{Key: "helm shop/storefront", Tool: "Helm", Name: "shop/storefront", Objects: 4},
	{Key: "argo-cd payments", Tool: "Argo CD", Name: "payments", Objects: 2, Done: 5},
	{Key: "flux flux-system/apps", Tool: "Flux (Kustomization)", Name: "flux-system/apps", Done: 31},
}

func owned(n int) (all []census.Object) {
	for i := range n {
		name := fmt.Sprint("storefront-", i)
		all = append(all, census.Object{Path: "/apis/apps/v1/namespaces/shop/deployments/" + name, Type: "deployments.apps", Namespace: "shop", Name: name, Manager: "helm", Entries: "helm (Update)"})
	}
	return all
}

func predictions() *Plan {
	all := owned(4)
	step := census.Way{Title: "Do the step", Text: "# With the chart and the values of the last upgrade. All objects of the release change at once. Helm’s own dry run doesn’t try the apply.\nhelm upgrade storefront CHART -n shop --server-side=true\n"}
	preview := census.Way{Title: "Preview the step", Text: "kubectl apply --server-side -n shop --dry-run=server -f FILE\n", Console: "method=PATCH"}
	return &Plan{
		Stored: true, Missing: []string{"1 object has nothing left to move. Read the cluster again to update the list."},
		Parts: []Part{
			{Title: "Safe now", Tone: components.Good, Objects: []Object{
				{Object: all[2], Manifest: "the annotation of client-side apply", Why: "The apply conflicts with nobody, and removes nothing.", Fields: []Field{{Path: ".data.a", Before: "helm (Update)", After: "helm (Apply)"}, {Path: ".data.b", Before: "helm (Update)", Gone: true}}, Steps: []census.Way{preview, step}},
				{Object: all[1], Manifest: "the stored release", Why: "The apply conflicts with nobody, and removes nothing."},
				{Object: all[0], Manifest: "the stored release", Why: "The apply conflicts with nobody, and removes nothing."},
				{Object: all[2], Manifest: "the stored release", Why: "The apply conflicts with nobody, and removes nothing."},
				{Object: all[3], Manifest: "the stored release", Why: "The apply conflicts with nobody, and removes nothing.", Steps: []census.Way{step}},
			}},
			{Title: "Needs a decision", Tone: components.Warn, Objects: []Object{{
				Object: all[1], Manifest: "not known", Why: "No manifest of the object is known, so conflicts can’t be predicted. These managers own fields of it, too: ops (Update).", Steps: []census.Way{step},
			}}},
			{Title: "Will break", Tone: components.Bad, Objects: []Object{{
				Object: all[0], Manifest: "the stored release", Why: "The API server refuses the apply, because other entries own fields with other values. Before that, Helm has folded its older entries, so owners change, and no value does.",
				Findings: []Finding{{
					Kind: "Another manager owns the field", Tone: components.Bad, Path: ".spec.replicas", Owners: "kubectl-scale (Update)", Why: "kubectl-scale owns the field with another value.",
					Ways: []census.Way{{Title: "Overwrite", Text: "helm upgrade storefront CHART -n shop --server-side=true --force-conflicts\n"}},
				}},
				Fields: []Field{{Path: ".spec.template.spec.containers[name=web].image", Before: "helm (Update)", After: "helm (Apply)"}}, Steps: []census.Way{step},
			}}},
		},
	}
}
