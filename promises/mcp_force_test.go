package promises

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/yaml"
)

// deed is one write of a situation.
type deed struct {
	as, how string // apply, force, merge, create or scale
	body    string // YAML without apiVersion, kind and metadata.name
}

// situation is an object with a history, and an apply that somebody thinks of forcing.
type situation struct {
	name   string
	of     schema.GroupVersionResource
	kind   string
	writes []deed
	by     string
	body   string
}

var (
	configMaps  = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	deployments = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	services    = schema.GroupVersionResource{Version: "v1", Resource: "services"}
	policies    = schema.GroupVersionResource{Group: "networking.k8s.io", Version: "v1", Resource: "networkpolicies"}
)

const web = `{spec: {replicas: 2, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: "a:1"}]}}}}`

const sidecar = `{spec: {selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: "a:1"}, {name: sidecar, image: "s:1"}]}}}}`

// situations are what the zoo reproduces with real tools, written with plain requests, and what is beside them.
func situations() []situation {
	of := func(resource schema.GroupVersionResource, kind string) func(name, by, body string, writes ...deed) situation {
		return func(name, by, body string, writes ...deed) situation {
			return situation{name, resource, kind, writes, by, body}
		}
	}
	cm, deploy, service, policy := of(configMaps, "ConfigMap"), of(deployments, "Deployment"), of(services, "Service"), of(policies, "NetworkPolicy")
	return []situation{
		cm("new object", "me", `{data: {a: x}}`),
		cm("my own value", "me", `{data: {a: new}}`, deed{"me", "apply", `{data: {a: x}}`}),
		cm("the same value", "me", `{data: {a: x}}`, deed{"ada", "apply", `{data: {a: x}}`}),
		cm("another value", "me", `{data: {a: new}}`, deed{"ada", "apply", `{data: {a: x}}`}),
		cm("another key", "me", `{data: {b: new}}`, deed{"ada", "apply", `{data: {a: x}}`}),
		cm("one of two", "me", `{data: {a: new, b: x}}`, deed{"ada", "apply", `{data: {a: x, b: x}}`}),
		cm("two owners", "me", `{data: {a: z}}`, deed{"ada", "apply", `{data: {a: x}}`}, deed{"ben", "apply", `{data: {a: x}}`}),
		cm("two owners of two fields", "me", `{data: {a: z, b: z}}`, deed{"ada", "apply", `{data: {a: x}}`}, deed{"ben", "apply", `{data: {b: x}}`}),
		cm("shared with me", "me", `{data: {a: z}}`, deed{"ada", "apply", `{data: {a: x}}`}, deed{"me", "apply", `{data: {a: x}}`}),
		cm("I leave my field out", "me", `{data: {a: x}}`, deed{"me", "apply", `{data: {a: x, b: x}}`}),
		cm("I leave a shared field out", "me", `{data: {a: x}}`, deed{"me", "apply", `{data: {a: x, b: x}}`}, deed{"ada", "apply", `{data: {b: x}}`}),
		cm("an update of it", "me", `{data: {a: z}}`, deed{"me", "apply", `{data: {a: x}}`}, deed{"dashboard", "merge", `{data: {a: new}}`}),
		cm("an update of another field", "me", `{data: {a: z}}`, deed{"me", "apply", `{data: {a: x}}`}, deed{"dashboard", "merge", `{data: {b: new}}`}),
		cm("itself by an update", "me", `{data: {a: z}}`, deed{"me", "merge", `{data: {a: x}}`}),
		cm("client-side apply", "kubectl", `{data: {a: z}}`, deed{"kubectl-client-side-apply", "create", `{data: {a: x, legacy: x}}`}),
		cm("before the first apply", "me", `{data: {a: z}}`, deed{"", "create", `{data: {a: x}}`}),
		cm("labels and annotations", "me", `{metadata: {labels: {team: b}, annotations: {note: b}}}`, deed{"ada", "apply", `{metadata: {labels: {team: a}, annotations: {note: a}}}`}),
		cm("a dotted key", "me", `{data: {"a.b": new, "c[0]": new}}`, deed{"ada", "apply", `{data: {"a.b": x, "c[0]": x}}`}),
		cm("a null", "me", `{data: {a: null}}`, deed{"ada", "apply", `{data: {a: x}}`}),
		deploy("scaled", "helm", web, deed{"helm", "apply", web}, deed{"kubectl", "merge", `{spec: {replicas: 5}}`}),
		deploy("an autoscaler", "flux", web, deed{"flux", "apply", web}, deed{"hpa", "scale", `{spec: {replicas: 7}}`}),
		deploy("replicas left out", "flux", sidecar, deed{"flux", "apply", web}, deed{"hpa", "scale", `{spec: {replicas: 7}}`}),
		deploy("another image", "me", strings.Replace(web, "a:1", "a:2", 1), deed{"ci", "apply", web}),
		deploy("a container of somebody", "me", web, deed{"ci", "apply", sidecar}),
		deploy("a part of my container", "me", web, deed{"me", "apply", sidecar}, deed{"ada", "apply", `{spec: {selector: {matchLabels: {app: web}}, template: {spec: {containers: [{name: sidecar, resources: {limits: {memory: 1Gi}}}]}}}}`}),
		deploy("a part of my container, updated", "me", web, deed{"me", "apply", sidecar}, deed{"ada", "merge", `{metadata: {annotations: {a: b}}}`}),
		deploy("an atomic selector", "me", strings.ReplaceAll(web, "app: web", "app: web, tier: a"), deed{"ada", "create", web}),
		service("a port", "me", `{spec: {ports: [{port: 80, name: http, targetPort: 81}]}}`, deed{"ada", "apply", `{spec: {ports: [{port: 80, name: http, targetPort: 80}]}}`}),
		service("another port", "me", `{spec: {ports: [{port: 90, name: other}]}}`, deed{"ada", "apply", `{spec: {ports: [{port: 80, name: http}]}}`}),
		service("an atomic map", "me", `{spec: {selector: {app: b}}}`, deed{"ada", "apply", `{spec: {selector: {app: a, tier: a}, ports: [{port: 80}]}}`}),
		policy("a default inside an atomic list", "me", `{spec: {podSelector: {}, ingress: [{ports: [{port: 80}]}]}}`, deed{"ada", "apply", `{spec: {podSelector: {}, ingress: [{ports: [{port: 80}]}]}}`}),
		policy("an atomic list", "me", `{spec: {podSelector: {}, ingress: [{ports: [{port: 81}]}]}}`, deed{"ada", "apply", `{spec: {podSelector: {}, ingress: [{ports: [{port: 80}]}]}}`}),
		{"another apply of a custom resource", schema.GroupVersionResource{Resource: "randoms"}, "Random", []deed{{"ada", "apply", `{spec: {items: [{name: a, value: x}], tags: [one], sealed: {a: x}}}`}}, "me", `{spec: {items: [{name: a, value: new}, {name: b}], tags: [one, two], sealed: {b: x}}}`},
	}
}

