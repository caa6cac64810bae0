package reference

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/manifest"
)

var served = []Kind{
	{"apps/v1", "Deployment", "deployments", true}, {"apps/v1", "ReplicaSet", "replicasets", true}, {"example.com/v1", "Region", "regions", false},
}

func tree(t *testing.T, text string) *manifest.Node {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return manifest.Tree(value)
}

func found(t *testing.T, text string) string {
	t.Helper()
	var all []string
	for _, to := range Find(tree(t, text), served) {
		all = append(all, strings.TrimSuffix(to.Path.String()+"?"+to.Selector, "?"))
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

func TestFind(t *testing.T) {
	const shop = "/api/v1/namespaces/shop/"
	for what, c := range map[string]struct{ fields, want string }{
		"a node":              {`"spec":{"nodeName":"n1"}`, "/api/v1/nodes/n1"},
		"a service account":   {`"spec":{"template":{"spec":{"serviceAccountName":"robot","serviceAccount":"robot"}}}`, shop + "serviceaccounts/robot"},
		"a claim":             {`"spec":{"volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"disk"}}]}`, shop + "persistentvolumeclaims/disk"},
		"a volume":            {`"spec":{"volumes":[{"name":"v","configMap":{"name":"c"}},{"name":"w","secret":{"secretName":"s"}}]}`, shop + "configmaps/c " + shop + "secrets/s"},
		"an environment":      {`"env":[{"name":"A","valueFrom":{"configMapKeyRef":{"key":"k","name":"c"}}},{"name":"B","valueFrom":{"secretKeyRef":{"key":"k","name":"s"}}}]`, shop + "configmaps/c " + shop + "secrets/s"},
		"a whole environment": {`"envFrom":[{"configMapRef":{"name":"c"}},{"secretRef":{"name":"s"}}]`, shop + "configmaps/c " + shop + "secrets/s"},
		"secrets for images":  {`"spec":{"imagePullSecrets":[{"name":"a"},{"name":"b"}]}`, shop + "secrets/a " + shop + "secrets/b"},
		"a scale target":      {`"spec":{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"}}`, "/apis/apps/v1/namespaces/shop/deployments/web"},
		"an event's object":   {`"involvedObject":{"kind":"Pod","name":"p","namespace":"other","uid":"u"}`, "/api/v1/namespaces/other/pods/p"},
		"its newer form":      {`"regarding":{"apiVersion":"example.com/v1","kind":"Region","name":"eu"}`, "/apis/example.com/v1/regions/eu"},
		"a kind not served":   {`"involvedObject":{"apiVersion":"gone/v1","kind":"Pod","name":"p"}`, ""},
		"a kind of a version": {`"involvedObject":{"apiVersion":"apps/v1beta1","kind":"Deployment","name":"p"}`, ""},
		"a volume's class":    {`"spec":{"storageClassName":"fast","volumeName":"pv-1"}`, "/api/v1/persistentvolumes/pv-1 /apis/storage.k8s.io/v1/storageclasses/fast"},
		"a Service":           {`"spec":{"serviceName":"db","backend":{"service":{"name":"web","port":{"number":80}}}}`, shop + "services/db " + shop + "services/web"},
		"keys of users":       {`"data":{"nodeName":"n1"},"nodeSelector":{"nodeName":"n1"}`, ""},
		"no name":             {`"spec":{"nodeName":"","claimName":7,"secretName":null,"secretRef":{"name":"a/b"},"configMapRef":{"name":".."}}`, ""},
		"a hostile namespace": {`"secretRef":{"name":"a","namespace":"../../nodes"}`, ""},
		"any other name":      {`"spec":{"containers":[{"name":"app","image":"x"}],"name":"n"},"name":"n"`, ""},
	} {
		if got := found(t, `{"metadata":{"name":"x","namespace":"shop"},`+c.fields+`}`); got != c.want {
			t.Errorf("%s: %s\nwant %s", what, got, c.want)
		}
	}
	owners := `{"metadata":{"namespace":"shop","labels":{"nodeName":"n"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-1"}]}}`
	if got := found(t, owners); got != "/apis/apps/v1/namespaces/shop/replicasets/web-1" {
		t.Error(got)
	}
	if got := found(t, `{"spec":{"secretRef":{"name":"s"},"nodeName":"n1"}}`); got != "/api/v1/nodes/n1" {
		t.Errorf("without a namespace: %s", got)
	}
	for _, odd := range []string{`null`, `[]`, `"nodeName"`, `{"metadata":[]}`, `{"ownerReferences":[["name"]]}`} {
		if got := found(t, odd); got != "" {
			t.Errorf("%s: %s", odd, got)
		}
	}
}

func TestNamed(t *testing.T) {
	got := Named(tree(t, `{"metadata":{"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet"},{"apiVersion":"apps/v1","kind":"ReplicaSet"}]},
		"spec":{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment"},"template":{"apiVersion":"v1","kind":"Pod"}}}`))
	if want := []Kind{{APIVersion: "apps/v1", Kind: "ReplicaSet"}, {APIVersion: "apps/v1", Kind: "Deployment"}}; !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
}

func FuzzFind(f *testing.F) {
	f.Add(`{"metadata":{"namespace":"shop"},"spec":{"nodeName":"n1","secretRef":{"name":"s"}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		var value any
		if json.Unmarshal([]byte(text), &value) != nil {
			return
		}
		for to := range maps.Values(Find(manifest.Tree(value), served)) {
			path := to.Path
			again, err := apipath.Parse(path.String())
			if err != nil || (again.Kind != apipath.KindObject) != (to.Selector != "") || again.Name != path.Name || again.Namespace != path.Namespace {
				t.Errorf("%s: %v %+v", path, err, again)
			}
		}
	})
}
