// Package lasting lets a handler return although its connection goes on.
//
// Until a handler returns, net/http keeps a goroutine with a deep stack, the request and two buffers: 20 kB for a page's WebSocket, which is
// open for hours. A handler that has taken its connection over can return, and go on in a goroutine with a small stack. But the handlers
// around it do something when a request is over: they count it, or give a place of a quota back. So they let this package do it:
//
//	handlers around:  defer lasting.Done(r.Context(), leave)      leave runs when the handler returns,
//	the handler:      end := lasting.Keep(r.Context())            or else when end is called
//	                  go func() { defer end(); serve(conn) }()
package lasting

import (
	"context"
	"sync"
)

// life is that of a connection. Only one request of it can be kept, because the connection is taken over then.
type life struct {
	mu   sync.Mutex
	kept bool
	over bool // it was kept, and has ended
	ends []func()
}

type lifeKey struct{}

// Context is for http.Server.ConnContext. Without it, Done waits for nothing.
func Context(ctx context.Context) context.Context {
	return context.WithValue(ctx, lifeKey{}, &life{})
}

// Done calls f when the request of a context is over: now, unless a handler keeps the connection. Defer it before the next handler is called. f
// should hold neither the request nor the writer of its response. Otherwise their memory isn't free while the connection lasts.
func Done(ctx context.Context, f func()) {
	if l, ok := ctx.Value(lifeKey{}).(*life); ok && l.deferCall(f) {
		return
	}
	f()
}

// deferCall notes what is done at the end; false: nothing is kept, or the end has passed.
func (l *life) deferCall(f func()) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.kept || l.over {
		return false
	}
	l.ends = append(l.ends, f)
	return true
}

// Keep says that the request goes on after its handler has returned, until end is called.
func Keep(ctx context.Context) (end func()) {
	l, ok := ctx.Value(lifeKey{}).(*life)
	if !ok {
		return func() {}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept = true
	return l.runDeferred
}

// runDeferred does what was put off, in the order in which the handlers returned.
func (l *life) runDeferred() {
	l.mu.Lock()
	ends := l.ends
	l.over, l.ends = true, nil
	l.mu.Unlock()
	for _, f := range ends {
		f()
	}
}
