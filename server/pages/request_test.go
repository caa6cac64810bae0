package pages

import (
	"net/http"
	"testing"
)

func TestConsoleBeginsWithWhatItsAddressSays(t *testing.T) {
	s := practiceSite(t)
	const at = "/c/practice/-/request"
	p := s.want(http.StatusOK, at+"?path="+storefrontAPI+"%3Flimit%3D5&accept=Table&q.limit=7").says("Object storefront of the kind Deployment. Namespace: shop.",
		`curl -H "Authorization: Bearer $FIELDMARK_TOKEN" -H 'Accept: application/json;as=Table;v=v1;g=meta.k8s.io'`, "/clusters/practice"+storefrontAPI+"?limit=7", "Fieldmark doesn’t know this parameter").inert()
	for _, path := range []string{"/api/v1/namespaces/shop/pods", "/apis/authorization.k8s.io/v1/subjectaccessreviews"} {
		s.want(http.StatusOK, at+"?method=POST&path="+path).says("fieldValidation", "kubectl")
	}
	if fields := p.all("input", "name=path"); len(fields) != 1 {
		t.Error("there is no field for the path")
	}
	s.want(http.StatusOK, at+"?method=PATCH&path="+storefrontAPI+"&contentType=strategic&body=%7B%7D").says("--type=strategic").inert()
	s.want(http.StatusOK, at+"?path=/a//b").says("Fieldmark can’t read this path").inert()
	s.want(http.StatusNotFound, "/c/nosuch/-/request")
}
