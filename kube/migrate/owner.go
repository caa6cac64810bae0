package migrate

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/assist"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/ignore"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/manager/writer"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// Tool is a tool that owns objects.
type Tool string

// The tools.
const (
	Kubectl  Tool = "kubectl"
	Helm     Tool = "helm"
	ArgoCD   Tool = "argo-cd"
	Flux     Tool = "flux"      // a Kustomization
	FluxHelm Tool = "flux-helm" // a HelmRelease
)

// Words name the tool.
func (t Tool) Words() string {
	return map[Tool]string{Kubectl: "kubectl", Helm: "Helm", ArgoCD: "Argo CD", Flux: "Flux (Kustomization)", FluxHelm: "Flux (HelmRelease)"}[t]
}

// Owner is who applies an object today.
type Owner struct {
	Tool Tool `json:"tool"`
	// Name is the release, the Application, the Kustomization or the HelmRelease. kubectl has none.
	Name      string `json:"name,omitempty"`
	Namespace string `json:"namespace,omitempty"` // of what Name names; empty: unknown
	Manager   string `json:"manager"`             // as which the tool applies server-side
	// Older are the tool's entries from before.
	Older []manager.Manager `json:"older"`
	// Applies tells that the tool has applied the object server-side before.
	Applies bool `json:"applies"`
	// Stored is the apply method in the stored release of Helm: client-side or server-side; empty: it wasn't read.
	Stored string `json:"stored,omitempty"`
}

// Words name the owner.
func (o Owner) Words() string {
	if o.Name == "" {
		return o.Tool.Words()
	}
	return o.Tool.Words() + " " + o.Key()
}

// Key is the name with its namespace.
func (o Owner) Key() string {
	if o.Namespace == "" {
		return o.Name
	}
	return o.Namespace + "/" + o.Name
}

// Done tells that nothing is left to do: the tool applies server-side, and has no older entry.
func (o Owner) Done() bool { return o.Applies && len(o.Older) == 0 }

// Wrote tells whether the tool has an entry in the object's record. Controllers of Kubernetes copy marks to objects that they make.
func (o Owner) Wrote() bool {
	return o.Applies || slices.ContainsFunc(o.Older, func(m manager.Manager) bool { return byTool(m.Name) })
}

// The marks that tools leave on objects.
const (
	fluxName          = "kustomize.toolkit.fluxcd.io/name"
	fluxNamespace     = "kustomize.toolkit.fluxcd.io/namespace"
	fluxHelmName      = "helm.toolkit.fluxcd.io/name"
	fluxHelmNamespace = "helm.toolkit.fluxcd.io/namespace"
	argoTracking      = "argocd.argoproj.io/tracking-id"
	argoInstance      = "app.kubernetes.io/instance"
	releaseName       = "meta.helm.sh/release-name"
	releaseNamespace  = "meta.helm.sh/release-namespace"
)

// OwnerOf finds who applies an object, by its metadata. Marks of GitOps tools come first, because these tools also render charts.
func OwnerOf(fields map[string]any) (Owner, bool) {
	metadata, _ := fields["metadata"].(map[string]any)
	labels, annotations := texts(metadata["labels"]), texts(metadata["annotations"])
	var o Owner
	switch managers := ownership.Parse(fields).Managers(); {
	case labels[fluxName] != "":
		o = Owner{Tool: Flux, Name: labels[fluxName], Namespace: labels[fluxNamespace], Manager: ignore.Flux}
	case labels[fluxHelmName] != "":
		o = Owner{Tool: FluxHelm, Name: labels[fluxHelmName], Namespace: labels[fluxHelmNamespace], Manager: ignore.FluxHelm}
	case annotations[argoTracking] != "":
		name, _, _ := strings.Cut(annotations[argoTracking], ":")
		o = Owner{Tool: ArgoCD, Name: name, Manager: ignore.ArgoCD}
	case slices.ContainsFunc(managers, func(m ownership.Owner) bool { return m.Name == ignore.ArgoCD && m.Subresource == "" }):
		o = Owner{Tool: ArgoCD, Name: labels[argoInstance], Manager: ignore.ArgoCD}
	case annotations[releaseName] != "" && labels["app.kubernetes.io/managed-by"] == "Helm":
		o = Owner{Tool: Helm, Name: annotations[releaseName], Namespace: annotations[releaseNamespace], Manager: ignore.Helm}
	case slices.ContainsFunc(assist.ClientSideManagers(fields), byTool), len(managers) == 0 && annotations[assist.LastApplied] != "":
		o = Owner{Tool: Kubectl, Manager: string(Kubectl)}
	default:
		return Owner{}, false
	}
	return o.of(fields), true
}

// ReleaseOf is the namespace and name of the release that the marks of an object name, as "namespace/name"; empty: they name none.
func ReleaseOf(fields map[string]any) string {
	metadata, _ := fields["metadata"].(map[string]any)
	annotations := texts(metadata["annotations"])
	if annotations[releaseName] == "" {
		return ""
	}
	return annotations[releaseNamespace] + "/" + annotations[releaseName]
}

// byTool tells whether a manager can be a tool, and is no component of Kubernetes.
func byTool(name string) bool { return writer.Of(name) != writer.System }

// of fills in what the record of an object says about the owner.
func (o Owner) of(fields map[string]any) Owner {
	o.Older = []manager.Manager{}
	for _, older := range check.HabitOf(o.Manager, fields).Older {
		o.Older = append(o.Older, older.Manager)
	}
	o.Applies = slices.ContainsFunc(ownership.Parse(fields).Managers(), func(m ownership.Owner) bool { return m.Same(applier(o.Manager)) })
	return o
}

func applier(name string) manager.Manager {
	return manager.Manager{Name: name, Operation: manager.Apply}
}

func texts(v any) map[string]string {
	fields, _ := v.(map[string]any)
	all := map[string]string{}
	for key, value := range fields {
		all[key], _ = value.(string)
	}
	return all
}

// ByHand is the owner of an object that no tool is known to apply: somebody who has its manifest, and kubectl.
func ByHand(fields map[string]any) Owner {
	return Owner{Tool: Kubectl, Manager: string(Kubectl)}.of(fields)
}
