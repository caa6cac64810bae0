// Package picture holds the drawings of the field guide: what is easier seen than said. They are rendered into lessons where these are
// read, on the server, and no program for the browser links them. Their colours are tokens of the stylesheet, so that they are right in the
// light, in the dark and on paper; hue means manager here as everywhere.
package picture

import (
	"maps"
	"slices"

	"github.com/a-h/templ"
)

// All are the pictures by the name that lessons call them by.
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

// Names are their names, in alphabetical order.
func Names() []string { return slices.Sorted(maps.Keys(All)) }
