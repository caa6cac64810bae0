package specimen

import (
	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/schema"
)

const schemaTab = podsPage + "/web-1?tab=schema"

// fields are panels of fields, with more or less information in the schema.
func fields() Section {
	return Section{
		Name: "fields", Title: "Fields", Note: "A schema’s description of a field, in a panel beside the field.",
		Specimens: []Specimen{
			{Name: "field", Title: "One value", Note: "A key of a list, with a default.", Shown: components.Field(protocolPanel())},
			{Name: "field-list", Title: "A list whose items have their own owners", Shown: components.Field(portsPanel())},
			{Name: "field-untold", Title: "A field that the schema doesn’t describe", Shown: components.Field(components.FieldPanel{
				Name: "spec", Trail: []components.Link{{Text: "Widget", Href: schemaTab}, {Text: "spec"}},
				Field: schema.Field{
					Path: schema.Path{"spec"}, Type: "object", Required: true, Merge: schema.Merge{Strategy: schema.Untyped},
					Untold: "The server keeps unknown fields here (x-kubernetes-preserve-unknown-fields), so the schema doesn’t describe them.",
				},
			})},
			{Name: "field-whole", Title: "A field that is owned together with its parent", Shown: components.Field(components.FieldPanel{
				Name: "matchLabels", Trail: []components.Link{{Text: "Deployment", Href: schemaTab}, {Text: "spec", Href: schemaTab}, {Text: "selector", Href: schemaTab}, {Text: "matchLabels"}},
				Field: schema.Field{
					Path: schema.Path{"spec", "selector", "matchLabels"}, Type: "map of string to string", Deprecated: true, Description: "Deprecated: use matchExpressions.\n\nThe requirements are ANDed.",
					Merge: schema.Merge{Strategy: schema.Granular, Map: true}, Whole: schema.Path{"spec", "selector"},
				},
				Here: &components.FieldValues{Places: 1},
			})},
			{Name: "field-itself", Title: "The object itself", Note: "There is no path to show.", Shown: components.Field(components.FieldPanel{
				Name: "ConfigMap", Trail: []components.Link{{Text: "ConfigMap"}},
				Field: schema.Field{Path: schema.Path{}, Type: "ConfigMap", Description: "ConfigMap holds configuration data for pods to consume.", Merge: schema.Merge{Strategy: schema.Granular}},
			})},
		},
	}
}

func containerTrail(names ...string) []components.Link {
	trail := []components.Link{{Text: "Pod", Href: schemaTab}, {Text: "spec", Href: schemaTab}, {Text: "containers[*]", Href: schemaTab}}
	for _, name := range names {
		trail = append(trail, components.Link{Text: name, Href: schemaTab})
	}
	return trail
}

func protocolPanel() components.FieldPanel {
	return components.FieldPanel{
		Name: "protocol", Trail: containerTrail("ports[*]", "protocol"),
		Field: schema.Field{
			Path: schema.Path{"spec", "containers", schema.Each, "ports", schema.Each, "protocol"}, Type: "string", Default: "TCP", Enum: []string{"SCTP", "TCP", "UDP"}, Key: true,
			Description: "Protocol for port. Must be UDP, TCP, or SCTP. Defaults to \"TCP\".\n\nPossible enum values:\n - `\"SCTP\"` is the SCTP protocol.\n - `\"TCP\"` is the TCP protocol.",
			Merge:       schema.Merge{Strategy: schema.Single},
		},
		Here: &components.FieldValues{Texts: []string{"TCP", "UDP"}, Values: 4, Places: 5},
	}
}

func portsPanel() components.FieldPanel {
	return components.FieldPanel{
		Name: "ports", Trail: containerTrail("ports"),
		Field: schema.Field{
			Path: schema.Path{"spec", "containers", schema.Each, "ports"}, Type: "list of ContainerPort", Parent: true,
			Description: "List of ports to expose from the container.", About: "ContainerPort represents a network port in a single container.",
			Merge: schema.Merge{Strategy: schema.ByKeys, List: true, Keys: []string{"containerPort", "protocol"}, Said: "x-kubernetes-list-type: map"},
			Patch: schema.Patch{Strategy: "merge", Key: "containerPort"},
		},
		Here: &components.FieldValues{Texts: []string{"2 items"}, Values: 1, Places: 1},
	}
}
