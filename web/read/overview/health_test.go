package overview

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/condition"
	"github.com/fieldmark/fieldmark/kube/contention/report"
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
		Custom: health.Custom{Judged: 9, Left: 3, Odd: []health.Odd{
			{Ref: health.Ref{Kind: "Nest", Namespace: "shop", Name: "robin", Path: "/apis/field.guide/v1/namespaces/shop/nests/robin"}, State: condition.State{Verdict: condition.Ill, Words: "Ready False", Reason: "NoBird", Message: "the bird has left"}},
			{Ref: health.Ref{Kind: "Nest", Namespace: "shop", Name: "wren"}, State: condition.State{Verdict: condition.Busy, Words: "Ready Unknown"}},
		}},
		Namespaces: health.Namespaces{Known: true, Count: 7, Leaving: []health.Leaving{
			{Ref: health.Ref{Kind: "Namespace", Name: "old", Path: "/api/v1/namespaces/old"}, Since: at.Add(-3 * time.Hour), Why: "field.guide/nest in 1 resource instances"},
		}},
		Writes:    []health.Write{{Manager: ada, Last: at.Add(-3 * time.Minute), Objects: 5, When: [health.Slots]int{0: 1, 13: 4}, Newest: []health.Ref{web}}},
		Status:    []health.Write{{Manager: ben, Last: at, Objects: 1, When: [health.Slots]int{19: 1}, Newest: []health.Ref{web}}},
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

// well is a report in which nothing is wrong.
func well() *health.Report {
	return &health.Report{
		Ready: 12, Types: []string{"pods", "events"}, Custom: health.Custom{Judged: 3}, Nodes: health.Nodes{Known: true, Count: 1, Ready: 1}, Namespaces: health.Namespaces{Known: true, Count: 4},
	}
}

func TestTilesSumTheSectionsUp(t *testing.T) {
	for what, c := range map[string]struct {
		report    *health.Report
		namespace string
		want      string
	}{
		"sick": {
			sick(), "",
			"1 of 5 not ready bad | 2 of 9 not ready bad | 1 of 3 not ready warn | 1 terminating warn | 1 sign warn | 5 Events warn | 1 manager wrote",
		},
		"namespace": {sick(), "shop", "1 of 5 not ready bad | 2 of 9 not ready bad | 1 sign warn | 5 Events warn | 1 manager wrote"},
		"healthy":   {well(), "", "12 ready good | 3 ready good | 1 ready good | 4 none terminating good | 0 signs good | 0 Events good | 0 managers wrote"},
		"healthy, as far as it was read": {
			&health.Report{Ready: 12, Types: []string{"pods", "events"}, Gaps: []health.Gap{{Resource: "pods", Rest: 1}, {Resource: "events", Forbidden: true}}}, "x",
			"12 ready | 0 signs good | 0 Events | 0 managers wrote",
		},
		"nothing":    {&health.Report{}, "", "not read | not read | not read | not read | not read | not read"},
		"more":       {&health.Report{Workloads: make([]health.Workload, 20), More: 1300, Ready: 80}, "x", "1,320 of 1,400 not ready bad | not read | not read | not read"},
		"pods alone": {&health.Report{Types: []string{"pods"}}, "x", "0 ready good | 0 signs good | not read | 0 managers wrote"},
	} {
		m := pageOf(t, "/")
		m.Health, m.Namespace = c.report, c.namespace
		var got []string
		for _, one := range m.tiles() {
			got = append(got, strings.TrimSpace(strings.TrimSpace(one.Number+" "+one.Words)+" "+string(one.Tone)))
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

// A green word is read first, so that nobody looks for what is wrong.
func TestNothingIsGreenWhileSomethingIsWrong(t *testing.T) {
	green := func(m Model) bool { return strings.Contains(markup(t, m), "-good") }
	m := pageOf(t, "/")
	m.State, m.Tone, m.Health = "Connected.", components.Good, well()
	if !green(m) {
		t.Fatal("nothing is wrong, and nothing is green")
	}
	for what, spoil := range map[string]func(*Model, *health.Report){
		"a workload":  func(_ *Model, r *health.Report) { r.Workloads = sick().Workloads },
		"a resource":  func(_ *Model, r *health.Report) { r.Custom = sick().Custom },
		"a namespace": func(_ *Model, r *health.Report) { r.Namespaces = sick().Namespaces },
		"a node":      func(_ *Model, r *health.Report) { r.Nodes = sick().Nodes },
		"a warning":   func(_ *Model, r *health.Report) { r.Warned, r.Warnings = 5, sick().Warnings },
		"a sign":      func(_ *Model, r *health.Report) { r.Contested = sick().Contested },
		"a fight": func(m *Model, _ *health.Report) {
			m.Shell.Fights = []report.Known{{Fight: report.Fight{Path: ".spec"}}}
		},
		"the example": func(m *Model, _ *health.Report) { m.Fight = &Fight{Scenario: parsed(t, fighting)} },
		"the cluster": func(m *Model, _ *health.Report) { m.Tone = components.Warn },
	} {
		spoiled, r := m, *well()
		spoiled.Health = &r
		if spoil(&spoiled, &r); green(spoiled) {
			t.Errorf("%s is wrong, and something is green", what)
		}
	}
}

func TestWhatIsWrongSaysWhy(t *testing.T) {
	m := pageOf(t, "/")
	m.Health = sick()
	var got []string
	for _, part := range m.wrong() {
		for _, row := range part.Rows {
			got = append(got, strings.TrimSpace(part.ID+": "+called(row.Ref)+" "+row.State+" "+string(row.Tone)+" "+strings.Join(row.Why, " ")+" "+row.Reason+" "+row.Said))
		}
	}
	want := []string{
		"workloads: shop deployment/web 1 of 3 ready bad 2 pods Pending  FailedScheduling: no room",
		"custom: shop nest/robin Ready False bad  NoBird the bird has left",
		"custom: shop nest/wren Ready Unknown busy",
		"nodes: node/n NotReady warn",
		"namespaces: namespace/old terminating for 3h warn   field.guide/nest in 1 resource instances",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if text := m.unread(); text != "3 more types of custom resources aren’t read here. Their lists show how their objects are." {
		t.Error(text)
	}
	m.Health, got = well(), nil
	for _, part := range m.wrong() {
		got = append(got, part.Fine)
	}
	if all := strings.Join(got, " "); all != "12 workloads are ready. 3 custom resources are ready, by their conditions. 1 node is ready. No namespace is being deleted." {
		t.Error(all)
	}
}

func TestThePictureOfWrites(t *testing.T) {
	m := pageOf(t, "/")
	m.Health = sick()
	bars := m.bars(m.Health.Writes[0], most(m.Health.Writes))
	want := []bar{{X: 0, Y: 16, Height: 4, Words: "1 object 10m ago"}, {X: 117, Y: 1, Height: 19, Words: "4 objects 3m30s ago"}}
	if !slices.Equal(bars, want) || tempoText(bars) != "1 object 10m ago and 4 objects 3m30s ago" {
		t.Errorf("%+v", bars)
	}
	if bars := m.bars(health.Write{When: [health.Slots]int{3: 1}}, 1000); bars[0].Height != leastBar {
		t.Error("a single write can’t be seen beside a thousand")
	}
}
