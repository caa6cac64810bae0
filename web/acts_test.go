package web_test

import (
	"net/url"
	"slices"
	"testing"

	plans "github.com/fieldmark/fieldmark/kube/act"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/palette"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// The palette knows the names of some acts, because their plans would make every program for the browser larger. It must not offer an act that the
// type doesn't have.
func TestThePaletteOffersOnlyActsThatExist(t *testing.T) {
	subresources := []discovery.Subresource{{Name: "scale", Verbs: []string{"get", "patch"}}}
	for _, of := range []discovery.Type{
		{Group: "apps", Version: "v1", Resource: "deployments", Kind: "Deployment", Namespaced: true, Subresources: subresources},
		{Group: "apps", Version: "v1", Resource: "statefulsets", Kind: "StatefulSet", Namespaced: true, Subresources: subresources},
		{Group: "apps", Version: "v1", Resource: "daemonsets", Kind: "DaemonSet", Namespaced: true},
		{Version: "v1", Resource: "nodes", Kind: "Node"},
		{Version: "v1", Resource: "configmaps", Kind: "ConfigMap", Namespaced: true},
	} {
		of.Verbs = []string{"get", "list", "patch", "watch"}
		frame := shell.Model{Cluster: shell.Cluster{Slug: "practice"}, Path: apipath.Object(of.Group, of.Version, "shop", of.Resource, "web")}
		frame.Catalog = discovery.Catalog{Groups: []discovery.Group{{
			Name: of.Group, Preferred: "v1", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{of}}},
		}}}
		offered := 0
		for _, e := range palette.Commands(frame) {
			u, err := url.Parse(e.Href)
			if err != nil || u.Path != web.Tool("practice", web.Act) {
				continue
			}
			offered++
			name := u.Query().Get(web.ActName)
			if name != "" && !slices.ContainsFunc(plans.Of(of), func(a plans.Act) bool { return a.Name == name }) {
				t.Errorf("%s: the palette offers %q, which isn’t an act of this type", of.Resource, name)
			}
		}
		if offered == 0 {
			t.Errorf("%s: the palette offers no act", of.Resource)
		}
	}
}
