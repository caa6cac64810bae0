package migrate

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/object"
)

// parsed is an object from JSON.
func parsed(t *testing.T, text string) map[string]any {
	t.Helper()
	o, err := object.Parse([]byte(text))
	if err != nil {
		t.Fatal(err, text)
	}
	return o.Fields
}

// entry is an entry of managedFields. Fields are names in .data, and what else is given as it is.
func entry(manager, operation string, fields ...string) string {
	data := map[string]any{}
	all := map[string]any{"f:data": data}
	for _, f := range fields {
		if f == "annotation" {
			all["f:metadata"] = map[string]any{"f:annotations": map[string]any{".": map[string]any{}, "f:kubectl.kubernetes.io/last-applied-configuration": map[string]any{}}}
			continue
		}
		data["f:"+f] = map[string]any{}
	}
	if operation == "Update" {
		data["."] = map[string]any{}
	}
	text, err := json.Marshal(map[string]any{"manager": manager, "operation": operation, "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": all})
	if err != nil {
		panic(err)
	}
	return string(text)
}

// settings is a ConfigMap with the keys of all its data, and entries.
func settings(metadata, keys string, entries ...string) string {
	var data []string
	for _, k := range strings.Fields(keys) {
		data = append(data, `"`+k+`":"yes"`)
	}
	return `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"settings","namespace":"shop"` + metadata + `,"managedFields":[` + strings.Join(entries, ",") + `]},"data":{` + strings.Join(data, ",") + `}}`
}

func TestOwners(t *testing.T) {
	older := entry("kubectl-client-side-apply", "Update", "annotation", "a")
	for name, c := range map[string]struct {
		object, want string // the owner in words, its manager, and how many older entries there are; empty: nobody
		done         bool
	}{
		"kubectl":                 {settings("", "a", older), "kubectl kubectl 1", false},
		"kubectl by another name": {settings("", "a", entry("mytool", "Update", "annotation", "a")), "kubectl kubectl 1", false},
		"kubectl, done":           {settings("", "a", older, entry("kubectl", "Apply", "a")), "kubectl kubectl 1", false},
		"a release":               {settings(`,"labels":{"app.kubernetes.io/managed-by":"Helm"},"annotations":{"meta.helm.sh/release-name":"web","meta.helm.sh/release-namespace":"shop"}`, "a", entry("helm", "Update", "a")), "Helm shop/web helm 1", false},
		"a release of Helm 4":     {settings(`,"labels":{"app.kubernetes.io/managed-by":"Helm"},"annotations":{"meta.helm.sh/release-name":"web"}`, "a", entry("helm", "Apply", "a")), "Helm web helm 0", true},
		"an Application":          {settings(`,"annotations":{"argocd.argoproj.io/tracking-id":"web:/ConfigMap:shop/settings"}`, "a", older), "Argo CD web argocd-controller 1", false},
		"Argo CD by its entry":    {settings(`,"labels":{"app.kubernetes.io/instance":"web"}`, "a", entry("argocd-controller", "Update", "annotation", "a")), "Argo CD web argocd-controller 1", false},
		"a Kustomization":         {settings(`,"labels":{"kustomize.toolkit.fluxcd.io/name":"web","kustomize.toolkit.fluxcd.io/namespace":"flux"}`, "a", entry("kustomize-controller", "Apply", "a")), "Flux (Kustomization) flux/web kustomize-controller 0", true},
		"a HelmRelease":           {settings(`,"labels":{"helm.toolkit.fluxcd.io/name":"web","helm.toolkit.fluxcd.io/namespace":"flux","app.kubernetes.io/managed-by":"Helm"},"annotations":{"meta.helm.sh/release-name":"web"}`, "a", entry("helm-controller", "Update", "a")), "Flux (HelmRelease) flux/web helm-controller 1", false},
		"a copied annotation":     {settings("", "a", entry("kube-controller-manager", "Update", "annotation", "a")), "", false},
		"a controller":            {settings("", "a", entry("controller", "Update", "a")), "", false},
		"somebody who applies":    {settings("", "a", entry("operator", "Apply", "a")), "", false},
		"no record":               {settings("", "a"), "", false},
		"no record any more":      {settings(annotated, "a"), "kubectl kubectl 0", false},
	} {
		o, owned := OwnerOf(parsed(t, c.object))
		got := ""
		if owned {
			got = o.Words() + " " + o.Manager + " " + string(rune('0'+len(o.Older)))
		}
		if got != c.want || o.Done() != c.done {
			t.Errorf("%s: %q, done %v", name, got, o.Done())
		}
	}
}

// A controller of Kubernetes copies marks to the objects that it makes.
func TestCopiedMarks(t *testing.T) {
	tracked := `,"annotations":{"argocd.argoproj.io/tracking-id":"web:x"}`
	for who, want := range map[string]bool{"kube-controller-manager": false, "argocd-controller": true, "kubectl-client-side-apply": true} {
		o, _ := OwnerOf(parsed(t, settings(tracked, "a", entry(who, "Update", "annotation", "a"))))
		if o.Tool != ArgoCD || o.Wrote() != want {
			t.Errorf("%s: %+v", who, o)
		}
	}
}

func TestOptions(t *testing.T) {
	for text, want := range map[string]Options{
		`{"apiVersion":"argoproj.io/v1alpha1","kind":"Application","metadata":{"name":"web"},"spec":{"syncPolicy":{"syncOptions":["CreateNamespace=true","ServerSideApply=true"]}}}`: {ServerSide: true},
		`{"apiVersion":"argoproj.io/v1alpha1","kind":"Application","metadata":{"name":"web"},"spec":{"syncPolicy":{"syncOptions":["ClientSideApplyMigration=false"]}}}`:              {NoMigration: true},
		`{"apiVersion":"argoproj.io/v1alpha1","kind":"Application","metadata":{"name":"web"},"spec":{"syncPolicy":{"syncOptions":"no list"}}}`:                                       {},
		`{"apiVersion":"helm.toolkit.fluxcd.io/v2","kind":"HelmRelease","metadata":{"name":"web","namespace":"flux"},"spec":{"upgrade":{"serverSideApply":"enabled"}}}`:              {ServerSide: true},
		`{"apiVersion":"helm.toolkit.fluxcd.io/v2","kind":"HelmRelease","metadata":{"name":"web","namespace":"flux"}}`:                                                               {},
	} {
		tool, key, got := OptionsOf([]byte(text))
		if got != want || tool == ArgoCD && key != "web" || tool == FluxHelm && key != "flux/web" {
			t.Errorf("%s: %s %s %+v", text, tool, key, got)
		}
	}
	if tool, _, _ := OptionsOf([]byte(`[]`)); tool != "" {
		t.Error(tool)
	}
}
