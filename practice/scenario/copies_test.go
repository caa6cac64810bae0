package scenario

import (
	"reflect"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
)

func TestACopyIsStoredAsTheOriginalWithAnotherName(t *testing.T) {
	original := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{
			Name: "map-00001", Namespace: "maps", UID: "first", ResourceVersion: "7", Labels: map[string]string{NameLabel: "maps"},
			ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "one", Operation: metav1.ManagedFieldsOperationApply, APIVersion: "v1", FieldsType: "FieldsV1", FieldsV1: metav1.NewFieldsV1(`{"f:data":{"f:number":{}}}`)}},
		},
		Data: map[string]string{"number": "1", "one-1": "a"},
	}
	value, err := encodeCopy(original, "map-00042", 42)
	if err != nil || !strings.HasPrefix(value, "k8s\x00") {
		t.Fatalf("%q, %v", value, err)
	}
	read, err := runtime.Decode(scheme.Codecs.UniversalDeserializer(), []byte(value))
	if err != nil {
		t.Fatal(err)
	}
	one, is := read.(*corev1.ConfigMap)
	if !is || one.Name != "map-00042" || one.UID == "first" || one.UID == "" || one.ResourceVersion != "" || one.Data["number"] != "42" || one.Data["one-1"] != "a" {
		t.Errorf("%+v", read)
	}
	if original.Name != "map-00001" || original.Data["number"] != "1" || !reflect.DeepEqual(one.ManagedFields, original.ManagedFields) || one.Labels[NameLabel] != "maps" {
		t.Errorf("%+v and %+v", original, one)
	}
}

func TestManagersNameKeysOfData(t *testing.T) {
	for manager, want := range map[string]string{"kubectl-edit": "kubectl-edit", "Go http/1.1 ü": "Go-http-1-1---"} {
		if got := partOf(manager); got != want {
			t.Errorf("%s: %s, want %s", manager, got, want)
		}
	}
}
