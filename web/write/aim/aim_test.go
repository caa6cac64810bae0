package aim

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web/call"
)

var all = []string{"create", "delete", "get", "list", "patch", "update", "watch"}

var catalog = discovery.Catalog{Groups: []discovery.Group{
	{Name: "", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{
		{Version: "v1", Resource: "configmaps", Kind: "ConfigMap", Singular: "configmap", Namespaced: true, Verbs: all},
		{Version: "v1", Resource: "secrets", Kind: "Secret", Singular: "secret", Namespaced: true, Verbs: all},
		{Version: "v1", Resource: "namespaces", Kind: "Namespace", Singular: "namespace", Verbs: all},
		{Version: "v1", Resource: "bindings", Kind: "Binding", Namespaced: true, Verbs: []string{"create"}},
	}}}},
	{Name: "apps", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{
		{
			Group: "apps", Version: "v1", Resource: "deployments", Kind: "Deployment", Singular: "deployment", Namespaced: true, Verbs: all,
			Subresources: []discovery.Subresource{{Name: "scale", Verbs: []string{"get", "patch"}}},
		},
	}}}},
}}

func TestWhereADocumentGoes(t *testing.T) {
	for name, c := range map[string]struct {
		head                   Head
		namespace, subresource string
		path, assumed, why     string
	}{
		"named":            {head: Head{"apps/v1", "Deployment", "shop", "web", ""}, namespace: "default", path: "/apis/apps/v1/namespaces/shop/deployments/web"},
		"no namespace":     {head: Head{"v1", "ConfigMap", "", "a", ""}, namespace: "other", path: "/api/v1/namespaces/other/configmaps/a", assumed: "other"},
		"cluster-scoped":   {head: Head{"v1", "Namespace", "", "a", ""}, namespace: "other", path: "/api/v1/namespaces/a"},
		"in none":          {head: Head{"v1", "Namespace", "b", "a", ""}, path: "/api/v1/namespaces/a"},
		"generated name":   {head: Head{"v1", "ConfigMap", "shop", "", "a-"}, path: "/api/v1/namespaces/shop/configmaps"},
		"both names":       {head: Head{"v1", "ConfigMap", "shop", "a", "a-"}, path: "/api/v1/namespaces/shop/configmaps/a"},
		"no name":          {head: Head{"v1", "ConfigMap", "shop", "", ""}, why: "no metadata.name"},
		"no kind":          {head: Head{"v1", "", "shop", "a", ""}, why: "no apiVersion or no kind"},
		"subresource":      {head: Head{"apps/v1", "Deployment", "shop", "web", ""}, subresource: "scale", path: "/apis/apps/v1/namespaces/shop/deployments/web/scale"},
		"only created":     {head: Head{"v1", "Binding", "shop", "web", ""}, why: "neither patch nor update for bindings"},
		"created, unnamed": {head: Head{"v1", "Binding", "shop", "", "web-"}, path: "/api/v1/namespaces/shop/bindings"},
		"no such":          {head: Head{"v1", "ConfigMap", "shop", "a", ""}, subresource: "scale", why: `no subresource "scale"`},
		"another version":  {head: Head{"apps/v1beta1", "Deployment", "shop", "web", ""}, why: "Use apps/v1 instead"},
		"no such kind":     {head: Head{"apps/v1", "Deploymnet", "shop", "web", ""}, why: "no kind Deploymnet"},
		"no such group":    {head: Head{"example.com/v1", "Thing", "shop", "web", ""}, why: `no API group "example.com"`},
		"slashes in names": {head: Head{"v1", "ConfigMap", "shop", "a/b", ""}, why: "it has a slash"},
		"dots for a name":  {head: Head{"v1", "ConfigMap", "..", "a", ""}, why: "it has a dot segment"},
	} {
		t.Run(name, func(t *testing.T) {
			got, why := At(c.head, catalog, c.namespace, c.subresource)
			if why != "" || c.why != "" {
				if c.why == "" || !strings.Contains(why, c.why) {
					t.Fatalf("it says %q, wanted %q", why, c.why)
				}
				return
			}
			if got.Path.String() != c.path || got.Assumed != c.assumed {
				t.Errorf("it goes to %s (%q)", got.Path, got.Assumed)
			}
		})
	}
}

func TestRequests(t *testing.T) {
	named, _ := At(Head{"v1", "ConfigMap", "shop", "a", ""}, catalog, "", "")
	made, _ := At(Head{"v1", "ConfigMap", "shop", "", "a-"}, catalog, "", "")
	o := Options{Cluster: "practice", Manager: "ada & co", Validation: Strict}
	for name, c := range map[string]struct{ got, want call.Call }{
		"preview": {named.Request("x", o, true, false), call.New("practice", "PATCH", "/api/v1/namespaces/shop/configmaps/a?dryRun=All&fieldManager=ada+%26+co&fieldValidation=Strict", ApplyYAML, []byte("x"))},
		"forced":  {named.Request("x", o, true, true), call.New("practice", "PATCH", "/api/v1/namespaces/shop/configmaps/a?dryRun=All&fieldManager=ada+%26+co&fieldValidation=Strict&force=true", ApplyYAML, []byte("x"))},
		"real":    {named.Request("x", o, false, false), call.New("practice", "PATCH", "/api/v1/namespaces/shop/configmaps/a?fieldManager=ada+%26+co&fieldValidation=Strict", ApplyYAML, []byte("x"))},
		"created": {made.Request("x", o, true, true), call.New("practice", "POST", "/api/v1/namespaces/shop/configmaps?dryRun=All&fieldManager=ada+%26+co&fieldValidation=Strict", plainYAML, []byte("x"))},
	} {
		if !c.got.Same(c.want) {
			t.Errorf("%s: %+v", name, c.got)
		}
	}
}
