package views

import (
	"net/url"
	"slices"
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/describe"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web"
)

func TestWhatRunsHasViewsOfItsOwn(t *testing.T) {
	metrics := discovery.Catalog{Groups: []discovery.Group{{Name: MetricsGroup, Versions: []discovery.Version{{Name: "v1beta1", Types: []discovery.Type{
		{Group: MetricsGroup, Version: "v1beta1", Resource: "pods", Kind: "PodMetrics"}, {Group: MetricsGroup, Version: "v1beta1", Resource: "nodes", Kind: "NodeMetrics"},
	}}}}}}
	for _, c := range []struct {
		group, resource string
		catalog         discovery.Catalog
		want            []View
	}{
		{"", "pods", metrics, []View{Describe, Logs, Shell, Usage}},
		{"", "pods", discovery.Catalog{}, []View{Describe, Logs, Shell}},
		{"", "nodes", metrics, []View{Describe, Usage}},
		{"", "nodes", discovery.Catalog{}, []View{Describe}},
		{"", "services", metrics, []View{Describe, Logs}},
		{"", "persistentvolumeclaims", metrics, []View{Describe}},
		{"networking.k8s.io", "ingresses", metrics, []View{Describe}},
		{"apps", "deployments", metrics, []View{Logs}},
		{"batch", "jobs", metrics, []View{Describe, Logs}},
		{"batch", "cronjobs", metrics, nil},
		{"", "configmaps", metrics, nil},
		{"example.com", "pods", metrics, nil},
	} {
		kind := discovery.Type{Group: c.group, Version: "v1", Resource: c.resource}
		all := Of(kind, apipath.Object(c.group, "v1", "a", c.resource, "b"), c.catalog)
		others := []View{Fields, YAML, JSON, Timeline, Schema, Events, Related}
		if got := slices.DeleteFunc(slices.Clone(all), func(v View) bool { return slices.Contains(others, v) }); !slices.Equal(got, c.want) || len(all) != len(others)+len(got) {
			t.Errorf("%s/%s: %v, want %v", c.group, c.resource, got, c.want)
		}
		if slices.Contains(all, Describe) != describe.Known(c.group, c.resource) {
			t.Errorf("%s/%s: the view differs from what package describe knows", c.group, c.resource)
		}
		if slices.Contains(all, Describe) && all[1] != Describe {
			t.Errorf("%s/%s: Describe isn’t beside Fields: %v", c.group, c.resource, all)
		}
		for _, v := range all {
			address := v.Address("x", apipath.Object(c.group, "v1", "a", c.resource, "b"))
			u, err := url.Parse(address)
			if err != nil || Parse(u.Query()) != v || v.Words() == "" {
				t.Errorf("%s leads to %q (%v), %v", v, v.Words(), address, err)
			}
			if want := map[bool]string{true: web.RunProgram, false: web.ReadProgram}[slices.Contains(c.want, v)]; web.Program(address) != want {
				t.Errorf("%s is run by %s", address, web.Program(address))
			}
		}
	}
}
