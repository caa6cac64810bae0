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
	how     string   // says so
	later   bool     // it does so after its apply, which conflicts with them until then
}

// toolOf is what applies as a manager.
func toolOf(manager string, live map[string]any) tool {
	t := tool{manager: manager, older: []string{manager, beforeFirst}}
	switch clients := assist.ClientSideManagers(live); manager {
	case kubectl:
		t.older = append(t.older, append(clients, "kubectl-create", "kubectl-replace")...)
		t.later = true
		t.folds, t.how = assist.AnnotationOwners(live), "kubectl apply --server-side folds the entries of client-side apply into its own, and applies again."
	case helm, fluxHelm:
		if !applies(live, manager) {
			t.folds, t.how = []string{manager}, "Helm folds its client-side entry into its own at the first upgrade with server-side apply."
		}
	case argo:
		t.older = append(t.older, clients...)
		t.folds, t.how = []string{assist.ClientSide}, "Argo CD folds the entry "+assist.ClientSide+" into its own before a server-side sync."
	case flux:
		for _, o := range ownership.Parse(live).Managers() {
			if strings.HasPrefix(o.Name, kubectl) && o.Operation == ownership.Update && o.Subresource == "" {
				t.older = append(t.older, o.Name)
			}
		}
		t.folds, t.how = t.older, "Flux folds the entries of kubectl and "+beforeFirst+" into its own before it applies."
	default:
		t.older = append(t.older, clients...)
	}
	return t
}

func applies(live map[string]any, manager string) bool {
	return owns(ownership.Parse(live).Managers(), applier(manager))
}

// before tells whether an owner is an older entry of the same tool.
func (t tool) before(o ownership.Owner) bool {
	return o.Operation == ownership.Update && o.Subresource == "" && slices.Contains(t.older, o.Name)
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
func (t tool) fold(o map[string]any) map[string]any { return assist.Upgraded(o, t.folds, t.manager) }
