package fleet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/lab"
	"github.com/fieldmark/fieldmark/dev/bench/socket"
)

// follower is the socket of a person's page, and what arrived there.
type follower struct {
	person *person
	socket *socket.Socket
	seen   socket.Arrivals

	mu      sync.Mutex
	ended   bool  // closed on purpose
	err     error // why it ended, if not on purpose
	trouble int   // how often a subscription had to wait for the API server, or to get its state again
	first   error // the first trouble
}

// follow opens a socket with so many subscriptions, and waits until each is current. Then it goes on receiving.
func (f *fleet) follow(ctx context.Context, p *person, subscriptions int) (*follower, error) {
	opened, err := socket.Dial(ctx, f.public, p.cookies())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	one := &follower{person: p, socket: opened, seen: socket.Arrivals{At: map[string]time.Time{}}}
	for i := range subscriptions {
		if err := opened.Subscribe(i+1, p.collection(i)); err != nil {
			return nil, errors.Join(err, one.close())
		}
	}
	current := make(chan struct{})
	go one.receive(subscriptions, current)
	select {
	case <-current:
		return one, one.failure()
	case <-ctx.Done():
		return nil, errors.Join(ctx.Err(), one.close())
	case <-time.After(lab.Patience):
		return nil, errors.Join(fmt.Errorf("%s: the socket isn't current after %s", p.name, lab.Patience), one.close())
	}
}

// receive notes what arrives, and gives credit back, until the socket is closed. It closes current when so many subscriptions are current, or when
// the socket ends before.
func (f *follower) receive(subscriptions int, current chan<- struct{}) {
	tell := sync.OnceFunc(func() { close(current) })
	defer tell()
	if subscriptions == 0 {
		tell()
	}
	buffer := make([]byte, 0, 4<<10)
	for {
		text, err := f.socket.NextMessage(buffer)
		if err == nil {
			err = f.handleMessage(text)
		}
		if err != nil {
			f.fail(err)
			return
		}
		if is(text, "synced") {
			if subscriptions--; subscriptions == 0 {
				tell()
			}
		}
	}
}

// handleMessage notes the rows of a message, and gives its credit back. A subscription that ends is an error. One that waits, or that has a gap, goes on.
func (f *follower) handleMessage(text []byte) error {
	switch {
	case is(text, "failed"), is(text, "closed"):
		return fmt.Errorf("%s: a subscription has ended: %.300s", f.person.name, text)
	case is(text, "waiting"), is(text, "gap"):
		f.troubled(fmt.Errorf("%s: a subscription isn't current: %.300s", f.person.name, text))
	}
	f.seen.NoteVersions(text, time.Now())
	id, ok := idOf(text)
	if !ok || is(text, "waiting") { // which needs no credit
		return nil
	}
	return f.socket.SendText(`{"type":"credit","id":` + strconv.Itoa(id) + `,"n":1}`)
}

// is tells whether a message has a type.
func is(text []byte, kind string) bool { return bytes.HasPrefix(text, []byte(`{"type":"`+kind+`"`)) }

func (f *follower) troubled(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.trouble++
	if f.first == nil {
		f.first = err
	}
}

// troubles are how often the subscriptions weren't current, with the first reason.
func (f *follower) troubles() (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.trouble, f.first
}

// idOf is the subscription of a message, which comes after the type.
func idOf(text []byte) (int, bool) {
	_, rest, found := bytes.Cut(text, []byte(`,"id":`))
	if !found || bytes.IndexByte(text[:len(text)-len(rest)], '{') != 0 || bytes.Count(text[:len(text)-len(rest)], []byte(`:`)) != 2 {
		return 0, false
	}
	end := bytes.IndexAny(rest, ",}")
	if end < 0 {
		return 0, false
	}
	id, err := strconv.Atoi(string(rest[:end]))
	return id, err == nil
}

func (f *follower) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.ended {
		f.err = err
	}
}

// failure is why the socket has ended; nil: it goes on.
func (f *follower) failure() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

func (f *follower) close() error {
	f.mu.Lock()
	f.ended = true
	f.mu.Unlock()
	return f.socket.Conn.Close()
}
