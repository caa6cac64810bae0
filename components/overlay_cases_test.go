package components

func plain(text string) Marked { return Marked{{Text: text}} }

// overlayCases are what lies above a page.
func overlayCases() []golden {
	found := Palette{
		Label: "Find anything", Placeholder: "Type, object, namespace, page…", Query: "po", Active: 1,
		Groups: []PaletteGroup{
			{Title: "Resource types", More: "and 7 more", Options: []PaletteOption{
				{Text: Marked{{Text: "Po", Hit: true}, {Text: "ds"}}, Beside: plain("po"), Detail: plain("v1"), Href: "/c/practice/api/v1/pods"},
				{Text: Marked{{Text: "Network"}, {Text: "Po", Hit: true}, {Text: "licies"}}, Detail: plain("networking.k8s.io/v1"), Href: "/c/practice/apis/networking.k8s.io/v1/networkpolicies"},
			}},
			{Title: "Actions", Options: []PaletteOption{{Text: plain("Sort by Position"), Run: "sort Position"}}},
		},
	}
	nothing := Palette{
		Label: "Find anything", Query: "zzz", Nothing: "Nothing is called “zzz”", Searched: "Searched were resource types.",
		Notes: []string{"Names of objects are still being fetched…", "Names of nodes may not be listed."},
	}
	return []golden{
		{"palette", Search(found)},
		{"palette-nothing", Search(nothing)},
		{"key-list", KeyList([]Key{{Keys: []string{"j", "k"}, Does: "Next and previous row"}, {Keys: []string{"Ctrl K"}, Does: "Find anything"}})},
	}
}

// paletteWith puts a text wherever a palette shows text that comes from a cluster.
func paletteWith(text string) Palette {
	return Palette{Label: "Find", Query: text, Notes: []string{text}, Groups: []PaletteGroup{{Title: "Objects", Options: []PaletteOption{
		{Text: plain(text), Beside: plain(text), Detail: plain(text), Href: "/c/practice"},
		{Text: Marked{{Text: text, Hit: true}}, Beside: Marked{{Text: text, Hit: true}}, Detail: Marked{{Text: text, Hit: true}}, Run: text},
	}}}}
}
