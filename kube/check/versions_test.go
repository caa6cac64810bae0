package check

import (
	"slices"
	"strings"
	"testing"
)

const till = `{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"till","namespace":"shop","managedFields":[` +
	`{"manager":"legacy","operation":"Apply","apiVersion":"autoscaling/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:maxReplicas":{},"f:scaleTargetRef":{},"f:targetCPUUtilizationPercentage":{}}}}]},` +
	`"spec":{"maxReplicas":5,"minReplicas":1,"metrics":[{"resource":{"name":"cpu","target":{"averageUtilization":70,"type":"Utilization"}},"type":"Resource"}],"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"till"}}}`

const tillManifest = `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: till, namespace: shop}
spec:
  maxReplicas: 5
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: till}
  metrics:
  - type: Resource
    resource:
      name: cpu
      target: {type: Utilization, averageUtilization: 55}
`

// A server writes the paths of a conflict in the version of each owner, and doesn't say which version that is.
func TestAConflictWithAClaimOfAnotherVersion(t *testing.T) {
	d := documents("till.yaml", tillManifest)[0]
	found := Judge(Input{
		Document: d, Manager: "modern", Live: Response{Object: parse(t, till)}, Plain: Response{No: conflict(`.spec.targetCPUUtilizationPercentage "legacy"`)},
		Forced: &Response{Object: parse(t, strings.Replace(till, "70", "55", 1))},
	}, ContentsOf([]Document{d}))
	if len(found) != 2 || found[1].Kind != Shared || told(found, ".spec.maxReplicas", WayHandOver) != "" || found[0].Kind != Conflict || found[0].Path != ".spec.metrics" || found[0].Line != 7 {
		t.Fatalf("%+v", found)
	}
	f := found[0]
	if len(f.Owners) != 1 || f.Owners[0].APIVersion != "autoscaling/v1" || !strings.Contains(f.Why, "legacy (Apply) in autoscaling/v1, where it is .spec.targetCPUUtilizationPercentage") {
		t.Errorf("%+v: %s", f.Owners, f.Why)
	}
	ways := map[string]string{}
	for _, w := range f.Ways {
		ways[w.Way] += w.Text
		if strings.Contains(w.Text, "delete .spec.targetCPU") {
			t.Errorf("the manifest doesn't have the line to delete: %s", w.Text)
		}
	}
	if !strings.Contains(ways[WayShare], "averageUtilization: 70") || !strings.Contains(ways[WayOverwrite], "--force-conflicts") || !strings.Contains(ways[WayHandOver], "--field-manager=legacy") {
		t.Errorf("%v", ways)
	}
}

// With force, the claim in the other version is taken.
func TestAClaimOfAnotherVersionIsTaken(t *testing.T) {
	d := documents("till.yaml", tillManifest)[0]
	taken := strings.Replace(strings.Replace(till, "70", "55", 1), `,"f:targetCPUUtilizationPercentage":{}}}}`, `}}},`+
		entry(`modern Apply autoscaling/v2 {"f:spec":{"f:maxReplicas":{},"f:metrics":{},"f:scaleTargetRef":{"f:kind":{},"f:name":{}}}}`), 1)
	in := Input{Document: d, Manager: "modern", Live: Response{Object: parse(t, till)}, Plain: Response{Object: parse(t, taken)}, Force: true}
	found := slices.DeleteFunc(Judge(in, ContentsOf([]Document{d})), func(f Finding) bool { return f.Kind == Shared })
	if len(found) != 1 || found[0].Kind != Taken || found[0].Path != ".spec.metrics" || !strings.HasSuffix(found[0].Why, "taken from legacy (Apply).") {
		t.Errorf("%+v", found)
	}
}

