package upgradecheck

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
	with := func(state *census.State, groups ...census.Group) Model {
		shell := s.Shell(apipath.Path{})
		shell.Tool, shell.Title = web.UpgradeCheck, "Upgrade check"
		return Model{
			Frame: page.Frame{Kind: Kind, Shell: shell}, Pass: census.Pass{At: pagetest.Now, Types: 61, Others: 5}, Body: census.Body{State: state, Groups: groups},
			Server: "v1.36.2", MadeFor: "1.37", To: "1.37", Choices: []Choice{{To: "1.37"}, {To: "1.38", Planned: true}},
		}
	}
	hostile := with(state(report.Stopped), hostileGroup(s))
	hostile.Problem, hostile.Namespaces, hostile.Server, hostile.To, hostile.State.Namespaces = &notice, s.String(), s.String(), s.String(), []string{s.String(), "shop"}
	refused := with(state(report.Done))
	refused.To, refused.Problem = "", &notice
	return map[string]page.Page{
		"in an upgrade check, none":       with(nil),
		"in an upgrade check, begun":      with(state(report.Reading)),
		"in an upgrade check, reading":    with(state(report.Reading), dropped(2)),
		"in an upgrade check":             with(state(report.Done), dropped(7), unread(), stored()),
		"in an upgrade check, hostile":    hostile,
		"in an upgrade check, sound":      with(state(report.Done)),
		"in an upgrade check, no target":  refused,
		"in an upgrade check, all failed": with(state(report.Failed), unread()),
	}
}

func dropped(n int) census.Group {
	g := census.Group{
		Kind: "dropped", Tone: components.Bad, Title: "A manager writes a version that the target drops", All: n + 30,
		Means: "A manager’s entries have a version that the target no longer serves. After the upgrade, the API server refuses the manager’s requests with 404.",
		Do:    "Change the version in the manager’s manifests, or update the program, before the upgrade.",
	}
	for i := range n {
		manager := fmt.Sprint("helm-", i)
		g.Findings = append(g.Findings, census.Finding{
			About: "mutatingadmissionpolicies.admissionregistration.k8s.io", Type: "mutatingadmissionpolicies.admissionregistration.k8s.io", APIVersion: "admissionregistration.k8s.io/v1alpha1", Manager: &manager,
			Why:  "The entries of " + manager + " (Apply) in 12 objects of mutatingadmissionpolicies.admissionregistration.k8s.io are in admissionregistration.k8s.io/v1alpha1. Kubernetes 1.38 drops it. The last write was on 2026-10-04.",
			Ways: []census.Way{{Title: "Correct what the manager sends", Text: "# In all that helm sends: use apiVersion: admissionregistration.k8s.io/v1 instead of admissionregistration.k8s.io/v1alpha1.\n# Apply again. The entry then has the new version.\n"}},
		})
	}
	return g
}

func unread() census.Group {
	return census.Group{
		Kind: "unread", Tone: components.Warn, Title: "A part of the cluster couldn’t be read", All: 2,
		Means: "The API server refused a request, or didn’t respond. Findings about this part are missing.", Do: "Get the missing permission, or run the check as another user.",
		Findings: []census.Finding{
			{About: "9 types", Why: "Fieldmark didn’t read all of their objects, so findings about them are missing.", Notes: []string{"secrets: The API server didn’t list the objects: forbidden.", "nodes: The API server didn’t list the objects: forbidden."}},
			{About: "The metrics, which say who requested deprecated versions", Why: "The API server didn’t send the metrics, which say who requested deprecated versions: 403 Forbidden: forbidden"},
		},
	}
}

func stored() census.Group {
	return census.Group{
		Kind: "stored", Tone: components.Warn, Title: "Objects may be stored in an old version", All: 1, Means: "status.storedVersions of a definition has more than the version in which objects are stored now.", Do: "Write each object again.",
		Findings: []census.Finding{{
			About: "widgets.example.com", Type: "widgets.example.com", APIVersion: "example.com/v1beta1", Why: "Objects may be stored as v1beta1. New writes store v1.",
			Ways: []census.Way{{Title: "Store all objects again", Text: "kubectl get widgets.v1.example.com -A -o json | kubectl replace -f -\n"}},
		}},
	}
}

func hostileGroup(s pagetest.Text) census.Group {
	name := s.String()
	return census.Group{
		Kind: "dropped", Tone: components.Bad, Title: "A manager writes a version that the target drops", Means: "A sentence.", Do: "Another one.", All: 3,
		Findings: []census.Finding{
			{About: name, Type: name, APIVersion: name, Manager: &name, Why: name, Notes: []string{name}, Ways: []census.Way{{Title: name, Text: name, Tried: name, Tone: components.Calm, Console: "path=%2F"}}},
			{About: name, APIVersion: name, Why: name},
		},
	}
}
