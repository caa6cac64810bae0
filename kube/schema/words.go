package schema

import "strings"

// maxNested is the maximum number of nested lists and maps in the words of a type.
const maxNested = 4

// typeWords is the type in words.
func (s Schema) typeWords(r resolved) string { return s.nestedWords(r, maxNested) }

func (s Schema) nestedWords(r resolved, levels int) string {
	switch {
	case levels == 0:
		return "…"
	case r.isIntOrString():
		return "integer or string"
	case r.isQuantity():
		return "quantity"
	case r.isList():
		return "list of " + s.nestedWords(s.resolve(r.Items), levels-1)
	case r.Embedded:
		return "Kubernetes object"
	case len(r.Properties) > 0 && r.named != "":
		return shortName(r.named)
	case len(r.Properties) > 0:
		return "object"
	case r.Values != nil:
		return "map of string to " + s.nestedWords(s.resolve(r.Values), levels-1)
	case r.Type == "object" && r.named != "":
		return shortName(r.named)
	case r.isAny():
		return s.choice(r, levels)
	case r.Format != "":
		return r.Type + " (" + r.Format + ")"
	default:
		return r.Type
	}
}

// choice is a type with several alternatives, in words.
func (s Schema) choice(r resolved, levels int) string {
	var words []string
	for _, n := range either(r.OneOf, r.AnyOf) {
		if n != nil && n.Type != "" && len(words) < maxNested {
			words = append(words, s.nestedWords(s.resolve(n), levels-1))
		}
	}
	if len(words) == 0 {
		return "anything"
	}
	return strings.Join(words, " or ")
}

// shortName is the short name of a definition: Container for io.k8s.api.core.v1.Container.
func shortName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
