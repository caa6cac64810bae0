package assist

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/change"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/patch"
	"github.com/fieldmark/fieldmark/kube/schema"
)

// CanGiveUp tells whether a manager can give up a field by an apply without the field.
func CanGiveUp(m ownership.Manager) bool {
	return m.Operation == ownership.Apply && (m.Subresource == "" || m.Subresource == "status")
}

// GiveUp is the apply with which a manager gives up fields: its manifest without them. It is right only for this version of the object, because
// a field without another owner is removed. So the apply has the version's resourceVersion, and the server refuses it (409) later.
func GiveUp(live map[string]any, known *schema.Schema, m ownership.Manager, paths []string) (Plan, error) {
	title := m.Words() + " gives up " + joinNames(paths)
	if !CanGiveUp(m) {
		return nothing(title, m.Words()+" can’t give up a field by an apply."), nil
	}
	blame := ownership.Parse(live).On(manifest.Tree(live), knowledge(known))
	if why := cmp.Or(ambiguous(blame, paths), misplaced(blame, m, paths)); why != "" {
		return nothing(title, why), nil
	}
	stated := pinned(live, change.Restated(live, m, known, nil, paths))
	r, err := applyRequest(live, stated, m)
	if err != nil {
		return Plan{}, err
	}
	return Plan{Title: title, Steps: []Step{{
		Title:   m.Name + " applies all its fields except " + joinNames(paths),
		Why:     "A manager gives up the fields that it no longer applies. The request names this version of the object, so the server refuses it (409) if somebody writes before.",
		Request: r,
	}}, Consequences: []string{"Delete the lines from the manifest that " + m.Name + " applies, too. Otherwise " + m.Name + " takes the field back."}}, nil
}

// ambiguous says which path is that of several fields, so that nobody knows which one changes hands; empty: none. Paths don't quote names with dots.
func ambiguous(b *ownership.Blame, paths []string) string {
	for _, path := range paths {
		if len(b.Readings(path)) > 1 {
			return "The object has several fields that can be written as " + path + ". Change the manifests by hand."
		}
	}
	return ""
}

// misplaced says why a manager must not apply the object in this version: it would give up fields that it owns in another version. It is empty if
// it can. Fields that may be at the paths don't count, because the manager gives those up anyway.
func misplaced(b *ownership.Blame, m ownership.Manager, paths []string) string {
	if m.Operation != ownership.Apply {
		return ""
	}
	var meant []ownership.Claim
	for _, path := range paths {
		for _, n := range b.Find(path) {
			meant = append(meant, b.Unplaced(n)...)
		}
	}
	for _, c := range b.Misplaced(m) {
		if !slices.ContainsFunc(meant, func(other ownership.Claim) bool { return other.Path == c.Path && other.Owner == c.Owner }) {
			return m.Words() + " owns " + c.Path + " in " + c.APIVersion + ". Which field this is in the version of this object is unknown, so an apply of it in this version could remove the field. " +
				"Change the manifest that " + m.Name + " applies, in " + c.APIVersion + "."
		}
	}
	return ""
}

// pinned is a manifest with the resourceVersion of the live object.
func pinned(live, stated map[string]any) map[string]any {
	stated = maps.Clone(stated)
	metadata := maps.Clone(metadataOf(stated))
	if version := stringField(metadataOf(live), "resourceVersion"); version != "" {
		metadata["resourceVersion"] = version
	}
	stated["metadata"] = metadata
	return stated
}

// Alone is a manifest with one field of an object and its parents. If named is true, it also has the object's type and name.
func Alone(o map[string]any, known *schema.Schema, path string, named bool) map[string]any {
	stated := change.Restated(o, ownership.Manager{Operation: "none"}, known, []string{path}, nil)
	if named {
		return stated
	}
	delete(stated, "apiVersion")
	delete(stated, "kind")
	metadata := maps.Clone(below(stated["metadata"]))
	delete(metadata, "name")
	delete(metadata, "namespace")
	if stated["metadata"] = metadata; len(metadata) == 0 {
		delete(stated, "metadata")
	}
	return stated
}

// deleteThis marks the lines of a field.
const deleteThis = "  # delete this field"

