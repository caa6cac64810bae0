package upstream

import (
	"context"
	"sync"
	"time"
)

// pool keeps the idle connections to one host. The one used last is used next, so that those that are not needed
// expire.
type pool struct {
	dial func(context.Context) (*conn, error)
	now  func() time.Time

	mu    sync.Mutex
	idle  []*conn
	sweep *time.Timer
}

const (
	maxIdle = 64
	// idleFor is shorter than the 90 s after which an API server closes an idle connection: closing it ourselves
	// avoids requests on a connection that the server is closing.
	idleFor = 60 * time.Second
)

// get gives an idle connection or dials. Requests that can't be repeated don't get a connection that the server has closed.
func (p *pool) get(ctx context.Context, repeatable bool) (*conn, error) {
	for {
		c := p.pop()
		if c == nil {
			return p.fresh(ctx)
		}
		if p.now().Sub(c.idleSince) < idleFor && (repeatable || alive(c.Conn)) {
			return c, nil
		}
		c.close()
	}
}

func (p *pool) fresh(ctx context.Context) (*conn, error) { return p.dial(ctx) }

func (p *pool) pop() *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := len(p.idle) - 1
	if last < 0 {
		return nil
	}
	c := p.idle[last]
	p.idle[last] = nil
	p.idle = p.idle[:last]
	return c
}

func (p *pool) put(c *conn) {
	c.idleSince = p.now()
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) >= maxIdle {
		c.close()
		return
	}
	p.idle = append(p.idle, c)
	if p.sweep == nil {
		p.sweep = time.AfterFunc(idleFor, p.closeOld)
	}
}

// closeOld closes connections that were idle for long. It runs again while connections are left.
func (p *pool) closeOld() {
	p.mu.Lock()
	defer p.mu.Unlock()
	limit := p.now().Add(-idleFor)
	young := 0
	for young < len(p.idle) && !p.idle[young].idleSince.After(limit) {
		p.idle[young].close()
		young++
	}
	p.idle = append(p.idle[:0], p.idle[young:]...)
	p.sweep = nil
	if len(p.idle) > 0 {
		p.sweep = time.AfterFunc(idleFor, p.closeOld)
	}
}

func (p *pool) closeIdle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.idle {
		c.close()
	}
	p.idle = nil
	if p.sweep != nil {
		p.sweep.Stop()
		p.sweep = nil
	}
}
