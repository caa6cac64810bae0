package assist

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/fieldmark/fieldmark/kube/change"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/patch"
	"github.com/fieldmark/fieldmark/kube/schema"
)

const (
	// LastApplied is the annotation in which client-side apply keeps the manifest.
	LastApplied = "kubectl.kubernetes.io/last-applied-configuration"
	// ClientSide is the manager that kubectl's client-side apply writes as.
	ClientSide = "kubectl-client-side-apply"
)

// ClientSideManagers returns the managers that wrote an object by client-side apply: those whose Update entries own its annotation, and
// kubectl's own name for it.
func ClientSideManagers(live map[string]any) []string {
	return updaters(live, func(e map[string]any) bool { return annotates(e) || managerOf(e).Name == ClientSide })
}

// AnnotationOwners returns the managers whose Update entries own the annotation of client-side apply. kubectl apply --server-side
// merges their entries into its own.
func AnnotationOwners(live map[string]any) []string { return updaters(live, annotates) }

// annotates tells whether an entry owns the annotation of client-side apply.
func annotates(e map[string]any) bool {
	_, owns := below(below(below(e["fieldsV1"])["f:metadata"])["f:annotations"])["f:"+LastApplied]
	return owns
}

// updaters are the managers of all Update entries of the object itself (not of a subresource) for which is returns true, each once.
func updaters(live map[string]any, is func(map[string]any) bool) []string {
	var names []string
	for _, e := range entries(live) {
		if m := managerOf(e); m.Operation == ownership.Update && m.Subresource == "" && is(e) && !slices.Contains(names, m.Name) {
			names = append(names, m.Name)
		}
	}
	return names
}

// Upgraded is an object after the client-side entries of managers were merged into another manager's Apply entry, as ToServerSide does.
// It shares the unchanged parts with the original object.
func Upgraded(object map[string]any, clients []string, to string) map[string]any {
	all := entries(object)
	for _, client := range clients {
		all = upgraded(all, client, to)
	}
	return withEntries(object, all)
}

// Merged is an object after all entries of some managers were merged into another manager's Apply entry: Update and Apply entries, in
// every API version. Flux does so before it applies.
func Merged(object map[string]any, managers []string, to string) map[string]any {
	all := slices.Clone(entries(object))
	isTarget := func(m ownership.Manager) bool {
		return m.Name == to && m.Operation == ownership.Apply && m.Subresource == ""
	}
	isOlder := func(m ownership.Manager) bool {
		return !isTarget(m) && m.Subresource == "" && slices.Contains(managers, m.Name)
	}
	target := entryIndex(all, isTarget)
	if target < 0 {
		if target = entryIndex(all, isOlder); target < 0 {
			return object
		}
	}
	merged := maps.Clone(all[target])
	merged["operation"], merged["manager"] = ownership.Apply, to
	for _, e := range all {
		if isOlder(managerOf(e)) {
			merged["fieldsV1"] = joined(merged["fieldsV1"], e["fieldsV1"])
		}
	}
	all[target] = merged
	return withEntries(object, slices.DeleteFunc(all, func(e map[string]any) bool { return isOlder(managerOf(e)) }))
}

// ToServerSide merges the client-side entries of managers into the Apply entry of another manager, as client-go's csaupgrade does.
// Without it, a field that is removed from the manifest stays, because the former manager still owns it.
func ToServerSide(live map[string]any, clients []string, to string) Plan {
	title := "From client-side to server-side apply"
	before := entries(live)
	after := before
	for _, client := range clients {
		after = upgraded(after, client, to)
	}
	if !changed(before, after) {
		return nothing(title, "No entry with operation Update belongs to "+joinNames(clients)+", so there are no fields to move to "+to+".")
	}
	stuck := onlyOf(live, clients, to)
	p := Plan{Title: title, Steps: []Step{{
		Title:   "Move the fields of " + joinNames(clients) + " (Update) to " + to + " (Apply)",
		Why:     "The request changes only managedFields, and no values. The server refuses it (409) if the object has changed by then.",
		Request: patchRequest(live, "", replaced(after)),
	}}}
	if len(stuck) > 0 {
		p.Consequences = append(p.Consequences, fmt.Sprintf(
			"Now %s belongs to %s and not to %s. If you remove it from the manifest, it stays in the object.", joinNames(stuck), joinNames(clients), to))
	}
	p.Consequences = append(p.Consequences,
		"After this step, a field is removed when "+to+" no longer applies it and nobody else owns it. This includes defaults that client-side apply owns, and the annotation "+LastApplied+".",
		"You can’t undo this step exactly, because the fields of "+joinNames(clients)+" are no longer recorded separately.")
	return p
}

func changed(before, after []map[string]any) bool {
	return len(before) != len(after) || !slices.EqualFunc(before, after, func(a, b map[string]any) bool {
		return managerOf(a) == managerOf(b)
	})
}

