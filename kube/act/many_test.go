package act

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/object/canary"
)

const podPath = "/api/v1/namespaces/shop/pods/p"

func podSubject(t *testing.T, more string) Subject {
	s := subjectOf(t, podPath, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"shop","uid":"u1","resourceVersion":"7"`+more+`}`)
	s.Type.Verbs = writable
	s.Type.Subresources = []discovery.Subresource{{Name: "eviction", Verbs: []string{"create"}}}
	return s
}

func TestDelete(t *testing.T) {
	plain := podSubject(t, `,"finalizers":["example.com/a"],"ownerReferences":[{"kind":"ReplicaSet","name":"web-1","uid":"r","controller":true}]}`)
	p := planned(t, "delete", plain, nil, Chosen{propagationOption: orphan})
	step, sent := only(t, p)
	contains(t, p.say(), "warn: ReplicaSet web-1 manages this object", "warn: The finalizer example.com/a keeps the object")
	contains(t, string(step.Request.Body), `"propagationPolicy":"Orphan"`, `"preconditions":{"resourceVersion":"7","uid":"u1"}`)
	contains(t, string(step.DryBody()), `{"dryRun":["All"],"apiVersion":"v1"`)
	if step.Verb() != "delete" || step.Target() != podPath || step.DryTarget() != podPath+"?dryRun=All" || sent["dryRun"] != nil || step.Goal.UID != "u1" {
		t.Errorf("%s %s, dry run %s: %+v", step.Verb(), step.Target(), step.DryTarget(), step)
	}
	if p := planned(t, "delete", podSubject(t, `,"deletionTimestamp":"2026-11-24T12:00:00Z"}`), nil, nil); p.Nothing != "The object is being deleted." {
		t.Errorf("twice: %+v", p)
	}
	if p := planned(t, "delete", plain, nil, Chosen{propagationOption: "none"}); len(p.Steps) > 0 || p.Wrong[propagationOption] == "" {
		t.Errorf("%+v", p)
	}
	claim := subjectOf(t, "/api/v1/namespaces/shop/persistentvolumeclaims/c", `{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"c","uid":"u1","resourceVersion":"7"}}`)
	claim.Type.Verbs = writable
	contains(t, planned(t, "delete", claim, nil, nil).say(), "danger: If the volume of this claim")
	for _, vast := range []discovery.Type{{Resource: "namespaces", Verbs: writable}, {Group: "apiextensions.k8s.io", Resource: "customresourcedefinitions", Verbs: writable}, {Resource: "pods", Verbs: []string{"get"}}} {
		if _, ok := Find(vast, "delete"); ok {
			t.Errorf("%s can be deleted together", vast.Resource)
		}
	}
}

func TestEvict(t *testing.T) {
	budget := resultOf(t, `{"metadata":{"name":"all","namespace":"shop"},"spec":{"selector":{}},"status":{"disruptionsAllowed":0}}`)
	for name, c := range map[string]struct {
		more    string
		found   Found
		nothing string
		says    []string
	}{
		"owned":     {`,"ownerReferences":[{"kind":"ReplicaSet","name":"web-1","uid":"r","controller":true}]}`, Found{budgetsRead: {}}, "", []string{"info: ReplicaSet web-1 creates another Pod"}},
		"alone":     {`}`, Found{budgetsRead: {}}, "", []string{"warn: No controller creates the Pod again."}},
		"blocked":   {`}`, Found{budgetsRead: budget}, "", []string{"The disruption budget all allows none now"}},
		"unknown":   {`}`, nil, "", []string{"couldn’t read all disruption budgets"}},
		"with data": {`},"spec":{"volumes":[{"name":"v","emptyDir":{}}]}`, Found{budgetsRead: {}}, "", []string{"danger: The data in the emptyDir volumes of the Pod is lost."}},
		"a mirror":  {`,"annotations":{"kubernetes.io/config.mirror":"x"}}`, Found{budgetsRead: {}}, "The kubelet of the node runs this Pod", nil},
	} {
		p := planned(t, "evict", podSubject(t, c.more), c.found, Chosen{graceOption: "5", patienceOption: "2"})
		if !strings.HasPrefix(p.Nothing, c.nothing) || (c.nothing == "") != (p.Nothing == "") {
			t.Errorf("%s: %q", name, p.Nothing)
		}
		contains(t, p.say(), c.says...)
		if c.nothing != "" {
			continue
		}
		step, _ := only(t, p)
		contains(t, string(step.Request.Body), `"deleteOptions":{"gracePeriodSeconds":5,"preconditions":{"resourceVersion":"7","uid":"u1"}}`)
		if !step.Retry || p.Patience.Minutes() != 2 || step.Verb() != "create" || step.Target() != podPath+"/eviction" {
			t.Errorf("%s: %+v", name, step)
		}
	}
}

func TestSetField(t *testing.T) {
	object := `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","uid":"u1","resourceVersion":"7","labels":{"example.com/a":"1"}},
		"spec":{"n":3,"on":true,"containers":[{"name":"app","image":"app:1"},{"name":"log","image":"log:1"}]},"status":{"phase":"Running"}}`
	s := subjectOf(t, podPath, object)
	s.Type.Subresources = []discovery.Subresource{{Name: "status"}}
	for _, c := range []struct{ field, value, op, said, touched string }{
		{".spec.n", "4", `{"op":"replace","path":"/spec/n","value":4}`, "", ".spec.n"},
		{"spec.on", "false", `{"op":"replace","path":"/spec/on","value":false}`, "", ".spec.on"},
		{".spec.new.deep", "word", `{"op":"add","path":"/spec/new","value":{"deep":"word"}}`, "", ".spec.new"},
		{".spec.containers[name=log].image", `"log:2"`, `{"op":"replace","path":"/spec/containers/1/image","value":"log:2"}`, "", ".spec.containers"},
		{".spec.containers[0]", "", `{"op":"remove","path":"/spec/containers/0"}`, "", ".spec.containers"},
		{".spec.n", "", `{"op":"remove","path":"/spec/n"}`, "", ".spec.n"},
		{".metadata.labels.example.com/a", "2", `{"op":"replace","path":"/metadata/labels/example.com~1a","value":"2"}`, "", ".metadata.labels.example.com/a"},
		{`.metadata.labels["example.com/b"]`, `"2"`, `{"op":"add","path":"/metadata/labels/example.com~1b","value":"2"}`, "", ".metadata.labels.example.com/b"},
		{".metadata.annotations.a", "x", `{"op":"add","path":"/metadata/annotations","value":{"a":"x"}}`, "", ".metadata.annotations"},
		{".spec.n", "3", "", "has this value already", ""},
		{".spec.nosuch", "", "", "no such field", ""},
		{".spec.n.below", "1", "", "single value", ""},
		{".spec[0]", "1", "", "no list at /spec", ""},
		{".spec.containers[name=no].image", "x", "", "fits 0 items", ""},
		{".spec.containers[*].image", "x", "", "fits 0 items", ""},
		{".spec.lists[0].a", "x", "", "adds none", ""},
		{".spec.n", "{a: b}", "", "isn’t JSON", ""},
		{".spec.n", "null", "", "isn’t JSON", ""},
		{"", "1", "", "Write the path", ""},
		{".metadata", "{}", "", "Name a field", ""},
		{".metadata.uid", "x", "", "Nobody can change .metadata.uid", ""},
		{".metadata.managedFields[0]", "", "", "Nobody can change", ""},
		{".status.phase", "Failed", "", "ignores the status", ""},
	} {
		p := planned(t, "set-field", s, nil, Chosen{fieldOption: c.field, valueOption: c.value})
		said := p.Nothing + p.Wrong[fieldOption] + p.Wrong[valueOption]
		switch {
		case c.op == "" && (len(p.Steps) > 0 || !strings.Contains(said, c.said)):
			t.Errorf("%s = %s: %q, %+v", c.field, c.value, said, p.Steps)
		case c.op != "":
			if len(p.Steps) != 1 {
				t.Errorf("%s = %s: %q", c.field, c.value, said)
				continue
			}
			step := p.Steps[0]
			want := `[{"op":"replace","path":"/metadata/uid","value":"u1"},{"op":"replace","path":"/metadata/resourceVersion","value":"7"},` + c.op + `]`
			if string(step.Request.Body) != want || len(p.Touches) == 0 || !strings.HasPrefix(p.Touches[0].Path, c.touched) {
				t.Errorf("%s = %s: %s\n%+v", c.field, c.value, step.Request.Body, p.Touches)
			}
		}
	}
	if asJSON(s.Object.Fields) != asJSON(subjectOf(t, podPath, object).Object.Fields) {
		t.Error("a plan changes the object")
	}
}

// The values of a Secret would be in the address of the page.
func TestValuesOfSecretsAreNotSet(t *testing.T) {
	s := subjectOf(t, "/api/v1/namespaces/shop/secrets/s", `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s","uid":"u1","resourceVersion":"7"},"data":{"a":"YQ=="}}`)
	for field, refused := range map[string]bool{
		".data.a": true, ".data": true, "stringData.a": true, `["data"].a`: true, ".metadata.annotations.kubectl.kubernetes.io/last-applied-configuration": true, ".metadata.labels.a": false, ".type": false,
	} {
		p := planned(t, "set-field", s, nil, Chosen{fieldOption: field, valueOption: "b"})
		if refused != (len(p.Steps) == 0) || refused && !strings.Contains(p.Wrong[fieldOption], "address of this page") {
			t.Errorf("%s: %+v, %v", field, p.Steps, p.Wrong)
		}
	}
}

