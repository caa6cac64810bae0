package assist

import (
	"fmt"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/patch"
)

// Release removes a manager that no longer exists from managedFields, so that nothing conflicts with it. Values stay.
func Release(live map[string]any, m ownership.Manager) Plan {
	title := "Release the fields of " + m.Words()
	all := entries(live)
	at := find(all, m.Same)
	switch {
	case at < 0:
		return nothing(title, m.Words()+" has no entry in the record of ownership.")
	case len(all) == 1:
		p := Clear(live)
		p.Title = title
		p.Consequences = append([]string{"It is the only entry: without it the record is empty, and is cleared."}, p.Consequences...)
		return p
	}
	to := fmt.Sprintf("/metadata/managedFields/%d", at)
	return Plan{Title: title, Steps: []Step{{
		Title: "Remove the entry of " + m.Words(),
		Why:   "The tests make the server refuse it (422) if the object was written in between, or the entry is another one.",
		Request: request(patch.JSONPatchType, "", []operation{
			{"op": "test", "path": "/metadata/resourceVersion", "value": text(metadataOf(live), "resourceVersion")},
			{"op": "test", "path": to + "/manager", "value": m.Name},
			{"op": "test", "path": to + "/operation", "value": m.Operation},
			{"op": "remove", "path": to},
		}),
	}}, Consequences: released(live, m)}
}

func released(live map[string]any, m ownership.Manager) []string {
	alone := 0
	for _, s := range ownership.Parse(live).On(manifest.Tree(live), nil).Summarize().Managers {
		if s.Same(m) {
			alone = s.Alone
		}
	}
	all := []string{"No value changes."}
	if alone > 0 {
		all = append(all, fmt.Sprintf("%d values are nobody's then. They stay until somebody changes them: no apply removes what nobody owns.", alone))
	}
	return append(all, "Should "+m.Name+" still be at work, it comes back with its next write.")
}

// Clear removes all managedFields of an object.
func Clear(live map[string]any) Plan {
	title := "Clear the record of ownership"
	if len(entries(live)) == 0 {
		return nothing(title, "The object has no record of ownership.")
	}
	return Plan{Title: title, Steps: []Step{{
		Title: "Write a record with one empty entry",
		Why: "The server takes [{}] for an order to forget the record, whatever the type. An empty list, [], does so for Kubernetes' own types and changes nothing for custom resources. " +
			"It is refused (409) if the object is written in between.",
		Request: request(patch.MergeType, "", map[string]any{"metadata": map[string]any{
			"managedFields": []any{map[string]any{}}, "resourceVersion": text(metadataOf(live), "resourceVersion"),
		}}),
	}}, Consequences: []string{
		"No value changes, and everything is nobody's.",
		"An update begins no new record for what is there; the first apply does. What the object holds by then goes to a manager before-first-apply (Update): who applies another value conflicts with it, and fields that are later left out of a manifest stay, because it holds them.",
		"Controllers that apply own their fields again with their next apply.",
	}}
}
