package promises

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/fieldmark/fieldmark/cli"
)

// ground is the practice cluster, with a type of this test's own.
type ground struct {
	kubeconfig, cache string
	client            *dynamic.DynamicClient
	raw               rest.Interface
	group, namespace  string
	types             managedfields.TypeConverter
	objects           atomic.Int64 // how many were begun
}

func open(t *testing.T, suffix string) *ground {
	t.Helper()
	kubeconfig := practiceKubeconfig(t)
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	config.QPS = -1 // the API server itself bounds its load
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	c := &ground{kubeconfig: kubeconfig, cache: t.TempDir(), client: client, raw: raw.RESTClient(), group: "soak-" + suffix + ".example.com", namespace: "soak-" + suffix}
	c.makeType(t)
	return c
}

var (
	definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	namespaces  = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
)

func (c *ground) makeType(t *testing.T) {
	t.Helper()
	text := []byte(definition(c.group))
	name := "randoms." + c.group
	forced := true
	options := metav1.PatchOptions{FieldManager: "soak", Force: &forced}
	if _, err := c.client.Resource(definitions).Patch(t.Context(), name, types.ApplyPatchType, text, options); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.client.Resource(definitions).Delete(context.Background(), name, metav1.DeleteOptions{}) })
	space := fmt.Appendf(nil, `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":%q}}`, c.namespace)
	if _, err := c.client.Resource(namespaces).Patch(t.Context(), c.namespace, types.ApplyPatchType, space, options); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.client.Resource(namespaces).Delete(context.Background(), c.namespace, metav1.DeleteOptions{})
	})
	c.waitForSchemas(t)
}

// waitForSchemas waits until the API server has published both versions, and reads their types.
func (c *ground) waitForSchemas(t *testing.T) {
	t.Helper()
	models := map[string]*spec.Schema{}
	for _, version := range []string{"v1", "v2"} {
		document := c.schemas(t, version)
		for name, one := range document {
			models[name] = one
		}
	}
	converter, err := managedfields.NewTypeConverter(models, false)
	if err != nil {
		t.Fatal(err)
	}
	c.types = converter
}

// schemas are the schemas of a version.
func (c *ground) schemas(t *testing.T, version string) map[string]*spec.Schema {
	t.Helper()
	for {
		text, err := c.raw.Get().AbsPath("/openapi/v3/apis/" + c.group + "/" + version).DoRaw(t.Context())
		var document struct {
			Components struct{ Schemas map[string]*spec.Schema }
		}
		if err == nil && json.Unmarshal(text, &document) == nil && len(document.Components.Schemas) > 0 {
			return document.Components.Schemas
		}
		if t.Context().Err() != nil {
			t.Fatal("the API server doesn't publish the schema of ", version, ": ", err)
		}
	}
}

// object is the object of a story.
type object struct {
	*ground
	name string
}

func (o object) in(version string) dynamic.ResourceInterface {
	return o.client.Resource(schema.GroupVersionResource{Group: o.group, Version: version, Resource: "randoms"}).Namespace(o.namespace)
}

// get is the object in a version; nil if there is none.
func (o object) get(ctx context.Context, version string) (*unstructured.Unstructured, error) {
	found, err := o.in(version).Get(ctx, o.name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	return found, err
}

func (o object) manifest(s move) []byte {
	text, err := json.Marshal(map[string]any{
		"apiVersion": o.group + "/" + s.Version, "kind": "Random", "metadata": map[string]any{"name": o.name, "namespace": o.namespace}, "spec": s.Spec,
	})
	if err != nil {
		panic(err)
	}
	return text
}

// send makes the write of a step. The status is that of a refusal. API servers refuse an apply with 500 if the object has a field that the schema
// of another version lacks (kubernetes#111937).
func (o object) send(ctx context.Context, s move) (*metav1.Status, error) {
	force := s.How == "force"
	how, options := types.ApplyPatchType, metav1.PatchOptions{FieldManager: s.Manager, Force: &force}
	if s.How == "merge" {
		how, options = types.MergePatchType, metav1.PatchOptions{FieldManager: s.Manager}
	}
	_, err := o.in(s.Version).Patch(ctx, o.name, how, o.manifest(s), options)
	var refused apierrors.APIStatus
	if errors.As(err, &refused) && (refused.Status().Code < http.StatusInternalServerError || strings.Contains(refused.Status().Message, "field not declared in schema")) {
		no := refused.Status()
		return &no, nil
	}
	return nil, err
}

// says is what a verb prints as JSON.
func (o object) says(ctx context.Context, into any, stdin []byte, verb string, args ...string) error {
	var out, errs bytes.Buffer
	p := cli.Program{Called: "fieldmark", Version: "v1", In: bytes.NewReader(stdin), Out: &out, ErrOut: &errs}
	args = slices.Concat([]string{verb, "--kubeconfig", o.kubeconfig, "--cache-dir", o.cache, "-n", o.namespace, "-o", "json"}, args)
	if code := cli.Run(ctx, p, args); code > 1 {
		return fmt.Errorf("%s ends with %d: %s", strings.Join(args, " "), code, errs.String())
	}
	return json.Unmarshal(out.Bytes(), into)
}

// next is an object that doesn't exist yet.
func (c *ground) next() object { return object{c, fmt.Sprintf("random-%d", c.objects.Add(1))} }
