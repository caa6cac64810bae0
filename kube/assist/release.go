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
	at := entryIndex(all, m.Same)
	switch {
	case at < 0:
		return nothing(title, m.Words()+" has no entry in managedFields.")
	case len(all) == 1:
		p := Clear(live)
		p.Title = title
		p.Consequences = append([]string{"This is the only entry. Without it, managedFields is empty and is cleared."}, p.Consequences...)
		return p
	}
	to := fmt.Sprintf("/metadata/managedFields/%d", at)
	return Plan{Title: title, Steps: []Step{{
		Title: "Remove the entry of " + m.Words(),
		Why:   "The server refuses the request (422) if the object or the entry has changed by then.",
		Request: request(patch.JSONPatchType, "", []operation{
			{"op": "test", "path": "/metadata/resourceVersion", "value": stringField(metadataOf(live), "resourceVersion")},
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
		all = append(all, fmt.Sprintf("Values that lose their only owner: %d. They stay until somebody changes them, because no apply removes a field without an owner.", alone))
	}
	return append(all, "If "+m.Name+" is still running, it becomes an owner again with its next write.")
}

// Clear removes all managedFields of an object.
func Clear(live map[string]any) Plan {
	title := "Clear all managers"
	if len(entries(live)) == 0 {
		return nothing(title, "The object has no managedFields.")
	}
	return Plan{Title: title, Steps: []Step{{
		Title: "Write managedFields with one empty entry",
		Why: "With [{}], the server clears managedFields of any type. An empty list, [], works only for built-in types and changes nothing for custom resources. " +
			"The server refuses the request (409) if the object has changed by then.",
		Request: request(patch.MergeType, "", map[string]any{"metadata": map[string]any{
			"managedFields": []any{map[string]any{}}, "resourceVersion": stringField(metadataOf(live), "resourceVersion"),
		}}),
	}}, Consequences: []string{
		"No value changes, and no field has an owner.",
		"An update doesn’t record owners of existing fields. The first apply gives all existing fields to a manager before-first-apply (Update). Managers that apply other values get a conflict with it. Fields that you later remove from a manifest stay, because before-first-apply owns them.",
		"Controllers that use apply own their fields again after their next apply.",
	}}
}
