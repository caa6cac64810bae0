package guard

import (
	"net/http"
)

// Door is a way into Fieldmark: it says who sends a request, and has the addresses at which people come in. Local mode has the launch
// token (launch.go). The shared mode has package signin. A Door is safe for concurrent use.
type Door interface {
	// Who finds the sender of a request, or says why nobody is let in: with 401 if signing in helps. It may add cookies to the
	// response, so it is called at most once for a request, and before the response begins.
	Who(w http.ResponseWriter, r *http.Request) (Session, Refusal)
	// Own is the handler of a request to the door itself, such as the sign-in form; nil: the request is for somebody else. The sender
	// isn't known yet. Before a method that changes something, the handler calls Guard.ProvenOwn.
	Own(r *http.Request) http.Handler
	// Invite adds to a page that refuses a request what the reader can do to come in.
	Invite(r *http.Request, n *Notice)
	// Sweep ends the sessions whose time is over. It is called every minute.
	Sweep()
}

// ProvenOwn refuses a request that no page of this Fieldmark sent (threat: cross-site request). It is for doors: the guard itself checks
// every other request.
func (g *Guard) ProvenOwn(r *http.Request) Refusal { return g.provenOwn(r) }

// Deny responds to a request that a door refuses.
func (g *Guard) Deny(w http.ResponseWriter, r *http.Request, no Refusal) { g.deny(w, r, no) }

// Show responds with a page of a door.
func (g *Guard) Show(w http.ResponseWriter, n Notice) { g.page(w, n) }

// OwnPath is a path on this server, whatever next is; see next.go. It is for doors that lead back to a page.
func OwnPath(next string) string { return ownPath(next) }
