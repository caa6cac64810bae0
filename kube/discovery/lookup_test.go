package discovery

import (
	"slices"
	"testing"
)

func typ(group, version, resource, kind, singular string, short ...string) Type {
	return Type{Group: group, Version: version, Resource: resource, Kind: kind, Singular: singular, Verbs: []string{"list"}, ShortNames: short}
}

// zoo has what makes lookups hard: one name in two groups, a type in a version that is not preferred, a
// group whose name starts like another's, a kind that is another's short name.
var zoo = Catalog{Groups: []Group{
	{Preferred: "v1", Versions: []Version{{Name: "v1", Types: []Type{
		typ("", "v1", "events", "Event", "event", "ev"), typ("", "v1", "pods", "Pod", "pod", "po"), typ("", "v1", "services", "Service", "service", "svc"),
	}}}},
	{Name: "apps", Preferred: "v1", Versions: []Version{{Name: "v1beta1", Types: []Type{
		typ("apps", "v1beta1", "deployments", "Deployment", "deployment", "deploy"), typ("apps", "v1beta1", "olds", "Old", "old"),
	}}, {Name: "v1", Types: []Type{typ("apps", "v1", "deployments", "Deployment", "deployment", "deploy")}}}},
	{Name: "events.k8s.io", Preferred: "v1", Versions: []Version{{Name: "v1", Types: []Type{typ("events.k8s.io", "v1", "events", "Event", "event", "ev")}}}},
	{Name: "serving.knative.dev", Preferred: "v1", Versions: []Version{{Name: "v1", Types: []Type{
		typ("serving.knative.dev", "v1", "services", "Service", "service", "ksvc"), typ("serving.knative.dev", "v1", "svcs", "Po", "svc"),
	}}}},
	{Name: "broken.example.org", Preferred: "v9"},
}}

func TestFind(t *testing.T) {
	for word, want := range map[string][]string{
		"pods":                         {"pods/v1"},
		"PO":                           {"pods/v1", "svcs.serving.knative.dev/v1"},
		"deploy":                       {"deployments.apps/v1"},
		"deployments.apps":             {"deployments.apps/v1"},
		"deploy.app":                   {"deployments.apps/v1"},
		"deployments.v1beta1.apps":     {"deployments.apps/v1beta1"},
		"deployments.v7.apps":          nil,
		"old":                          {"olds.apps/v1beta1"},
		"events":                       {"events/v1", "events.events.k8s.io/v1"},
		"event.events.k8s.io":          {"events.events.k8s.io/v1"},
		"ev.events":                    {"events.events.k8s.io/v1"},
		"pods.v1":                      {"pods/v1"},
		"pods.v1.":                     {"pods/v1"},
		"svc":                          {"svcs.serving.knative.dev/v1", "services/v1"},
		"services.serving.knative.dev": {"services.serving.knative.dev/v1"},
		"ksvc.serving.knative.dev":     {"services.serving.knative.dev/v1"},
		"":                             nil,
		".":                            nil,
		".apps":                        nil,
		"nothing":                      nil,
		"nothing.apps":                 nil,
		"pods.nowhere":                 nil,
	} {
		var got []string
		for _, t := range zoo.Find(word) {
			got = append(got, t.FullName()+"/"+t.Version)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}

func TestType(t *testing.T) {
	for _, c := range []struct {
		group, version, resource, want string
	}{
		{"apps", "", "deployments", "v1"},
		{"apps", "v1beta1", "deployments", "v1beta1"},
		{"apps", "", "olds", "v1beta1"},
		{"apps", "v1", "olds", ""},
		{"apps", "", "nothing", ""},
		{"nowhere", "", "pods", ""},
		{"", "v1", "pods", "v1"},
		{"broken.example.org", "", "x", ""},
	} {
		got, ok := zoo.Type(c.group, c.version, c.resource)
		if got.Version != c.want || ok != (c.want != "") {
			t.Errorf("%+v: got %+v", c, got)
		}
	}
	if got, ok := zoo.Kind("apps", "v1", "Deployment"); !ok || got.GroupVersion() != "apps/v1" {
		t.Errorf("got %+v", got)
	}
	if _, ok := zoo.Kind("apps", "v2", "Deployment"); ok {
		t.Error("a kind in a version that is not there")
	}
	if all := zoo.Versions("apps", "deployments"); len(all) != 2 || all[0].Version != "v1" || all[1].Version != "v1beta1" {
		t.Errorf("got %+v", all)
	}
}

func TestPreferredHasEachTypeOnce(t *testing.T) {
	seen := map[string]int{}
	for _, t := range zoo.Preferred() {
		seen[t.FullName()]++
	}
	for name, n := range seen {
		if n != 1 {
			t.Errorf("%s %d times", name, n)
		}
	}
	if len(seen) != 8 || len(zoo.Listable()) != 8 {
		t.Errorf("%d types", len(seen))
	}
}

func TestSubresources(t *testing.T) {
	pods := Type{Verbs: []string{"get"}, Subresources: []Subresource{{Name: "log", Verbs: []string{"get"}}}}
	if log, ok := pods.Subresource("log"); !ok || !log.Can("get") || log.Can("list") {
		t.Errorf("%+v", log)
	}
	if _, ok := pods.Subresource("exec"); ok || pods.Listable() || pods.Watchable() {
		t.Errorf("%+v", pods)
	}
}

func TestScopeAndParts(t *testing.T) {
	pods := Type{Namespaced: true, Subresources: []Subresource{{Name: "log"}, {Name: "status"}}}
	if scope, parts := pods.Scope(), pods.Parts(); scope != "namespace" || parts != "log status" {
		t.Errorf("%q, %q", scope, parts)
	}
	if scope, parts := (Type{}).Scope(), (Type{}).Parts(); scope != "cluster" || parts != "" {
		t.Errorf("%q, %q", scope, parts)
	}
}

func TestVersionsOfAGroupThatCouldNotBeReadCountAsServed(t *testing.T) {
	c := Catalog{
		Groups:   []Group{{Versions: []Version{{Name: "v1"}}}, {Name: "apps", Versions: []Version{{Name: "v1"}}}},
		Failures: []Failure{{Group: "metrics.k8s.io", Version: "v1beta1"}},
	}
	for version, want := range map[string]bool{"v1": true, "v2": false, "apps/v1": true, "apps/v1beta2": false, "gone.example.com/v1": false, "metrics.k8s.io/v1": true} {
		if c.Serves(version) != want {
			t.Errorf("%s is served: %v", version, !want)
		}
	}
}
