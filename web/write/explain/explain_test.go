package explain

import (
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/explain"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

func TestObjectsLeadToTheirPages(t *testing.T) {
	m := Model{Frame: page.Frame{Shell: shell.Model{Cluster: shell.Cluster{Slug: "practice"}}}}
	web := check.Object{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}
	for name, c := range map[string]struct {
		of   explain.Object
		want string
	}{
		"a type with a group":    {explain.Object{Object: web, Resource: "deployments.apps"}, "/c/practice/apis/apps/v1/namespaces/shop/deployments/web"},
		"a type of the core":     {explain.Object{Object: check.Object{APIVersion: "v1", Kind: "Node", Name: "a"}, Resource: "nodes"}, "/c/practice/api/v1/nodes/a"},
		"as far as a text tells": {explain.Object{Object: check.Object{Kind: "Deployment", Name: "web"}, Resource: "deployment"}, ""},
		"without a name":         {explain.Object{Object: check.Object{APIVersion: "v1"}, Resource: "pods"}, ""},
		"without a type":         {explain.Object{Object: web}, ""},
	} {
		if got := m.objectAddress(c.of); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := m.fieldAddress(explain.Object{Object: web, Resource: "deployments.apps"}, explain.Field{Path: ".spec.replicas", Owners: make([]ownership.Owner, 1)}); got != "/c/practice/apis/apps/v1/namespaces/shop/deployments/web?field=.spec.replicas" {
		t.Error(got)
	}
}

// Each way out that is promised to scripts has a name for people.
func TestWaysHaveTitles(t *testing.T) {
	for _, way := range []string{
		check.WayGiveUp, check.WayShare, check.WayOverwrite, check.WayHandOver, check.WayRule,
		explain.WayCorrect, explain.WayRetry, explain.WayRecreate, explain.WayGrant, explain.WayLook, explain.WayInstall,
	} {
		if got := Title(check.Way{Way: way}); got == way || got == "" {
			t.Errorf("%s: %q", way, got)
		}
	}
	if got := Title(check.Way{Way: check.WayShare, NotTried: true}); got != "Share the field (not tried)" {
		t.Error(got)
	}
	if got := Title(check.Way{Way: "another"}); got != "another" {
		t.Error(got)
	}
}

func TestThePageIsAskedForAgain(t *testing.T) {
	m, commands := Model{}.Awake(time.Time{})
	if len(commands) != 0 {
		t.Error(commands)
	}
	if _, commands = m.Update(page.Addressed{}); len(commands) != 1 || commands[0] != (page.Reload{}) {
		t.Errorf("%+v", commands)
	}
}

func TestLongValuesAreBrokenOff(t *testing.T) {
	if got := short([]byte(strings.Repeat("ä", longestValue+1))); got != strings.Repeat("ä", longestValue)+"…" {
		t.Error(got)
	}
}

// The managers of all explanations are told apart, as everywhere else.
func TestManagersHaveFaces(t *testing.T) {
	owner := func(name, version string) ownership.Owner {
		return ownership.Owner{Manager: ownership.Manager{Name: name, Operation: ownership.Update, APIVersion: version}}
	}
	m := Model{Answer: &explain.Answer{Explanations: []explain.Explanation{
		{Fields: []explain.Field{{Path: ".a", Owners: []ownership.Owner{owner("kubectl-create", "v1")}}}},
		{Fields: []explain.Field{{Path: ".b", Owners: []ownership.Owner{owner("kube-controller-manager", "apps/v1"), owner("kubectl-create", "apps/v1")}}}},
	}}}
	var b strings.Builder
	if err := answer(m, *m.Answer).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if html := b.String(); strings.Count(html, `>KC</text>`) != 1 || strings.Count(html, `>Ku</text>`) != 2 || strings.Contains(html, "mark-") {
		t.Error(html)
	}
}

func TestAnExplanationIsCopied(t *testing.T) {
	m := Model{Now: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC), Answer: &explain.Answer{Explanations: []explain.Explanation{{
		What: "The apply conflicts with another manager.", Why: "helm owns the field.",
		Objects: []explain.Object{{Object: check.Object{Kind: "Deployment", Namespace: "shop", Name: "web"}}},
		Fields: []explain.Field{{Path: ".spec.replicas", Live: []byte("5"), Stated: []byte("3"), Owners: []ownership.Owner{
			{Manager: ownership.Manager{Name: "helm", Operation: ownership.Apply}, Time: "2026-11-23T11:57:00Z"},
		}}},
	}}}}
	const want = "### The apply conflicts with another manager: Deployment shop/web\n\n| field | live value | value in the manifest | owners |\n|---|---|---|---|\n" +
		"| `.spec.replicas` | `5` | `3` | `helm` (Apply, last wrote 3m ago) |\n\nhelm owns the field.\n"
	_, did := m.Update(page.Acted{Action: "copy-as-markdown 0"})
	if len(did) != 1 || did[0].(page.Copy).Text != want {
		t.Errorf("%+v", did)
	}
	for _, action := range []string{"copy-as-markdown 1", "copy-as-image -1", "copy-as-image x", "another"} {
		if _, did := m.Update(page.Acted{Action: action}); did != nil {
			t.Errorf("%s: %+v", action, did)
		}
	}
}