// Of several objects, each request is for the version of its dry run, and no option changes that.
func TestRequestsForSeveralObjectsHaveTheVersion(t *testing.T) {
	s := subject(t, deployments, web)
	s.Several = true
	for name, chosen := range map[string]Chosen{
		"scale": {replicasOption: "5", onlyIf: sameObject}, "restart": nil, "pause": nil, "label": {pairsOption: "a=b", onlyIf: sameObject}, "annotate": {pairsOption: "a=b"},
		"set-image": {imageOption: "shop/web:2", onlyIf: sameObject}, "set-field": {fieldOption: ".spec.paused", valueOption: "true"}, "delete": nil,
	} {
		a, _ := Find(s.Type, name)
		for _, o := range a.Options(s, nil) {
			if o.Name == onlyIf {
				t.Errorf("%s: the condition can be chosen", name)
			}
		}
		p := a.Plan(s, Found{scalersRead: {}}, chosen)
		if len(p.Steps) != 1 {
			t.Fatalf("%s: %+v", name, p)
		}
		step := p.Steps[0]
		contains(t, string(step.Request.Body), `"7"`, `"u1"`, "resourceVersion")
	}
	node := subjectOf(t, "/api/v1/nodes/n", `{"apiVersion":"v1","kind":"Node","metadata":{"name":"n","uid":"n1","resourceVersion":"7"}}`)
	node.Several = true
	p := planned(t, "drain", node, Found{podsRead: {}, budgetsRead: {}}, nil)
	if step := p.Steps[0]; !strings.Contains(string(step.Request.Body), `"resourceVersion":"7"`) || strings.Contains(string(step.Undo.Request.Body), "resourceVersion") {
		t.Errorf("%s, taken back by %s", step.Request.Body, step.Undo.Request.Body)
	}
}

