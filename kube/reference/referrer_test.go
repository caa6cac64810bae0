package reference

import (
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
)

func TestRefers(t *testing.T) {
	web := apipath.Object("apps", "v1", "shop", "deployments", "web")
	kind := Kind{"apps/v1", "Deployment", "deployments", true}
	settings := apipath.Object("", "v1", "shop", "configmaps", "settings")
	labels := map[string]string{"app": "web", "tier": "front"}
	const meta = `"metadata":{"name":"x","namespace":"shop"},`
	for what, c := range map[string]struct {
		object string
		to     apipath.Path
		want   bool
	}{
		"an autoscaler":            {`{` + meta + `"spec":{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"}}}`, web, true},
		"an autoscaler of another": {`{` + meta + `"spec":{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"api"}}}`, web, false},
		"a Service":                {`{"apiVersion":"v1","kind":"Service",` + meta + `"spec":{"selector":{"app":"web"}}}`, web, true},
		"a Service of others":      {`{"apiVersion":"v1","kind":"Service",` + meta + `"spec":{"selector":{"app":"api"}}}`, web, false},
		"a Service without one":    {`{"apiVersion":"v1","kind":"Service",` + meta + `"spec":{}}`, web, false},
		"another Deployment":       {`{"apiVersion":"apps/v1","kind":"Deployment",` + meta + `"spec":{"selector":{"matchLabels":{"app":"web"}},"template":{}}}`, web, false},
		"a volume":                 {`{` + meta + `"spec":{"volumes":[{"configMap":{"name":"settings"}}]}}`, settings, true},
		"a volume elsewhere":       {`{"metadata":{"namespace":"other"},"spec":{"volumes":[{"configMap":{"name":"settings"}}]}}`, settings, false},
	} {
		if got := Refers(tree(t, c.object), c.to, kind, labels); got != c.want {
			t.Errorf("%s: %v", what, got)
		}
	}
}

func TestPodLabels(t *testing.T) {
	for object, want := range map[string]string{
		`{"apiVersion":"v1","kind":"Pod","metadata":{"labels":{"app":"web"}}}`:                                                                      "web",
		`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"labels":{"app":"no"}},"spec":{"template":{"metadata":{"labels":{"app":"web"}}}}}`: "web",
		`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"labels":{"app":"no"}}}`:                                                                 "",
		`{"apiVersion":"v1","kind":"Pod","metadata":[]}`:                                                                                            "",
		`null`: "",
	} {
		if got := PodLabels(tree(t, object))["app"]; got != want {
			t.Errorf("%s: %q", object, got)
		}
	}
}

func TestReferrers(t *testing.T) {
	all := Referrers(GroupResource{"apps", "deployments"}, true)
	if len(all) != 4 || all[3].Resource != "horizontalpodautoscalers" {
		t.Errorf("%v", all)
	}
	if len(Referrers(GroupResource{"apps", "deployments"}, false)) != 3 || Referrers(GroupResource{"", "namespaces"}, false) != nil {
		t.Error("a type that nothing scales has autoscalers, or a namespace has referrers")
	}
}
