package check

import (
	"slices"

	"github.com/fieldmark/fieldmark/kube/lazy"
)

// ofHelm are Helm's marks. helm-controller applies them, too.
var ofHelm = []string{".metadata.annotations.meta.helm.sh/release-name", ".metadata.annotations.meta.helm.sh/release-namespace", ".metadata.labels.app.kubernetes.io/managed-by"}

// stamps are the labels and annotations that tools add to each object when they apply it. No manifest has them.
var stamps = lazy.Value[map[string][]string]{Make: func() map[string][]string {
	return map[string][]string{
		helm:     ofHelm,
		fluxHelm: append(slices.Clone(ofHelm), ".metadata.labels.helm.toolkit.fluxcd.io/name", ".metadata.labels.helm.toolkit.fluxcd.io/namespace"),
		flux:     {".metadata.labels.kustomize.toolkit.fluxcd.io/name", ".metadata.labels.kustomize.toolkit.fluxcd.io/namespace"},
		argo: {
			".metadata.annotations.argocd.argoproj.io/tracking-id", ".metadata.annotations.argocd.argoproj.io/installation-id",
			".metadata.labels.app.kubernetes.io/instance",
		},
	}
}}

// stamped tells whether a field is a mark that the tool adds when it applies the manifest.
func (j *judgement) stamped(path string) bool {
	return slices.Contains(stamps.Get()[j.Manager], path) && len(j.Document.Source.Find(path)) == 0
}
