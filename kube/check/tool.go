package check

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/assist"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// beforeFirst is the manager to which the API server gives what an object without a record holds at its first apply.
const beforeFirst = "before-first-apply"

// The managers of tools. A manager is called like the tool's program.
const (
	kubectl   = "kubectl"
	helm      = "helm"
	argo      = "argocd-controller"
	flux      = "kustomize-controller"
	fluxHelm  = "helm-controller"
	kubectlIs = "kubectl-" // begins the names of kubectl's other verbs
)

// tool is what applies: which entries of the record are its own from earlier times, and which of these it folds into its entry.
type tool struct {
	manager string
	older   []string // names of managers that are older entries of the same tool, by updates
	folds   []string // of these, the names that it folds in
	applied bool     // it folds in what these apply, too, and entries in every API version
	how     string   // says so
	unless  string   // says when it doesn't
	later   bool     // it does so after its apply, which conflicts with them until then
	forces  bool     // each apply of it has force
}

// toolOf is what applies as a manager. The object has the record that the tool meets.
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
		t.how += " " + beforeFirst + " stands for everybody who wrote before the first apply."
	}
	return t
}

// recorded is the live object with the record that its tool meets. At the first apply, the server writes a record for an object without one.
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

// first tells whether the tool folds in all owners before it applies.
func (t tool) first(owners []ownership.Owner) bool {
	return !t.later && t.all(owners) && !slices.ContainsFunc(owners, func(o ownership.Owner) bool { return !slices.Contains(t.folds, o.Name) })
}

// fold is an object as it is once the tool has folded in its older entries.
func (t tool) fold(o map[string]any) map[string]any {
	if t.applied {
		return assist.Merged(o, t.folds, t.manager)
	}
	return assist.Upgraded(o, t.folds, t.manager)
}
