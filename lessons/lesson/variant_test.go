package lesson

import "testing"

func TestAVariantLeavesTheObjectOfTheLessonAlone(t *testing.T) {
	const maps = "/api/v1/namespaces/learn/configmaps"
	apply := []Header{{Name: "Content-Type", Value: "application/apply-patch+yaml"}}
	for name, c := range map[string]struct {
		r       Request
		want    Request // its target and its body
		object  string
		creates bool
	}{
		"created":       {Request{Method: "POST", Target: maps + "?fieldManager=ada", Body: `{"metadata":{"name":"shop"},"data":{"name":"shop"}}`}, Request{Target: maps + "?fieldManager=ada", Body: `{"metadata":{"name":"shop-variant"},"data":{"name":"shop"}}`}, "shop-variant", true},
		"applied":       {Request{Method: "PATCH", Target: maps + "/shop?fieldManager=ada", Header: apply, Body: "metadata:\n  name: shop\ndata: {a: b}\n"}, Request{Target: maps + "/shop-variant?fieldManager=ada", Body: "metadata:\n  name: shop-variant\ndata: {a: b}\n"}, "shop-variant", true},
		"patched":       {Request{Method: "PATCH", Target: maps + "/shop", Body: `{"data":{"a":"b"}}`}, Request{Target: maps + "/shop-variant", Body: `{"data":{"a":"b"}}`}, "shop-variant", false},
		"a subresource": {Request{Method: "PUT", Target: "/apis/apps/v1/namespaces/learn/deployments/shop/scale", Body: `{"metadata":{"name":"shop"}}`}, Request{Target: "/apis/apps/v1/namespaces/learn/deployments/shop-variant/scale", Body: `{"metadata":{"name":"shop-variant"}}`}, "shop-variant", false},
		"deleted":       {Request{Method: "DELETE", Target: maps + "/shop"}, Request{Target: maps + "/shop-variant"}, "shop-variant", false},
		"read":          {Request{Method: "GET", Target: maps + "/shop"}, Request{Target: maps + "/shop"}, "", false},
		"a dry run":     {Request{Method: "POST", Target: maps + "?dryRun=All", Body: `{"metadata":{"name":"shop"}}`}, Request{Target: maps + "?dryRun=All", Body: `{"metadata":{"name":"shop"}}`}, "", true},
	} {
		got, object, ok := c.r.Variant()
		if !ok || got.Target != c.want.Target || got.Body != c.want.Body || object != c.object || got.Creates() != c.creates {
			t.Errorf("%s: %s %s, %q, creates: %v, %v", name, got.Target, got.Body, object, got.Creates(), ok)
		}
	}
	for name, r := range map[string]Request{
		"outside of a namespace":          {Method: "POST", Target: "/api/v1/nodes", Body: `{"metadata":{"name":"n"}}`},
		"many objects":                    {Method: "DELETE", Target: maps},
		"a name that the server makes up": {Method: "POST", Target: maps, Body: `{"metadata":{"generateName":"shop-"}}`},
	} {
		if got, _, ok := r.Variant(); ok {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
