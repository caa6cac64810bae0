package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/patch"
)

// rules are rules by which tools leave a difference alone: those of the tool that applies, and of tools that own the field, and our own.
func (j *judgement) rules(f Finding) []string {
	var owners []string
	for _, o := range f.Owners {
		if !o.Same(j.me) && !slices.Contains(owners, o.Name) {
			owners = append(owners, o.Name)
		}
	}
	d := j.difference(f.Path)
	all := []string{d.rule(j.Manager, owners)}
	for _, owner := range owners {
		if owner != j.Manager {
			all = append(all, d.rule(owner, []string{j.Manager}))
		}
	}
	return append(all, expectation(f, owners))
}

// difference is what a rule leaves alone: a field of an object.
type difference struct {
	object  Object
	path    string
	pointer string // JSON pointer; empty: the field can't be found
	byPlace bool   // the pointer leads through a list, by the place of an item
}

func (j *judgement) difference(path string) difference {
	d := difference{object: j.object, path: path}
	for _, b := range []*ownership.Blame{j.before, j.after, j.sent} {
		for _, n := range b.Find(path) {
			d.pointer, d.byPlace = pointerTo(n)
			return d
		}
	}
	return d
}

// pointerTo is the JSON pointer (RFC 6901) to a node, and whether it names a list's item by its place.
func pointerTo(n *manifest.Node) (pointer string, byPlace bool) {
	var steps []string
	for ; n.Parent != nil; n = n.Parent {
		step := n.Key
		if n.Index >= 0 {
			step, byPlace = strconv.Itoa(n.Index), true
		}
		steps = append(steps, step)
	}
	slices.Reverse(steps)
	return patch.Pointer("", steps...), byPlace
}

// rule is the rule of the tool that writes as a manager, so that it leaves the difference to others; empty: none is known.
func (d difference) rule(tool string, others []string) string {
	switch {
	case d.pointer == "":
		return ""
	case tool == argo:
		return d.argo(others)
	case tool == flux:
		return "# Flux: in the Kustomization" + d.placed() + "\n" + asYAML(map[string]any{"spec": map[string]any{"ignore": d.ignored()}})
	case tool == fluxHelm:
		return "# Flux: in the HelmRelease" + d.placed() + "\n" + asYAML(map[string]any{"spec": map[string]any{"driftDetection": map[string]any{"mode": "enabled", "ignore": d.ignored()}}})
	case tool == helm && d.path == ".spec.replicas":
		return "# Helm: in the values, if the chart names them as helm create does\n" + asYAML(map[string]any{"autoscaling": map[string]any{"enabled": true}})
	}
	return ""
}

// placed says that a pointer leads to another item once the list changes.
func (d difference) placed() string {
	if d.byPlace {
		return ". The number in the path is the item's place: it must follow changes of the list"
	}
	return ""
}

// argo names the field by a pointer, or its owners where that would lead through a list.
func (d difference) argo(others []string) string {
	rule := map[string]any{"kind": d.object.Kind, "name": d.object.Name}
	group, _, named := strings.Cut(d.object.APIVersion, "/")
	if named {
		rule["group"] = group
	}
	if d.object.Namespace != "" {
		rule["namespace"] = d.object.Namespace
	}
	if d.byPlace && len(others) > 0 {
		rule["managedFieldsManagers"] = list(others...)
	} else {
		rule["jsonPointers"] = list(d.pointer)
	}
	return "# Argo CD: in the Application\n" + asYAML(map[string]any{"spec": map[string]any{
		"ignoreDifferences": []any{rule}, "syncPolicy": map[string]any{"syncOptions": list("RespectIgnoreDifferences=true")},
	}})
}

// ignored is a rule of Flux.
func (d difference) ignored() []any {
	target := map[string]any{"kind": d.object.Kind, "name": d.object.Name}
	if d.object.Namespace != "" {
		target["namespace"] = d.object.Namespace
	}
	return []any{map[string]any{"paths": list(d.pointer), "target": target}}
}

// literal takes their meaning from the characters that stand for others in a pattern.
var literal = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`)

// expectation is the rule for the file beside the manifests.
func expectation(f Finding, owners []string) string {
	match := map[string]any{"kind": literal.Replace(f.Object.Kind), "name": literal.Replace(f.Object.Name)}
	if f.Object.Namespace != "" {
		match["namespace"] = literal.Replace(f.Object.Namespace)
	}
	rule := map[string]any{"match": match, "path": literal.Replace(f.Path), "finding": string(f.Kind), "reason": "Say here why this is meant."}
	if len(owners) == 1 && len(f.Owners) == 1 {
		rule["owner"] = literal.Replace(owners[0])
	}
	return "# " + RulesFile + "\n" + asYAML(map[string]any{"apiVersion": APIVersion, "kind": ruleKind, "rules": []any{rule}})
}

func list(texts ...string) []any {
	all := make([]any, 0, len(texts))
	for _, text := range texts {
		all = append(all, text)
	}
	return all
}

// asYAML is a value as YAML.
func asYAML(v any) string {
	text, err := manifest.YAML(v)
	if err != nil {
		return "" // what is made of texts can always be written
	}
	return string(text)
}
