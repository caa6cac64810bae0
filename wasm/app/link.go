package app

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"time"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// connection is a change of the socket's state.
type connection page.Connection

// connected says that there is a new connection, on which nothing is subscribed yet.
type connected struct {
	number int
	conn   Conn
}

// link keeps a connection to the server. It connects when there is something to follow, and again whenever the
// connection breaks. A goroutine of its own dials and reads, and posts what comes of it; all state is the app's.
type link struct {
	screen Screen
	dial   Dial
	post   func(any)
	nudge  chan struct{} // ends a wait early
	giveUp chan int      // the number of a connection that is given up

	wanted  bool
	number  int  // of the connection that is open; they are counted
	conn    Conn // nil: there is none
	at      page.ConnectionState
	retryAt time.Time
	heard   time.Time // when something came last
	looked  time.Time // when it was last looked whether the connection is silent
	calm    time.Time // since when somebody looks every second: a tab that slept has not read yet what came
}

// The server says something every four seconds at least (wire.Beat).
const (
	silentAfter = 8 * time.Second
	givenUp     = 20 * time.Second // a connection of which nothing was heard for so long is replaced
	sleeps      = 3 * time.Second  // who looks no sooner than that has slept
)

func newLink(screen Screen, dial Dial, post func(any)) *link {
	return &link{screen: screen, dial: dial, post: post, at: page.Connecting, nudge: make(chan struct{}, 1), giveUp: make(chan int, 1)}
}

func (l *link) state() page.ConnectionState { return l.at }

func (l *link) retryIn(now time.Time) time.Duration { return max(0, l.retryAt.Sub(now)) }

// current tells whether a message's connection is the one that is open.
func (l *link) current(number int) bool { return number == l.number && l.conn != nil }

func (l *link) subscribe(s *subscription) {
	if !l.wanted {
		l.wanted = true
		go l.keep()
	}
	l.send(s.request()) // without a connection, the next one takes it up
}

func (l *link) drop(ids []uint32) {
	for _, id := range ids {
		l.send(wire.Request{Type: wire.Unsubscribe, ID: id})
	}
}

func (l *link) send(r wire.Request) {
	if l.conn == nil {
		return
	}
	data, err := json.Marshal(r)
	if err != nil {
		panic(err) // it is made of strings and numbers
	}
	_ = l.conn.Write(context.Background(), data) // a broken connection is found by its reader
}

// wake tries again at once: the network is back, or the reader is.
func (l *link) wake() {
	select {
	case l.nudge <- struct{}{}:
	default:
	}
}

// keep connects, reads, and connects again, until the session has ended.
func (l *link) keep() {
	backoff := watch.Backoff{Min: 250 * time.Millisecond, Max: 10 * time.Second}
	for number := 1; ; number++ {
		conn, err := l.dial(context.Background(), l.screen.Origin()+web.Socket)
		if err == nil {
			if l.read(conn, number) {
				backoff.Reset() // a connection that ends before it said anything is as good as none
			}
		} else if l.signedOut() {
			l.is(page.SignedOut, 0)
			return
		}
		wait := backoff.Next(rand.Float64()) //nolint:gosec // nobody gains by guessing a delay
		l.is(page.Broken, wait)
		select {
		case <-l.nudge:
		case <-time.After(wait):
		}
		l.is(page.Connecting, 0)
	}
}

// read passes on what a connection says until it breaks, and tells whether that was anything.
func (l *link) read(conn Conn, number int) bool {
	select {
	case <-l.nudge: // one from before is no reason to hurry later
	default:
	}
	l.is(page.Open, 0)
	l.post(connected{number, conn})
	over := make(chan bool, 1)
	go func() {
		heard := false
		for {
			data, err := conn.Read(context.Background())
			if err != nil {
				over <- heard
				return
			}
			heard = true
			l.post(message{number, data})
		}
	}()
	for {
		select {
		case heard := <-over:
			conn.Close()
			return heard
		case n := <-l.giveUp:
			if n == number {
				go conn.Close() // to say goodbye to a silent server takes a while
				return true
			}
		}
	}
}

// hear notes that something came, and tells whether that ends a silence.
func (l *link) hear(now time.Time) (healed bool) {
	l.heard = now
	if l.at != page.Silent {
		return false
	}
	l.at = page.Open
	return true
}

// ago is how long ago something came; 0: nothing did.
func (l *link) ago(now time.Time) time.Duration {
	if l.heard.IsZero() {
		return 0
	}
	return now.Sub(l.heard)
}

// look tells whether the connection has become silent. One that stays silent is given up.
func (l *link) look(now time.Time) (silent bool) {
	if now.Sub(l.looked) > sleeps {
		l.calm = now
	}
	l.looked = now
	if l.conn == nil || l.at != page.Open && l.at != page.Silent {
		return false
	}
	quiet := min(now.Sub(l.heard), now.Sub(l.calm))
	if quiet > givenUp {
		select {
		case l.giveUp <- l.number:
		default:
		}
	}
	if l.at == page.Silent || quiet < silentAfter {
		return false
	}
	l.at = page.Silent
	return true
}

// signedOut asks whether it is for want of a session that there is no connection; a browser doesn't tell.
func (l *link) signedOut() bool {
	return ask(l.screen, web.Socket, "").Status == status.CodeUnauthorized
}

func (l *link) is(state page.ConnectionState, retry time.Duration) {
	l.post(connection{State: state, Retry: retry})
}

// open takes a new connection into use.
func (l *link) open(c connected, now time.Time) { l.number, l.conn, l.heard = c.number, c.conn, now }

// become takes a change of state in.
func (l *link) become(c connection, now time.Time) {
	l.at, l.retryAt = c.State, now.Add(c.Retry)
	if c.State != page.Open {
		l.conn = nil
	}
}
