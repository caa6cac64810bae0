package ownership

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/manifest"
)

// typedOn is a Deployment whose lists have keys, sets and neither.
func typedOn(t *testing.T) *Blame {
	t.Helper()
	o := with(t, `{"apiVersion":"v1","kind":"T","metadata":{"name":"web","finalizers":["a/b"],"annotations":{"a.b/c":"1","x[y=z]":"2"}},"spec":{"replicas":2,
		"containers":[{"name":"app","image":"i","ports":[{"containerPort":80,"protocol":"TCP"},{"containerPort":80,"protocol":"UDP"},{"containerPort":81,"protocol":"TCP"}]},{"name":"log"}],"args":["p","q"]}}`,
		"["+entry("m", "Apply", `{"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{"f:image":{},"f:ports":{"k:{\"containerPort\":80,\"protocol\":\"TCP\"}":{}}},"k:{\"name\":\"log\"}":{}}}}`)+"]")
	return Parse(o.Fields).On(manifest.Tree(o.WithoutManagedFields().Fields), nil)
}

func TestPathsThatAreTyped(t *testing.T) {
	b := typedOn(t)
	for text, want := range map[string]string{
		".spec.replicas":                  ".spec.replicas",
		"spec.containers[name=app].image": `.spec.containers[name="app"].image`,
		"spec.containers['name'=app]":     "", // names have no quotes
		"spec.containers[1]":              `.spec.containers[name="log"]`,
		"spec.containers[0].ports[2]":     `.spec.containers[name="app"].ports[containerPort=81,protocol="TCP"]`,
		".spec.containers[name=app].ports[protocol=UDP,containerPort=80]": `.spec.containers[name="app"].ports[containerPort=80,protocol="UDP"]`,
		"spec.containers[name=app].ports[containerPort=81]":               `.spec.containers[name="app"].ports[containerPort=81,protocol="TCP"]`,
		"spec.containers[name=app].ports[containerPort=80]":               "", // two have it
		"spec.args[1]":                       ".spec.args[1]",
		"metadata.finalizers[=a/b]":          `.metadata.finalizers[="a/b"]`,
		`metadata.annotations["a.b/c"]`:      ".metadata.annotations.a.b/c",
		".metadata.annotations.x[y=z]":       ".metadata.annotations.x[y=z]", // the name of a field, as it is
		".spec.nosuch":                       "",
		"spec.containers[7]":                 "",
		strings.Repeat("spec.", 70) + "spec": "",
	} {
		found := b.Meant(text)
		got := ""
		if len(found) > 0 {
			got = b.Path(found[0])
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{"spec.containers[0]": `.spec.containers[name="app"]`, "spec.paused": ".spec.paused", "spec.l[name=x]": `.spec.l[name="x"]`} {
		if got := b.MeantPath(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestNearestFields(t *testing.T) {
	b := typedOn(t)
	for text, want := range map[string]string{
		"spec.replicsa":                      ".spec.replicas",
		"sepc.replicas":                      ".spec.replicas",
		"spec.contaners[name=app].image":     `.spec.containers[name="app"].image`,
		"spec.containers[name=app].imgae":    `.spec.containers[name="app"].image`,
		"spec.containres[name=web].image":    ".spec.containers", // the rest isn't there
		"spec.containers[name=web].image":    "",
		"spec.wholly":                        "",
		"spec[":                              "",
		strings.Repeat("spec.", 70) + "spec": "",
	} {
		if got := b.Nearest(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
