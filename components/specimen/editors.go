package specimen

import "github.com/fieldmark/fieldmark/components"

// editors are fields for documents. The gallery has no program, so it shows them without an editor.
func editors() Section {
	return Section{
		Name: "editors", Title: "Editors", Note: "Without scripts, this is a text field. The browser’s program replaces it with an editor of the same size.",
		Specimens: []Specimen{
			{Name: "editor", Title: "A manifest", Note: "There is room for the description of the keys, which is shown with the editor.", Shown: components.Editor(components.Editing{
				Name: "manifest", ID: "manifest", Label: "Manifest", ValueID: "shop/web", Text: "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  namespace: shop\nspec:\n  replicas: 3\n",
			})},
			{Name: "editor-empty", Title: "Nothing yet", Shown: components.Editor(components.Editing{Name: "manifest", ID: "manifest", Label: "Manifest", Most: 3 << 20})},
		},
	}
}
