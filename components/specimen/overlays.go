package specimen

import "github.com/fieldmark/fieldmark/components"

func plainText(text string) components.Marked { return components.Marked{{Text: text}} }

func palettes() Section {
	nothing := components.Palette{
		Label: "Find anything", Query: "zzz", Nothing: "No result for “zzz” so far", Searched: []string{"Fieldmark searched resource types.", "Fieldmark looked at 1,200 objects of 14 of the 62 resource types in cluster practice."},
		Groups: []components.PaletteGroup{
			{Title: "Looked at 1,200 objects of 14 of 62 types", Options: []components.PaletteOption{{Text: plainText("Look further"), Beside: plainText("48 more resource types"), Run: "further"}}},
		},
		Notes: []string{"You don’t have permission to list nodes"},
	}
	return Section{
		Name: "palettes", Title: "Palette", Note: "Ctrl K opens it above the page, and Esc closes it. The field keeps the focus.",
		Specimens: []Specimen{
			{Name: "palette", Title: "With results", Shown: components.Search(found())},
			{Name: "palette-nothing", Title: "Without results", Shown: components.Search(nothing)},
		},
	}
}

func found() components.Palette {
	pods := components.PaletteOption{
		Text: components.Marked{{Text: "Po", Hit: true}, {Text: "ds"}}, Beside: plainText("po"), Detail: plainText("v1"), Href: podsPage,
	}
	policies := components.PaletteOption{
		Text:   components.Marked{{Text: "Network"}, {Text: "Po", Hit: true}, {Text: "licies"}},
		Detail: plainText("networking.k8s.io/v1"), Href: "/c/practice/apis/networking.k8s.io/v1/networkpolicies",
	}
	return components.Palette{
		Label: "Find anything", Placeholder: "Type, object, namespace, page…", Query: "po", Active: 1,
		Groups: []components.PaletteGroup{
			{Title: "Resource types", More: "and 7 more", Options: []components.PaletteOption{pods, policies}},
			{Title: "Actions", Options: []components.PaletteOption{{Text: plainText("Sort by Position"), Run: "sort Position"}, {Text: plainText("Restart…"), Beside: plainText("Open an object first."), Run: "restart", Off: true}}},
			{Title: "Lessons", Options: []components.PaletteOption{{Text: plainText("What a Pod is"), Href: "/learn/pods", NewTab: true}}},
		},
	}
}

func keys() Section {
	return Section{
		Name: "keys", Title: "Keys", Specimens: []Specimen{{
			Name: "key-list", Title: "What keys do",
			Shown: components.KeyList([]components.Key{{Keys: []string{"j", "k"}, Does: "Next and previous row"}, {Keys: []string{"Ctrl K"}, Does: "Find anything"}}),
		}},
	}
}
