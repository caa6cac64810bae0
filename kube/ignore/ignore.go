// Package ignore writes the settings that make a tool leave a field of an object alone: ignoreDifferences of Argo CD, ignore of Flux, values of
// Helm. A tool is known by the name with which it writes.
package ignore

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/patch"
)

// The managers of tools that have such settings. Most tools use the name of their program.
const (
	Helm     = "helm"
	ArgoCD   = "argocd-controller"
	Flux     = "kustomize-controller"
	FluxHelm = "helm-controller"
)

// Difference is what a tool ignores: a field of an object.
type Difference struct {
	APIVersion, Kind, Namespace, Name string

	Path    string // in structured-merge-diff's notation
	Pointer string // JSON pointer; empty: the field can't be found
	ByPlace bool   // the pointer has the index of a list item
}

// Find fills in the pointer from the first of these objects that has the field.
func (d Difference) Find(in ...*ownership.Blame) Difference {
	for _, b := range in {
		for _, n := range b.Find(d.Path) {
			d.Pointer, d.ByPlace = pointerTo(n)
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

// Rule is a setting to paste.
type Rule struct {
	Tool   string // Argo CD
	Place  string // where it belongs: "in the Application"
	YAML   string
	Effect string // one sentence: what the tool does then with the field and its owners
}

// Text is the rule with its place as a comment; empty for the zero value.
func (r Rule) Text() string {
	if r.YAML == "" {
		return ""
	}
	return "# " + r.Tool + ": " + r.Place + "\n" + r.YAML
}

// Effects of rules.
const (
	respects = "Argo CD no longer reports the field as a difference, and keeps its live value when it syncs."
	skips    = "Flux keeps the live value of the field, and applies all other fields."
	drifts   = "Flux no longer corrects the field between upgrades. An upgrade of the release still writes the field if the chart has it."
	scales   = "The chart no longer writes the number of replicas. It creates a HorizontalPodAutoscaler of its own."
)

// For is the rule of the tool that writes as a manager. Others are the names of the other owners. It returns false if no rule is known.
func For(manager string, d Difference, others []string) (Rule, bool) {
	switch {
	case d.Pointer == "":
		return Rule{}, false
	case manager == ArgoCD:
		return Rule{"Argo CD", "in the Application", d.argo(others), respects}, true
	case manager == Flux:
		return Rule{"Flux", "in the Kustomization" + d.placed(), asYAML(map[string]any{"spec": map[string]any{"ignore": d.ignored()}}), skips}, true
	case manager == FluxHelm:
		return Rule{
			"Flux", "in the HelmRelease" + d.placed(),
			asYAML(map[string]any{"spec": map[string]any{"driftDetection": map[string]any{"mode": "enabled", "ignore": d.ignored()}}}), drifts,
		}, true
	case manager == Helm && d.Path == ".spec.replicas":
		return Rule{"Helm", "in the values, if the chart uses the names of helm create", asYAML(map[string]any{"autoscaling": map[string]any{"enabled": true}}), scales}, true
	}
	return Rule{}, false
}

// placed warns that the pointer is wrong once the list changes; empty if the pointer has no index.
func (d Difference) placed() string {
	if d.ByPlace {
		return ". The path has the item's place in the list: change it when the list changes"
	}
	return ""
}

// argo is a rule of Argo CD. It names the field by a pointer, or by its owners if the pointer would have an index.
func (d Difference) argo(others []string) string {
	rule := map[string]any{"kind": d.Kind, "name": d.Name}
	group, _, named := strings.Cut(d.APIVersion, "/")
	if named {
		rule["group"] = group
	}
	if d.Namespace != "" {
		rule["namespace"] = d.Namespace
	}
	if d.ByPlace && len(others) > 0 {
		rule["managedFieldsManagers"] = anyList(others...)
	} else {
		rule["jsonPointers"] = anyList(d.Pointer)
	}
	return asYAML(map[string]any{"spec": map[string]any{
		"ignoreDifferences": []any{rule}, "syncPolicy": map[string]any{"syncOptions": anyList("RespectIgnoreDifferences=true")},
	}})
}

// ignored is a rule of Flux.
func (d Difference) ignored() []any {
	target := map[string]any{"kind": d.Kind, "name": d.Name}
	if d.Namespace != "" {
		target["namespace"] = d.Namespace
	}
	return []any{map[string]any{"paths": anyList(d.Pointer), "target": target}}
}

func anyList(texts ...string) []any {
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
