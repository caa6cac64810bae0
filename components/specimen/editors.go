package specimen

import "github.com/fieldmark/fieldmark/components"

// editors are fields for documents. The gallery has no program, so they are seen as they are without one.
func editors() Section {
	return Section{
		Name: "editors", Title: "Editors", Note: "Without a script a text field, in whose place the browser’s program puts an editor. Nothing moves then.",
		Specimens: []Specimen{
			{Name: "editor", Title: "A manifest", Note: "Room is kept for the keys, which are told once there is an editor.", Shown: components.Editor(components.Editing{
				Name: "manifest", ID: "manifest", Label: "Manifest", ValueID: "shop/web", Text: "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  namespace: shop\nspec:\n  replicas: 3\n",
			})},
			{Name: "editor-empty", Title: "Nothing yet", Shown: components.Editor(components.Editing{Name: "manifest", ID: "manifest", Label: "Manifest", Most: 3 << 20})},
		},
	}
}
