package call

import (
	"net/url"
	"testing"
)

func TestParseTarget(t *testing.T) {
	for text, want := range map[string]string{
		"/api/v1/pods": "/api/v1/pods",
		"/api/v1/namespaces/shop/pods?labelSelector=app%3Dweb&limit=5&continue=x&watch=1": "/api/v1/namespaces/shop/pods?labelSelector=app%3Dweb",
		"/apis/apps/v1/namespaces/shop/deployments/web":                                   "/apis/apps/v1/namespaces/shop/deployments web",
	} {
		got, err := ParseTarget(text)
		s := got.String()
		if got.Name != "" {
			s += " " + got.Name
		}
		if err != nil || s != want {
			t.Errorf("%s is %s (%v)", text, s, err)
			continue
		}
		if again, err := ParseTarget(got.String()); err != nil || again.String() != got.String() {
			t.Errorf("%s, read again: %s (%v)", got, again, err)
		}
	}
	for _, text := range []string{"", "pods", "/", "/api/v1", "/version", "/api/v1/namespaces/shop/pods/web/log", "/api/v1/pods?labelSelector=%zz", "/api/v1//pods"} {
		if got, err := ParseTarget(text); err == nil {
			t.Errorf("%q is %+v", text, got)
		}
	}
}

func TestWithLeavesTheSelectorsAsTheyAre(t *testing.T) {
	target, err := ParseTarget("/api/v1/pods?fieldSelector=a%3Db")
	if err != nil {
		t.Fatal(err)
	}
	if got := target.With(url.Values{"limit": {"5"}}); got != "/api/v1/pods?fieldSelector=a%3Db&limit=5" || target.String() != "/api/v1/pods?fieldSelector=a%3Db" {
		t.Errorf("%s, %s", got, target)
	}
}
