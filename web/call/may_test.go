package call

import (
	"encoding/json"
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

func TestMayI(t *testing.T) {
	p, err := apipath.Parse("/apis/apps/v1/namespaces/shop/deployments/web/scale")
	if err != nil {
		t.Fatal(err)
	}
	may, cmd := MayI("may", "practice", "patch", p)
	ask := cmd.(page.Call)
	if ask.Method != "POST" || ask.Path != "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews?dryRun=All" {
		t.Errorf("%+v", ask)
	}
	var body struct {
		Spec struct {
			Attributes map[string]string `json:"resourceAttributes"`
		} `json:"spec"`
	}
	if err := json.Unmarshal(ask.Body, &body); err != nil || body.Spec.Attributes["subresource"] != "scale" || body.Spec.Attributes["group"] != "apps" {
		t.Errorf("%s", ask.Body)
	}
	if may.Not("") != "" {
		t.Errorf("%q, before anything is heard", may.Not(""))
	}
	for answer, want := range map[string]string{
		`{"status":{"allowed":true}}`:                                      "",
		`{"status":{"allowed":false}}`:                                     "You don’t have permission to patch deployments/scale here. No rule allows it.",
		`{"status":{"allowed":false,"reason":"policy"}}`:                   "You don’t have permission to patch deployments/scale: policy",
		`{"status":{"allowed":false,"evaluationError":"webhook is down"}}`: "You don’t have permission to patch deployments/scale: webhook is down",
	} {
		may.Hear(page.Response{Status: 201, Body: []byte(`{"kind":"SelfSubjectAccessReview",` + answer[1:])})
		if got := may.Not(""); got != want {
			t.Errorf("%s: %q", answer, got)
		}
	}
	unheard, _ := MayI("may", "practice", "patch", p)
	unheard.Hear(page.Response{Status: 403, Body: []byte(`{}`)})
	if unheard.Not("") != "" || unheard.Not("Fieldmark was started with --read-only.") == "" {
		t.Errorf("%q, %q", unheard.Not(""), unheard.Not("Fieldmark was started with --read-only."))
	}
}
