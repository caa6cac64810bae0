package relay

// A feed of an identity makes its requests on behalf of one of the sessions that follow it. The wire log of that session has them. When the
// session follows no longer, the next requests are made on behalf of another one:
//
//	watch of browser-1 ──▶ watch of browser-1 ──▶ watch of browser-2 ──▶ …
//	                            │
//	                browser-1 leaves: nothing is interrupted
//
// All these sessions send the same credentials, so the open watch goes on, and the API server is asked for nothing twice. A watch lasts for
// at most half a minute, so a withdrawn permission is noticed as before, and then all sessions are told (threat: withdrawn permission).

// handOver lets another session stand for the feed, if none of its subscriptions is of the one that does. The caller holds the lock.
func (f *feed) handOver() {
	var next *subscription
	for s := range f.subscribers {
		if s.source.Session == f.source.Session {
			return
		}
		next = s
	}
	if next != nil {
		f.handOverTo(next)
	}
}

// handOverTo lets a subscription's session stand for the feed. The caller holds the lock.
func (f *feed) handOverTo(s *subscription) {
	f.source.Session = s.source.Session
	f.reflector.Behalf(s.source.Session)
}

// leaveSession lets other sessions stand for the feeds that a session stands for. It is about to end, and its record with it, so nothing more may
// be requested on its behalf. A feed that nobody else follows ends with the connections of the session.
func (h *hub) leaveSession(session string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, feeds := range h.feeds {
		for _, f := range feeds {
			f.leaveSession(session)
		}
	}
}

func (f *feed) leaveSession(session string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.lead != nil || f.source.Session != session {
		return
	}
	for s := range f.subscribers {
		if s.source.Session != session {
			f.handOverTo(s)
			return
		}
	}
}
