package specimen

import (
	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components/dependents"
)

// references are owners and dependents of an object.
func references() Section {
	set := dependents.Ref{Kind: "ReplicaSet", APIVersion: "apps/v1", Namespace: "shop", Name: "web-5d4f", Href: "/c/practice/apis/apps/v1/namespaces/shop/replicasets/web-5d4f", Controller: true}
	pod := dependents.Ref{Kind: "Pod", APIVersion: "v1", Namespace: "shop", Name: "web-5d4f-x2x", Href: "/c/practice/api/v1/namespaces/shop/pods/web-5d4f-x2x", Depth: 1}
	foreign := dependents.Ref{Kind: "Backup", APIVersion: "backup.example.com/v1", Name: "nightly", Depth: 7}
	search := dependents.Search{Objects: 1204, Types: 31, Where: "in shop", LeftOut: []string{"secrets: you may not list them"}}
	return Section{
		Name: "references", Title: "Owner references", Note: "The owners and the dependents of an object.",
		Specimens: []Specimen{
			{Name: "reference", Title: "An object of a type that is served", Shown: listed(dependents.Reference(set, "3d", dependents.Blocks))},
			{Name: "reference-deep", Title: "A dependent of a dependent", Shown: listed(dependents.Reference(pod, "3d", dependents.Stays))},
			{Name: "reference-unserved", Title: "An object of a type that isn’t served here", Shown: listed(dependents.Reference(foreign, ""))},
			{Name: "searched", Title: "What was searched", Shown: dependents.Searched(search, "12:00:00")},
			{Name: "searched-not", Title: "What wasn’t searched", Shown: dependents.LeftOut(search), Open: true},
		},
	}
}

// listed puts an item into a list.
func listed(item templ.Component) templ.Component {
	return templ.Join(templ.Raw(`<ul class="refs">`), item, templ.Raw("</ul>"))
}
