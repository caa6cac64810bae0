package assist

import (
	"maps"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/schema"
)

// Left is an object after a manager has given up fields that others own too. The values stay, and the manager's entry no longer has the
// fields. It predicts the last step of a hand-over, because no dry run can show that step before the first one is sent.
func Left(object map[string]any, from ownership.Manager, paths []string, known *schema.Schema) map[string]any {
	all := entries(object)
	at := entryIndex(all, from.Same)
	if at < 0 {
		return object
	}
	blame := ownership.Parse(object).On(manifest.Tree(object), knowledge(known))
	var keys [][]string
	for _, path := range paths {
		for _, c := range blame.Claimed(path) {
			if c.Same(from) && c.Why == ownership.Direct {
				keys = append(keys, c.Keys)
			}
		}
	}
	rest, _ := less(all[at]["fieldsV1"], keys)
	all[at] = maps.Clone(all[at])
	all[at]["fieldsV1"] = rest
	if len(rest) == 0 {
		all = append(all[:at:at], all[at+1:]...)
	}
	return withEntries(object, all)
}

// withEntries is a copy of an object with other managedFields.
func withEntries(object map[string]any, all []map[string]any) map[string]any {
	record := make([]any, 0, len(all))
	for _, e := range all {
		record = append(record, e)
	}
	object, metadata := maps.Clone(object), maps.Clone(metadataOf(object))
	if metadata == nil {
		return object
	}
	metadata["managedFields"] = record
	object["metadata"] = metadata
	return object
}
