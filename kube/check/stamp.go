package check

import "slices"

// Helm's own marks are in what helm-controller applies, too.
var ofHelm = []string{".metadata.annotations.meta.helm.sh/release-name", ".metadata.annotations.meta.helm.sh/release-namespace", ".metadata.labels.app.kubernetes.io/managed-by"}

// stamps are the marks that tools put on each object when they apply it. No manifest has them, and each apply of the tool does.
var stamps = map[string][]string{
	helm:     ofHelm,
	fluxHelm: append(slices.Clone(ofHelm), ".metadata.labels.helm.toolkit.fluxcd.io/name", ".metadata.labels.helm.toolkit.fluxcd.io/namespace"),
	flux:     {".metadata.labels.kustomize.toolkit.fluxcd.io/name", ".metadata.labels.kustomize.toolkit.fluxcd.io/namespace"},
	argo: {
		".metadata.annotations.argocd.argoproj.io/tracking-id", ".metadata.annotations.argocd.argoproj.io/installation-id",
		".metadata.labels.app.kubernetes.io/instance",
	},
}

// stamped tells whether a field that the manifest doesn't have is a mark of the tool that applies it.
func (j *judgement) stamped(path string) bool {
	return slices.Contains(stamps[j.Manager], path) && len(j.Document.Source.Find(path)) == 0
}
