package inquiry

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/explain"
	"github.com/fieldmark/fieldmark/kube/refusal"
	"github.com/fieldmark/fieldmark/kube/request"
)

// notFound explains that the object doesn't exist.
func (t *telling) notFound() {
	t.e.What = "A request" + t.about() + " was refused: the object doesn't exist."
	t.e.Why = "The object was deleted, or it is in another namespace or another cluster. For a create or an apply, the namespace is missing."
	o, resource := t.subject.object, t.subject.resource
	if resource == "namespaces" && o.Name != "" {
		t.way(explain.WayInstall, "kubectl create namespace "+request.Quote(o.Name)+"\n")
	} else if o.Name != "" && resource != "" {
		t.way(explain.WayLook, "kubectl get "+request.Quote(resource)+" -A --field-selector="+request.Quote(apipath.NameSelector(o.Name))+"\n")
	}
	t.way(explain.WayLook, "kubectl config current-context\n")
}

// unserved explains that the cluster doesn't serve the type.
func (t *telling) unserved() {
	var o refusal.Object
	if len(t.no.Objects) > 0 {
		o = t.no.Objects[0]
	}
	what := strings.TrimSpace(o.Kind + " " + o.Resource)
	if o.Group != "" || o.Version != "" {
		what = strings.TrimSpace(what + " in " + strings.TrimPrefix(discovery.GroupVersion(o.Group, o.Version), "/"))
	}
	t.e.What = "A request was refused: the cluster doesn't serve the type" + strings.TrimSuffix(" "+what, " ") + "."
	t.e.Why = "The type's CustomResourceDefinition isn't installed, or the cluster serves only other versions of the type, or apiVersion or kind has a mistake."
	if what == "" { // so kubectl prints a 404 that isn't a Status
		t.addNote("Some types can only be created, such as TokenReview. A server-side apply of them gets this refusal, and kubectl create succeeds.")
	}
	if t.Catalog != nil && what != "" {
		t.otherVersions(o)
	}
	if o.Group != "" {
		t.way(explain.WayLook, "kubectl api-resources --api-group="+request.Quote(o.Group)+"\n")
		if t.Catalog != nil {
			if _, unread := t.Catalog.Unread(o.Group, o.Version); unread {
				return // the type may be there
			}
		}
		t.way(explain.WayInstall, "Install the CustomResourceDefinition of "+what+" before its objects. It is part of the software for "+o.Group+", such as an operator or its chart.")
	} else {
		t.way(explain.WayLook, "kubectl api-resources\n")
	}
}

// otherVersions says in which other groups and versions the cluster serves the kind.
func (t *telling) otherVersions(o refusal.Object) {
	var served []string
	for _, g := range t.Catalog.Groups {
		for _, v := range g.Versions {
			for _, of := range v.Types {
				if (o.Kind != "" && of.Kind == o.Kind || o.Resource != "" && of.Resource == o.Resource) && !slices.Contains(served, of.GroupVersion()) {
					served = append(served, of.GroupVersion())
				}
			}
		}
	}
	f, unread := t.Catalog.Unread(o.Group, o.Version)
	switch {
	case unread && (o.Group != "" || o.Version != "") && (o.Version == "" || !slices.Contains(served, discovery.GroupVersion(o.Group, o.Version))):
		t.addNote(f.Words() + " So the type may exist.")
		if name := f.APIService(); name != "" {
			t.way(explain.WayLook, "kubectl get apiservice "+request.Quote(name)+"\n")
		}
	case len(served) == 0:
		t.addNote("The cluster serves no type with this name in any group.")
	case o.Version != "" && slices.Contains(served, discovery.GroupVersion(o.Group, o.Version)):
		t.addNote("The cluster serves the type now. Clients keep a list of types for some time, so send the request again.")
		t.way(explain.WayRetry, "Send the request again.")
	default:
		t.addNote("The cluster serves it in " + strings.Join(served, ", ") + ".")
		t.way(explain.WayCorrect, "apiVersion: "+served[0]+"\n")
	}
}

// expired explains that a version, or a continue token, is too old.
func (t *telling) expired() {
	t.e.What = "A list or a watch" + t.about() + " was refused: its resource version, or its continue token, is too old."
	t.e.Why = "The API server keeps former versions only for some minutes."
	t.way(explain.WayRetry, "List again without resourceVersion and continue, and watch from the version of that list. Clients in Go do this by themselves, so then you can ignore the message.")
}

// notAcceptable explains that the server doesn't support the requested media types.
func (t *telling) notAcceptable() {
	t.e.What = "A request" + t.about() + " was refused: the API server can't respond in a media type that the client accepts."
	t.e.Why = "The header Accept lists no media type that this server has."
	t.way(explain.WayCorrect, "Accept: "+strings.Join(accepted(t.no.Accepts, "application/json"), ", ")+"\n")
}

// mediaType explains that the server doesn't accept the media type of the body.
func (t *telling) mediaType() {
	t.e.What = "A request" + t.about() + " was refused: the API server doesn't accept a body of this media type."
	t.e.Why = "Each verb and type accepts only some media types. Custom resources don't accept strategic merge patches, which kubectl patch sends by default."
	t.way(explain.WayCorrect, "Content-Type: one of "+strings.Join(accepted(t.no.Accepts, "application/json"), ", ")+"\n")
	if patch := t.kubectl("patch", "--type=merge -p PATCH"); patch != "" && (len(t.no.Accepts) == 0 || slices.Contains(t.no.Accepts, "application/merge-patch+json")) {
		t.way(explain.WayCorrect, patch)
	}
}

func accepted(all []string, usual string) []string {
	if len(all) == 0 {
		return []string{usual}
	}
	return all
}

// tooMany explains that the server, or a disruption budget, refuses the request at the moment.
func (t *telling) tooMany() {
	t.e.What = "A request" + t.about() + " was refused: the API server has too many requests at the moment."
	t.e.Why = "The API server limits how many requests it handles at the same time, for each kind of client. The request itself is correct."
	wait := "in a moment"
	if s := t.no.RetryAfterSeconds; s > 0 {
		wait = "in " + strconv.Itoa(s) + " s"
	}
	if strings.Contains(t.no.Message, "disruption budget") {
		t.e.What = "An eviction" + t.about() + " was refused: it would violate a PodDisruptionBudget at the moment."
		t.e.Why = "The budget says how many Pods of a set must be available. At the moment, no more of them can be missing."
		t.way(explain.WayLook, "kubectl get poddisruptionbudgets -n "+orName(t.subject.object.Namespace)+"\n")
		t.way(check.WayOverwrite, "# This deletes the Pod and ignores the budget\n"+t.kubectl("delete"))
		if t.subject.object.Name == "" {
			t.e.Ways = slices.DeleteFunc(t.e.Ways, func(w check.Way) bool { return w.Way == check.WayOverwrite })
		}
	}
	t.way(explain.WayRetry, "Send the request again "+wait+".")
}
