package planning

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/discovery"
)

func TestListing(t *testing.T) {
	var l Listing
	for _, raw := range []string{byHelm, applied, copied, nobodys, "{"} {
		l.Take(configMaps, []byte(raw))
	}
	l.Take(secrets, []byte(strings.Replace(release, `"owner"`, `"name":"web","owner"`, 1)))
	owners := l.Owners()
	if len(owners) != 1 || OwnerKey(owners[0].Owner) != "helm shop/web" || owners[0].Objects != 1 || owners[0].Done != 1 {
		t.Fatalf("%+v", owners)
	}
	if all := l.Objects("helm shop/web"); len(all) != 1 || all[0].Path != "/api/v1/namespaces/shop/configmaps/web" {
		t.Errorf("%+v", all)
	}
	if path := l.Release("shop/web"); path != "/api/v1/namespaces/shop/secrets/sh.helm.release.v1.web.v2" {
		t.Errorf("the release is in %q", path)
	}
	if l.Lose(secrets); len(l.Owners()) != 1 {
		t.Error("losing another type loses an owner")
	}
	if l.Lose(configMaps); len(l.Owners()) != 0 || len(l.Objects("helm shop/web")) != 0 {
		t.Error("lost objects are still there")
	}
}

// What is kept is bounded; what isn't kept is counted.
func TestListingOfManyObjects(t *testing.T) {
	if testing.Short() {
		t.Skip("the work is the same on each platform")
	}
	var l Listing
	for i := range MostListed + 5 {
		l.Take(configMaps, []byte(strings.Replace(byHelm, `"name":"web"`, fmt.Sprintf(`"name":"web-%d"`, i), 1)))
	}
	if n := len(l.Objects("helm shop/web")); n != MostListed || l.Owners()[0].Objects != MostListed+5 {
		t.Errorf("%d are kept, %d counted", n, l.Owners()[0].Objects)
	}
}

// Whatever OwnerOf takes as an owner's mark is one of marks, so the listing and a plan find the same objects.
func TestListingAndPlanFindTheSame(t *testing.T) {
	entry := func(manager, operation, fields string) string {
		return `"managedFields":[{"manager":"` + manager + `","operation":"` + operation + `","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{` + fields + `}}]`
	}
	for what, metadata := range map[string]string{
		"a Kustomization":      `"labels":{"kustomize.toolkit.fluxcd.io/name":"apps"}`,
		"a HelmRelease":        `"labels":{"helm.toolkit.fluxcd.io/name":"apps"}`,
		"a tracking id":        `"annotations":{"argocd.argoproj.io/tracking-id":"web:v1/ConfigMap:shop/a"}`,
		"Argo CD's manager":    entry("argocd-controller", "Update", ""),
		"a release":            `"labels":{"app.kubernetes.io/managed-by":"Helm"},"annotations":{"meta.helm.sh/release-name":"web"}`,
		"kubectl's own name":   entry("kubectl-client-side-apply", "Update", `"f:data":{}`),
		"another name":         entry("deploy-script", "Update", `"f:metadata":{"f:annotations":{"f:kubectl.kubernetes.io/last-applied-configuration":{}}}`),
		"an annotation alone":  `"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{}"}`,
		"none":                 `"labels":{"app":"web"}`,
		"a component's update": entry("kube-controller-manager", "Update", `"f:data":{}`),
	} {
		raw := []byte(`{"metadata":{"name":"a","namespace":"shop",` + metadata + `}}`)
		var l Listing
		l.Take(configMaps, raw)
		p := New(discovery.Catalog{}, Send{}, nil)
		p.Take(configMaps, raw)
		if len(l.Owners()) != len(p.Candidates)+p.Done {
			t.Errorf("%s: the listing has %d owners, and the plan %d objects", what, len(l.Owners()), len(p.Candidates)+p.Done)
		}
		if owned := len(l.Owners()) > 0; owned == (what == "none" || what == "a component's update") {
			t.Errorf("%s: owned is %t", what, owned)
		}
	}
}
