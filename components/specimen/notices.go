package specimen

import (
	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/feature"
)

func notices() Section {
	return Section{
		Name: "notices", Title: "Notices", Note: "Messages about a state, above the content of a page or in its place: the state, the server’s own words, and what to do.",
		Specimens: append(tonedNotices(), noticesOfPages()...),
	}
}

func tonedNotices() []Specimen {
	var all []Specimen
	for _, s := range []struct {
		name, note string
		tone       components.Tone
	}{
		{"calm", "Nothing is wrong, but there is nothing to show.", components.Calm},
		{"good", "Something was successful.", components.Good},
		{"busy", "Something is in progress.", components.Busy},
		{"warn", "The user may have to do something.", components.Warn},
		{"bad", "The request failed.", components.Bad},
	} {
		all = append(all, Specimen{
			Name: "notice-" + s.name, Title: components.Sentence(s.name), Note: s.note,
			Shown: components.Say(components.Notice{Tone: s.tone, Title: "A title", Words: "A sentence about the state."}),
		})
	}
	for i := range all {
		all[i].Title = all[i].Title[:len(all[i].Title)-1]
	}
	return all
}

func noticesOfPages() []Specimen {
	return []Specimen{
		{Name: "notice-quoted", Title: "The server’s own words", Note: "The server’s message is below ours, line by line.", Shown: components.Say(components.Notice{
			Tone: components.Warn, Title: "You may not list secrets", Words: "No role grants you this permission in any namespace.",
			Advice: "An administrator of the cluster can grant the permission with a ClusterRole and a binding.",
			Quoted: "secrets is forbidden: User \"viewer\" cannot list resource \"secrets\" in API group \"\" at the cluster scope:\nRBAC: clusterrole.rbac.authorization.k8s.io \"auditor\" not found", Refused: true,
		})},
		{
			Name: "lacks", Title: "A feature that the server doesn’t offer", Note: "Below the head of a page that works without the feature: since when API servers offer it, and what is done instead.",
			Shown: components.Lacks([]feature.Feature{feature.StreamingLists, feature.Tables}),
		},
		{Name: "lacking", Title: "In place of what the server doesn’t offer", Shown: components.Say(components.Lacking(feature.OpenAPI))},
		{Name: "notice-details", Title: "With a list", Note: "Similar names, or several problems.", Shown: components.Say(components.Notice{
			Title: "No type is called “deploymint”", Details: []string{"deployments.apps", "daemonsets.apps"},
		})},
		{Name: "notice-links", Title: "With links", Note: "At most one of them is the recommended one.", Shown: components.Say(components.Notice{
			Title: "None match", Words: "The server found no Pods that the selectors choose in the namespace shop.", Advice: "Selectors compare whole values, and are case sensitive.",
			Links: []components.Link{
				{Text: "Clear the selectors", Href: podsPage, Primary: true},
				{Text: "All types", Href: "/c/practice", Hint: "Every type that the server lists"},
			},
		})},
	}
}

func buttons() Section {
	return Section{
		Name: "buttons", Title: "Links as buttons", Specimens: []Specimen{{
			Name: "buttons", Title: "Side by side",
			Shown: components.Buttons([]components.Link{{Text: "Continue", Href: "/"}, {Text: "Read more", Href: "https://kubernetes.io/docs/", Primary: true}}),
		}},
	}
}

func waiting() Section {
	return Section{
		Name: "waiting", Title: "Waiting", Note: "In the first fifth of a second, nothing is shown, so nothing flashes.",
		Specimens: []Specimen{
			{Name: "skeleton", Title: "Rows that are loading", Note: "It is as high as the rows, so nothing moves when they arrive.", Shown: components.Skeleton(components.Placeholder{Label: "Loading pods", Rows: 5, Columns: 4})},
			{Name: "skeleton-one-column", Title: "Lines that are loading", Shown: components.Skeleton(components.Placeholder{Label: "The document is on its way", Rows: 3, Columns: 1})},
		},
	}
}
