package relay

import (
	"context"
	"errors"

	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/web/wire"
)

// listing is how far an initial state has come. It outlives what interrupts it: the next attempt goes on with
// the chunk that is missing.
type listing struct {
	token   string // of the next chunk; empty: the first
	version string // of the state; all chunks share it
	begun   bool   // some of it was told
	limit   int
}

// list tells the initial state, or what is missing of it.
func (s *subscription) list(ctx context.Context, gap watch.Gap) {
	if gap != watch.None && !s.anew(ctx, gap) {
		return
	}
	for {
		c, err := s.source.fetch(ctx, s.listing.limit, s.listing.token)
		if err != nil {
			s.listBroke(ctx, err)
			return
		}
		if s.listing.version == "" {
			s.listing.version = c.version
		}
		s.machine.Begun()
		if !s.pass(ctx, c) {
			return
		}
		s.listing.token = c.next
		if c.next == "" {
			s.outbox.whole(s.listing.version)
			s.machine.Synced(s.listing.version)
			s.listing = newListing()
			return
		}
	}
}

func newListing() listing { return listing{limit: chunkSize} }

// anew tells that continuity was lost, and begins the next generation.
func (s *subscription) anew(ctx context.Context, gap watch.Gap) bool {
	s.gen++
	s.listing = newListing()
	s.outbox.begin(s.gen)
	if !s.tell(ctx, wire.Message{Type: wire.Gap, Reason: wire.Reason(gap)}) {
		return false
	}
	s.machine.Begun()
	return true
}

// listBroke asks for smaller chunks where one was too large, and otherwise lets the machine decide.
func (s *subscription) listBroke(ctx context.Context, err error) {
	large := (*api.TooLarge)(nil)
	switch {
	case ctx.Err() != nil:
	case errors.As(err, &large) && s.listing.limit > 1:
		s.listing.limit = max(s.listing.limit/10, 1)
	default:
		s.broke(watch.Break{Status: statusOf(err)})
	}
}

// pass tells a chunk, in messages of a bounded size. An empty state has its columns, too.
func (s *subscription) pass(ctx context.Context, c chunk) bool {
	for from := 0; from < c.len() || !s.listing.begun; {
		to := c.cut(from)
		m := wire.Message{Type: wire.Rows, Remaining: c.left(to)}
		if !s.listing.begun {
			m.Columns, s.columns = c.columns, c.columns
		}
		c.fill(&m, from, to)
		if !s.tell(ctx, m) {
			return false
		}
		s.listing.begun, from = true, to
	}
	return true
}

// cut is where a message that begins with the from-th row ends.
func (c chunk) cut(from int) int {
	to, bytes := from, 0
	for to < c.len() && to-from < perMessage {
		bytes += c.size(to)
		if bytes > messageBytes && to > from {
			break
		}
		to++
	}
	return to
}

// left is what is still to come after the to-th row; nil where that can't be known.
func (c chunk) left(to int) *int64 {
	left := int64(c.len() - to)
	switch {
	case c.remaining != nil:
		left += *c.remaining
	case c.next != "":
		return nil
	}
	return &left
}
