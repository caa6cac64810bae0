package deletion

import "strings"

// Finalizer blocks the deletion of an object. Words say who usually removes it, and when.
type Finalizer struct {
	Name, Words string
	strange     bool // no part of Kubernetes removes it
}

// known explains finalizers by their names: who removes the finalizer, and when.
var known = map[string]string{
	foregroundFinalizer: "The garbage collector removes it once every dependent that blocks the deletion is gone.",
	orphanFinalizer:     "The garbage collector removes it once it has removed the owner reference from every dependent.",
	"kubernetes":        "The namespace controller removes it (from spec.finalizers, by the subresource finalize) once everything in the namespace is gone. The conditions in the namespace’s status say what the deletion still waits for.",
	"customresourcecleanup.apiextensions.k8s.io":          "The API server’s own controller removes it once every object of the defined type is gone. Finalizers of those objects delay it.",
	"kubernetes.io/pvc-protection":                        "The volume protection controller removes it once no Pod uses the claim.",
	"kubernetes.io/pv-protection":                         "The volume protection controller removes it once no claim is bound to the volume.",
	"kubernetes.io/pv-controller":                         "The volume controller removes it once the real volume is deleted.",
	"external-provisioner.volume.kubernetes.io/finalizer": "The provisioner of the storage driver removes it once the real volume is deleted.",
	"batch.kubernetes.io/job-tracking":                    "The Job controller removes it once the Job’s status counts the finished Pod.",
	"service.kubernetes.io/load-balancer-cleanup":         "The cloud’s service controller removes it once the load balancer is deleted.",
	"resource.kubernetes.io/delete-protection":            "The resource claim controller removes it once no Pod uses the claim.",
	"resources-finalizer.argocd.argoproj.io":              "Argo CD removes it once it has deleted the objects of the Application.",
	"finalizers.fluxcd.io":                                "Flux’s controller for this kind removes it once it has deleted the objects that it created.",
}

// families explains finalizers by the prefix of their names.
var families = []struct{ prefix, words string }{
	{"external-attacher/", "The attacher of the storage driver removes it once the volume is detached."},
	{"snapshot.storage.kubernetes.io/", "The snapshot controller removes it once the snapshot and its source are no longer used."},
	{"resources-finalizer.argocd.argoproj.io/", "Argo CD removes it once it has deleted the objects of the Application."},
}

// The two finalizers that the API server adds for a propagation policy.
const (
	foregroundFinalizer = "foregroundDeletion"
	orphanFinalizer     = "orphan"
)

// explain says who usually removes a finalizer.
func explain(name string) Finalizer {
	if words, is := known[name]; is {
		return Finalizer{Name: name, Words: words}
	}
	for _, f := range families {
		if strings.HasPrefix(name, f.prefix) {
			return Finalizer{Name: name, Words: f.words}
		}
	}
	who := "The controller that added this finalizer"
	if domain, _, named := strings.Cut(name, "/"); named {
		who = "The controller of " + domain
	}
	return Finalizer{name, "Kubernetes doesn’t remove this finalizer itself. " + who + " probably removes the finalizer after its cleanup. If that controller is no longer installed, remove the finalizer from metadata.finalizers by hand. Nothing is cleaned up then.", true}
}
