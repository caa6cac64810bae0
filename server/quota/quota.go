// Package quota bounds what one person uses of a shared Fieldmark, and what all people use together, so that nobody slows the others
// (threat: exhaustion). It counts requests, requests in progress, sockets, upgraded connections and bytes. The relay counts
// subscriptions.
package quota

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/lasting"
)

// Limits bound the use of one replica. Zero means the default.
type Limits struct {
	// Requests is how many requests may begin in a second, on average. Burst is how many may begin at once after a pause.
	Requests, Burst int
	// Open is how many requests may be in progress, watches included, and sockets and upgraded connections not.
	Open int
	// Sockets is how many pages may be live, and Upgrades how many connections to workloads may be open: exec, attach, port-forward.
	Sockets, Upgrades int
	// Bytes is how many bytes may be sent and received in a second, on average over a minute. Upgraded connections are not counted. One person's
	// responses are slowed down to four times that, so that a minute's bytes in one second delay nobody else.
	Bytes int
}

// PerPerson are the defaults for one person, and PerProcess those for all people together.
var (
	PerPerson  = Limits{Requests: 50, Burst: 400, Open: 200, Sockets: 16, Upgrades: 16, Bytes: 32 << 20}
	PerProcess = Limits{Requests: 2000, Burst: 8000, Open: 8000, Sockets: 4000, Upgrades: 1000, Bytes: 512 << 20}
)

// or fills in the defaults.
func (l Limits) or(d Limits) Limits {
	return Limits{
		Requests: cmp.Or(l.Requests, d.Requests), Burst: cmp.Or(l.Burst, d.Burst), Open: cmp.Or(l.Open, d.Open),
		Sockets: cmp.Or(l.Sockets, d.Sockets), Upgrades: cmp.Or(l.Upgrades, d.Upgrades), Bytes: cmp.Or(l.Bytes, d.Bytes),
	}
}

// Options are the parameters of a Quota.
type Options struct {
	Person, Process Limits
	// Socket tells whether a request opens the socket of a page.
	Socket func(*http.Request) bool
	// Deny responds to a refused request.
	Deny func(http.ResponseWriter, *http.Request, guard.Refusal)
	Now  func() time.Time
	// Sleep waits, or until ctx ends.
	Sleep func(ctx context.Context, d time.Duration)
}

// Quota is safe for concurrent use.
type Quota struct {
	opt Options
	all *account

	mu     sync.Mutex
	people map[string]*account
}

// New makes a Quota that nobody has used yet.
func New(o Options) *Quota {
	o.Person, o.Process = o.Person.or(PerPerson), o.Process.or(PerProcess)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	return &Quota{opt: o, all: newAccount(o.Process), people: map[string]*account{}}
}

// Wrap refuses requests over the limits with 429, and lets next handle the others. It belongs behind the guard. A request without a
// person, such as one for a stylesheet, is not counted.
func (q *Quota) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s, ok := guard.SessionFrom(r.Context())
		if !ok || s.Person == nil {
			next.ServeHTTP(w, r)
			return
		}
		own := q.of(s.Person.Account())
		kind := q.kind(r)
		if no := q.enter(own, kind); no.Code != 0 {
			q.opt.Deny(w, r, no)
			return
		}
		defer lasting.Done(r.Context(), func() {
			q.all.releaseRequest(kind)
			own.releaseRequest(kind)
		})
		spend := func(bytes int) {
			own.spend(q.opt.Now(), bytes)
			q.all.spend(q.opt.Now(), bytes)
		}
		if r.ContentLength > 0 {
			spend(int(min(r.ContentLength, math.MaxInt32)))
		}
		pace := func(bytes int) {
			if wait := own.paced(q.opt.Now(), bytes); wait > 0 {
				q.opt.Sleep(r.Context(), wait)
			}
		}
		next.ServeHTTP(&meter{ResponseWriter: w, spend: spend, pace: pace}, r)
	})
}

// enter counts a request for a person and for all, or says why not.
func (q *Quota) enter(own *account, k kind) guard.Refusal {
	now := q.opt.Now()
	if why, wait := own.enter(now, k); why != "" {
		return guard.Refusal{Code: http.StatusTooManyRequests, Wait: wait, Words: "You have reached a limit of this Fieldmark: " + why}
	}
	why, wait := q.all.enter(now, k)
	if why == "" {
		return guard.Refusal{}
	}
	own.releaseRequest(k)
	return guard.Refusal{Code: http.StatusTooManyRequests, Wait: wait, Words: "All people together have reached a limit of this Fieldmark: " + why}
}

