package call

import (
	"strconv"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/status"
)

// meanings are what the API means by a status.
var meanings = map[int][2]string{
	400: {"It can’t be read", "Something in the query or in the body is not what the API server takes there."},
	401: {"It doesn’t know who asks", "The credentials are none that the API server takes, or they have run out."},
	403: {"You may not do that", "The API server knows who asks, and no rule allows it, or something stands against it."},
	404: {"There is nothing here", "No object, or no type, has this path: the group, version and resource may be other ones, or the object may be in another namespace."},
	405: {"Not with this method", "The path is there, and doesn’t take this verb. Discovery says which verbs a type takes."},
	406: {"Not in this media type", "The API server has no representation that Accept asks for. A list of several, with application/json at its end, always gets one."},
	409: {"It is in conflict", "The object is there already, or has changed since the version that was sent, or others own the fields that an apply would change."},
	410: {"It is too old", "The resourceVersion, or the token of the chunk, is of a state that is no longer kept: list again, and go on from there."},
	413: {"It is too long", "The API server takes no longer body."},
	415: {"The body’s media type is not one for this", "A PATCH takes kinds of patches, all else takes objects; what one type takes, another may not, as custom resources don’t take strategic merge patches."},
	422: {"It is not valid", "It can be read, and what it says is not allowed; the causes say where."},
	429: {"Not now", "There are too many requests, or a disruption budget has nothing left; Retry-After says when to try again."},
	500: {"The API server failed", "It could not do its work, or something that it asked could not: an admission webhook, an aggregated API server, etcd."},
	502: {"No answer came through", "Something between here and the API server did not get one."},
	503: {"It is not available", "The API server, or the one that serves this group, takes no requests just now."},
	504: {"It took too long", "The API server gave up waiting, as for a version that it has not seen yet."},
}

// Meaning is a refusal by its status, for a reader who learns what the API means by it.
func Meaning(no *status.Status) components.Notice {
	n := RefusalOf(strconv.Itoa(no.Code), no)
	if meaning, ok := meanings[no.Code]; ok {
		n.Title, n.Words = n.Title+": "+meaning[0], meaning[1]
	}
	if no.Reason != "" {
		n.Title += " (" + no.Reason + ")"
	}
	return n
}
