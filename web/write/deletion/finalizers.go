package deletion

import "strings"

// Finalizer is what holds an object that is to go, and who usually takes it away.
type Finalizer struct {
	Name, Words string
}

// known are finalizers by their names, each with who removes it and when.
var known = map[string]string{
	foregroundFinalizer: "The garbage collector removes it once every dependent that blocks the deletion is gone.",
	orphanFinalizer:     "The garbage collector removes it once it has taken the owner reference out of every dependent.",
	"kubernetes":        "The namespace controller removes it (from spec.finalizers, by the subresource finalize) once everything in the namespace is gone. What it still waits for stands in the conditions of the namespace’s status.",
	"customresourcecleanup.apiextensions.k8s.io":          "The API server’s own controller removes it once every object of the defined type is gone; their own finalizers hold it up.",
	"kubernetes.io/pvc-protection":                        "The volume protection controller removes it once no Pod uses the claim.",
	"kubernetes.io/pv-protection":                         "The volume protection controller removes it once no claim is bound to the volume.",
	"kubernetes.io/pv-controller":                         "The volume controller removes it once the volume behind it is deleted.",
	"external-provisioner.volume.kubernetes.io/finalizer": "The provisioner of the storage driver removes it once the volume behind it is deleted.",
	"batch.kubernetes.io/job-tracking":                    "The Job controller removes it once the Pod’s end is counted in the Job’s status.",
	"service.kubernetes.io/load-balancer-cleanup":         "The cloud’s service controller removes it once the load balancer is deleted.",
	"resource.kubernetes.io/delete-protection":            "The resource claim controller removes it once no Pod uses the claim.",
	"resources-finalizer.argocd.argoproj.io":              "Argo CD removes it once it has deleted what the Application made.",
	"finalizers.fluxcd.io":                                "Flux’s controller for this kind removes it once it has deleted what it made.",
}

// families are finalizers by how their names begin.
var families = []struct{ prefix, words string }{
	{"external-attacher/", "The attacher of the storage driver removes it once the volume is detached."},
	{"snapshot.storage.kubernetes.io/", "The snapshot controller removes it once nothing uses the snapshot or its source any more."},
	{"resources-finalizer.argocd.argoproj.io/", "Argo CD removes it once it has deleted what the Application made."},
}

// The two finalizers that stand for a choice of propagation.
const (
	foregroundFinalizer = "foregroundDeletion"
	orphanFinalizer     = "orphan"
)

// explain says what usually removes a finalizer.
func explain(name string) Finalizer {
	if words, is := known[name]; is {
		return Finalizer{name, words}
	}
	for _, f := range families {
		if strings.HasPrefix(name, f.prefix) {
			return Finalizer{name, f.words}
		}
	}
	who := "whoever put it there"
	if domain, _, named := strings.Cut(name, "/"); named {
		who = "the controller of " + domain
	}
	return Finalizer{name, "Nothing of Kubernetes’ own removes it: " + who + " does, once its work is done. If that is no longer installed, nobody will; it can then be taken out of metadata.finalizers by hand, and what it was to clean up stays behind."}
}
