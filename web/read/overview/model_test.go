package overview

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

var (
	eight   = []string{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}
	pods    = discovery.Type{Version: "v1", Resource: "pods", Kind: "Pod", Namespaced: true, Verbs: eight, ShortNames: []string{"po"}, Subresources: []discovery.Subresource{{Name: "log"}, {Name: "status"}}}
	nodes   = discovery.Type{Version: "v1", Resource: "nodes", Kind: "Node", Verbs: eight}
	binding = discovery.Type{Version: "v1", Resource: "bindings", Kind: "Binding", Namespaced: true, Verbs: []string{"create"}}
	hpa1    = discovery.Type{Group: "autoscaling", Version: "v1", Resource: "horizontalpodautoscalers", Kind: "HorizontalPodAutoscaler", Verbs: eight}
	hpa2    = discovery.Type{Group: "autoscaling", Version: "v2", Resource: "horizontalpodautoscalers", Kind: "HorizontalPodAutoscaler", Verbs: eight}
)

func pageOf(t *testing.T, path string) Model {
	t.Helper()
	p, err := apipath.Parse(path)
	if err != nil {
		t.Fatal(err)
	}
	return Model{Frame: page.Frame{Shell: shell.Model{
		Cluster: shell.Cluster{Slug: "practice", Name: "Practice"}, Path: p,
		Catalog: discovery.Catalog{
			Groups: []discovery.Group{
				{Preferred: "v1", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{pods, nodes, binding}}}},
				{Name: "autoscaling", Preferred: "v2", Versions: []discovery.Version{{Name: "v2", Types: []discovery.Type{hpa2}}, {Name: "v1", Types: []discovery.Type{hpa1}}}},
				{Name: "metrics.k8s.io", Preferred: "v1beta1", Versions: []discovery.Version{{Name: "v1beta1", Stale: true}}},
			},
			Failures: []discovery.Failure{{Group: "metrics.k8s.io", Version: "v1beta1", Why: "503: it is down"}},
		},
	}}}
}

func TestGroupsInScope(t *testing.T) {
	for path, want := range map[string]string{
		"/":                    "core, v1 | autoscaling/v2 | metrics.k8s.io/v1beta1",
		"/apis":                "autoscaling/v2 | metrics.k8s.io/v1beta1",
		"/api":                 "core, v1",
		"/api/v1":              "core, v1",
		"/apis/autoscaling":    "autoscaling/v2",
		"/apis/autoscaling/v1": "autoscaling/v1",
		"/apis/nope":           "",
	} {
		var titles []string
		for _, g := range pageOf(t, path).groups() {
			titles = append(titles, g.Title)
		}
		if got := strings.Join(titles, " | "); got != want {
			t.Errorf("%s lists %q, want %q", path, got, want)
		}
	}
}

func TestAGroupLeadsToItsOtherVersions(t *testing.T) {
	g := pageOf(t, "/apis/autoscaling/v1").groups()[0]
	if len(g.Other) != 1 || g.Other[0].Text != "v2" || g.Other[0].Href != "/c/practice/apis/autoscaling/v2" {
		t.Errorf("%+v", g.Other)
	}
	if g.Href != "/c/practice/apis/autoscaling/v1" || len(g.Types) != 1 || g.Types[0].Version != "v1" {
		t.Errorf("%+v", g)
	}
}

func TestTypesAreListedByName(t *testing.T) {
	m := pageOf(t, "/api/v1")
	var got []string
	for _, one := range m.groups()[0].Types {
		got = append(got, one.Resource)
	}
	if !slices.Equal(got, []string{"bindings", "nodes", "pods"}) {
		t.Errorf("%v", got)
	}
	if m.Shell.Catalog.Groups[0].Versions[0].Types[0].Resource != "pods" {
		t.Error("listing them changed the catalog's order, which is the server's")
	}
}

func TestWhyAGroupIsEmptyIsSaid(t *testing.T) {
	for _, g := range pageOf(t, "/").groups() {
		if want := map[bool]string{true: "503: it is down"}[g.Title == "metrics.k8s.io/v1beta1"]; g.Stale != want {
			t.Errorf("%s: %q", g.Title, g.Stale)
		}
	}
}