// manifestOf is the manifest of a situation's object under a name.
func (s situation) manifestOf(c *ground, body, name string) []byte {
	var o map[string]any
	if err := yaml.Unmarshal([]byte(body), &o); err != nil {
		panic(err)
	}
	metadata, _ := o["metadata"].(map[string]any)
	if metadata == nil {
		metadata = map[string]any{}
	}
	metadata["name"], metadata["namespace"] = name, c.namespace
	of := s.resource(c)
	o["apiVersion"], o["kind"], o["metadata"] = of.GroupVersion().String(), s.kind, metadata
	text, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	return text
}

// resource is the type of a situation's object; a custom resource has the group of this test.
func (s situation) resource(c *ground) schema.GroupVersionResource {
	if s.kind == "Random" {
		return schema.GroupVersionResource{Group: c.group, Version: "v1", Resource: "randoms"}
	}
	return s.of
}

// send makes a write of a situation.
func (s situation) send(ctx context.Context, c *ground, w deed, name string) error {
	client := c.client.Resource(s.resource(c)).Namespace(c.namespace)
	text := s.manifestOf(c, w.body, name)
	switch force := w.how == "force"; w.how {
	case "create":
		var o unstructured.Unstructured
		if err := o.UnmarshalJSON(text); err != nil {
			return err
		}
		_, err := client.Create(ctx, &o, metav1.CreateOptions{FieldManager: w.as})
		return err
	case "merge":
		_, err := client.Patch(ctx, name, types.MergePatchType, text, metav1.PatchOptions{FieldManager: w.as})
		return err
	case "scale":
		_, err := client.Patch(ctx, name, types.MergePatchType, mustJSON(w.body), metav1.PatchOptions{FieldManager: w.as}, "scale")
		return err
	default:
		_, err := client.Patch(ctx, name, types.ApplyPatchType, text, metav1.PatchOptions{FieldManager: w.as, Force: &force})
		return err
	}
}

