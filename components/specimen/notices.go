package specimen

import "github.com/fieldmark/fieldmark/components"

func notices() Section {
	return Section{
		Name: "notices", Title: "Notices", Note: "States told in words, in place of what a page would show or above it: what is the matter, in whose words, and the way on.",
		Specimens: append(tonedNotices(), noticesOfPages()...),
	}
}

func tonedNotices() []Specimen {
	var all []Specimen
	for _, s := range []struct {
		name, note string
		tone       components.Tone
	}{
		{"calm", "Nothing is wrong: there is nothing here.", components.Calm},
		{"good", "Something has come to its good end.", components.Good},
		{"busy", "Something is under way.", components.Busy},
		{"warn", "The reader may want to do something about it.", components.Warn},
		{"bad", "What was asked for cannot be had.", components.Bad},
	} {
		all = append(all, Specimen{
			Name: "notice-" + s.name, Title: components.Sentence(s.name), Note: s.note,
			Shown: components.Say(components.Notice{Tone: s.tone, Title: "A title", Words: "What is the matter."}),
		})
	}
	for i := range all {
		all[i].Title = all[i].Title[:len(all[i].Title)-1]
	}
	return all
}

func noticesOfPages() []Specimen {
	return []Specimen{
		{Name: "notice-quoted", Title: "The server’s own words", Note: "Its message is kept, line by line, below ours.", Shown: components.Say(components.Notice{
			Tone: components.Warn, Title: "You may not list secrets", Words: "Nobody has granted it to you in any namespace.",
			Advice: "An administrator of the cluster can grant it, with a ClusterRole and a binding.",
			Quoted: "secrets is forbidden: User \"viewer\" cannot list resource \"secrets\" in API group \"\" at the cluster scope:\nRBAC: clusterrole.rbac.authorization.k8s.io \"auditor\" not found", Refused: true,
		})},
		{Name: "notice-details", Title: "With a list", Note: "Names that are close, or everything that is the matter.", Shown: components.Say(components.Notice{
			Title: "No type is called “deploymint”", Details: []string{"deployments.apps", "daemonsets.apps"},
		})},
		{Name: "notice-links", Title: "With ways on", Note: "At most one of them is the one to take.", Shown: components.Say(components.Notice{
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
		Name: "buttons", Title: "Buttons that lead on", Specimens: []Specimen{{
			Name: "buttons", Title: "Beside each other",
			Shown: components.Buttons([]components.Link{{Text: "Go on", Href: "/"}, {Text: "Read more", Href: "https://kubernetes.io/docs/", Primary: true}}),
		}},
	}
}

func waiting() Section {
	return Section{
		Name: "waiting", Title: "Waiting", Note: "What takes less than a fifth of a second shows nothing, so that nothing flashes.",
		Specimens: []Specimen{
			{Name: "skeleton", Title: "Rows on their way", Note: "It has the rows’ own height, so that nothing moves when they come.", Shown: components.Skeleton(components.Placeholder{Label: "Pods are on their way", Rows: 5, Columns: 4})},
			{Name: "skeleton-one-column", Title: "Lines on their way", Shown: components.Skeleton(components.Placeholder{Label: "The document is on its way", Rows: 3, Columns: 1})},
		},
	}
}