func TestCounts(t *testing.T) {
	m := pageOf(t, "/")
	m.Counts = map[string]Count{
		CountKey("", "pods"): {Known: true, N: 12345}, CountKey("autoscaling", "horizontalpodautoscalers"): {Why: "forbidden"},
		CountKey("", "secrets"): {Known: true, AtLeast: true, N: 1000},
	}
	for _, c := range []struct {
		what       string
		of         discovery.Type
		text, hint string
	}{
		{"known", pods, "12,345", ""},
		{"more than was counted", discovery.Type{Version: "v1", Resource: "secrets", Verbs: eight}, "1,000+", "There are more"},
		{"asked for, not told", hpa2, "–", "forbidden"},
		{"the same in another version", hpa1, "–", "forbidden"},
		{"not asked for in time", nodes, "…", "Reload"},
		{"nothing to count", binding, "", "no collection"},
	} {
		text, hint := m.countText(c.of)
		if text != c.text || !strings.Contains(hint, c.hint) || (hint == "") != (c.hint == "") {
			t.Errorf("%s: %q %q", c.what, text, hint)
		}
	}
}

func TestTypesOfOneNameInTwoGroupsAreCountedApart(t *testing.T) {
	if CountKey("", "events") == CountKey("events.k8s.io", "events") {
		t.Error("events of both groups have one key")
	}
}

func TestVerbsAreShortWhereUsual(t *testing.T) {
	without := func(verb string) []string {
		return slices.DeleteFunc(slices.Clone(eight), func(v string) bool { return v == verb })
	}
	for _, c := range []struct {
		verbs []string
		want  string
	}{
		{eight, "all eight"},
		{without("deletecollection"), "all but deletecollection"},
		{[]string{"get", "list"}, "get list"},
		{[]string{"create"}, "create"},
		{append(slices.Clone(eight), "impersonate"), strings.Join(eight, " ") + " impersonate"},
		{append(without("watch"), "sign"), strings.Join(without("watch"), " ") + " sign"},
		{nil, ""},
	} {
		text, all := verbs(discovery.Type{Verbs: c.verbs})
		if text != c.want || all != strings.Join(c.verbs, " ") {
			t.Errorf("%v: %q (%q), want %q", c.verbs, text, all, c.want)
		}
	}
}

func TestHeading(t *testing.T) {
	for path, want := range map[string]string{
		"/": "Practice", "/apis": "API groups", "/api": "Core API group", "/api/v1": "Core API group, v1",
		"/apis/apps": "apps", "/apis/apps/v1": "apps/v1",
	} {
		if got := pageOf(t, path).heading(); got != want {
			t.Errorf("%s is headed %q, want %q", path, got, want)
		}
	}
}

func TestFactsThatAreNotKnownAreLeftOut(t *testing.T) {
	m := pageOf(t, "/")
	m.Version, m.State, m.Tone = "v1.37.1", "Connected.", components.Good
	var got []string
	for _, f := range m.facts() {
		got = append(got, f.Name)
	}
	if !slices.Equal(got, []string{"state", "version"}) {
		t.Errorf("%v", got)
	}
}

func TestTypesThatCannotBeListedHaveNoPage(t *testing.T) {
	m := pageOf(t, "/")
	if got := m.typeHref(binding); got != "" {
		t.Errorf("bindings lead to %s", got)
	}
	if got := m.typeHref(hpa1); got != "/c/practice/apis/autoscaling/v1/horizontalpodautoscalers" {
		t.Errorf("the version is lost: %s", got)
	}
}

func TestOnlyAskingForThePageAgainDoesSomething(t *testing.T) {
	p, did := pageOf(t, "/").Awake(time.Time{})
	for _, message := range []page.Msg{page.Tick{}, page.Connection{State: page.Broken}, page.Pressed{Key: "j"}} {
		_, more := p.Update(message)
		did = append(did, more...)
	}
	if len(did) != 0 {
		t.Errorf("it does %v", did)
	}
	if _, did = p.Update(page.Addressed{}); !slices.Equal(did, []page.Cmd{page.Reload{}}) {
		t.Errorf("asked for again, it does %v", did)
	}
}

func TestThePageSurvivesJSON(t *testing.T) {
	for _, path := range []string{"/", "/api", "/apis", "/apis/autoscaling", "/apis/autoscaling/v1", "/apis/metrics.k8s.io"} {
		m := pageOf(t, path)
		m.Server, m.Version, m.User, m.State, m.Tone = "127.0.0.1:6443", "v1.37.1", "a & <b>", "Connected.", components.Good
		if path == "/" {
			m.Health, m.Namespace = sick(), "shop"
		}
		m.Counts = map[string]Count{CountKey("", "pods"): {Known: true, N: 1000, AtLeast: true}, CountKey("", "nodes"): {Why: "forbidden"}}
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var back Model
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if before, after := markup(t, m), markup(t, back); before != after {
			t.Errorf("%s: was\n%s\nis\n%s", path, before, after)
		}
	}
}

func markup(t *testing.T, m Model) string {
	t.Helper()
	var b bytes.Buffer
	if err := page.View(m).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
