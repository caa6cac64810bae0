package app

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"time"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/page"
	"github.com/fieldmark/fieldmark/web/wire"
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

	wanted  bool
	number  int  // of the connection that is open; they are counted
	conn    Conn // nil: there is none
	at      page.ConnectionState
	retryAt time.Time
}

func newLink(screen Screen, dial Dial, post func(any)) *link {
	return &link{screen: screen, dial: dial, post: post, at: page.Connecting, nudge: make(chan struct{}, 1)}
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
func (l *link) read(conn Conn, number int) (heard bool) {
	select {
	case <-l.nudge: // one from before is no reason to hurry later
	default:
	}
	l.is(page.Open, 0)
	l.post(connected{number, conn})
	for {
		data, err := conn.Read(context.Background())
		if err != nil {
			break
		}
		heard = true
		l.post(message{number, data})
	}
	conn.Close()
	return heard
}

// signedOut asks whether it is for want of a session that there is no connection; a browser doesn't tell.
func (l *link) signedOut() bool {
	return l.screen.Ask(context.Background(), web.Socket, "").Status == status.CodeUnauthorized
}

func (l *link) is(state page.ConnectionState, retry time.Duration) {
	l.post(connection{State: state, Retry: retry})
}

// open takes a new connection into use.
func (l *link) open(c connected) { l.number, l.conn = c.number, c.conn }

// become takes a change of state in.
func (l *link) become(c connection, now time.Time) {
	l.at, l.retryAt = c.State, now.Add(c.Retry)
	if c.State != page.Open {
		l.conn = nil
	}
}

// fetch makes an API request for the page.
func (a *App) fetch(c page.Fetch) {
	a.answer(c.ID, func() Answer {
		return a.screen.Ask(context.Background(), web.API(c.Cluster, c.Path), c.Accept)
	})
}

// send makes an API request that changes something. That the page is left meanwhile does not call it back.
func (a *App) send(c page.Send) {
	a.answer(c.ID, func() Answer {
		return a.screen.Send(context.Background(), Parcel{
			Method: c.Method, Address: web.API(c.Cluster, c.Path), ContentType: c.ContentType, Body: c.Body,
		})
	})
}

// answer tells the page what came of a request.
func (a *App) answer(id string, request func() Answer) {
	visit, began := a.visit, a.now()
	go func() {
		answer := request()
		a.Post(fetched{visit, page.Fetched{
			ID: id, Status: answer.Status, Body: answer.Body, Warnings: answer.Warnings, Took: a.now().Sub(began),
		}})
	}()
}
