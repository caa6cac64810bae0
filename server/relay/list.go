package relay

import (
	"context"
	"errors"

	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/api"
)

// listing is how far an initial state has come by a list. It outlives what interrupts it: the next attempt goes on
// with the chunk that is missing.
type listing struct {
	token   string // of the next chunk; empty: the first
	version string // of the state; all chunks share it
	limit   int
}

// list fetches the whole state, or what is missing of it.
func (f *feed) list(ctx context.Context, gap watch.Gap) {
	f.begin(gap)
	for {
		c, err := f.fetch(ctx, f.listing.limit, f.listing.token)
		if err != nil {
			f.listBroke(ctx, err)
			return
		}
		if f.listing.version == "" {
			f.listing.version = c.version
		}
		f.machine.Begun()
		if !f.pass(c) {
			f.broke(watch.Break{Status: tooMuch()})
			return
		}
		f.listing.token = c.next
		if c.next == "" {
			f.complete(f.listing.version)
			f.listing = newListing()
			return
		}
	}
}

func newListing() listing { return listing{limit: chunkSize} }

// listBroke asks for smaller chunks where one was too large, and otherwise lets the machine decide.
func (f *feed) listBroke(ctx context.Context, err error) {
	large := (*api.TooLarge)(nil)
	switch {
	case ctx.Err() != nil:
	case errors.As(err, &large) && f.listing.limit > 1:
		f.listing.limit = max(f.listing.limit/10, 1)
	default:
		f.broke(watch.Break{Status: statusOf(err)})
	}
}

// pass adds a chunk to the state. It says whether there may be more.
func (f *feed) pass(c chunk) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.columns = f.relay.columns.one(c.columns)
	f.state.columns = f.columns
	f.state.arriving.define(f.columns)
	for _, i := range c.items {
		f.state.keep(i)
	}
	f.state.arriving.add(c.items, c.all(f.state.arriving))
	f.each((*outbox).more)
	return !f.hold()
}

// all is how many objects there are, of which c are the next; unknown where the server doesn't count.
func (c chunk) all(before *arrival) int64 {
	have := before.count() + int64(len(c.items))
	switch {
	case c.remaining != nil:
		return have + *c.remaining
	case c.next != "":
		return unknown
	}
	return have
}
