package check

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/assist"
	"github.com/fieldmark/fieldmark/kube/ignore"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// beforeFirst is the manager that gets all fields of an object without managedFields at its first apply.
const beforeFirst = "before-first-apply"

// The managers of tools. Most tools use the name of their program.
const (
	kubectl   = "kubectl"
	helm      = ignore.Helm
	argo      = ignore.ArgoCD
	flux      = ignore.Flux
	fluxHelm  = ignore.FluxHelm
	kubectlIs = "kubectl-" // the names for kubectl's other verbs begin with this
)

// tool is the tool that applies. It knows which entries of managedFields are older entries of the same tool, and which of them the tool folds into
// its current one.
type tool struct {
	manager string
	older   []string // names of managers whose updates are older entries of the same tool
	folds   []string // those of older that the tool folds into its entry
	applied bool     // the tool folds in their applied entries, too, in every API version
	how     string   // a sentence that says which entries the tool folds in
	unless  string   // a sentence that says when the tool doesn't
	later   bool     // the tool folds after its apply, so the apply conflicts with the older entries
	forces  bool     // the tool applies with force
}

// toolOf is the tool that applies as a manager. Live is the object with the managedFields that the apply finds.
func toolOf(manager string, live map[string]any) tool {
	t := tool{manager: manager, older: []string{manager, beforeFirst}, forces: slices.Contains([]string{argo, flux, fluxHelm}, manager)}
	switch clients := assist.ClientSideManagers(live); manager {
	case kubectl:
		t.older = append(t.older, append(clients, "kubectl-create", "kubectl-replace")...)
		t.later = true
		t.folds, t.how = assist.AnnotationOwners(live), "kubectl apply --server-side folds the entries of client-side apply into its own, and applies again."
	case helm, fluxHelm:
		if !applies(live, manager) {
			t.folds, t.how = []string{manager}, "Helm folds its client-side entry into its own at the first upgrade with server-side apply."
			t.unless = " If the release was applied server-side before, Helm doesn't."
		}
	case argo:
		t.older = append(t.older, clients...)
		t.folds, t.how = append([]string{assist.ClientSide}, assist.AnnotationOwners(live)...), "Argo CD folds the entries of client-side apply into its own."
	case flux:
		for _, o := range ownership.Parse(live).Managers() {
			if strings.HasPrefix(o.Name, kubectl) && o.Subresource == "" {
				t.older = append(t.older, o.Name)
			}
		}
		t.folds, t.applied, t.how = t.older, true, "Flux folds the entries of kubectl and "+beforeFirst+" into its own before it applies."
	default:
		t.older = append(t.older, clients...)
	}
	if slices.Contains(t.folds, beforeFirst) && slices.ContainsFunc(ownership.Parse(live).Managers(), func(o ownership.Owner) bool { return o.Name == beforeFirst }) {
		t.how += " " + beforeFirst + " is the server's name for all who wrote before the first apply."
	}
	return t
}

// earlier says who wrote a field that older entries own. The entry before-first-apply has no author: the server makes it of everything that an
// object has when somebody applies it for the first time.
func earlier(owners []ownership.Owner) string {
	known := slices.DeleteFunc(slices.Clone(owners), func(o ownership.Owner) bool { return o.Name == beforeFirst })
	const unknown = "wrote the field before the first apply (" + beforeFirst + "). The server doesn't record who did."
	switch {
	case len(known) == 0:
		return "Somebody " + unknown
	case len(known) == len(owners):
		return "Earlier, the same tool wrote it as " + names(known) + "."
	}
	return "Earlier, the same tool wrote it as " + names(known) + ". Somebody " + unknown
}

// recorded is the live object with the managedFields that the apply finds. If an object has none, the server writes some at the first apply.
func recorded(in Input) map[string]any {
	if would := in.would(); would != nil && len(ownership.Parse(in.Live.Object).Managers()) == 0 {
		return would
	}
	return in.Live.Object
}

func applies(live map[string]any, manager string) bool {
	return owns(ownership.Parse(live).Managers(), applier(manager))
}

// before tells whether an owner is an older entry of the same tool.
func (t tool) before(o ownership.Owner) bool {
	return (o.Operation == ownership.Update || t.applied && o.Name != t.manager) && o.Subresource == "" && slices.Contains(t.older, o.Name)
}

// all tells whether all owners are older entries of the tool.
func (t tool) all(owners []ownership.Owner) bool {
	return len(owners) > 0 && !slices.ContainsFunc(owners, func(o ownership.Owner) bool { return !t.before(o) })
}

// first tells whether the tool folds the entries of all owners into its own before it applies.
func (t tool) first(owners []ownership.Owner) bool {
	return !t.later && t.all(owners) && !slices.ContainsFunc(owners, func(o ownership.Owner) bool { return !slices.Contains(t.folds, o.Name) })
}

// fold is an object after the tool has folded in its older entries.
func (t tool) fold(o map[string]any) map[string]any {
	if t.applied {
		return assist.Merged(o, t.folds, t.manager)
	}
	return assist.Upgraded(o, t.folds, t.manager)
}

// Habit is how the tool behind a manager takes over its own older entries when it applies server-side.
type Habit struct {
	Forces bool // it applies with force
	// Later tells that it folds older entries after its apply, so that a refused apply changes nothing.
	Later bool
	Older []ownership.Owner // its older entries in the object's record, also those that it leaves alone

	tool tool
}

// HabitOf is the habit of the tool that applies as a manager. Live is the object with the managedFields that the apply finds; it may be its metadata alone.
func HabitOf(manager string, live map[string]any) Habit {
	h := Habit{tool: toolOf(manager, live)}
	h.Forces, h.Later = h.tool.forces, h.tool.later || manager == argo // Argo CD applies as kubectl does
	for _, o := range ownership.Parse(live).Managers() {
		if h.tool.before(o) {
			h.Older = append(h.Older, o)
		}
	}
	return h
}

// Fold is an object after the tool has folded older entries into its own.
func (h Habit) Fold(o map[string]any) map[string]any { return h.tool.fold(o) }
