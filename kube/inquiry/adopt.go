package inquiry

import (
	"strings"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/explain"
	"github.com/fieldmark/fieldmark/kube/request"
)

// The label and the annotations by which Helm knows the objects of a release.
const (
	managedBy        = ".metadata.labels.app.kubernetes.io/managed-by"
	releaseName      = ".metadata.annotations.meta.helm.sh/release-name"
	releaseNamespace = ".metadata.annotations.meta.helm.sh/release-namespace"
)

// notAdopted explains that Helm doesn't take over an object that exists.
func (t *telling) notAdopted() {
	t.e.What = "Helm refused the release, because an object of the chart exists already" + strings.Replace(t.about(), " for ", ": ", 1) + "."
	t.e.Why = "Helm changes only objects with the label and the annotations of the release. This object doesn't have them, so something else created it. No request was sent."
	want := map[string]string{}
	for _, f := range t.no.Fields {
		t.e.Fields = append(t.e.Fields, explain.Field{Path: f.Path, Why: f.Message})
		_, value, _ := strings.Cut(f.Message, `"`)
		want[f.Path], _, _ = strings.Cut(value, `"`)
		if _, current, other := strings.Cut(f.Message, `current value is "`); other {
			t.addNote("The object belongs to another release or tool: " + f.Path + " is " + strings.TrimSuffix(current, `"`) + ". Ask its owner before you take it over.")
		}
	}
	release, namespace := "RELEASE", "NAMESPACE"
	if name := want[releaseName]; name != "" && !strings.HasPrefix(name, "-") {
		release = name
	}
	if name := want[releaseNamespace]; name != "" {
		namespace = name
	}
	t.way(check.WayHandOver, "# Helm 3.17 or newer: Helm takes over all objects of the chart that exist\nhelm upgrade --install "+request.Quote(release)+" CHART -n "+request.Quote(namespace)+" --take-ownership\n")
	var adopt string
	if name := want[managedBy]; name != "" {
		adopt += t.kubectl("label", "--overwrite", "app.kubernetes.io/managed-by="+request.Quote(name))
	}
	for _, path := range []string{releaseName, releaseNamespace} {
		if value := want[path]; value != "" {
			adopt += t.kubectl("annotate", "--overwrite", strings.TrimPrefix(path, ".metadata.annotations.")+"="+request.Quote(value))
		}
	}
	if adopt != "" {
		t.way(check.WayHandOver, "# Or adopt only this object, and run helm again\n"+adopt)
	}
	t.way(explain.WayLook, t.kubectl("get", "-o yaml --show-managed-fields"))
	t.lastWriters("wrote it last")
}
