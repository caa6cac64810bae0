package promises

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/check"
)

// stall is a type with defaults, sets, keyed and atomic lists; the namespace of its objects has a policy.
const stall = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: stalls.arrive.fieldmark.test}
spec:
  group: arrive.fieldmark.test
  scope: Namespaced
  names: {plural: stalls, singular: stall, kind: Stall, listKind: StallList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              struct: {type: object, properties: {b: {type: integer, default: 1}}}
              set: {type: array, x-kubernetes-list-type: set, default: [one], items: {type: string}}
              keyed: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], default: [{name: usual}], items: {type: object, required: [name], properties: {name: {type: string}, d: {type: integer, default: 5}}}}
              atomic: {type: array, items: {type: object, properties: {a: {type: string}, d: {type: integer, default: 7}}}}
              count: {type: integer, default: 3}
---
apiVersion: v1
kind: Namespace
metadata: {name: arrive, labels: {arrive.fieldmark.test: "yes"}}
`

const zonePolicy = `apiVersion: v1
kind: Namespace
metadata: {name: arrive-by-policy, labels: {arrive.fieldmark.test: policy}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: arrive.fieldmark.test}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    namespaceSelector: {matchLabels: {arrive.fieldmark.test: policy}}
    resourceRules:
    - {apiGroups: [""], apiVersions: [v1], resources: [configmaps], operations: [CREATE, UPDATE]}
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration: {expression: 'Object{metadata: Object.metadata{labels: {"zone": "east"}}}'}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: arrive.fieldmark.test}
spec: {policyName: arrive.fieldmark.test}
`

func applyAs(t *testing.T, manager, text string) {
	t.Helper()
	kubectl(t, text, "apply", "--server-side", "--force-conflicts", "--field-manager="+manager, "-f", "-")
}

// foundAs are the findings of a check as a manager, each in a line.
func foundAs(t *testing.T, manager, text string) (findings []check.Finding, lines []string) {
	t.Helper()
	_, out, errs := onPractice(t, text, "check", "-f", "-", "--manager", manager, "-o", "json")
	var r check.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil || errs != "" {
		t.Fatal(err, out, errs)
	}
	r.Findings = slices.DeleteFunc(r.Findings, func(f check.Finding) bool { return strings.HasSuffix(f.Path, ".deployment.kubernetes.io/revision") })
	for _, f := range r.Findings {
		lines = append(lines, string(f.Kind)+" "+f.Path+" "+compact(t, f.Live)+"→"+compact(t, f.Stated))
	}
	return r.Findings, lines
}

func compact(t *testing.T, value json.RawMessage) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, value); err != nil && len(value) > 0 {
		t.Fatal(err)
	}
	return b.String()
}

func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); {
		if time.Now().After(end) {
			t.Fatal("not within a minute: " + what)
		}
		time.Sleep(50 * time.Millisecond) // the server tells nobody when it has taken in a type or a policy
	}
}

// What an apply removes and adds, as the server does it: maps and lists with defaults that nobody owns.
func TestCheckOfDefaultsOnAPracticeCluster(t *testing.T) {
	clean(t, stall)
	applyAs(t, "test", stall)
	head := func(name, spec string) string {
		return "apiVersion: arrive.fieldmark.test/v1\nkind: Stall\nmetadata: {name: " + name + ", namespace: arrive}\n" + spec + "\n"
	}
	until(t, "the type is served, and its schema, which the server writes later", func() bool {
		_, err := said(head("a", "spec: {struct: {}}"), "apply", "--server-side", "--field-manager=me", "-f", "-")
		schema, _ := said("", "get", "--raw", "/openapi/v3/apis/arrive.fieldmark.test/v1")
		return err == nil && strings.Contains(schema, `"x-kubernetes-list-type":"set"`)
	})
	for _, c := range []struct {
		name, live, text string
		want             []string
		why              string
	}{
		{"b", "spec: {struct: {}}", "", []string{`pruned .spec.struct {"b":1}→`}, "and with it .spec."},
		{"c", "spec: {struct: {}, count: 3}", "spec: {count: 3}", []string{`pruned .spec.struct {"b":1}→`}, "The apply removes it."},
		{"d", "spec: {count: 3}", "spec: {count: 3, set: [two, one]}", []string{`changed .spec.set[="two"] →"two"`}, ""},
		{"e", "spec: {count: 3}", "spec: {count: 3, keyed: [{name: usual}, {name: more}]}", []string{`changed .spec.keyed[name="more"] →{"name":"more"}`}, ""},
		{"f", "", "spec: {count: 3, atomic: [{a: x}]}", []string{"created  →"}, ""},
		{"g", "spec: {atomic: [{a: x}]}", "spec: {atomic: [{a: x}], count: null}", []string{"server .spec.count 3→null"}, "You send null"},
	} {
		if c.live != "" {
			applyAs(t, "me", head(c.name, c.live))
		}
		found, lines := foundAs(t, "me", head(c.name, c.text))
		if !slices.Equal(lines, c.want) || !strings.Contains(found[0].Why, c.why) {
			t.Errorf("%s: %q, want %q\n%+v", c.name, lines, c.want, found)
		}
	}
	if _, out, errs := onPractice(t, "", "blame", "stalls.arrive.fieldmark.test/c", "-n", "arrive", "-o", "json"); !strings.Contains(out, `.spec.set[=\"one\"]`) {
		t.Error(out, errs)
	}
}

