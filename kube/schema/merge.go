package schema

import (
	"slices"
	"strings"
)

// Strategy is how writes of several managers to one field are merged.
type Strategy string

// The strategies.
const (
	Single   Strategy = "single"   // one value
	Atomic   Strategy = "atomic"   // a list or a map that is one value
	Set      Strategy = "set"      // a list whose items are values
	ByKeys   Strategy = "map"      // a list whose items are identified by some of their fields
	Granular Strategy = "granular" // each field or key has its own owners
	Untyped  Strategy = "untyped"  // the value decides
)

// Merge is how a field is merged.
type Merge struct {
	Strategy Strategy
	List     bool     // if false, and the strategy is neither single nor untyped, the field is a map or an object
	Map      bool     // its keys are data, and not names of fields
	Keys     []string // of ByKeys
	// Said is the source in the schema, such as "x-kubernetes-list-type: set". It is empty if the schema has none; then this is the
	// default.
	Said string
}

// merge follows the API server's rules (structured-merge-diff, as kube-openapi configures it).
func (s Schema) merge(p place) Merge {
	r := p.at
	switch {
	case r.isRaw():
		return Merge{Strategy: Atomic, Map: true}
	case r.isIntOrString(), r.isQuantity():
		return Merge{Strategy: Single}
	case r.isList():
		return mergeList(r)
	case r.takesAny() && r.MapType == "" && len(r.Properties) == 0 && !r.chosen():
		return Merge{Strategy: Untyped}
	case r.isObject():
		return mergeObject(r)
	default:
		return Merge{Strategy: Single}
	}
}

func mergeList(r resolved) Merge {
	m := Merge{Strategy: Atomic, List: true}
	strategies := strings.Split(r.PatchStrategy, ",")
	switch {
	case r.ListType != "":
		m.Said = "x-kubernetes-list-type: " + r.ListType
		switch {
		case r.ListType == "set":
			m.Strategy = Set
		case r.ListType == "map" && len(r.ListMapKeys) > 0:
			m.Strategy, m.Keys = ByKeys, r.ListMapKeys
		}
	case slices.Contains(strategies, "merge"):
		m.Strategy, m.Said = Set, "x-kubernetes-patch-strategy: "+r.PatchStrategy
		if r.PatchMergeKey != "" {
			m.Strategy, m.Keys = ByKeys, []string{r.PatchMergeKey}
		}
	}
	return m
}

func mergeObject(r resolved) Merge {
	m := Merge{Strategy: Granular, Map: len(r.Properties) == 0}
	switch r.MapType {
	case "atomic":
		m.Strategy, m.Said = Atomic, "x-kubernetes-map-type: atomic"
	case "granular":
		m.Said = "x-kubernetes-map-type: granular"
	}
	return m
}

// Name is the strategy in words.
func (m Merge) Name() string {
	what := "object"
	switch {
	case m.List:
		what = "list"
	case m.Map:
		what = "map"
	}
	switch m.Strategy {
	case Atomic:
		return "atomic " + what
	case Granular:
		return "granular " + what
	case Set:
		return "set"
	case ByKeys:
		return "list by " + join(m.Keys)
	case Untyped:
		return "untyped"
	default:
		return "single value"
	}
}

// Meaning says what the strategy means for the owners of the field.
func (m Merge) Meaning() string {
	switch {
	case m.Strategy == ByKeys:
		return "The list is merged by " + join(m.Keys) + ". Each item, and each field of an item, can have its own owners."
	case m.Strategy == Set:
		return "The list is merged as a set of values. Managers can add values, and each value has its own owners."
	case m.Strategy == Atomic && m.List:
		return "The list has one set of owners. A manager that applies the list owns all of it. A second manager that applies a different list gets a conflict."
	case m.Strategy == Atomic && m.Map:
		return "The map has one set of owners. A manager that applies the map owns all of it. A second manager that applies a different map gets a conflict."
	case m.Strategy == Atomic:
		return "The object has one set of owners. A manager that applies one of its fields owns all of it. A second manager that applies a different object gets a conflict."
	case m.Strategy == Granular && m.Map:
		return "Each key can have its own owners. Managers can add keys without a conflict."
	case m.Strategy == Granular:
		return "Each field of the object can have its own owners."
	case m.Strategy == Untyped:
		return "The rule depends on the value. In a map, each key can have its own owners. A list or a single value has one set of owners."
	default:
		return "Managers that apply the same value share the field. A manager that applies a different value gets a conflict."
	}
}

// Unsaid explains a default that isn't in the schema and may surprise; empty: there is none.
func (m Merge) Unsaid() string {
	if m.Strategy == Atomic && m.List && m.Said == "" {
		return "The schema has no x-kubernetes-list-type for this list, so the list is atomic."
	}
	return ""
}

// join lists words: "a", "a and b", "a, b and c".
func join(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// Patch is how strategic merge patches treat a field. They ignore owners.
type Patch struct {
	Strategy string // "merge", "retainKeys", "merge,retainKeys"; empty: the schema has none
	Key      string
}

func patch(r resolved) Patch { return Patch{Strategy: r.PatchStrategy, Key: r.PatchMergeKey} }

// Meaning says what a strategic merge patch does. It is empty if the patch replaces the field, or merges it like any object.
func (p Patch) Meaning() string {
	strategies := strings.Split(p.Strategy, ",")
	var words []string
	switch {
	case slices.Contains(strategies, "merge") && p.Key != "":
		words = append(words, "A strategic merge patch merges the list by "+p.Key+", without checking owners.")
	case slices.Contains(strategies, "merge"):
		words = append(words, "A strategic merge patch adds values to the list, without checking owners.")
	}
	if slices.Contains(strategies, "retainKeys") {
		words = append(words, "A patch can list the fields to keep. The others are removed.")
	}
	return strings.Join(words, " ")
}
