package parameter

import "github.com/fieldmark/fieldmark/kube/concept"

// topics are what explains parameters, by their names.
var topics = map[string]concept.Topic{
	"allowWatchBookmarks":  concept.Bookmarks,
	"continue":             concept.ContinueToken,
	"dryRun":               concept.DryRun,
	"fieldManager":         concept.ManagedFields,
	"fieldSelector":        concept.FieldSelector,
	"fieldValidation":      concept.FieldValidation,
	"force":                concept.Force,
	"gracePeriodSeconds":   concept.GracePeriod,
	"includeObject":        concept.Tables,
	"labelSelector":        concept.LabelSelector,
	"limit":                concept.Chunks,
	"propagationPolicy":    concept.PropagationPolicy,
	"resourceVersion":      concept.ResourceVersions,
	"resourceVersionMatch": concept.ResourceVersions,
	"sendInitialEvents":    concept.StreamingLists,
	"watch":                concept.Watch,
	"ignoreStoreReadErrorWithClusterBreakingPotential": concept.CorruptObjects,
}

// Topic is what explains a parameter, by its name; false: the guide has nothing on it.
func Topic(name string) (concept.Topic, bool) {
	t, ok := topics[name]
	return t, ok
}
