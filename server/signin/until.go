package signin

import (
	"time"

	"github.com/fieldmark/fieldmark/server/identity"
)

// RenewAt is when a request of a session must renew it, or has to find out that it has ended; zero: not at a known time. A page that is
// open makes such a request.
func (d *Door) RenewAt(id string) time.Time {
	if viewer, views := identity.ViewerOf(id); views {
		id = viewer // a view as somebody else has the credentials of the session
	}
	s := d.memory.findSession(id)
	if s == nil {
		return time.Time{}
	}
	var first time.Time
	for _, t := range s.Logins {
		at := t.Expires
		if t.Refresh != "" {
			at = at.Add(-d.lead(t))
		}
		first = earlier(first, at)
	}
	for _, p := range s.Pasted {
		first = earlier(first, p.Expires)
	}
	return first
}

// earlier is the earlier one of two times; zero is none.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
