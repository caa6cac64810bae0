package shell

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
)

func TestWhatCanBeTriedIsWhatTheTypeOffers(t *testing.T) {
	web := apipath.Object("apps", "v1", "shop", "deployments", "web")
	for want, menu := range map[string]components.Menu{
		"request representations chunks versions watch":             CollectionTools("c", "/apis/apps/v1/deployments?labelSelector=a%3Db", discovery.Type{Verbs: []string{"list", "watch"}}),
		"request representations chunks versions":                   CollectionTools("c", "/api/v1/componentstatuses", discovery.Type{Verbs: []string{"list"}}),
		"request representations watch compare with another object": ObjectTools("c", web, discovery.Type{Verbs: []string{"watch"}}),
		"request representations compare with another object":       ObjectTools("c", web, discovery.Type{}),
	} {
		var got []string
		for _, l := range menu.Links {
			got = append(got, strings.ToLower(l.Text))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("got %v, wanted %s", got, want)
		}
	}
}

func TestAddressesKeepTheQueryOfThePath(t *testing.T) {
	if got, want := ToolAt("c", "watch", "/api/v1/pods?labelSelector=a%3Db"), "/c/c/-/watch?path=%2Fapi%2Fv1%2Fpods%3FlabelSelector%3Da%253Db"; got != want {
		t.Errorf("got %s, wanted %s", got, want)
	}
	menu := ObjectTools("c", apipath.Object("apps", "v1", "shop", "deployments", "web"), discovery.Type{Verbs: []string{"watch"}})
	if got := menu.Links[2].Href; !strings.HasSuffix(got, "deployments%3FfieldSelector%3Dmetadata.name%253Dweb") {
		t.Errorf("an object is watched at %s", got)
	}
}
