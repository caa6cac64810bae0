package status

import (
	"strconv"
	"strings"
)

// Denial is the missing permission that a 403 names. Fields that the message doesn't have are empty.
type Denial struct {
	// User is the user who lacks the permission.
	User string `json:"user,omitempty"`
	// Verb is the API verb: get, list, watch, create, update, patch, delete, deletecollection, impersonate.
	Verb string `json:"verb,omitempty"`
	// Resource is the plural name. Subresource is the part after the slash ("log" of pods/log).
	Resource    string `json:"resource,omitempty"`
	Subresource string `json:"subresource,omitempty"`
	// Group is the API group; empty for the core group (see Resource).
	Group string `json:"group,omitempty"`
	// Namespace is the namespace of the request. It is empty if ClusterScope is true: the permission is for the whole cluster.
	Namespace    string `json:"namespace,omitempty"`
	ClusterScope bool   `json:"clusterScope,omitempty"`
	// Path is set instead of Resource if the request is for no resource ("/metrics").
	Path string `json:"path,omitempty"`
	// Why is the reason of the authorizer, if it gave one.
	Why string `json:"why,omitempty"`
}

// Denied reads the message of a 403. ok is false if the Status is no 403, or if its message has another form, for example from an
// admission plugin.
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

// object reads the text after the verb: `path "/x"` or `resource "pods" in API group "" …`.
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

// quoted reads a Go-quoted string at the beginning of s.
func quoted(s string) (value, rest string, ok bool) {
	prefix, err := strconv.QuotedPrefix(s)
	if err != nil {
		return "", s, false
	}
	value, err = strconv.Unquote(prefix)
	return value, s[len(prefix):], err == nil
}
