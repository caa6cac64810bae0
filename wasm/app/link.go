package app

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// connection is a change of the socket's state. why says why the session has ended, if it has.
type connection struct {
	page.Connection
	why string
}

// connected says that there is a new connection, on which nothing is subscribed yet.
type connected struct {
	number int
	conn   Conn
}

// link keeps a connection to the server. It connects when there is something to follow, and again whenever the
// connection breaks. Its own goroutine dials and reads, and posts events. All its state is used only on the app's goroutine.
type link struct {
	server Server
	dial   Dial
	post   func(any)
	nudge  chan struct{} // ends a wait early
	giveUp chan int      // the number of a connection to close

	returns bool   // a reader who is signed out may sign in again
	stop    func() // ends keep; nil: nothing is subscribed yet
	number  int    // of the open connection; connections are counted
	conn    Conn   // nil: there is none
	at      page.ConnectionState
	retryAt time.Time
	heard   time.Time // when something came last
	looked  time.Time // when silence was last checked
	calm    time.Time // since when silence is checked every second: a tab that slept hasn't read yet what arrived
}

// The server sends something at least every four seconds (wire.Beat).
const (
	silentAfter = 8 * time.Second
	givenUp     = 20 * time.Second // a connection that was silent for so long is replaced
	sleeps      = 3 * time.Second  // if the last check was longer ago, the tab has slept
)

func newLink(server Server, dial Dial, post func(any)) *link {
	return &link{server: server, dial: dial, post: post, at: page.Connecting, nudge: make(chan struct{}, 1), giveUp: make(chan int, 1)}
}

func (l *link) state() page.ConnectionState { return l.at }

func (l *link) retryIn(now time.Time) time.Duration { return max(0, l.retryAt.Sub(now)) }

// current tells whether a message is from the open connection.
func (l *link) current(number int) bool { return number == l.number && l.conn != nil }

func (l *link) subscribe(s *subscription) {
	if l.stop == nil {
		var ctx context.Context
		ctx, l.stop = context.WithCancel(context.Background())
		go l.keep(ctx, l.number)
	}
	l.sendRequest(s.request()) // without a connection, resubscribe sends it on the next one
}

func (l *link) drop(ids []uint32) {
	for _, id := range ids {
		l.sendRequest(wire.Request{Type: wire.Unsubscribe, ID: id})
	}
}

func (l *link) sendRequest(r wire.Request) {
	if l.conn == nil {
		return
	}
	data, err := json.Marshal(r)
	if err != nil {
		panic(err) // it is made of strings and numbers
	}
	_ = l.conn.Write(context.Background(), data) // the reader notices a broken connection
}

// rest closes the connection, and makes no other until something is subscribed to.
func (l *link) rest() {
	if l.stop != nil {
		l.stop()
	}
	l.stop, l.conn, l.at, l.heard = nil, nil, page.Connecting, time.Time{}
	l.number += passed
}

// passed is more connections than one keep makes, so that a number is never used twice.
const passed = 1 << 20

// wake tries to connect at once: the network is back, or the tab is visible again.
func (l *link) wake() {
	select {
	case l.nudge <- struct{}{}:
	default:
	}
}

// keep connects, reads, and connects again, until the session has ended for good, or ctx ends. Its connections have the numbers after the given one.
func (l *link) keep(ctx context.Context, number int) {
	backoff := watch.Backoff{Min: 250 * time.Millisecond, Max: 10 * time.Second}
	absence := watch.Backoff{Min: soonest, Max: latest}
	for ctx.Err() == nil {
		number++
		conn, err := l.dial(ctx, l.server.Origin()+web.Socket)
		if err == nil {
			heard, renewed := l.readMessages(ctx, conn, number)
			if heard {
				absence.Reset()
				backoff.Reset() // a connection that ended without a message counts as a failed attempt
			}
			if heard && renewed {
				continue // the page need not show it
			}
		} else if ctx.Err() != nil {
			return
		} else if out, why := l.signedOut(); out {
			l.post(connection{Connection: page.Connection{State: page.SignedOut}, why: why})
			if !l.returns {
				return
			}
			l.await(ctx, absence.Next(rand.Float64())) //nolint:gosec // nobody gains by guessing a delay
			continue
		}
		if ctx.Err() != nil {
			return
		}
		wait := backoff.Next(rand.Float64()) //nolint:gosec // nobody gains by guessing a delay
		l.is(page.Broken, wait)
		l.await(ctx, wait)
		l.is(page.Connecting, 0)
	}
}

// await waits, but not longer than until somebody calls wake.
func (l *link) await(ctx context.Context, wait time.Duration) {
	select {
	case <-ctx.Done():
	case <-l.nudge:
	case <-time.After(wait):
	}
}

// ending is how a connection ended: whether messages came before, and whether the session must be renewed.
type ending struct{ heard, renew bool }

// readMessages passes on the messages of a connection until it breaks, and tells whether there were any, and whether the server only wants another
// connection.
func (l *link) readMessages(ctx context.Context, conn Conn, number int) (heard, renewed bool) {
	select {
	case <-l.nudge: // an old signal must not end a later wait
	default:
	}
	l.is(page.Open, 0)
	l.post(connected{number, conn})
	over := make(chan ending, 1)
	go func() {
		var end ending
		for {
			data, err := conn.Read(context.Background())
			if err != nil {
				end.renew = errors.Is(err, ErrRenew)
				over <- end
				return
			}
			end.heard = true
			l.post(message{number, data})
		}
	}()
	for {
		select {
		case end := <-over:
			conn.Close()
			return end.heard, end.renew
		case <-ctx.Done():
			go conn.Close()
			return true, false
		case n := <-l.giveUp:
			if n == number {
				go conn.Close() // closing a connection to a silent server takes a while
				return true, false
			}
		}
	}
}

// closeConnection closes the open connection.
func (l *link) closeConnection() {
	select {
	case l.giveUp <- l.number:
	default:
	}
}

// noteArrival notes that something arrived, and tells whether this ends a silence.
func (l *link) noteArrival(now time.Time) (healed bool) {
	l.heard = now
	if l.at != page.Silent {
		return false
	}
	l.at = page.Open
	return true
}

// ago is how long ago something arrived; 0: nothing has arrived.
func (l *link) ago(now time.Time) time.Duration {
	if l.heard.IsZero() {
		return 0
	}
	return now.Sub(l.heard)
}

// checkSilence tells whether the connection has become silent. It closes a connection that stays silent.
func (l *link) checkSilence(now time.Time) (silent bool) {
	if now.Sub(l.looked) > sleeps {
		l.calm = now
	}
	l.looked = now
	if l.conn == nil || l.at != page.Open && l.at != page.Silent {
		return false
	}
	quiet := min(now.Sub(l.heard), now.Sub(l.calm))
	if quiet > givenUp {
		l.closeConnection()
	}
	if l.at == page.Silent || quiet < silentAfter {
		return false
	}
	l.at = page.Silent
	return true
}

func (l *link) is(state page.ConnectionState, retry time.Duration) {
	l.post(connection{Connection: page.Connection{State: state, Retry: retry}})
}

// useConnection starts to use a new connection.
func (l *link) useConnection(c connected, now time.Time) {
	l.number, l.conn, l.heard = c.number, c.conn, now
}

// become handles a change of the connection's state.
func (l *link) become(c page.Connection, now time.Time) {
	l.at, l.retryAt = c.State, now.Add(c.Retry)
	if c.State != page.Open {
		l.conn = nil
	}
}
