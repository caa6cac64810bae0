package specimen

import (
	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/manifest"
)

// diffs are objects before and after a write.
func diffs() Section {
	return Section{
		Name: "diffs", Title: "Before and after", Note: "An object after a write. A line that doesn’t change may still get other owners.",
		Specimens: []Specimen{
			{Name: "diff-side", Title: "Side by side", Shown: components.Diff(components.Difference{Label: "The object before and after", Side: true, Lines: diffLines()})},
			{Name: "diff", Title: "One below the other", Shown: components.Diff(components.Difference{Label: "The object before and after", Lines: inlineLines()})},
			{Name: "diff-new", Title: "An object that will be created", Shown: components.Diff(components.Difference{Label: "The new object", Side: true, Lines: []components.DiffLine{
				{Mark: "comes", Path: ".kind", NewNumber: 1, New: line("kind", "ConfigMap")},
			}})},
		},
	}
}

func line(key, value string) manifest.Line {
	return manifest.Line{{Text: key, Class: manifest.Key}, {Text: ": "}, {Text: value, Class: manifest.String}}
}

func diffLines() []components.DiffLine {
	return []components.DiffLine{
		{Left: 12},
		{Path: ".metadata.name", OldNumber: 13, NewNumber: 13, Old: line("  name", "web"), New: line("  name", "web")},
		{Mark: "changes", Path: ".spec.replicas", OldNumber: 14, NewNumber: 14, Old: line("  replicas", "3"), New: line("  replicas", "6")},
		{Mark: "goes", Path: ".metadata.labels.tier", OldNumber: 15, Old: line("  tier", "front")},
		{Mark: "comes", Path: ".metadata.labels.team", NewNumber: 15, New: line("  team", "a name that is long enough to need a second line where there is little room for it")},
		{Mark: "passes", Path: ".spec.paused", OldNumber: 16, NewNumber: 16, Old: line("  paused", "false"), New: line("  paused", "false")},
		{Left: 1},
	}
}

func inlineLines() []components.DiffLine {
	all := diffLines()
	changed := all[2]
	went, came := changed, changed
	went.Mark, went.NewNumber, went.New = "goes", 0, nil
	came.Mark, came.OldNumber, came.Old = "comes", 0, nil
	return append([]components.DiffLine{all[0], all[1], went, came}, all[3:]...)
}
