package overview

import (
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/health"
	"github.com/fieldmark/fieldmark/kube/manager"
)

// sick is a report with something in each section.
func sick() *health.Report {
	at := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	web := health.Ref{Kind: "Deployment", Namespace: "shop", Name: "web", Path: "/apis/apps/v1/namespaces/shop/deployments/web"}
	ada, ben := manager.Manager{Name: "ada", Operation: "Apply", APIVersion: "apps/v1"}, manager.Manager{Name: "ben", Operation: "Update", Subresource: "scale", APIVersion: "apps/v1"}
	return &health.Report{
		Read: at, Ready: 4, Warned: 5, Types: []string{"pods", "deployments.apps", "nodes"},
		Workloads: []health.Workload{{Ref: web, Ready: "1 of 3", Why: []string{"2 pods Pending"}, Said: "FailedScheduling: no room"}},
		Warnings:  []health.Warning{{Reason: "FailedScheduling", Kind: "Pod", Count: 9, Objects: 2, About: health.Ref{Kind: "Thing", Name: "x"}, Message: "no room", Last: at.Add(-time.Minute)}},
		Writes:    []health.Write{{Manager: ada, Last: at.Add(-3 * time.Minute), Kind: "Deployment", Objects: 5, Newest: []health.Ref{web}}},
		Status:    []health.Write{{Manager: ben, Last: at, Kind: "Deployment", Objects: 1, Newest: []health.Ref{web}}},
		Contested: []health.Contested{{Ref: web, Managers: []manager.Manager{ben, ada}, Times: 41, Last: at}},
		Nodes:     health.Nodes{Known: true, Count: 3, Ready: 2, Odd: []health.OddNode{{Ref: health.Ref{Kind: "Node", Name: "n", Path: "/api/v1/nodes/n"}, Status: "NotReady"}}, Versions: []string{"v1.37.1"}},
		Gaps: []health.Gap{
			{Resource: "statefulsets.apps", Forbidden: true},
			{Resource: "jobs.batch", Forbidden: true},
			{Resource: "pods", Rest: 1200},
			{Resource: "events", Why: "The request took too long."},
			{Resource: "widgets.example.com", Rest: -1},
		},
	}
}

func TestTilesSumTheSectionsUp(t *testing.T) {
	for what, c := range map[string]struct {
		report    *health.Report
		namespace string
		want      string
	}{
		"sick":       {sick(), "", "1 not ready bad | 5 Events warn | 1 manager wrote | 1 sign warn | 2 of 3 ready warn"},
		"namespace":  {sick(), "shop", "1 not ready bad | 5 Events warn | 1 manager wrote | 1 sign warn"},
		"healthy":    {&health.Report{Ready: 12, Types: []string{"pods", "events"}, Nodes: health.Nodes{Known: true, Count: 1, Ready: 1}}, "", "12 ready good | none good | no writes | no sign good | 1 of 1 ready good"},
		"nothing":    {&health.Report{}, "", "not read | not read | not read | not read | not read"},
		"more":       {&health.Report{Workloads: make([]health.Workload, 20), More: 1300}, "x", "1,320 not ready bad | not read | not read | not read"},
		"pods alone": {&health.Report{Types: []string{"pods"}}, "x", "0 ready good | not read | no writes | no sign good"},
	} {
		m := pageOf(t, "/")
		m.Health, m.Namespace = c.report, c.namespace
		var got []string
		for _, one := range m.tiles() {
			got = append(got, strings.TrimSpace(one.Words+" "+string(one.Tone)))
		}
		if all := strings.Join(got, " | "); all != c.want {
			t.Errorf("%s: %s", what, all)
		}
	}
}

func TestASectionSaysWhatItDoesNotKnow(t *testing.T) {
	m := pageOf(t, "/")
	m.Health = sick()
	for _, c := range []struct {
		types []string
		want  string
	}{
		{ofWorkloads, "You don’t have permission to list statefulsets.apps and jobs.batch across the cluster. Fieldmark read the first 250 objects of each type, in the order of their names. Not read: 1,200 pods."},
		{ofWarnings, "Fieldmark couldn’t read events (The request took too long)."},
		{ofNodes, ""},
		{m.others(), "Fieldmark read the first 250 objects of each type, in the order of their names. Not read: more widgets.example.com."},
	} {
		if got := strings.Join(m.missing(c.types), " "); got != c.want {
			t.Errorf("%v: %s", c.types, got)
		}
	}
}

func TestARefusalOffersTheNamespaces(t *testing.T) {
	m := pageOf(t, "/")
	m.Health = sick()
	m.Shell.Namespaces = []string{"a b", "shop"}
	if !m.refused() || m.places()[0].Href != "/c/practice?namespace=a+b" {
		t.Errorf("%v %v", m.refused(), m.places())
	}
	m.Namespace = "shop"
	if m.refused() || m.in("") != "/c/practice" {
		t.Error("within a namespace, it offers namespaces")
	}
}

func TestTheOverviewIsAboutTheCluster(t *testing.T) {
	m := pageOf(t, "/")
	m.Health = sick()
	page := markup(t, m)
	for _, want := range []string{
		`href="/c/practice/apis/apps/v1/namespaces/shop/deployments/web?tab=timeline"`, "FailedScheduling: no room", "and 1 more", "41 changes", "hue-", "NotReady",
		`href="/c/practice/-/discovery"`, "3m ago",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is missing", want)
		}
	}
	if strings.Contains(page, "data-resource=") {
		t.Error("it lists types")
	}
}
