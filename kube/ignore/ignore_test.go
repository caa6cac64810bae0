package ignore

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

func blame(t *testing.T) *ownership.Blame {
	t.Helper()
	o, err := object.Parse([]byte(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop","annotations":{"a/b":"x"},
		"managedFields":[{"manager":"gitops","operation":"Apply","apiVersion":"apps/v1","fieldsType":"FieldsV1","fieldsV1":
		{"f:spec":{"f:template":{"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{".":{},"f:name":{},"f:image":{}}}}}}}}]},
		"spec":{"replicas":3,"template":{"spec":{"containers":[{"name":"side","image":"s"},{"name":"app","image":"a"}]}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	return ownership.Parse(o.Fields).On(manifest.Tree(o.Fields), nil)
}

func TestRules(t *testing.T) {
	b := blame(t)
	image := `.spec.template.spec.containers[name="app"].image`
	for _, c := range []struct {
		manager, path string
		others        []string
		want          []string // empty: no rule
	}{
		{ArgoCD, ".spec.replicas", []string{"autoscaler"}, []string{"# Argo CD: in the Application\n", "- /spec/replicas", "group: apps", "namespace: shop", "RespectIgnoreDifferences=true"}},
		{ArgoCD, ".metadata.annotations.a/b", nil, []string{"/metadata/annotations/a~1b"}},
		{ArgoCD, image, []string{"updater"}, []string{"managedFieldsManagers", "- updater"}},
		{ArgoCD, image, nil, []string{"- /spec/template/spec/containers/1/image"}},
		{Flux, ".spec.replicas", nil, []string{"# Flux: in the Kustomization\n", "ignore:", "- /spec/replicas", "kind: Deployment"}},
		{Flux, image, nil, []string{"change it when the list changes"}},
		{FluxHelm, ".spec.replicas", nil, []string{"in the HelmRelease", "driftDetection:", "mode: enabled"}},
		{Helm, ".spec.replicas", nil, []string{"# Helm: in the values", "autoscaling:", "enabled: true"}},
		{Helm, image, nil, nil},
		{"gitops", ".spec.replicas", nil, nil},
		{ArgoCD, ".spec.none", nil, nil},
	} {
		d := Difference{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web", Path: c.path}.Find(b)
		r, known := For(c.manager, d, c.others)
		if known != (len(c.want) > 0) || known != (r.Text() != "") || known != (r.Effect != "") {
			t.Errorf("%s, %s: %+v", c.manager, c.path, r)
		}
		for _, want := range c.want {
			if !strings.Contains(r.Text(), want) {
				t.Errorf("%s, %s: no %q in\n%s", c.manager, c.path, want, r.Text())
			}
		}
	}
}

func TestTheFirstObjectWithTheFieldCounts(t *testing.T) {
	empty := ownership.Parse(nil).On(manifest.Tree(map[string]any{}), nil)
	d := Difference{Path: ".spec.replicas"}
	if got := d.Find(empty, blame(t)); got.Pointer != "/spec/replicas" || got.ByPlace {
		t.Errorf("%+v", got)
	}
	if got := d.Find(empty); got.Pointer != "" {
		t.Errorf("%+v", got)
	}
}
