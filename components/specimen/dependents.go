package specimen

import (
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
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
			{Name: "reference-tree", Title: "A tree of owners and dependents", Note: "Unhealthy objects are first. The states are from the server’s Table.", Shown: dependents.Tree(dependents.Nest(tree()), "shop", func(time.Time) string { return "3d" }, func(dependents.Ref) []dependents.Tag { return nil })},
			{Name: "searched", Title: "What was searched", Shown: dependents.Searched(search, "12:00:00")},
			{Name: "searched-not", Title: "What wasn’t searched", Shown: dependents.LeftOut(search), Open: true},
		},
	}
}

// tree is a Deployment with what it owns.
func tree() []dependents.Ref {
	at := func(depth int, kind, name string, s dependents.State) dependents.Ref {
		return dependents.Ref{Kind: kind, Namespace: "shop", Name: name, Href: podsPage, Depth: depth, State: s, Created: time.Unix(1, 0)}
	}
	deployment := at(0, "Deployment", "web", dependents.State{Ready: "1/2", Tone: components.Warn})
	deployment.Current = true
	gone := at(1, "Pod", "web-0", dependents.State{})
	gone.Missing, gone.Namespace = "doesn’t exist any more", "elsewhere"
	return []dependents.Ref{
		deployment, at(1, "ReplicaSet", "web-5d4f", dependents.State{Ready: "1/2", Tone: components.Warn}),
		at(2, "Pod", "web-5d4f-x2x", dependents.State{Words: "CrashLoopBackOff", Ready: "0/1", Tone: components.Bad}),
		at(2, "Pod", "web-5d4f-y3y", dependents.State{Words: "Running", Ready: "1/1", Tone: components.Good}),
		at(1, "ReplicaSet", "web-77aa", dependents.State{Ready: "0/0", Idle: true}), gone,
	}
}

// listed puts an item into a list.
func listed(item templ.Component) templ.Component {
	return templ.Join(templ.Raw(`<ul class="refs">`), item, templ.Raw("</ul>"))
}
