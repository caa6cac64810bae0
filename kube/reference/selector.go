package reference

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/lazy"
	"github.com/fieldmark/fieldmark/kube/manifest"
)

// Selector is a label selector: labels, and expressions about labels. An object must fulfill all of them.
type Selector []Requirement

// Requirement is one part of a Selector.
type Requirement struct {
	Key      string
	Operator string // In, NotIn, Exists, DoesNotExist
	Values   []string
}

// selecting are the types that select pods in their own namespace, by their group and kind, each with the field in spec that selects. The
// selector of another type can be for objects of any type. A PersistentVolumeClaim, for example, selects volumes.
var selecting = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"Service": "selector", "ReplicationController": "selector", "apps/Deployment": "selector", "apps/ReplicaSet": "selector",
		"apps/StatefulSet": "selector", "apps/DaemonSet": "selector", "batch/Job": "selector", "policy/PodDisruptionBudget": "selector",
		"networking.k8s.io/NetworkPolicy": "podSelector",
	}
}}

// PodSelector returns the selector with which an object selects pods in its namespace, and the field with the selector. ok is false if the
// object's type is not known to select pods, or if the selector is empty or can't be understood.
func PodSelector(root *manifest.Node) (field *manifest.Node, s Selector, ok bool) {
	kind := stringField(root, "kind")
	if group, _, grouped := strings.Cut(stringField(root, "apiVersion"), "/"); grouped {
		kind = group + "/" + kind
	}
	name, known := selecting.Get()[kind]
	spec := root.Field("spec")
	if !known || spec == nil || spec.Field(name) == nil {
		return nil, nil, false
	}
	field = spec.Field(name)
	if kind == "Service" || kind == "ReplicationController" {
		s, ok = labels(field)
	} else {
		s, ok = ParseSelector(field)
	}
	return field, s, ok && len(s) > 0
}

// labels reads a map of labels.
func labels(n *manifest.Node) (s Selector, ok bool) {
	if n == nil {
		return nil, true
	}
	for _, child := range n.Children {
		value, isText := child.Value.(string)
		if !isText || child.Index >= 0 {
			return nil, false
		}
		s = append(s, Requirement{child.Key, "In", []string{value}})
	}
	return s, true
}

// ParseSelector reads a selector with matchLabels and matchExpressions. ok is false if it can't be understood. An empty one means what its type says: a
// PodDisruptionBudget with it selects all pods of its namespace.
func ParseSelector(n *manifest.Node) (s Selector, ok bool) {
	s, ok = labels(n.Field("matchLabels"))
	listed := n.Field("matchExpressions")
	if !ok || listed == nil {
		return s, ok
	}
	for _, item := range listed.Children {
		r := Requirement{Key: stringField(item, "key"), Operator: stringField(item, "operator")}
		if values := item.Field("values"); values != nil {
			for _, v := range values.Children {
				value, _ := v.Value.(string)
				r.Values = append(r.Values, value)
			}
		}
		few := r.Operator == "Exists" || r.Operator == "DoesNotExist"
		if r.Key == "" || !few && r.Operator != "In" && r.Operator != "NotIn" || few != (len(r.Values) == 0) {
			return nil, false
		}
		s = append(s, r)
	}
	return s, true
}

// String is the selector as the parameter labelSelector has it: app=web,tier in (a,b).
func (s Selector) String() string {
	parts := make([]string, len(s))
	for i, r := range s {
		switch {
		case r.Operator == "Exists":
			parts[i] = r.Key
		case r.Operator == "DoesNotExist":
			parts[i] = "!" + r.Key
		case r.Operator == "NotIn":
			parts[i] = r.Key + " notin (" + strings.Join(r.Values, ",") + ")"
		case len(r.Values) == 1:
			parts[i] = r.Key + "=" + r.Values[0]
		default:
			parts[i] = r.Key + " in (" + strings.Join(r.Values, ",") + ")"
		}
	}
	return strings.Join(parts, ",")
}

// Selects tells whether the selector selects an object with these labels. An empty selector selects nothing here, because a Service without
// a selector selects nothing.
func (s Selector) Selects(labels map[string]string) bool {
	for _, r := range s {
		value, has := labels[r.Key]
		among := has && slices.Contains(r.Values, value)
		switch r.Operator {
		case "Exists":
			among = has
		case "DoesNotExist":
			among = !has
		case "NotIn":
			among = !has || !slices.Contains(r.Values, value)
		}
		if !among {
			return false
		}
	}
	return len(s) > 0
}
