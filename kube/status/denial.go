package status

import (
	"strconv"
	"strings"
)

// Denial is what a 403 says is missing. Fields the message does not tell are empty.
type Denial struct {
	// User is who was refused.
	User string `json:"user,omitempty"`
	// Verb is the API verb: get, list, watch, create, update, patch, delete, deletecollection, impersonate.
	Verb string `json:"verb,omitempty"`
	// Resource is the plural name; Subresource what follows the slash ("log" of pods/log).
	Resource    string `json:"resource,omitempty"`
	Subresource string `json:"subresource,omitempty"`
	// Group is the API group; empty for the core group (see Resource).
	Group string `json:"group,omitempty"`
	// Namespace is where; empty with ClusterScope true means everywhere.
	Namespace    string `json:"namespace,omitempty"`
	ClusterScope bool   `json:"clusterScope,omitempty"`
	// Path is set instead of Resource for URLs that are no resources ("/metrics").
	Path string `json:"path,omitempty"`
	// Why is what the authorizer added, if anything.
	Why string `json:"why,omitempty"`
}

// Denied reads a 403's message. ok is false when the Status is no 403 or its message has another form,
// as an admission plugin's refusal has.
func (s Status) Denied() (d Denial, ok bool) {
	if s.Code != 403 {
		return Denial{}, false
	}
	at := strings.Index(s.Message, `User "`)
	if at < 0 {
		return Denial{}, false
	}
	rest := s.Message[at+len("User "):]
	d.User, rest, ok = quoted(rest)
	if !ok {
		return Denial{}, false
	}
	rest, ok = strings.CutPrefix(rest, " cannot ")
	if !ok {
		return Denial{}, false
	}
	d.Verb, rest, ok = strings.Cut(rest, " ")
	if !ok || d.Verb == "" {
		return Denial{}, false
	}
	return d.object(rest)
}

// object reads what follows the verb: `path "/x"` or `resource "pods" in API group "" …`.
func (d Denial) object(rest string) (Denial, bool) {
	if after, ok := strings.CutPrefix(rest, "path "); ok {
		d.Path, rest, ok = quoted(after)
		d.Why = why(rest)
		return d, ok
	}
	after, ok := strings.CutPrefix(rest, "resource ")
	if !ok {
		return Denial{}, false
	}
	resource, rest, ok := quoted(after)
	if !ok {
		return Denial{}, false
	}
	d.Resource, d.Subresource, _ = strings.Cut(resource, "/")
	if after, ok := strings.CutPrefix(rest, " in API group "); ok {
		d.Group, rest, _ = quoted(after)
	}
	return d.scope(rest), true
}

func (d Denial) scope(rest string) Denial {
	if after, ok := strings.CutPrefix(rest, " in the namespace "); ok {
		d.Namespace, rest, _ = quoted(after)
	} else if after, ok := strings.CutPrefix(rest, " at the cluster scope"); ok {
		d.ClusterScope, rest = true, after
	}
	d.Why = why(rest)
	return d
}

func why(rest string) string {
	after, _ := strings.CutPrefix(rest, ": ")
	return strings.TrimSpace(after)
}

// quoted takes a Go-quoted string off the front.
func quoted(s string) (value, rest string, ok bool) {
	prefix, err := strconv.QuotedPrefix(s)
	if err != nil {
		return "", s, false
	}
	value, err = strconv.Unquote(prefix)
	return value, s[len(prefix):], err == nil
}
