package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/patch"
)

// rules are settings that make tools ignore a difference: for the tool that applies, for tools that own the field, and for check itself.
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

// difference is what a rule ignores: a field of an object.
type difference struct {
	object  Object
	path    string
	pointer string // JSON pointer; empty: the field can't be found
	byPlace bool   // the pointer has the index of a list item
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

// pointerTo is the JSON pointer (RFC 6901) to a node, and whether it has the index of a list item.
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

// rule is the setting that makes a tool ignore the difference; empty if none is known.
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
		return "# Helm: in the values, if the chart uses the names of helm create\n" + asYAML(map[string]any{"autoscaling": map[string]any{"enabled": true}})
	}
	return ""
}

// placed warns that the pointer is wrong once the list changes; empty if the pointer has no index.
func (d difference) placed() string {
	if d.byPlace {
		return ". The path has the item's place in the list: change it when the list changes"
	}
	return ""
}

// argo is a rule of Argo CD. It names the field by a pointer, or by its owners if the pointer would have an index.
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

// literal puts a backslash before the special characters of a pattern.
var literal = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`)

// expectation is a rule for the file of rules beside the manifests.
func expectation(f Finding, owners []string) string {
	match := map[string]any{"kind": literal.Replace(f.Object.Kind), "name": literal.Replace(f.Object.Name)}
	if f.Object.Namespace != "" {
		match["namespace"] = literal.Replace(f.Object.Namespace)
	}
	rule := map[string]any{"match": match, "path": literal.Replace(f.Path), "finding": string(f.Kind), "reason": "Say here why you expect this."}
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
		return "" // maps and lists of texts can always be written
	}
	return string(text)
}
