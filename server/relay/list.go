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
	progress *watch.Progress // holds the token of the next chunk
	version  string          // of the state; all chunks share it
	limit    int
}

// list fetches the whole state, or what is missing of it.
func (f *feed) list(ctx context.Context, gap watch.Gap) {
	f.begin(gap)
	for {
		c, err := f.fetch(ctx, f.listing.limit, f.listing.progress.Token())
		if err != nil {
			f.listBroke(ctx, err)
			return
		}
		f.sign = f.now()
		used, why := f.listing.progress.Take(c.forProgress())
		if !used {
			f.broke(watch.Break{Status: why})
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
		if why.Code != 0 {
			f.broke(watch.Break{Status: why})
			return
		}
		if c.next == "" {
			f.complete(f.listing.version)
			f.listing = newListing("")
			return
		}
	}
}

// newListing begins with the chunk of a token; an empty one stands for the first.
func newListing(token string) listing {
	return listing{limit: chunkSize, progress: watch.ProgressFrom(token)}
}

// forProgress is what tells whether the list gets on.
func (c chunk) forProgress() watch.Chunk {
	k := watch.Chunk{Items: len(c.items), Next: c.next}
	if len(c.items) > 0 && c.items[0].key != nameless {
		k.First = c.items[0].key
	}
	return k
}

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
