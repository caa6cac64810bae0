package reference

import (
	"strings"
	"testing"
)

func TestPodSelector(t *testing.T) {
	const deployment = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"namespace":"shop"},"spec":{"selector":`
	for what, c := range map[string]struct{ object, want string }{
		"labels":              {deployment + `{"matchLabels":{"app":"web","tier":"front"}}}}`, "app=web,tier=front"},
		"expressions":         {deployment + `{"matchLabels":{"app":"web"},"matchExpressions":[{"key":"a","operator":"In","values":["x","y"]},{"key":"b","operator":"NotIn","values":["z"]},{"key":"c","operator":"Exists"},{"key":"d","operator":"DoesNotExist"}]}}}`, "app=web,a in (x,y),b notin (z),c,!d"},
		"an empty value":      {deployment + `{"matchLabels":{"app":""}}}}`, "app="},
		"an unknown operator": {deployment + `{"matchExpressions":[{"key":"a","operator":"Gt","values":["1"]}]}}}`, ""},
		"In without values":   {deployment + `{"matchExpressions":[{"key":"a","operator":"In"}]}}}`, ""},
		"not labels":          {deployment + `{"matchLabels":{"app":7}}}}`, ""},
		"a list":              {deployment + `["app"]}}`, ""},
		"an empty selector":   {deployment + `{}}}`, ""},
		"a Service":           {`{"apiVersion":"v1","kind":"Service","spec":{"selector":{"app":"web"}}}`, "app=web"},
		"a NetworkPolicy":     {`{"apiVersion":"networking.k8s.io/v1","kind":"NetworkPolicy","spec":{"podSelector":{"matchLabels":{"app":"web"}}}}`, "app=web"},
		"a claim":             {`{"apiVersion":"v1","kind":"PersistentVolumeClaim","spec":{"selector":{"matchLabels":{"app":"web"}}}}`, ""},
		"a kind of others":    {`{"apiVersion":"example.com/v1","kind":"Deployment","spec":{"selector":{"matchLabels":{"app":"web"}}}}`, ""},
		"no object":           {`null`, ""},
	} {
		_, s, ok := PodSelector(tree(t, c.object))
		if s.String() != c.want && ok || ok != (c.want != "") {
			t.Errorf("%s: %q %v", what, s, ok)
		}
	}
}

// Each text of a selector leads to the pods that the whole selector selects.
func TestFindSelector(t *testing.T) {
	got := found(t, `{"apiVersion":"v1","kind":"Service","metadata":{"namespace":"shop"},"spec":{"selector":{"app":"web","tier":"front"},"clusterIP":"10.0.0.1"}}`)
	if want := "/api/v1/namespaces/shop/pods?app=web,tier=front"; got != want+" "+want {
		t.Error(got)
	}
	if got := found(t, `{"apiVersion":"v1","kind":"Service","metadata":{},"spec":{"selector":{"app":"web"}}}`); got != "" {
		t.Errorf("without a namespace: %s", got)
	}
}

func TestSelects(t *testing.T) {
	s := Selector{{"app", "In", []string{"web", "api"}}, {"old", "DoesNotExist", nil}, {"tier", "NotIn", []string{"back"}}, {"on", "Exists", nil}}
	for labels, want := range map[string]bool{
		"app=web on=": true, "app=api on=1 tier=front": true, "app=db on=": false, "app=web": false, "app=web on= old=": false, "app=web on= tier=back": false, "": false,
	} {
		given := map[string]string{}
		for _, pair := range strings.Fields(labels) {
			key, value, _ := strings.Cut(pair, "=")
			given[key] = value
		}
		if got := s.Selects(given); got != want {
			t.Errorf("%s: %v", labels, got)
		}
	}
	if (Selector{}).Selects(map[string]string{"app": "web"}) {
		t.Error("an empty selector selects")
	}
}
