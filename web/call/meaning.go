package call

import (
	"strconv"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/lazy"
	"github.com/fieldmark/fieldmark/kube/status"
)

// meanings are what a status code means in the Kubernetes API: a title and an explanation.
var meanings = lazy.Value[map[int][2]string]{Make: func() map[int][2]string {
	return map[int][2]string{
		400: {"Bad request", "The API server can’t read the query or the body. The message says which part is wrong."},
		401: {"Not authenticated", "The API server doesn’t accept the credentials, or they have expired."},
		403: {"Not allowed", "The API server knows who you are. No rule allows this request, or admission forbids it."},
		404: {"Not found", "No object or resource type has this path. Check the group, the version, the resource, the name and the namespace."},
		405: {"Method not allowed", "The path exists, but it doesn’t support this method. Discovery lists the verbs of each resource type."},
		406: {"Media type not available", "The API server can’t respond in a media type of the Accept header. Add application/json at the end of the header."},
		409: {"Conflict", "The object exists already, or it has changed since the version you sent. Or other managers own fields that the apply would change."},
		410: {"Expired", "The API server no longer has the state of this resourceVersion or continue token. List again, and continue from the new response."},
		413: {"Body too large", "The request body is larger than the API server accepts."},
		415: {"Media type of the body not supported", "A PATCH needs the media type of a patch. Other requests need the media type of an object. Custom resources don’t support strategic merge patches."},
		422: {"Invalid object", "The API server can read the object, but some values aren’t allowed. The causes name the fields."},
		429: {"Too many requests", "The API server is busy, or a disruption budget allows no eviction now. The Retry-After header says when to try again."},
		500: {"The API server failed", "The API server had an error. Or a part that it depends on had one: an admission webhook, an aggregated API server, or etcd."},
		502: {"No response from the API server", "A proxy between Fieldmark and the API server got no response."},
		503: {"Unavailable", "The API server accepts no requests now. Or the aggregated API server of this group accepts none."},
		504: {"Timeout", "The API server stopped waiting, for example for a resource version that it doesn’t have yet."},
	}
}}

// Meaning explains a refusal by its status code, for a reader who learns the API.
func Meaning(no *status.Status) components.Notice {
	n := RefusalOf(strconv.Itoa(no.Code), no)
	meaning, ok := meanings.Get()[no.Code]
	switch unfit(no) {
	case unfitPatch:
		meaning = [2]string{unfitPatch, "A test in a JSON Patch failed, or a path of the patch doesn’t exist. The API server doesn’t say which."}
	case unfitParameter:
		meaning = [2]string{unfitParameter, "The API server can read the query, but doesn’t allow these parameters together. The causes name them."}
	}
	if ok {
		n.Title, n.Words = n.Title+": "+meaning[0], meaning[1]
	}
	if no.Reason != "" {
		n.Title += " (" + no.Reason + ")"
	}
	return n
}