func (q *Quota) of(person string) *account {
	q.mu.Lock()
	defer q.mu.Unlock()
	own := q.people[person]
	if own == nil {
		own = newAccount(q.opt.Person)
		q.people[person] = own
	}
	return own
}

// Sweep forgets people who have used nothing for a while. Call it every minute.
func (q *Quota) Sweep() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for person, own := range q.people {
		if own.unused(q.opt.Now()) {
			delete(q.people, person)
		}
	}
}

// kind is what a request uses a place of.
type kind int

const (
	request kind = iota
	socket
	upgrade
	kinds
)

func (q *Quota) kind(r *http.Request) kind {
	switch {
	case r.Header.Get("Upgrade") == "":
		return request
	case q.opt.Socket != nil && q.opt.Socket(r):
		return socket
	}
	return upgrade
}

// account is what somebody uses.
type account struct {
	limits Limits
	began  *rate.Limiter // requests
	bytes  *rate.Limiter // the minute of bytes
	pace   *rate.Limiter // bytes of responses in a moment

	mu   sync.Mutex
	open [kinds]int
	last time.Time
}

// perMinute is how many seconds of bytes may be used at once. They are sent at most paceFactor times as fast as the average, after the first half
// second of bytes, which is more than most responses have.
const (
	perMinute  = 60
	paceFactor = 4
)

func newAccount(l Limits) *account {
	return &account{
		limits: l, began: rate.NewLimiter(rate.Limit(l.Requests), l.Burst), bytes: rate.NewLimiter(rate.Limit(l.Bytes), perMinute*l.Bytes),
		pace: rate.NewLimiter(rate.Limit(paceFactor*l.Bytes), max(l.Bytes/2, 1)),
	}
}

// placeWait is after how long a client may try again if all places are taken. Nobody knows when one gets free.
const placeWait = 2 * time.Second

// enter takes a place. Otherwise it says why not, and after how long the next attempt makes sense.
func (a *account) enter(now time.Time, k kind) (why string, wait time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.last = now
	most := [kinds]int{a.limits.Open, a.limits.Sockets, a.limits.Upgrades}[k]
	if a.open[k] >= most {
		return fmt.Sprintf([kinds]string{
			"%d requests are in progress. Wait until some have ended.",
			"%d live pages are open. Close some tabs.",
			"%d connections to workloads are open. Close some of them.",
		}[k], most), placeWait
	}
	if left := a.bytes.TokensAt(now); left < 0 {
		return fmt.Sprintf("%d bytes in a second, on average over a minute. Wait a moment.", a.limits.Bytes), after(-left, a.limits.Bytes)
	}
	if !a.began.AllowN(now, 1) {
		return fmt.Sprintf("%d requests in a second. Wait a moment.", a.limits.Requests), after(1-a.began.TokensAt(now), a.limits.Requests)
	}
	a.open[k]++
	return "", 0
}

// after is how long a bucket takes to get so many tokens, a second at least.
func after(tokens float64, perSecond int) time.Duration {
	return max(time.Second, time.Duration(tokens/float64(perSecond)*float64(time.Second)))
}

func (a *account) releaseRequest(k kind) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.open[k]--
}

// spend subtracts bytes. They are already on their way, so the bucket may become empty and more; the next request then waits.
func (a *account) spend(now time.Time, bytes int) {
	for most := a.bytes.Burst(); bytes > 0; bytes -= most {
		a.bytes.ReserveN(now, min(bytes, most))
	}
}

// paced is how long to wait before so many bytes are sent.
func (a *account) paced(now time.Time, bytes int) (wait time.Duration) {
	for most := a.pace.Burst(); bytes > 0; bytes -= most {
		wait = a.pace.ReserveN(now, min(bytes, most)).DelayFrom(now)
	}
	return wait
}

// unused tells whether a new account would allow no more than this one.
func (a *account) unused(now time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.open == [kinds]int{} && now.Sub(a.last) > perMinute*time.Second &&
		a.bytes.TokensAt(now) >= float64(a.bytes.Burst()) && a.began.TokensAt(now) >= float64(a.began.Burst())
}

// meter counts the bytes of a response.
type meter struct {
	http.ResponseWriter
	spend func(int)
	pace  func(int)
}

// Write implements io.Writer.
func (m *meter) Write(p []byte) (int, error) {
	m.pace(len(p))
	n, err := m.ResponseWriter.Write(p)
	m.spend(n)
	return n, err
}

// sleep waits for a time, or until ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// Unwrap lets http.ResponseController reach what lies beneath: flushing, upgrades.
func (m *meter) Unwrap() http.ResponseWriter { return m.ResponseWriter }
