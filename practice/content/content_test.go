package content

import (
	"encoding/json"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func TestEveryFileCanBeSent(t *testing.T) {
	all, err := steps()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 40 {
		t.Errorf("only %d files", len(all))
	}
	for _, s := range all {
		if _, err := s.body(); err != nil {
			t.Errorf("%s: %v", s.file, err)
		}
		if s.object.GetAPIVersion() == "" || s.object.GetKind() == "" || s.object.GetName() == "" {
			t.Errorf("%s: does not say what it is", s.file)
		}
	}
}

func TestNamespacesComeFirst(t *testing.T) {
	all, err := steps()
	if err != nil {
		t.Fatal(err)
	}
	made := map[string]bool{}
	for _, s := range all {
		if s.object.GetKind() == "Namespace" {
			made[s.object.GetName()] = true
		}
		if namespace := s.object.GetNamespace(); namespace != "" && !made[namespace] {
			t.Errorf("%s: namespace %s comes later", s.file, namespace)
		}
	}
}

func TestHead(t *testing.T) {
	s, err := parse("x.yaml", []byte("# by: kubectl-edit\n# how: patch\n# subresource: scale\n# A remark: about it.\nkind: Thing\n"))
	if err != nil {
		t.Fatal(err)
	}
	if s.by != "kubectl-edit" || s.how != patch || s.subresource != "scale" || s.object.GetKind() != "Thing" {
		t.Errorf("got %+v", s)
	}
	for name, text := range map[string]string{
		"no how": "# by: someone\nkind: Thing\n", "no by": "# how: apply\nkind: Thing\n", "no way": "# by: a\n# how: magic\nkind: Thing\n",
	} {
		if _, err := parse("x.yaml", []byte(text)); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

func TestClientApplyKeepsWhatWasApplied(t *testing.T) {
	object := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "a"}, "data": map[string]any{"k": "v"},
	}}
	body, err := step{how: clientApply, object: object}.body()
	if err != nil {
		t.Fatal(err)
	}
	var sent unstructured.Unstructured
	if err := json.Unmarshal(body, &sent); err != nil {
		t.Fatal(err)
	}
	applied := sent.GetAnnotations()[corev1.LastAppliedConfigAnnotation]
	if want := `{"apiVersion":"v1","data":{"k":"v"},"kind":"ConfigMap","metadata":{"name":"a"}}` + "\n"; applied != want {
		t.Errorf("got %q", applied)
	}
	if len(object.GetAnnotations()) != 0 {
		t.Error("the file's object was changed")
	}
}

func TestPatchesSayOnlyWhatChanges(t *testing.T) {
	object := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "a"}, "data": map[string]any{"k": "v"},
	}}
	body, err := step{how: patch, object: object}.body()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(string(body)); got != `{"data":{"k":"v"}}` {
		t.Errorf("got %s", got)
	}
}
