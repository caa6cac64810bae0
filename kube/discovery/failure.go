package discovery

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/status"
)

// How says in which way types couldn't be read. None of the ways means that the types are absent.
type How string

// The ways.
const (
	Broken    How = "broken"    // a server failed, or there was no response
	Slow      How = "slow"      // the response didn't arrive in time
	Forbidden How = "forbidden" // the user has no permission, or no valid credentials
)

// HowOf is the way for the status code of a response; 0: there was none. late tells that it didn't arrive in time.
func HowOf(code int, late bool) How {
	switch {
	case late || code == status.CodeGatewayTimeout:
		return Slow
	case code == status.CodeUnauthorized || code == status.CodeForbidden:
		return Forbidden
	}
	return Broken
}

// Failure is a group version whose types are not known, or all groups below one of the roots /api and /apis.
type Failure struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Root    string `json:"root,omitempty"` // its groups are not known; Group then is its name for people
	How     How    `json:"how,omitempty"`  // empty counts as broken
	Why     string `json:"why"`
}

// The roots of all groups.
const (
	CoreRoot  = "/api"
	NamedRoot = "/apis"
)

// Of names what couldn't be read.
func (f Failure) Of() string {
	switch {
	case f.Root != "":
		return f.Group
	case f.Version == "":
		return f.Group
	}
	return GroupVersion(f.Group, f.Version)
}

// Title is what happened, as a title.
func (f Failure) Title() string {
	switch f.How {
	case Slow:
		return "The API server is too slow to list the types of " + f.Of()
	case Forbidden:
		return "You have no permission to list the types of " + f.Of()
	case Broken:
	}
	return "The API server failed to list the types of " + f.Of()
}

// Words are a sentence with the reason. It never says that the types are absent, because nobody knows that.
func (f Failure) Words() string {
	return f.Title() + ": " + strings.TrimSuffix(f.Why, ".") + "."
}

// APIService is the name of the object that registers the server of the group version, if another server has it; empty: none has.
func (f Failure) APIService() string {
	if f.Root != "" || f.Version == "" || !strings.Contains(f.Group, ".") {
		return ""
	}
	return f.Version + "." + f.Group
}

// Covers tells whether types of a group may be among those that couldn't be read.
func (f Failure) Covers(group string) bool {
	switch f.Root {
	case CoreRoot:
		return group == ""
	case NamedRoot:
		return group != ""
	}
	return f.Group == group
}

// Unread is the failure because of which the catalog doesn't tell what a group version has. An empty version is any version of the group. If
// there is no such failure, a type that the catalog doesn't have is absent.
func (c Catalog) Unread(group, version string) (Failure, bool) {
	i := slices.IndexFunc(c.Failures, func(f Failure) bool {
		return f.Covers(group) && (f.Root != "" || version == "" || f.Version == version)
	})
	if i < 0 {
		return Failure{}, false
	}
	return c.Failures[i], true
}