// A label that a policy sets to another value never arrives, also if the object doesn't change.
func TestCheckOfAPolicyOnAPracticeCluster(t *testing.T) {
	practiceKubeconfig(t)
	if served, err := said("", "api-resources", "--api-group=admissionregistration.k8s.io", "-o", "name"); err != nil || !strings.Contains(served, "mutatingadmissionpolicies") {
		t.Skip("the API server has no MutatingAdmissionPolicy")
	}
	clean(t, zonePolicy)
	applyAs(t, "test", zonePolicy)
	text := func(name, zone string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + ", namespace: arrive-by-policy, labels: {zone: " + zone + "}}\ndata: {a: b}\n"
	}
	want := []string{`server .metadata.labels.zone "east"→"west"`}
	applyAs(t, "me", text("a", "east"))
	until(t, "the policy is in force", func() bool {
		_, lines := foundAs(t, "me", text("a", "west"))
		return slices.Equal(lines, want)
	})
	if _, lines := foundAs(t, "me", text("new", "west")); !slices.Equal(lines, []string{`server .metadata.labels.zone →"west"`, "created  →"}) {
		t.Errorf("%q", lines)
	}
	if _, lines := foundAs(t, "me", text("new", "east")); !slices.Equal(lines, []string{"created  →"}) {
		t.Errorf("%q", lines)
	}
}

// clean deletes what a text has, after the test.
func clean(t *testing.T, text string) {
	t.Helper()
	practiceKubeconfig(t)
	t.Cleanup(func() {
		kubectl(t, text, "delete", "--wait=false", "--ignore-not-found", "-f", "-")
	})
}

// Null in built-in types: some is ignored, some becomes a default or an empty text, some removes. Quantities are only written in another way.
func TestCheckOfNullsOnAPracticeCluster(t *testing.T) {
	namespace := space(t)
	web := func(metadata, replicas, args, env string) string {
		return "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: " + namespace + metadata + "}\nspec:\n" + replicas +
			"  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {creationTimestamp: null, labels: {app: web}}\n    spec:\n      containers:\n" +
			"      - {name: app, image: registry.invalid/app, " + args + env + "resources: {limits: {cpu: 0.5, memory: 2048Mi}}}\n"
	}
	settings := func(data string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: " + namespace + "}\ndata: {" + data + "}\n"
	}
	usual := web(", labels: {zone: east}", "  replicas: 0\n", "args: [a], ", "env: [{name: A, value: b}], ")
	if _, lines := foundAs(t, "one", usual); !slices.Equal(lines, []string{"created  →"}) {
		t.Errorf("new: %q", lines)
	}
	applyAs(t, "one", usual+"---\n"+settings("a: b"))
	if _, lines := foundAs(t, "one", usual); len(lines) > 0 {
		t.Errorf("again: %q", lines)
	}
	found, lines := foundAs(t, "two", web(", labels: null", "  replicas: 0\n  strategy: {rollingUpdate: null}\n", "", "env: null, ")+"---\n"+settings("b: null"))
	want := []string{
		`server .metadata.labels {"zone":"east"}→null`,
		`server .spec.strategy.rollingUpdate {"maxSurge":"25%","maxUnavailable":"25%"}→null`,
		`server .spec.template.spec.containers[name="app"].env [{"name":"A","value":"b"}]→null`,
		`server .data.b →null`,
	}
	said := slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return !strings.HasPrefix(line, "server") })
	if !slices.Equal(said, want) {
		t.Errorf("null: %q", lines)
	}
	at := slices.IndexFunc(found, func(f check.Finding) bool { return f.Path == ".metadata.labels" })
	if ways := found[max(0, at)].Ways; len(ways) < 2 || !strings.Contains(ways[1].Text, "kubectl patch deployment.v1.apps web -n "+namespace+" --type=json") {
		t.Errorf("%+v", ways)
	}
}

