package refusal

import (
	"slices"
	"strings"
)

const (
	notFound = "\" not found"
	exists   = "\" already exists"
	noMatch  = "no matches for kind \""
	noType   = "the server doesn't have a resource type \""
)

// readNotFound reads that an object doesn't exist: deployments.apps "web" not found.
func readNotFound(t *text, at, from int) (piece, bool) { return t.object(NotFound, notFound, at, from) }

// readExists reads that an object already exists.
func readExists(t *text, at, from int) (piece, bool) {
	found, ok := t.object(AlreadyExists, exists, at, from)
	const more = ", the server was not able to generate a unique name for the object"
	if ok && strings.HasPrefix(t.string[found.end:], more) {
		found.end += len(more)
		found.refusal.Message = more[2:]
	}
	return found, ok
}

// object reads a refusal that is an object and a word or two. Servers name a resource, in the plural. Other programs use the same words for missing keys,
// files and releases, which don't count.
func (t *text) object(reason Reason, words string, at, from int) (piece, bool) {
	o, start, ok := t.subject(at+1, from)
	if !ok || o.Name == "" || o.Group == "" && !strings.HasSuffix(o.Resource, "s") {
		return piece{}, false
	}
	return piece{start: start, end: at + len(words), refusal: refused(reason).on(o)}, true
}

// readNoMatch reads that a client found no such kind: no matches for kind "Rollout" in version "argoproj.io/v1alpha1".
func readNoMatch(t *text, at, _ int) (piece, bool) {
	kind, end, ok := t.quote(at + len(noMatch) - 1)
	if !ok {
		return piece{}, false
	}
	o := Object{Kind: kind}
	for _, words := range []string{` in version `, ` in group `, ` in versions [`} {
		if !strings.HasPrefix(t.string[end:], words) {
			continue
		}
		in, next, ok := t.quote(end + len(words))
		if !ok {
			break
		}
		switch words {
		case ` in group `:
			o.Group, end = in, next
		case ` in version `:
			o, end = o.of(in), next
		default: // of several versions, only the group is certain
			o.Group, end = o.of(in).Group, t.line(next)
		}
	}
	return piece{start: at, end: end, refusal: &Refusal{Reason: Unserved, Objects: []Object{o}}}, true
}

// readNoType reads kubectl's words for a resource type that isn't served.
func readNoType(t *text, at, _ int) (piece, bool) {
	name, end, ok := t.quote(at + len(noType) - 1)
	if !ok {
		return piece{}, false
	}
	o := typed(name)
	if o.Resource == "" {
		o = Object{Resource: name}
	}
	for _, part := range []struct {
		words string
		to    *string
	}{{` in group `, &o.Group}, {` in version `, &o.Version}, {` and version `, &o.Version}} {
		if strings.HasPrefix(t.string[end:], part.words) {
			if in, next, ok := t.quote(end + len(part.words)); ok {
				*part.to, end = in, next
			}
		}
	}
	return piece{start: at, end: end, refusal: &Refusal{Reason: Unserved, Objects: []Object{o}}}, true
}

// whole are complete sentences of servers. Some continue with the request, as in (patch deployments.apps web).
var whole = []struct {
	words  string
	reason Reason
}{
	{"the server could not find the requested resource", Unserved},
	{"the server reported a conflict", Modified},
	{"too old resource version: ", Expired},
	{"The resourceVersion for the provided watch is too old.", Expired},
	{"The resourceVersion for the provided list is too old.", Expired},
	{"The provided continue parameter is too old", Expired},
	{"only the following media types are accepted", NotAcceptable},
	{"the server was unable to respond with a content type that the client supports", NotAcceptable},
	{"the body of the request was in an unknown format - accepted media types include: ", UnsupportedMediaType},
	{"406: Not Acceptable", NotAcceptable},
	{"415: Unsupported Media Type", UnsupportedMediaType},
	{"Cannot evict pod as it would violate the pod's disruption budget.", TooManyRequests},
	{"the server has received too many requests and has asked us to try again later", TooManyRequests},
	{"Too many requests, please try again later.", TooManyRequests},
	{"You must be logged in to the server", Unauthorized},
	{"the server has asked for the client to provide credentials", Unauthorized},
}

// readWhole reads one of these sentences, to the end of the line.
func readWhole(words string, reason Reason) func(t *text, at, from int) (piece, bool) {
	return func(t *text, at, _ int) (piece, bool) {
		end := t.line(at)
		said := strings.TrimSpace(t.string[at:end])
		no := refused(reason)
		no.Message = said
		rest := said[min(len(words), len(said)):]
		if reason == NotAcceptable || reason == UnsupportedMediaType {
			if _, list, ok := strings.Cut(said, ": "); ok {
				no.Accepts = slices.DeleteFunc(strings.Split(list, ", "), func(s string) bool { return !strings.Contains(s, "/") })
			}
		}
		if open := strings.LastIndex(rest, " ("); open >= 0 && strings.HasSuffix(rest, ")") {
			if request := strings.Fields(rest[open+2 : len(rest)-1]); len(request) > 1 && len(request) < 4 && plainWord(request[1]) {
				o := typed(request[1])
				if len(request) == 3 {
					o.Name = request[2]
				}
				no.name(o)
			}
		}
		return piece{start: at, end: end, refusal: no}, true
	}
}
