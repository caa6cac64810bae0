package migrate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/assist"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/kube/request"
)

// What a step is for. check has the ways out of findings.
const (
	WayPreview = "preview" // see what happens, without storing anything
	WayStep    = "step"    // do it
)

// WayTitle names a step, or a way out of a finding of a plan, for people.
func WayTitle(w check.Way) string {
	switch w.Way {
	case WayPreview:
		return "Preview the step"
	case WayStep:
		return "Do the step"
	case check.WayCorrect:
		return "Correct the manifest"
	}
	return cmp.Or(check.WayTitle(w), w.Way)
}

// steps are the commands and settings of an object's tool. Each is about this object alone, if the tool can do that.
func steps(o Object, options Options) []check.Way {
	switch o.Owner.Tool {
	case Kubectl:
		return kubectlSteps(o)
	case Helm:
		return []check.Way{{Way: WayStep, Text: "# With the chart and the values of the last upgrade. All objects of the release change at once. Helm’s own dry run doesn’t try the apply.\n" +
			"helm upgrade " + named(o.Owner.Name, "RELEASE") + " CHART" + inNamespace(o.Owner.Namespace) + " --server-side=true\n"}}
	case ArgoCD:
		return argoSteps(o, options)
	case Flux:
		return fluxSteps(o)
	case FluxHelm:
		if options.ServerSide {
			return []check.Way{{Way: WayStep, Text: "# Nothing to set: the HelmRelease has spec.upgrade.serverSideApply: enabled. The next upgrade does it.\n"}}
		}
		return []check.Way{{Way: WayStep, Text: "# In the HelmRelease " + plain.Text(o.Owner.Key()) + ". All objects of the release change at once. It needs Flux 2.8 or later.\nspec:\n  upgrade:\n    serverSideApply: enabled\n"}}
	}
	return []check.Way{}
}

func kubectlSteps(o Object) []check.Way {
	from, file := "", " -f "+request.Quote(o.file)
	if o.file == "" {
		file = " -f FILE"
	}
	if o.Manifest == Annotation {
		from, file = "kubectl apply view-last-applied "+request.Named(resource(o), o.Name)+inNamespace(o.Namespace)+" -o yaml | ", " -f -"
	}
	apply := from + "kubectl apply --server-side" + inNamespace(o.Namespace)
	all := []check.Way{
		{Way: WayPreview, Text: apply + " --dry-run=server" + file + "\n"},
		{Way: WayStep, Text: apply + file + "\n"},
	}
	for _, f := range o.Findings {
		for _, w := range f.Ways {
			same := func(other check.Way) bool { return other.Text == w.Text }
			if f.Kind == check.Stuck && w.Way == check.WayHandOver && !slices.ContainsFunc(all, same) {
				all = append(all, w) // folds what kubectl doesn't
			}
		}
	}
	return all
}

// lingering are the names of older entries that the tool leaves alone.
func lingering(o Object) []string {
	var all []string
	for _, f := range o.Findings {
		for _, w := range f.Owners {
			if f.Kind == check.Stuck && !slices.Contains(all, w.Name) {
				all = append(all, w.Name)
			}
		}
	}
	return all
}

func argoSteps(o Object, options Options) []check.Way {
	app := plain.Text(o.Owner.Key())
	if app == "" {
		app = "of this object"
	}
	var all []check.Way
	if options.ServerSide {
		all = append(all, check.Way{Way: WayStep, Text: "# Nothing to set: the Application " + app + " has ServerSideApply=true. The next sync does it.\n"})
	} else {
		all = append(all,
			check.Way{Way: WayStep, Text: "# For this object alone: in its manifest in Git.\nmetadata:\n  annotations:\n    argocd.argoproj.io/sync-options: ServerSideApply=true\n"},
			check.Way{Way: WayStep, Text: "# For all objects of the Application " + app + ".\nspec:\n  syncPolicy:\n    syncOptions:\n    - ServerSideApply=true\n"})
	}
	var updates []string
	for _, m := range o.Owner.Older {
		if m.Operation == manager.Update && m.Name != assist.ClientSide && m.Name != o.Owner.Manager && slices.Contains(lingering(o), m.Name) {
			updates = append(updates, m.Name)
		}
	}
	if len(updates) > 0 {
		all = append(all, check.Way{Way: check.WayHandOver, Text: "# In the Application " + app + ". Argo CD then folds the entry of this manager into its own.\nmetadata:\n  annotations:\n    argocd.argoproj.io/client-side-apply-migration-manager: " + quoted(updates[0]) + "\n"})
	}
	if options.NoMigration {
		all = append(all, check.Way{Way: check.WayHandOver, Text: "# The Application " + app + " has ClientSideApplyMigration=false. Remove this option, so that Argo CD folds the entry of " + assist.ClientSide + ".\n"})
	}
	return all
}

func fluxSteps(o Object) []check.Way {
	all := []check.Way{{Way: WayStep, Text: "# Nothing to set: kustomize-controller applies server-side. The next reconciliation of " + plain.Text(o.Owner.Key()) + " does it.\n"}}
	for _, name := range lingering(o) {
		all = append(all, check.Way{Way: check.WayHandOver, Text: "# An option of kustomize-controller, for all objects. It then folds the entries of this manager into its own.\n--override-manager=" + request.Quote(name) + "\n"})
	}
	if slices.ContainsFunc(o.Findings, func(f check.Finding) bool { return f.Kind == check.Pruned }) {
		all = append(all, check.Way{Way: check.WayGiveUp, Text: "# In the manifest in Git, if others may add fields with kubectl. Flux then folds no entries of this object.\nmetadata:\n  annotations:\n    kustomize.toolkit.fluxcd.io/ssa: Merge\n"})
	}
	return all
}

// named is a name for a command. A name that begins like an option isn't used, because whoever can annotate the object could add one.
func named(name, otherwise string) string {
	if name == "" || strings.HasPrefix(name, "-") {
		return otherwise
	}
	return request.Quote(name)
}

func inNamespace(namespace string) string {
	if namespace == "" {
		return ""
	}
	return " -n " + request.Quote(namespace)
}

// resource is the type as kubectl takes it, such as deployments.v1.apps.
func resource(o Object) string {
	plural, group, _ := strings.Cut(o.Type, ".")
	if group == "" {
		return plural
	}
	_, version, _ := strings.Cut(o.APIVersion, "/")
	return plural + "." + version + "." + group
}

// quoted is a text as YAML.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(plain.Text(text)) + `"`
}
