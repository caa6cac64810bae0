// Package finalizer says what a finalizer is for: who usually removes it and when, and what stays behind if somebody removes it by hand.
//
// A finalizer is only a name in metadata.finalizers. What it means is in the documents and the code of those who add it; what isn't known here is said to be
// unknown.
package finalizer

import "strings"

// The two finalizers that the API server adds for a propagation policy.
const (
	Foreground = "foregroundDeletion"
	Orphan     = "orphan"
)

// Finalizer blocks the deletion of an object.
type Finalizer struct {
	Name    string
	Words   string // who usually removes it, and when
	Stays   string // what stays behind if it is removed by hand
	Strange bool   // no part of Kubernetes removes it, as far as is known
}

// meaning is what is known of a finalizer.
type meaning struct{ words, stays string }

const (
	realVolume = "The real volume stays in the storage system, and nothing in the cluster refers to it any more."
	argoStays  = "The objects of the Application stay in the cluster, and Argo CD no longer manages them."
	inUse      = "Pods that use the claim lose what they use."
)

// known are the meanings of finalizers by their names.
var known = map[string]meaning{
	Foreground:   {"The garbage collector removes it once every dependent that blocks the deletion is gone.", "Its dependents stay until the garbage collector finds that their owner is gone, and then deletes them in the background."},
	Orphan:       {"The garbage collector removes it once it has removed the owner reference from every dependent.", "Dependents keep the owner reference. The garbage collector deletes them, although they should have stayed."},
	"kubernetes": {"The namespace controller removes it (from spec.finalizers, by the subresource finalize) once everything in the namespace is gone. The conditions in the namespace’s status say what the deletion still waits for.", "Objects of the namespace stay in the store, and no API request can find them any more."},
	"customresourcecleanup.apiextensions.k8s.io":          {"The API server’s own controller removes it once every object of the defined type is gone. Finalizers of those objects delay it.", "Objects of the type stay in the store. If the type is defined again, they are there again."},
	"kubernetes.io/pvc-protection":                        {"The volume protection controller removes it once no Pod uses the claim.", "Pods may still use the claim, and its volume can be deleted below them."},
	"kubernetes.io/pv-protection":                         {"The volume protection controller removes it once no claim is bound to the volume.", "A claim that is bound to the volume is lost."},
	"kubernetes.io/pv-controller":                         {"The volume controller removes it once the real volume is deleted.", realVolume},
	"external-provisioner.volume.kubernetes.io/finalizer": {"The provisioner of the storage driver removes it once the real volume is deleted.", realVolume},
	"batch.kubernetes.io/job-tracking":                    {"The Job controller removes it once the Job’s status counts the finished Pod.", "The Job doesn’t count this Pod, and may create another one in its place."},
	"service.kubernetes.io/load-balancer-cleanup":         {"The cloud’s service controller removes it once the load balancer is deleted.", "The load balancer stays in the cloud, and costs money."},
	"resource.kubernetes.io/delete-protection":            {"The resource claim controller removes it once no Pod uses the claim.", inUse},
	"resources-finalizer.argocd.argoproj.io":              {"Argo CD removes it once it has deleted the objects of the Application.", argoStays},
	"finalizers.fluxcd.io":                                {"Flux’s controller for this kind removes it once it has deleted the objects that it created.", "The objects that Flux created stay in the cluster, and Flux no longer manages them."},
}

// families are the meanings of finalizers by the prefix of their names.
var families = []struct {
	prefix string
	meaning
}{
	{"external-attacher/", meaning{"The attacher of the storage driver removes it once the volume is detached.", "The volume may stay attached to its node."}},
	{"snapshot.storage.kubernetes.io/", meaning{"The snapshot controller removes it once the snapshot and its source are no longer used.", "The snapshot may stay in the storage system."}},
	{"resources-finalizer.argocd.argoproj.io/", meaning{"Argo CD removes it once it has deleted the objects of the Application.", argoStays}},
}

// Explain says what a finalizer is for.
func Explain(name string) Finalizer {
	if m, is := known[name]; is {
		return Finalizer{Name: name, Words: m.words, Stays: m.stays}
	}
	for _, f := range families {
		if strings.HasPrefix(name, f.prefix) {
			return Finalizer{Name: name, Words: f.words, Stays: f.stays}
		}
	}
	who := "The controller that added this finalizer"
	if domain, _, named := strings.Cut(name, "/"); named {
		who = "The controller of " + domain
	}
	return Finalizer{
		Name: name, Strange: true,
		Words: "Kubernetes doesn’t remove this finalizer itself. " + who + " probably removes the finalizer after its cleanup. If that controller is no longer installed, remove the finalizer from metadata.finalizers by hand. Nothing is cleaned up then.",
		Stays: "What that controller would have cleaned up stays behind, in the cluster or outside. Only the documents of the controller say what that is.",
	}
}
