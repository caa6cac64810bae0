package wiretap

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/record"
)

// View is what one session may see: its own record, and the shared one.
type View struct {
	log      *Log
	sessions []string
}

// View is what a session may see.
func (l *Log) View(sessionID string) View {
	v := View{log: l}
	if l == nil {
		return v
	}
	v.sessions = []string{sessionID}
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.shared != "" && l.shared != sessionID {
		v.sessions = append(v.sessions, l.shared)
	}
	return v
}

// Recording tells whether requests are recorded at all.
func (v View) Recording() bool { return v.log != nil }

// Since is when the session's own record began; zero: there is none yet.
func (v View) Since() time.Time {
	if v.log == nil {
		return time.Time{}
	}
	if s := v.log.findSession(v.sessions[0]); s != nil {
		return s.since
	}
	return time.Time{}
}

// Lines are the requests with a number greater than after, oldest first. They include requests in progress.
func (v View) Lines(cluster string, after uint64) []record.Line {
	exchanges := v.after(cluster, after)
	lines := make([]record.Line, len(exchanges))
	for i, x := range exchanges {
		lines[i] = x.line()
	}
	return lines
}

// Line is the request with this number. The result is false if the request is no longer kept.
func (v View) Line(id uint64) (record.Line, bool) {
	if x := v.findExchange(id); x != nil {
		return x.line(), true
	}
	return record.Line{}, false
}

// Entry is one request of a cluster with everything that is kept of it. It finds no requests of other sessions.
func (v View) Entry(cluster string, id uint64) (record.Entry, bool) {
	if e, ok := v.Find(id); ok && e.Cluster == cluster {
		return e, true
	}
	return record.Entry{}, false
}

// Find gives one request to whatever cluster.
func (v View) Find(id uint64) (record.Entry, bool) {
	x := v.findExchange(id)
	if x == nil {
		return record.Entry{}, false
	}
	return x.entry().recorded(x.prefix, x.line()), true
}

// Last is the number of the newest request.
func (v View) Last() uint64 {
	if v.log == nil {
		return 0
	}
	return v.log.ids.Load()
}

// Agent is the newest User-Agent of the session's requests that begins with a prefix; empty: there is none.
func (v View) Agent(prefix string) string {
	var newest uint64
	found := ""
	for _, id := range v.sessions {
		s := v.log.findSession(id)
		if s == nil {
			continue
		}
		for _, x := range slices.Backward(s.after(0)) {
			if agent := x.request.header.first("User-Agent"); x.id > newest && strings.HasPrefix(agent, prefix) {
				newest, found = x.id, agent
				break
			}
		}
	}
	return found
}

// Subscribe returns channels that get a signal when something changes in the session's own record, or in the shared one. Signals are
// never queued. own is closed when the session ends. A record that doesn't exist sends no signals.
func (v View) Subscribe() (own, shared <-chan struct{}, cancel func()) {
	if v.log == nil {
		return nil, nil, func() {}
	}
	own, cancelOwn := v.log.Subscribe(v.sessions[0])
	if len(v.sessions) == 1 {
		return own, nil, cancelOwn
	}
	shared, cancelShared := v.log.Subscribe(v.sessions[1])
	return own, shared, func() { cancelOwn(); cancelShared() }
}

func (v View) after(cluster string, after uint64) []*exchange {
	var all []*exchange
	for _, id := range v.sessions {
		if s := v.log.findSession(id); s != nil {
			all = append(all, s.after(after)...)
		}
	}
	all = slices.DeleteFunc(all, func(x *exchange) bool { return x.who.Cluster != cluster })
	if len(v.sessions) > 1 {
		slices.SortFunc(all, func(a, b *exchange) int { return cmp.Compare(a.id, b.id) })
	}
	return all
}

func (v View) findExchange(id uint64) *exchange {
	for _, session := range v.sessions {
		if s := v.log.findSession(session); s != nil {
			if x := s.findExchange(id); x != nil {
				return x
			}
		}
	}
	return nil
}

// Entries gives the session's own requests with an id greater than after, oldest first. They include
// requests in progress.
func (l *Log) Entries(sessionID string, after uint64) []Entry {
	s := l.findSession(sessionID)
	if s == nil {
		return nil
	}
	exchanges := s.after(after)
	entries := make([]Entry, len(exchanges))
	for i, x := range exchanges {
		entries[i] = x.entry()
	}
	return entries
}

// Entry gives one request of a session's own. It finds no requests of other sessions.
func (l *Log) Entry(sessionID string, id uint64) (Entry, bool) {
	if s := l.findSession(sessionID); s != nil {
		if x := s.findExchange(id); x != nil {
			return x.entry(), true
		}
	}
	return Entry{}, false
}

// Subscribe returns a channel that gets a signal when something in the session's record changes. Signals are never queued: a slow
// listener finds one signal, and reads everything that is new. The channel is closed when the session ends.
func (l *Log) Subscribe(sessionID string) (nudged <-chan struct{}, cancel func()) {
	return l.openSession(sessionID).subscribe()
}

// recorded is the entry as pages show it.
func (e Entry) recorded(most int, line record.Line) record.Entry {
	return record.Entry{
		Line: line, Server: e.Server, Proto: e.Proto, Warned: e.Warnings, Cap: most, Cluster: e.Who.Cluster,
		Request: e.Request.recorded(), Answer: e.Answer.recorded(),
	}
}

func (s Side) recorded() record.Side {
	r := record.Side{MediaType: s.MediaType, Bytes: s.Bytes, Body: s.Body, Cut: s.Cut, Redacted: s.Redacted, Withheld: s.Withheld}
	for name, values := range s.Header {
		for _, value := range values {
			r.Header = append(r.Header, record.Field{Name: name, Value: value})
		}
	}
	slices.SortStableFunc(r.Header, func(a, b record.Field) int { return cmp.Compare(a.Name, b.Name) })
	return r
}
