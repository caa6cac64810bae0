package follow

import (
	"cmp"
	"context"
	"errors"

	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/api"
)

// listing is the progress of a list. It is kept when the list is interrupted: the next attempt continues with the missing chunk.
type listing struct {
	progress *watch.Progress // holds the token of the next chunk
	begun    bool            // the sink has a part of it
	version  string          // of the state; all chunks share it
	limit    int
}

func newListing(limit int, had Had) listing {
	return listing{progress: watch.ProgressFrom(had.Token), begun: had.Token != "", version: had.Version, limit: limit}
}

// listChunks fetches the whole state chunk by chunk, or the chunks that are missing.
func (r *Reflector) listChunks(ctx context.Context, gap watch.Gap) {
	if gap != watch.None && r.listing.begun {
		r.listing = newListing(r.source.Limit, Had{})
	}
	if !r.sink.Begin(ctx, Start{Gap: gap, Continues: r.listing.begun}) {
		return
	}
	for r.fetchNextChunk(ctx) {
	}
}

// fetchNextChunk fetches one chunk, and tells whether to go on with the one after it.
func (r *Reflector) fetchNextChunk(ctx context.Context) bool {
	l := &r.listing
	c, err := r.fetch(ctx)
	if err != nil {
		r.unlisted(ctx, err)
		return false
	}
	r.sign = r.group.Now()
	used, why := l.progress.Take(c.Chunk)
	if !used {
		r.broke(watch.Break{Status: why})
		return false
	}
	l.begun, l.version = true, cmp.Or(l.version, c.Version)
	r.machine.Begun()
	if err := c.Keep(); err != nil {
		r.failed(err)
		return false
	}
	if why.Code != 0 {
		r.broke(watch.Break{Status: why})
		return false
	}
	if c.Next == "" {
		r.listed()
		return false
	}
	return true
}

// listed ends a list that is complete.
func (r *Reflector) listed() {
	version := r.listing.version
	r.listing = newListing(r.source.Limit, Had{})
	if err := r.sink.Whole(version, nil); err != nil {
		r.failed(err)
		return
	}
	r.machine.Synced(version)
}

// unlisted requests smaller chunks if one was too large, and otherwise lets the machine decide.
func (r *Reflector) unlisted(ctx context.Context, err error) {
	_, large := errors.AsType[*api.TooLarge](err)
	switch {
	case ctx.Err() != nil:
	case large && r.listing.limit > 1:
		r.listing.limit = max(r.listing.limit/10, 1)
	default:
		r.failed(err)
	}
}

// fetch requests the next chunk.
func (r *Reflector) fetch(ctx context.Context) (Chunk, error) {
	ctx, cancel := context.WithTimeout(ctx, r.group.Pace.Chunk)
	defer cancel()
	client, err := r.Client(ctx)
	if err != nil {
		return Chunk{}, err
	}
	path := r.source.Question.List(r.listing.limit, r.listing.progress.Token())
	answer, err := client.Do(ctx, api.Request{Path: path, Accept: r.source.Accept, MaxBytes: r.group.MaxChunk})
	if err != nil {
		return Chunk{}, err
	}
	c, err := r.sink.Chunk(answer.Body)
	if err != nil {
		return Chunk{}, senseless(err)
	}
	return c, nil
}
