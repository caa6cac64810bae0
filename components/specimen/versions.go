package specimen

import (
	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/manifest"
)

// versions are the versions of an object.
func versions() Section {
	return Section{
		Name: "versions", Title: "Versions", Note: "Changes of an object while the page watched it.",
		Specimens: []Specimen{
			{Name: "steps", Title: "A list of versions", Note: "The newest first. The selected version shows its changes.", Shown: components.Steps(steps())},
			{Name: "steps-broken", Title: "Versions that may be missing", Note: "At the moment, and between two earlier versions.", Shown: components.Steps(components.StepList{
				Label: "Versions", Break: "Connection lost, reconnecting in 3 s.",
				Steps: []components.Step{
					{Number: 1207, Do: "step:1207", Time: "12:04:10", Age: "2s ago", Words: "rewritten, nothing changed", Writers: []components.Manager{byLegacy()}},
					{Number: 1206, Do: "step:1206", Time: "12:03:00", Age: "72s ago", Words: "3 paths", Writers: []components.Manager{byGitOps()}, Missed: "The API server had deleted the versions in between, so Fieldmark fetched the state again."},
					{Number: 1205, Do: "step:1205", Time: "11:03:00", Age: "61m ago", Words: "deleted", Tone: components.Bad},
				},
				End: "1,204 older versions were dropped: the newest 1,000 versions are kept, and 24 MB at most.",
			})},
			{Name: "steps-quiet", Title: "Versions that changed only status", Note: "Several in a row are one line, which opens.", Open: true, Shown: components.Steps(components.StepList{
				Label: "Versions",
				Steps: []components.Step{
					{Number: 9, Do: "step:9", Time: "12:04:10", Age: "2s ago", Words: "1 path", Writers: []components.Manager{byGitOps()}},
					{
						Number: 7, Words: "2 status changes", Time: "12:03:00 to 12:04:09", Writers: []components.Manager{byLegacy()}, Quiet: []components.Step{
							{Number: 8, Do: "step:8", Time: "12:04:09", Age: "3s ago", Words: "2 paths", Writers: []components.Manager{byLegacy()}},
							{Number: 7, Do: "step:7", Time: "12:03:00", Age: "72s ago", Words: "3 paths", Writers: []components.Manager{byLegacy()}},
						},
					},
				},
			})},
			{Name: "contended", Title: "Fields that managers fight over", Shown: components.Contended([]components.Contention{
				{
					Path: ".spec.replicas", Words: "came back 12 times, about every 6.0 s", Copy: ".spec.replicas", Values: [2]string{"5", "3"}, Managers: []components.Manager{byGitOps(), byAutoscaler()},
					Steps: components.Button{Words: "Only its steps", Do: "field:.spec.replicas", Pressed: true}, Stop: "/c/practice/-/assist?do=stop-fight",
				},
				{
					Path: `.metadata.annotations.example.com/seen-by`, Words: "came back 2 times", Values: [2]string{`"legacy-controller"`, "(not there)"}, Managers: []components.Manager{byLegacy()},
					Steps: components.Button{Words: "Only its steps", Do: "field:.metadata.annotations.example.com/seen-by"},
				},
			}, "… and 4 fields more")},
			{Name: "comparison", Title: "Two versions of a document", Note: "Added lines, removed lines, and equal lines that are left out.", Shown: components.Compare(compared(1))},
			{Name: "comparison-whole", Title: "Two versions of a document, whole", Shown: components.Compare(compared(-1))},
		},
	}
}

func byGitOps() components.Manager {
	return components.Manager{Name: "gitops", Operation: "Apply", APIVersion: "apps/v1"}
}

func byAutoscaler() components.Manager {
	return components.Manager{Name: "autoscaler", Operation: "Update", Subresource: "scale", APIVersion: "autoscaling/v1"}
}

func byLegacy() components.Manager {
	return components.Manager{Name: "legacy-controller-with-a-name-that-is-long", Operation: "Update", APIVersion: "apps/v1"}
}

func steps() components.StepList {
	return components.StepList{
		Label: "Versions, the newest first",
		Steps: []components.Step{
			{
				Number: 4, Do: "step:4", Time: "12:00:09", Age: "1s ago", Words: "4 paths", Contended: true, Current: true, Writers: []components.Manager{byGitOps(), byLegacy()},
				Changes: []components.FieldChange{
					{Path: ".spec.replicas", What: "changed", Old: "5", New: "3", Before: []components.Manager{byAutoscaler()}, After: []components.Manager{byGitOps()}, Contended: true},
					{Path: `.spec.template.spec.containers[name="app"].image`, What: "owner", Old: `"web:1.27"`, New: `"web:1.27"`, Before: []components.Manager{byGitOps()}, After: []components.Manager{byGitOps(), byLegacy()}},
					{Path: ".metadata.labels.team", What: "added", New: `"shop"`, After: []components.Manager{byLegacy()}},
					{Path: ".metadata.generation", What: "changed", Old: "6", New: "7"},
					{Path: ".metadata.annotations.note", What: "removed", Old: `"once"`, Before: []components.Manager{byLegacy()}},
				},
				More: "12 more changes, to be seen in the document",
			},
			{Number: 3, Do: "step:3", Time: "12:00:06", Age: "4s ago", Words: "2 paths", Contended: true, Writers: []components.Manager{byAutoscaler()}},
			{Number: 2, Do: "step:2", Time: "12:00:03", Age: "7s ago", Words: "another object of this name", Tone: components.Busy},
			{Number: 1, Do: "step:1", Time: "12:00:00", Age: "10s ago", Words: "as it was first seen"},
		},
		Older: components.Button{Words: "230 older versions…", Do: "older"},
	}
}

func compared(around int) components.Comparison {
	lines := func(replicas, image string) []manifest.Line {
		line := func(key, value string, class manifest.Class) manifest.Line {
			return manifest.Line{{Class: manifest.Key, Text: key}, {Text: ":"}, {Text: " "}, {Class: class, Text: value}}
		}
		all := []manifest.Line{line("apiVersion", "apps/v1", manifest.String), line("kind", "Deployment", manifest.String), line("name", "web", manifest.String)}
		if replicas != "" {
			all = append(all, line("replicas", replicas, manifest.Number))
		}
		return append(all, line("paused", "true", manifest.Word), line("image", image, manifest.String))
	}
	return components.Comparison{Label: "Version 4, compared with version 3", Lines: components.Compared(lines("", "web:1.26"), lines("3", "web:1.27"), around)}
}