// An owner's version can be unknown to Fieldmark, such as one of a custom resource. Then only the field that changes can be meant.
func TestAConflictWithAClaimOfAnUnknownVersion(t *testing.T) {
	live := parse(t, `{"apiVersion":"x.example.com/v2","kind":"Thing","metadata":{"name":"a","managedFields":[`+entry(`legacy Apply x.example.com/v1 {"f:spec":{"f:hue":{},"f:size":{}}}`)+`]},"spec":{"color":"red","size":1,"weight":2}}`)
	for text, want := range map[string]string{
		"apiVersion: x.example.com/v2\nkind: Thing\nmetadata: {name: a}\nspec:\n  color: blue\n":              `conflict .spec.color:5 "red"→"blue" [legacy (Apply)]`,
		"apiVersion: x.example.com/v2\nkind: Thing\nmetadata: {name: a}\nspec:\n  color: blue\n  weight: 3\n": `conflict .spec.hue:4 → [legacy (Apply)]`, // either can be meant
	} {
		d := documents("a.yaml", text)[0]
		var got []string
		for _, f := range Judge(Input{Document: d, Manager: "modern", Live: Response{Object: live}, Plain: Response{No: conflict(`.spec.hue "legacy"`)}}, ContentsOf(nil)) {
			if f.Kind == Conflict {
				got = append(got, spell(f))
			}
			for _, w := range f.Ways {
				if w.Way == WayGiveUp && strings.Contains(w.Text, "hue") {
					t.Errorf("the manifest doesn't have the line to delete: %s", w.Text)
				}
			}
		}
		if !slices.Equal(got, []string{want}) {
			t.Errorf("got %q, want %s", got, want)
		}
	}
}

// kubectl applies documents in their order.
func TestANamespaceThatComesTooLate(t *testing.T) {
	const inside, namespace = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: new}\n", "apiVersion: v1\nkind: Namespace\nmetadata: {name: new}\n"
	for text, want := range map[string]Kind{inside + "---\n" + namespace: Invalid, namespace + "---\n" + inside: Created} {
		all := documents("a.yaml", text)
		for _, d := range all {
			if d.Source.Kind == "ConfigMap" {
				missing := Response{No: no(404, "NotFound", `namespaces "new" not found`)}
				if found := Judge(Input{Document: d, Manager: "me", Live: missing, Plain: missing}, ContentsOf(all)); len(found) != 1 || found[0].Kind != want {
					t.Errorf("%s: %+v", text, found)
				}
			}
		}
	}
	for _, files := range [][3]string{{"a.yaml", "b.yaml", string(Invalid)}, {"b.yaml", "a.yaml", string(Created)}, {"x/b.yaml", "x/c/a.yaml", string(Invalid)}} {
		d := documents(files[0], inside)[0]
		missing := Response{No: no(404, "NotFound", `namespaces "new" not found`)}
		found := Judge(Input{Document: d, Manager: "me", Live: missing, Plain: missing}, ContentsOf(append([]Document{d}, documents(files[1], namespace)...)))
		if len(found) != 1 || string(found[0].Kind) != files[2] {
			t.Errorf("%q: %+v", files, found)
		}
	}
}

// A refusal names a field as in the version of its owner. Without the manifest, or with one of another version, its name there is said, too.
func TestARefusalOfAnotherVersionNamesBothSpellings(t *testing.T) {
	v1 := strings.NewReplacer("autoscaling/v2", "autoscaling/v1", "  metrics:\n  - type: Resource\n    resource:\n      name: cpu\n      target: {type: Utilization, averageUtilization: 55}\n", "  targetCPUUtilizationPercentage: 55\n").Replace(tillManifest)
	modern := strings.NewReplacer("legacy", "modern", "autoscaling/v1", "autoscaling/v2", "f:targetCPUUtilizationPercentage", "f:metrics").Replace(till)
	for name, test := range map[string]struct{ text, live, refused, says string }{
		"no manifest":      {"", till, `.spec.targetCPUUtilizationPercentage "legacy"`, "The owner wrote autoscaling/v1. In autoscaling/v2, the field is .spec.metrics."},
		"a manifest in v1": {v1, modern, `.spec.metrics "modern"`, "The owner wrote autoscaling/v2. In autoscaling/v1, the field is .spec.targetCPUUtilizationPercentage."},
	} {
		in := Input{Manager: "me", Live: Response{Object: parse(t, test.live)}, Plain: Response{No: conflict(test.refused)}}
		if test.text != "" {
			in.Document = documents("till.yaml", test.text)[0]
		}
		in.Document.Source.APIVersion, in.Document.Source.Kind, in.Document.Source.Name = "autoscaling/v2", "HorizontalPodAutoscaler", "till"
		if test.text != "" {
			in.Document.Source.APIVersion = "autoscaling/v1"
		}
		if found := Refused(in); len(found) != 1 || !strings.Contains(found[0].Why, test.says) {
			t.Errorf("%s: %+v", name, found)
		} else if test.text != "" && slices.ContainsFunc(found[0].Ways, func(w Way) bool { return w.Way != WayOverwrite }) {
			t.Errorf("%s: a way names a field of another version: %+v", name, found[0].Ways)
		}
	}
}
