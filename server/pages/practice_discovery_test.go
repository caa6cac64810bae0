package pages

import (
	"net/http"
	"strings"
	"testing"
)

func TestWatchLaboratoryGivesTheRequest(t *testing.T) {
	s := practiceSite(t)
	s.want(http.StatusOK, "/c/practice/-/watch?path=/api/v1/configmaps&begin=version&version=7&timeout=9").
		says("/api/v1/configmaps?allowWatchBookmarks=true&resourceVersion=7&timeoutSeconds=9&watch=1").inert()
	s.want(http.StatusOK, "/c/practice/-/watch?path=/api/v1/componentstatuses").says("This type can’t be watched").inert()
	s.want(http.StatusNotFound, "/c/nosuch/-/watch")
}

func TestDiscoveryIsCompleteWithoutAScript(t *testing.T) {
	s := practiceSite(t)
	p := s.want(http.StatusOK, "/c/practice/-/discovery").inert()
	for _, name := range []string{"pods", "deployments.apps", "bindings", "promotions.shop.example.com", "selfsubjectaccessreviews.authorization.k8s.io"} {
		if len(p.all("tr", "data-type="+name)) != 1 {
			t.Errorf("%s is not there", name)
		}
	}
	s.want(http.StatusOK, "/c/practice/-/discovery?type=nosuch.example.com").says("This resource type doesn’t exist").inert()
	if n := len(s.want(http.StatusOK, "/c/practice/-/discovery?filter=scale").inert().all("tr", "data-type")); n < 4 || n > 20 {
		t.Errorf("%d types have to do with scale", n)
	}
}

func TestATypeWithItsVersions(t *testing.T) {
	p := practiceSite(t).want(http.StatusOK, "/c/practice/-/discovery?type=horizontalpodautoscalers.autoscaling").inert()
	versions := p.all("tr", "data-version")
	if len(versions) != 2 || value(versions[0], "data-version") != "v2" {
		t.Fatalf("%d versions", len(versions))
	}
	hashes := []string{text(all(versions[0], "td", "class=mono")[0]), text(all(versions[1], "td", "class=mono")[0])}
	if hashes[0] == "" || hashes[0] != hashes[1] {
		t.Errorf("objects of both versions are the same: %q", hashes)
	}
	if len(p.all("tr", "data-path=.spec.targetCPUUtilizationPercentage")) != 1 || len(p.all("tr", "data-path=.spec.maxReplicas")) != 0 {
		t.Error("the fields that differ are others")
	}
	parts := p.all("tr", "data-subresource=status")
	if len(parts) != 1 || !strings.Contains(text(parts[0]), "get patch update") {
		t.Errorf("%d subresources", len(parts))
	}
}

func TestACustomResourceSaysHowItIsConverted(t *testing.T) {
	practiceSite(t).want(http.StatusOK, "/c/practice/-/discovery?type=promotions.shop.example.com").
		says("Conversion between versions: None").says("the storage version").says("The server has only one version of this type").inert()
}

func TestOpenAPIDocumentsAndOffers(t *testing.T) {
	s := practiceSite(t)
	p := s.want(http.StatusOK, "/c/practice/-/discovery?tab=openapi").inert()
	if n := len(p.all("tr", "data-document")); n < 20 || len(p.all("tr", "data-document=apis/apps/v1")) != 1 {
		t.Errorf("%d documents", n)
	}
	p = s.want(http.StatusOK, "/c/practice/-/discovery?tab=offered&ask=1").inert()
	if n := len(p.all("tr", "data-offer")); n < 7 {
		t.Errorf("%d features", n)
	}
	for _, tab := range []string{"deprecated", "raw", "offered"} {
		s.want(http.StatusOK, "/c/practice/-/discovery?tab="+tab).inert()
	}
}