func mustJSON(text string) []byte {
	out, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		panic(err)
	}
	return out
}

// told is what the tool says about a force.
type told struct {
	Accepted bool `json:"accepted"`
	Safe     bool `json:"safe_to_force"`
	Data     struct {
		Takes []struct {
			Path      string `json:"path"`
			From      string `json:"from"`
			LastWrite string `json:"last_write"`
		} `json:"would_take"`
		Removes []struct{ Path string } `json:"would_remove"`
		Tell    string                  `json:"tell_user"`
	} `json:"data_from_cluster"`
}

// TestAForceTakesWhatTheToolSays: each situation is made twice. The tool previews a force on one, and the other is really forced.
func TestAForceTakesWhatTheToolSays(t *testing.T) {
	c := open(t, "mcp-"+random(t, 4))
	a := startAssistant(t, c.kubeconfig)
	forced := 0
	for i, s := range situations() {
		t.Run(s.name, func(t *testing.T) {
			if s.hold(t, c, a, fmt.Sprintf("force-%d", i)) {
				forced++
			}
		})
	}
	if forced < 30 {
		t.Errorf("only %d situations were forced", forced)
	}
}

// TestRandomForces does the same with random histories of a custom resource.
func TestRandomForces(t *testing.T) {
	c := open(t, "mcp-"+random(t, 4))
	forced := 0
	a := startAssistant(t, c.kubeconfig)
	of := schema.GroupVersionResource{Resource: "randoms"}
	for i := range uint64(40) {
		s := situation{name: fmt.Sprintf("story %d", i), of: of, kind: "Random", by: "ada"}
		story := author{rand.New(rand.NewPCG(39, i))}.story()
		story = slices.DeleteFunc(story, func(m move) bool { return m.Version != "v1" })
		if len(story) < 2 {
			continue
		}
		for _, m := range story {
			text, err := json.Marshal(map[string]any{"spec": m.Spec})
			if err != nil {
				t.Fatal(err)
			}
			s.writes = append(s.writes, deed{m.Manager, m.How, string(text)})
		}
		last := s.writes[len(s.writes)-1]
		s.writes, s.by, s.body = s.writes[:len(s.writes)-1], last.as, last.body
		t.Run(s.name, func(t *testing.T) {
			if s.hold(t, c, a, fmt.Sprintf("random-%d", i)) {
				forced++
			}
		})
	}
	if forced < 20 {
		t.Errorf("only %d stories were forced", forced)
	}
}

