// Package picture has the drawings of the field guide. The server renders them into a lesson when it reads the lesson, so no program for the
// browser links them. Their colors are tokens of the stylesheet, so they are right in light, in dark and on paper. As everywhere in
// Fieldmark, a hue stands for a manager.
package picture

import (
	"maps"
	"slices"

	"github.com/a-h/templ"
)

// All are the pictures. Lessons use the keys as names.
var All = map[string]templ.Component{
	"chunk-snapshot":         chunkSnapshot(),
	"dry-run-stages":         dryRunStages(),
	"hand-over":              handOver(),
	"list-then-watch":        listThenWatch(),
	"managed-fields":         managedFields(),
	"merge-strategies":       mergeStrategies(),
	"optimistic-concurrency": optimisticConcurrency(),
	"path-anatomy":           pathAnatomy(),
	"protobuf-envelope":      protobufEnvelope(),
	"resume-and-gap":         resumeAndGap(),
	"three-ways-out":         threeWaysOut(),
	"two-phase-deletion":     twoPhaseDeletion(),
}

// Names are the names of the pictures, in alphabetical order.
func Names() []string { return slices.Sorted(maps.Keys(All)) }