// A field that somebody changed and changed back is shared: the next change of the manifest conflicts, unless the way out was taken before.
func TestCheckOfSharedFieldsOnAPracticeCluster(t *testing.T) {
	namespace := space(t)
	color := func(name, value string) string { return configMap(namespace, name, "data: {color: "+value+"}\n") }
	for _, name := range []string{"kept", "handed"} {
		applyAs(t, "chart", color(name, "blue"))
		for _, value := range []string{"red", "blue"} {
			kubectl(t, "", "patch", "configmap", name, "-n", namespace, "-p", `{"data":{"color":"`+value+`"}}`)
		}
	}
	found, lines := foundAs(t, "chart", color("kept", "blue")+color("handed", "blue"))
	if want := `shared .data.color "blue"→"blue"`; !slices.Equal(lines, []string{want, want}) || !strings.Contains(found[0].Why, "kubectl-patch (Update), which last wrote at 20") {
		t.Fatalf("%+v", found)
	}
	if code, out, errs := onPractice(t, color("kept", "blue"), "check", "-f", "-", "--manager", "chart"); code != 0 {
		t.Error(code, out, errs)
	}
	way := found[1].Ways[0]
	c := exec.Command("bash", "-e", "-c", `kubectl() { "$FIELDMARK_KUBECTL" --kubeconfig "$`+practiceEnv+`" "$@"; }; `+way.Text)
	if out, err := c.CombinedOutput(); way.Way != check.WayHandOver || err != nil {
		t.Fatalf("%v: %s\n%s", err, way.Text, out)
	}
	if _, lines := foundAs(t, "chart", color("kept", "green")+color("handed", "green")); !slices.Equal(lines, []string{`conflict .data.color "blue"→"green"`, `changed .data.color "blue"→"green"`}) {
		t.Errorf("%q", lines)
	}
}

// An amount that is written in another way than the live one conflicts, and is said to be the same.
func TestCheckOfAmountsOnAPracticeCluster(t *testing.T) {
	namespace := space(t)
	quota := func(cpu, memory string) string {
		return "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: most, namespace: " + namespace + "}\nspec: {hard: {limits.cpu: " + cpu + ", limits.memory: " + memory + "}}\n"
	}
	applyAs(t, "one", quota("500m", "2Gi"))
	for _, c := range []struct{ cpu, memory string }{{"0.5", "2048Mi"}, {`"0.5"`, "2147483648"}} {
		found, _ := foundAs(t, "two", quota(c.cpu, c.memory))
		if len(found) != 2 || found[0].Kind != check.Conflict || !strings.Contains(found[0].Why, "the same amount") || !strings.Contains(found[1].Why, "the same amount") {
			t.Errorf("%v: %+v", c, found)
		}
	}
	applyAs(t, "one", quota("1", "2Gi"))
	if found, _ := foundAs(t, "two", quota("1", "2Gi")); len(found) == 0 || !strings.Contains(found[0].Why, "you send a number, and the live value is a text") {
		t.Errorf("%+v", found)
	}
}

// A namespace that doesn't exist is one finding, however many documents are in it.
func TestCheckOfAMissingNamespaceOnAPracticeCluster(t *testing.T) {
	var all []string
	for _, name := range strings.Fields("a b c d") {
		all = append(all, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "+name+", namespace: arrive-nowhere}\n")
	}
	found, lines := foundAs(t, "me", strings.Join(all, "---\n"))
	if !slices.Equal(lines, []string{`invalid .metadata.namespace →"arrive-nowhere"`}) || !strings.Contains(found[0].Why, "3 other documents") {
		t.Errorf("%+v", found)
	}
}

// Cluster-scoped objects have no namespace in a manifest, and two documents about one are compared, too. The second apply would remove the first's label.
func TestCheckOfTwoDocumentsAboutANamespaceOnAPracticeCluster(t *testing.T) {
	namespace := space(t)
	one := func(label string) string {
		return "apiVersion: v1\nkind: Namespace\nmetadata: {name: " + namespace + ", labels: {" + label + "}}\n---\n"
	}
	if _, lines := foundAs(t, "me", one("a: x")+one("b: x")); !slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, "pruned .metadata.labels.a ") }) {
		t.Error(lines)
	}
}