// upgraded follows csaupgrade: the client's entries are removed. Their fields of the same API version go to the Apply entry of the other
// manager. If it has none, the client's first entry becomes its Apply entry.
func upgraded(before []map[string]any, client, to string) []map[string]any {
	all := slices.Clone(before)
	isClient := func(m ownership.Manager) bool {
		return m.Name == client && m.Operation == ownership.Update && m.Subresource == ""
	}
	target := entryIndex(all, func(m ownership.Manager) bool {
		return m.Name == to && m.Operation == ownership.Apply && m.Subresource == ""
	})
	if target < 0 {
		if target = entryIndex(all, isClient); target < 0 {
			return before
		}
		all[target] = maps.Clone(all[target])
		all[target]["operation"], all[target]["manager"] = ownership.Apply, to
	}
	version := managerOf(all[target]).APIVersion
	if from := entryIndex(all, func(m ownership.Manager) bool { return isClient(m) && m.APIVersion == version }); from >= 0 {
		all[target] = maps.Clone(all[target])
		all[target]["fieldsV1"] = joined(all[target]["fieldsV1"], all[from]["fieldsV1"])
	}
	return slices.DeleteFunc(all, func(e map[string]any) bool { return isClient(managerOf(e)) })
}

// onlyOf are the fields that some managers own by updates, and that another manager doesn't apply.
func onlyOf(live map[string]any, clients []string, to string) []string {
	blame := ownership.Parse(live).On(manifest.Tree(live), nil)
	applied := map[string]bool{}
	for _, h := range blame.Holdings(ownership.Manager{Name: to, Operation: ownership.Apply}) {
		applied[h.Path] = true
	}
	var paths []string
	for _, o := range blame.Record.Managers() {
		if o.Operation != ownership.Update || o.Subresource != "" || !slices.Contains(clients, o.Name) {
			continue
		}
		for _, h := range blame.Holdings(o.Manager) {
			if h.Lost == "" && !applied[h.Path] && isValue(blame, h.Path) && !slices.Contains(paths, h.Path) {
				paths = append(paths, h.Path)
			}
		}
	}
	return paths
}

// isValue tells whether nothing below a path can be owned separately: it is a value, or something that is owned as a whole.
func isValue(b *ownership.Blame, path string) bool {
	for _, n := range b.Find(path) {
		if whole, ok := b.Whole(n); len(n.Children) == 0 || ok && whole {
			return true
		}
	}
	return false
}

// ToClientSide changes back to client-side apply. The fields that a manager applies become part of the Update entry of client-side
// apply. The plan also writes the annotation with its manifest, so that client-side apply knows which fields to remove.
func ToClientSide(live map[string]any, from, to string, known *schema.Schema) (Plan, error) {
	title := "From server-side to client-side apply"
	all := slices.Clone(entries(live))
	isFrom := func(m ownership.Manager) bool {
		return m.Name == from && m.Operation == ownership.Apply && m.Subresource == ""
	}
	source := entryIndex(all, isFrom)
	if source < 0 {
		return nothing(title, from+" applies no field of this object."), nil
	}
	m := managerOf(all[source])
	note, err := annotation(live, m, known)
	if err != nil {
		return Plan{}, err
	}
	target := entryIndex(all, func(o ownership.Manager) bool {
		return o.Same(ownership.Manager{Name: to, Operation: ownership.Update, APIVersion: m.APIVersion})
	})
	if target < 0 {
		target = source
	}
	fields := joined(all[target]["fieldsV1"], all[source]["fieldsV1"])
	all[target] = maps.Clone(all[target])
	all[target]["operation"], all[target]["manager"], all[target]["fieldsV1"] = ownership.Update, to, fields
	all = slices.DeleteFunc(all, func(e map[string]any) bool { return isFrom(managerOf(e)) })
	return Plan{Title: title, Steps: []Step{{
		Title:   "Move the fields of " + from + " (Apply) to " + to + " (Update), and write the annotation",
		Why:     "Client-side apply compares the next manifest with the one in the annotation " + LastApplied + ", and removes what is missing.",
		Request: patchRequest(live, to, append([]operation{replaced(all)}, annotate(live, note)...)...),
	}}, Consequences: []string{
		"Client-side apply has no conflicts. It overwrites values of other managers.",
		"The annotation has a copy of the whole manifest.",
	}}, nil
}

// annotation is the text of the annotation that client-side apply writes for a manager's manifest.
func annotation(live map[string]any, m ownership.Manager, known *schema.Schema) (string, error) {
	stated := change.Restated(live, m, known, nil, []string{".metadata.annotations." + LastApplied})
	metadata := maps.Clone(metadataOf(stated))
	if metadata["annotations"] == nil {
		metadata["annotations"] = map[string]any{}
	}
	stated["metadata"] = metadata
	note, err := json.Marshal(stated)
	if err != nil {
		return "", fmt.Errorf("writing the manifest of %s: %w", m.Name, err)
	}
	return string(note) + "\n", nil
}

func annotate(live map[string]any, note string) []operation {
	var all []operation
	if _, has := metadataOf(live)["annotations"].(map[string]any); !has {
		all = append(all, operation{"op": "add", "path": "/metadata/annotations", "value": map[string]any{}})
	}
	return append(all, operation{"op": "add", "path": patch.Pointer("/metadata/annotations", LastApplied), "value": note})
}