// The values of a Secret don't get into a plan, and no value that looks like one gets into a Secret.
func TestNoCanaryEscapesPlans(t *testing.T) {
	for _, d := range canary.Documents() {
		if d.Vague {
			continue
		}
		o, err := object.Parse([]byte(d.JSON))
		if err != nil {
			t.Fatal(err)
		}
		s := Subject{Path: apipath.Object("", "v1", "shop", "secrets", "s"), Object: o.Masked(), Now: noon, Several: true}
		s.Type = discovery.Type{Version: "v1", Resource: "secrets", Kind: "Secret", Verbs: writable}
		for field, value := range map[string]string{".metadata.labels.a": "b", ".data.a": canary.Coded, ".data": "", ".stringData.a": canary.Song, ".metadata.annotations.a": canary.Coded, ".metadata.annotations": ""} {
			p := planned(t, "set-field", s, nil, Chosen{fieldOption: field, valueOption: value})
			if canary.Escapes(fmt.Sprintf("%+v", p.Touches) + p.say()) {
				t.Errorf("%s, %s: %+v", d.Name, field, p)
			}
			for _, step := range p.Steps {
				if canary.Escapes(string(step.Request.Body)) {
					t.Errorf("%s, %s: %s", d.Name, field, step.Request.Body)
				}
			}
		}
	}
}
