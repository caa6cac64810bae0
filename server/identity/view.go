package identity

import "strings"

// View is how a session looks at one cluster: as somebody else. The session's own credentials ask for it with each request, and the API
// server decides whether it allows that.
type View struct {
	Cluster string // its slug; empty: the session looks at every cluster as itself
	As      Impersonation
}

// None tells whether the session looks at every cluster as itself.
func (v View) None() bool { return v.Cluster == "" }

// viewed separates the id of a session from what makes it the id of a view. Ids of sessions don't have it.
const viewed = "~"

// ViewID is the id of a session while it views a cluster as somebody else: logs, streams and scans of the two are apart. start differs
// between two views, also if they are of the same.
func ViewID(session string, v View, start string) string {
	return session + viewed + digest(v.Cluster, v.As.Digest(), start)
}

// ViewerOf is the session that a view belongs to. It is false if the id isn't that of a view.
func ViewerOf(id string) (session string, ok bool) {
	session, _, ok = strings.Cut(id, viewed)
	return session, ok
}

// Visitor is what pages say about the sender of a request.
type Visitor struct {
	Person   *Person // nil in local mode
	View     View
	ReadOnly string // why the session only reads, in whole sentences; empty: it may write
}