// hold compares what the tool says about an object with what a real force takes on a copy. forced is false if the API server refuses the force.
func (s situation) hold(t *testing.T, c *ground, a *assistant, name string) (forced bool) {
	t.Helper()
	ctx, copied := t.Context(), name+"-copy"
	for i, w := range s.writes {
		one, other := s.send(ctx, c, w, name), s.send(ctx, c, w, copied)
		if (one == nil) != (other == nil) {
			t.Fatalf("write %d: %v, of the copy %v", i, one, other)
		}
	}
	var says told
	a.call(t, &says, "preview_apply", map[string]any{"manifest": string(s.manifestOf(c, s.body, name)), "manager": s.by, "namespace": c.namespace})
	client := c.client.Resource(s.resource(c)).Namespace(c.namespace)
	before, _ := client.Get(ctx, copied, metav1.GetOptions{}) // there may be none
	err := s.send(ctx, c, deed{s.by, "force", s.body}, copied)
	if err != nil {
		if says.Safe || says.Accepted || len(says.Data.Takes) > 0 {
			t.Errorf("the force is refused (%v), but the tool says %+v", err, says)
		}
		t.Logf("the force is refused: %v", err)
		return false
	}
	after, err := client.Get(ctx, copied, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	took, removed := tookOf(t, before, after, s.by), goneOf(before, after)
	var said []string
	for _, take := range says.Data.Takes {
		if !strings.HasPrefix(take.From, controller) {
			said = append(said, take.From+" "+take.Path)
		}
		if !strings.Contains(says.Data.Tell, "takes") || take.LastWrite == "" && !untimed(before) {
			t.Errorf("%+v", says)
		}
	}
	slices.Sort(said)
	if !slices.Equal(said, took) {
		t.Errorf("the force takes\n  %s\nbut the tool says\n  %s", strings.Join(took, "\n  "), strings.Join(said, "\n  "))
	}
	if says.Safe != (len(took) == 0 && len(removed) == 0) || (len(removed) == 0) != (len(says.Data.Removes) == 0) {
		t.Errorf("took %v, removed %v, but the tool says safe: %v, removes %v", took, removed, says.Safe, says.Data.Removes)
	}
	return true
}

// controller writes at any time, also between two requests of a test.
const controller = "kube-controller-manager"

// untimed tells whether an entry has no time. API servers set none if the first apply of a manager changes no value.
func untimed(o *unstructured.Unstructured) bool {
	return o != nil && slices.ContainsFunc(o.GetManagedFields(), func(e metav1.ManagedFieldsEntry) bool { return e.Time == nil })
}

// tookOf are the leaves that managers have lost from one version to the next, as structured-merge-diff reads managedFields.
func tookOf(t *testing.T, before, after *unstructured.Unstructured, by string) []string {
	t.Helper()
	if before == nil {
		return nil
	}
	sets := func(o *unstructured.Unstructured) map[string]*fieldpath.Set {
		all := map[string]*fieldpath.Set{}
		for _, e := range o.GetManagedFields() {
			if e.Manager == by && e.Operation == metav1.ManagedFieldsOperationApply || e.Manager == controller {
				continue
			}
			var set fieldpath.Set
			if err := set.FromJSON(bytes.NewReader(e.FieldsV1.GetRawBytes())); err != nil {
				t.Fatal(err)
			}
			how := string(e.Operation)
			if e.Subresource != "" {
				how += ", " + e.Subresource
			}
			all[e.Manager+" ("+how+")"] = set.Leaves()
		}
		return all
	}
	left := sets(after)
	var took []string
	for who, had := range sets(before) {
		lost := had
		if has := left[who]; has != nil {
			lost = had.Difference(has)
		}
		lost.Iterate(func(p fieldpath.Path) { took = append(took, who+" "+p.String()) })
	}
	slices.Sort(took)
	return took
}

// goneOf are the values that an object has lost, found the plain way.
func goneOf(before, after *unstructured.Unstructured) []string {
	if before == nil {
		return nil
	}
	was, is := map[string]bool{}, map[string]bool{}
	plainPaths(before.Object, "", was)
	plainPaths(after.Object, "", is)
	var gone []string
	for _, path := range slices.Sorted(maps.Keys(was)) {
		if was[path] && !hasKey(is, path) {
			gone = append(gone, path)
		}
	}
	return gone
}

func hasKey(all map[string]bool, key string) bool { _, has := all[key]; return has }

// plainPaths finds the paths of all values; those of leaves are true. An item of a list is named by its keys.
func plainPaths(value any, path string, found map[string]bool) {
	if strings.HasPrefix(path, "/status") || path == "/metadata/managedFields" || path == "/metadata/generation" || path == "/metadata/resourceVersion" {
		return
	}
	switch v := value.(type) {
	case map[string]any:
		found[path] = len(v) == 0
		for name, one := range v {
			plainPaths(one, path+"/"+name, found)
		}
	case []any:
		found[path] = len(v) == 0
		for _, one := range v {
			item, is := one.(map[string]any)
			switch {
			case strings.HasSuffix(path, "/ingress"), strings.HasSuffix(path, "/order"):
				found[path] = true
			case is && item["containerPort"] == nil && item["port"] != nil:
				plainPaths(item, fmt.Sprintf("%s/%v-%v", path, item["port"], item["protocol"]), found)
			case is:
				plainPaths(item, fmt.Sprintf("%s/%v", path, item["name"]), found)
			case strings.HasSuffix(path, "/tags"):
				found[fmt.Sprintf("%s/%v", path, one)] = true
			default:
				found[path] = true
			}
		}
	default:
		found[path] = true
	}
}
