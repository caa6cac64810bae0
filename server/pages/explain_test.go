package pages

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/object/canary"
	"github.com/fieldmark/fieldmark/server/wiretap"
	explainpage "github.com/fieldmark/fieldmark/web/write/explain"
)

const explainOnPractice = "/c/practice/-/explain"

// refused is a form with a refusal.
func refused(text string, more ...string) url.Values {
	form := url.Values{explainpage.FieldText: {text}}
	for i := 0; i+1 < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return form
}

func TestPracticeARefusalIsExplained(t *testing.T) {
	s := practiceSite(t)
	s.want(http.StatusOK, explainOnPractice).says("Explain a refusal", "The text of the refusal", "The text is not stored").inert()
	const conflict = `error: Apply failed with 1 conflict: conflict with "argocd-controller": .spec.template.spec.containers[name="app"].env[name="LOG_LEVEL"].value`
	manifest := "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: storefront, namespace: shop}\nspec: {template: {spec: {containers: [{name: app, env: [{name: LOG_LEVEL, value: loud}]}]}}}\n"
	got := s.post(explainOnPractice, refused(conflict, explainpage.FieldManifest, manifest, explainpage.FieldManager, "me", explainpage.FieldNamespace, "shop"))
	got.says("An apply for Deployment shop/storefront as me was refused", "argocd-controller (Apply) owns", "loud", "Give up the field", "--force-conflicts").inert()
	for _, want := range []string{`href="/c/practice/apis/apps/v1/namespaces/shop/deployments/storefront"`, "last wrote ", `data-way="give-up"`} {
		if !strings.Contains(got.body, want) {
			t.Errorf("no %s in %s", want, got.main())
		}
	}
	if got := s.post(explainOnPractice, refused(conflict, explainpage.FieldManifest, strings.ReplaceAll(manifest, "\n", "\r\n"))); strings.Contains(got.main(), "u000d") {
		t.Errorf("the line ends of a form are in the answer: %s", got.main())
	}
	s.post(explainOnPractice, refused(conflict)).says("The text names no object", "argocd-controller").inert()
}

func TestPracticeARefusalThatIsNotUnderstood(t *testing.T) {
	s := practiceSite(t)
	s.post(explainOnPractice, refused("Guten Tag, was ist hier los?")).says("No refusal was found", "Guten Tag, was ist hier los?").inert()
	s.post(explainOnPractice, refused("")).says("No refusal was found").inert()
	if got := s.post(explainOnPractice, refused(strings.Repeat("x", 8<<20))); got.code != http.StatusRequestEntityTooLarge {
		t.Errorf("%d", got.code)
	} else {
		got.says("The text is too long")
	}
}

// A secret that is pasted comes back in its own field only, and isn't in the record of requests, or in an address.
func TestPracticeWhatIsPastedIsNotRecorded(t *testing.T) {
	var tap *wiretap.Log
	s := practiceSite(t, func(o *Options) { tap = o.Tap })
	got := s.post(explainOnPractice, refused(`The Secret "carts-db" is invalid: data[a]: Invalid value: "`+canary.Song+`": no`, explainpage.FieldNamespace, "shop"))
	got.says("the object would not be valid", "••••••••")
	_, answers, _ := strings.Cut(got.main(), "the object would not be valid")
	if answers == "" || canary.Escapes(answers) {
		t.Error(answers)
	}
	record, err := json.Marshal(tap.Entries("test", 0))
	must(t, err)
	if len(record) < 100 || canary.Escapes(string(record)) || strings.Contains(string(record), "Invalid value") {
		t.Errorf("%s", record)
	}
}

func TestPracticeARefusedPageLeadsToItsExplanation(t *testing.T) {
	s := practiceSite(t)
	got := s.want(http.StatusForbidden, "/c/practice-viewer/api/v1/secrets")
	for _, want := range []string{`<form id="refusal-form" action="/c/practice-viewer/-/explain" method="post" hidden>`, `form="refusal-form" name="refusal" value="secrets is forbidden: User`} {
		if !strings.Contains(got.body, want) {
			t.Errorf("no %s in %s", want, got.body)
		}
	}
	s.post("/c/practice-viewer/-/explain", refused(`secrets is forbidden: User "viewer" cannot list resource "secrets" in API group "" at the cluster scope`)).
		says("viewer may not list secrets in the whole cluster", "kind: ClusterRole", "kubectl auth can-i list secrets --as=viewer").inert()
}
