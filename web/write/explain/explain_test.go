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
	m := Model{Shell: shell.Model{Cluster: shell.Cluster{Slug: "practice"}}}
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
		if got := m.address(c.of); got != c.want {
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
