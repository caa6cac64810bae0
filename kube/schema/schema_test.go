package schema

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

func document(t testing.TB, name string) Document {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	d, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

var (
	deployments = Kind{"apps", "v1", "Deployment"}
	configMaps  = Kind{"", "v1", "ConfigMap"}
	services    = Kind{"", "v1", "Service"}
	definitions = Kind{"apiextensions.k8s.io", "v1", "CustomResourceDefinition"}
	scenarios   = Kind{"practice.fieldmark.dev", "v1alpha1", "Scenario"}
	promotions  = Kind{"shop.example.com", "v1", "Promotion"}
	regions     = Kind{"shop.example.com", "v1", "Region"}
)

// of is the schema of a kind, as a page has it: after a journey as JSON.
func of(t testing.TB, k Kind) Schema {
	t.Helper()
	name := "apis_" + k.Group + "_" + k.Version
	if k.Group == "" {
		name = "api_" + k.Version
	}
	s, found := document(t, name).Schema(k)
	if !found {
		t.Fatalf("there is no schema of %v", k)
	}
	return travelled(t, s)
}

func travelled(t testing.TB, s Schema) Schema {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var there Schema
	if err := json.Unmarshal(text, &there); err != nil {
		t.Fatal(err)
	}
	return there
}

func at(t testing.TB, s Schema, text string) Field {
	t.Helper()
	path, err := ParsePath(text)
	if err != nil {
		t.Fatal(err)
	}
	f, found := s.Field(path)
	if !found {
		t.Fatalf("there is no field %s", text)
	}
	return f
}

const pod = ".spec.template.spec"

func TestTypesAndStrategies(t *testing.T) {
	for _, c := range []struct {
		kind            Kind
		path, typ, name string
	}{
		{deployments, ".", "Deployment", "granular object"},
		{deployments, ".spec.replicas", "integer (int32)", "single value"},
		{deployments, ".spec.strategy.rollingUpdate.maxSurge", "integer or string", "single value"},
		{deployments, ".spec.selector", "LabelSelector", "atomic object"},
		{deployments, ".metadata.creationTimestamp", "string (date-time)", "single value"},
		{deployments, ".metadata.annotations", "map of string to string", "granular map"},
		{deployments, ".metadata.finalizers", "list of string", "set"},
		{deployments, ".metadata.ownerReferences", "list of OwnerReference", "list by uid"},
		{deployments, ".metadata.managedFields", "list of ManagedFieldsEntry", "atomic list"},
		{deployments, pod + ".containers", "list of Container", "list by name"},
		{deployments, pod + ".containers[*].ports", "list of ContainerPort", "list by containerPort and protocol"},
		{deployments, pod + ".containers[*].args", "list of string", "atomic list"},
		{deployments, pod + ".containers[*].resources.limits", "map of string to quantity", "granular map"},
		{deployments, pod + ".containers[*].resources.limits[*]", "quantity", "single value"},
		{deployments, pod + ".nodeSelector", "map of string to string", "atomic map"},
		{deployments, pod + ".topologySpreadConstraints", "list of TopologySpreadConstraint", "list by topologyKey and whenUnsatisfiable"},
		{deployments, pod + ".tolerations", "list of Toleration", "atomic list"},
		{deployments, ".status.conditions", "list of DeploymentCondition", "list by type"},
		{configMaps, ".data", "map of string to string", "granular map"},
		{configMaps, ".binaryData", "map of string to string (byte)", "granular map"},
		{services, ".spec.ports", "list of ServicePort", "list by port and protocol"},
		{services, ".spec.clusterIPs", "list of string", "atomic list"},
		{services, ".spec.selector", "map of string to string", "atomic map"},
		{definitions, ".spec.versions", "list of CustomResourceDefinitionVersion", "atomic list"},
		{definitions, ".spec.versions[*].schema.openAPIV3Schema.properties", "map of string to JSONSchemaProps", "granular map"},
		{definitions, ".spec.versions[*].schema.openAPIV3Schema.items", "anything", "untyped"},
		{scenarios, ".spec.actors", "list of object", "list by name"},
		{scenarios, ".spec.actors[*].churn.kind", "string", "single value"},
		{promotions, ".spec.products", "list of string", "set"},
		{promotions, ".spec.banners", "list of object", "list by language"},
		{promotions, ".spec.priority", "list of string", "atomic list"},
		{regions, ".spec.warehouses[*]", "string", "single value"},
	} {
		if f := at(t, of(t, c.kind), c.path); f.Type != c.typ || f.Merge.Name() != c.name {
			t.Errorf("%s %s is a %q, merged as %q; want %q, %q", c.kind.Kind, c.path, f.Type, f.Merge.Name(), c.typ, c.name)
		}
	}
}

func TestAFieldTellsAllOfIt(t *testing.T) {
	s := of(t, deployments)
	f := at(t, s, pod+".containers.ports.protocol")
	if f.Path.String() != pod+".containers[*].ports[*].protocol" {
		t.Errorf("its path is %s", f.Path)
	}
	if f.Default != "TCP" || !slices.Equal(f.Enum, []string{"SCTP", "TCP", "UDP"}) || f.Required || !f.Key || f.Parent || f.Name() != "protocol" {
		t.Errorf("%+v", f)
	}
	if !strings.HasPrefix(f.Description, "Protocol for port.") || f.About != "" {
		t.Errorf("%q, %q", f.Description, f.About)
	}
	if port := at(t, s, pod+".containers.ports.containerPort"); !port.Required || !port.Key || port.Default != "0" {
		t.Errorf("%+v", port)
	}
	containers := at(t, s, pod+".containers")
	if !containers.Parent || !containers.Required || containers.Merge.Said != "x-kubernetes-list-type: map" || !strings.HasPrefix(containers.About, "A single application container") {
		t.Errorf("%+v", containers)
	}
	template := at(t, s, ".spec.template")
	if template.Default != "{}" || template.About == "" || template.About == template.Description {
		t.Errorf("%+v", template)
	}
	if f := at(t, s, pod+".serviceAccount"); !f.Deprecated {
		t.Error("serviceAccount is not said to be deprecated")
	}
	if f := at(t, s, pod+".restartPolicy"); f.Deprecated || f.Whole != nil {
		t.Errorf("%+v", f)
	}
}

func TestWhatIsOwnedAsAWholeSaysOfWhat(t *testing.T) {
	s := of(t, deployments)
	for path, want := range map[string]string{
		".spec.selector.matchLabels":                                    ".spec.selector",
		".spec.selector.matchLabels[*]":                                 ".spec.selector",
		".spec.selector":                                                "",
		pod + ".tolerations.key":                                        pod + ".tolerations",
		pod + ".containers.image":                                       "",
		pod + ".nodeSelector.disk":                                      pod + ".nodeSelector",
		pod + ".volumes.projected.sources":                              "",
		pod + ".volumes[*].projected.sources[*].configMap.items[*].key": pod + ".volumes[*].projected.sources",
	} {
		got := ""
		if f := at(t, s, path); f.Whole != nil {
			got = f.Whole.String()
		}
		if got != want {
			t.Errorf("%s is owned as a whole with %q, want %q", path, got, want)
		}
	}
}

func TestMeanings(t *testing.T) {
	s := of(t, deployments)
	for path, want := range map[string]string{
		pod + ".containers.ports": "The list is merged by containerPort and protocol. Each item, and each field of an item, can have its own owners",
		pod + ".containers.args":  "A manager that applies the list owns all of it",
		".metadata.finalizers":    "The list is merged as a set of values",
		".metadata.labels":        "Each key can have its own owners",
		".spec.selector":          "The object has one set of owners",
		".spec":                   "Each field of the object can have its own owners",
		".spec.replicas":          "Managers that apply the same value share the field",
	} {
		if got := at(t, s, path).Merge.Meaning(); !strings.Contains(got, want) {
			t.Errorf("%s: %s", path, got)
		}
	}
	if got := at(t, s, pod+".containers.ports").Patch.Meaning(); !strings.Contains(got, "by containerPort, without checking owners") {
		t.Error(got)
	}
	if got := at(t, s, pod+".volumes").Patch.Meaning(); !strings.Contains(got, "by name, without checking owners") || !strings.Contains(got, "fields to keep") {
		t.Error(got)
	}
	if at(t, of(t, definitions), ".spec.versions").Merge.Unsaid() != "" || at(t, of(t, definitions), ".spec.versions.schema.openAPIV3Schema.allOf").Merge.Unsaid() != "" {
		t.Error("what the schema says is called unsaid")
	}
}

func TestChildren(t *testing.T) {
	for _, c := range []struct {
		kind Kind
		path string
		want string
	}{
		{deployments, ".", ".apiVersion .kind .metadata .spec .status"},
		{deployments, ".spec.strategy", ".spec.strategy.rollingUpdate .spec.strategy.type"},
		{deployments, pod + ".hostAliases", pod + ".hostAliases[*].hostnames " + pod + ".hostAliases[*].ip"},
		{deployments, pod + ".hostAliases[*]", pod + ".hostAliases[*].hostnames " + pod + ".hostAliases[*].ip"},
		{deployments, ".spec.replicas", ""},
		{deployments, ".nosuch", ""},
		{configMaps, ".data", ""},
		{regions, ".spec", ".spec.currency .spec.warehouses"},
	} {
		path, err := ParsePath(c.path)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		s := of(t, c.kind)
		for _, f := range s.Children(path) {
			got = append(got, f.Path.String())
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("in %s %s are %v", c.kind.Kind, c.path, got)
		}
		if f, found := s.Field(path); found && f.Parent != (c.want != "") {
			t.Errorf("%s: a parent is %v", c.path, f.Parent)
		}
	}
}

func TestDefaultsOfKeys(t *testing.T) {
	for _, c := range []struct {
		kind      Kind
		list, key string
		want      any
	}{
		{deployments, pod + ".containers[*].ports", "protocol", "TCP"},
		{deployments, pod + ".containers.ports", "protocol", "TCP"},
		{deployments, pod + ".containers[*].ports", "containerPort", json.Number("0")},
		{deployments, pod + ".containers[*].ports", "name", nil},
		{deployments, pod + ".containers[*].ports", "nosuch", nil},
		{deployments, pod + ".containers", "name", ""},
		{deployments, ".spec", "replicas", nil},
		{deployments, ".nosuch", "replicas", nil},
		{services, ".spec.ports", "protocol", "TCP"},
		{promotions, ".spec.banners", "language", nil},
	} {
		path, err := ParsePath(c.list)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := of(t, c.kind).KeyDefault(path, c.key); got != c.want || ok != (c.want != nil) {
			t.Errorf("%s by %s: %v, %v; want %v", c.list, c.key, got, ok, c.want)
		}
	}
}

// A type that holds itself can be followed as far as a path goes.
func TestTypesThatHoldThemselves(t *testing.T) {
	s := of(t, definitions)
	path, err := ParsePath(".spec.versions.schema.openAPIV3Schema")
	if err != nil {
		t.Fatal(err)
	}
	steps := 0
	for f, found := s.Field(path); found; f, found = s.Field(f.Path.To("not")) {
		if len(s.Children(f.Path)) < 40 {
			t.Fatalf("%s has %d fields", f.Path, len(s.Children(f.Path)))
		}
		steps++
	}
	if steps != maxSteps-4 {
		t.Errorf("it ends after %d steps", steps)
	}
}

func TestOnlyWhatAKindNeedsIsTaken(t *testing.T) {
	whole, err := os.Stat("testdata/api_v1.json")
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(of(t, configMaps))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "ServicePort") || !strings.Contains(string(text), "OwnerReference") || int64(len(text))*3 > whole.Size() {
		t.Errorf("%d bytes of %d", len(text), whole.Size())
	}
	for _, k := range []Kind{{"", "v1", "Nosuch"}, {"", "v2", "ConfigMap"}, {"apps", "v1", "ConfigMap"}, {}} {
		if _, found := document(t, "api_v1").Schema(k); found {
			t.Errorf("%v is found", k)
		}
	}
}