// Lines are the lines of a field in a manifest, with its parents, as YAML. A comment marks the field that is to be deleted. It is empty if the
// object has no such field.
func Lines(o map[string]any, path string) string {
	alone := Alone(o, nil, path, false)
	doc, err := manifest.YAMLDocument(alone)
	if err != nil || len(alone) == 0 {
		return ""
	}
	found := ownership.Parse(o).On(doc.Root, nil).Find(path)
	var b strings.Builder
	for i, line := range doc.Lines {
		b.WriteString(line.String())
		if slices.Contains(found, doc.Places[i].Outer) || slices.Contains(found, doc.Places[i].Inner) && !doc.Places[i].Continued {
			b.WriteString(deleteThis)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// Scaler is a HorizontalPodAutoscaler.
type Scaler struct {
	Name     string
	Min, Max int64
	Object   map[string]any
}

// Words name the autoscaler with its limits.
func (s Scaler) Words() string {
	return fmt.Sprintf("HorizontalPodAutoscaler %s (min %d, max %d)", s.Name, s.Min, s.Max)
}

// Manager is the manager as which the controller of HorizontalPodAutoscalers writes.
func (Scaler) Manager(m ownership.Manager) bool {
	return m.Name == "kube-controller-manager" && m.Operation == ownership.Update && m.Subresource == "scale"
}

// ScalersOf are the HorizontalPodAutoscalers that scale an object.
func ScalersOf(all []map[string]any, apiVersion, kind, name string) []Scaler {
	var found []Scaler
	for _, o := range all {
		spec := below(o["spec"])
		ref := below(spec["scaleTargetRef"])
		if stringField(ref, "kind") != kind || stringField(ref, "name") != name || groupOf(stringField(ref, "apiVersion")) != groupOf(apiVersion) {
			continue
		}
		s := Scaler{Name: stringField(metadataOf(o), "name"), Min: 1, Object: o}
		if n, ok := number(spec["minReplicas"]); ok {
			s.Min = n
		}
		if n, ok := number(spec["maxReplicas"]); ok {
			s.Max = n
			found = append(found, s)
		}
	}
	return found
}

func groupOf(apiVersion string) string {
	group, _, named := strings.Cut(apiVersion, "/")
	if !named {
		return ""
	}
	return group
}

// number reads a decoded number.
func number(v any) (int64, bool) {
	n, is := v.(interface{ Int64() (int64, error) })
	if !is {
		return 0, false
	}
	i, err := n.Int64()
	return i, err == nil
}

// Limit is the field of the autoscaler that forbids a number of replicas, and its limit; ok is false if the number is allowed.
func (s Scaler) Limit(replicas int64) (field string, limit int64, ok bool) {
	switch {
	case replicas > s.Max:
		return "maxReplicas", s.Max, true
	case replicas < s.Min:
		return "minReplicas", s.Min, true
	}
	return "", 0, false
}

// MoveLimit moves the limit of an autoscaler so that it allows a number of replicas.
func MoveLimit(s Scaler, replicas int64, manager string) Plan {
	field, limit, ok := s.Limit(replicas)
	if !ok {
		return nothing("Move a limit of "+s.Name, fmt.Sprintf("%s allows %d replicas.", s.Words(), replicas))
	}
	path := ".spec." + field
	p := Plan{Title: fmt.Sprintf("Set %s of HorizontalPodAutoscaler %s from %d to %d", path, s.Name, limit, replicas)}
	p.Steps = []Step{{
		Title: fmt.Sprintf("%s sets %s to %d", manager, path, replicas),
		Why:   fmt.Sprintf("The server refuses the request (422) if the limit is no longer %d.", limit),
		Request: request(patch.JSONPatchType, manager, []operation{
			{"op": "test", "path": "/spec/" + field, "value": limit}, {"op": "replace", "path": "/spec/" + field, "value": replicas},
		}),
	}}
	p.Consequences = append(p.Consequences, fmt.Sprintf("The autoscaler then allows %d replicas. It still sets the number that its metrics ask for, so other managers must want that number, too.", replicas))
	blame := ownership.Parse(s.Object).On(manifest.Tree(s.Object), nil)
	for _, c := range blame.Claimed(path) {
		if c.Name != manager {
			p.Consequences = append(p.Consequences, fmt.Sprintf("%s owns the limit. Change it in the manifest or the settings of %s, too. Otherwise the limit returns.", c.Words(), c.Name))
		}
	}
	return p
}
