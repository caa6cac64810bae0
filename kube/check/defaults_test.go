package check

import (
	"testing"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
)

func TestDefaults(t *testing.T) {
	for _, c := range []struct {
		object, key string
		want        bool
	}{
		{`{"apiVersion":"v1","kind":"Secret","type":"Opaque"}`, "type", true},
		{`{"apiVersion":"v1","kind":"Secret","type":"kubernetes.io/tls"}`, "type", false},
		{`{"apiVersion":"example.com/v1","kind":"Thing","type":"Opaque"}`, "type", false},
		{`{"apiVersion":"v1","kind":"Service","spec":{"port":80,"targetPort":80}}`, "targetPort", true},
		{`{"apiVersion":"v1","kind":"Service","spec":{"port":80,"targetPort":8080}}`, "targetPort", false},
		{`{"apiVersion":"v1","kind":"Service","spec":{"targetPort":80}}`, "targetPort", false},
		{`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","spec":{"kind":"Thing","singular":"thing","listKind":"ThingList"}}`, "singular", true},
		{`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","spec":{"kind":"Thing","singular":"thing","listKind":"ThingList"}}`, "listKind", true},
		{`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","spec":{"kind":"Thing","listKind":"Things"}}`, "listKind", false},
		{`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"shop","labels":{"kubernetes.io/metadata.name":"shop"}}}`, "kubernetes.io/metadata.name", true},
		{`{"apiVersion":"apps/v1","kind":"DaemonSet","metadata":{"annotations":{"deprecated.daemonset.template.generation":"3"}}}`, "deprecated.daemonset.template.generation", true},
		{`{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","spec":{"policies":[{"type":"Percent","value":100,"periodSeconds":15}]}}`, "policies", true},
		{`{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","spec":{"policies":[{"type":"Percent","value":50,"periodSeconds":15}]}}`, "policies", false},
	} {
		o, err := object.Parse([]byte(c.object))
		if err != nil {
			t.Fatal(err)
		}
		n := named(manifest.Tree(o.Fields), c.key)
		if n == nil {
			t.Fatalf("%s has no %s", c.object, c.key)
		}
		if got := usual(Object{APIVersion: o.APIVersion(), Kind: o.Kind(), Name: o.Meta("name")}, nil, n); got != c.want {
			t.Errorf("%s of %s is a default: %v", c.key, c.object, got)
		}
	}
}

// named is the first node of a name.
func named(n *manifest.Node, key string) *manifest.Node {
	if n.Key == key {
		return n
	}
	for _, child := range n.Children {
		if found := named(child, key); found != nil {
			return found
		}
	}
	return nil
}
