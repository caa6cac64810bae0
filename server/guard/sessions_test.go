package guard

import (
	"crypto/rand"
	"slices"
	"testing"
	"time"
)

// TestSessionsEndByThemselves: what nobody asks about ends all the same, and is told once.
func TestSessionsEndByThemselves(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	var ended []string
	s := newSessions(Options{
		Now: func() time.Time { return now }, Rand: rand.Reader, IdleExpiry: time.Hour, Expiry: 3 * time.Hour, MaxSessions: 8,
		SessionEnded: func(id string) { ended = append(ended, id) },
	})
	open := func() (cookie, id string) {
		cookie, err := s.openSession(now)
		if err != nil {
			t.Fatal(err)
		}
		id, ok := s.findSession(cookie)
		if !ok {
			t.Fatal("a session that was just opened is not there")
		}
		return cookie, id
	}
	_, quiet := open()
	cookie, busy := open()
	for range 3 {
		now = now.Add(50 * time.Minute)
		s.findSession(cookie)
		s.sweep()
	}
	if !slices.Equal(ended, []string{quiet}) {
		t.Errorf("ended %v, want the quiet %s", ended, quiet)
	}
	now = now.Add(31 * time.Minute)
	s.sweep()
	s.sweep()
	if !slices.Equal(ended, []string{quiet, busy}) {
		t.Errorf("ended %v, want the busy %s too", ended, busy)
	}
}
