package relay

import (
	"cmp"
	"context"
	"slices"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/follow"
)

// Begin implements follow.Sink.
func (f *feed) Begin(ctx context.Context, s follow.Start) bool {
	f.cancelCount()
	f.restartState(s.Gap)
	if s.Streams { // a list has the count in its chunks
		f.columns = nil
		counting, counted := context.WithCancel(ctx)
		f.counted = counted
		reflector := f.reflector
		f.hub.spawn(f, func() {
			pause(counting, f.hub.relay.pace.count)
			f.requestCount(counting, reflector)
		})
	}
	return true
}

// restartState drops the state if continuity was lost, unless the state is empty already.
func (f *feed) restartState(gap watch.Gap) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.restart(gap)
}

func (f *feed) restart(gap watch.Gap) {
	if gap == watch.None || f.state.isEmpty() {
		return
	}
	f.state.reset()
	f.open = false
	f.chargeState()
	f.notifyEach(func(o *outbox) { o.startState(f.state.arriving, gap) })
}

// cancelCount ends the request that counts the objects of a state.
func (f *feed) cancelCount() {
	if f.counted != nil {
		f.counted()
	}
}

// Chunk implements follow.Sink.
func (f *feed) Chunk(body []byte) (follow.Chunk, error) {
	c, err := f.form.chunk(body, f.now())
	if err != nil {
		return follow.Chunk{}, err
	}
	return follow.Chunk{Chunk: c.forProgress(), Version: c.version, Keep: func() error { return f.pass(c) }}, nil
}

// forProgress is the part of a chunk that shows whether the list makes progress.
func (c chunk) forProgress() watch.Chunk {
	k := watch.Chunk{Items: len(c.items), Next: c.next}
	if len(c.items) > 0 && c.items[0].key != nameless {
		k.First = c.items[0].key
	}
	return k
}

// pass adds a chunk to the state.
func (f *feed) pass(c chunk) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.columns = f.hub.relay.columns.one(c.columns)
	f.state.columns = f.columns
	f.state.arriving.define(f.columns)
	for _, i := range c.items {
		f.state.keep(i)
	}
	f.state.arriving.addItems(c.items, c.all(f.state.arriving))
	f.notifyEach((*outbox).more)
	if f.chargeState() {
		return tooMuch{}
	}
	return nil
}

// all is how many objects the whole list has, of which c is the next part; unknown if the server doesn't say.
func (c chunk) all(before *arrival) int64 {
	have := before.itemCount() + int64(len(c.items))
	switch {
	case c.remaining != nil:
		return have + *c.remaining
	case c.next != "":
		return unknown
	}
	return have
}

// Whole implements follow.Sink. If the state is empty, its columns are in the bookmark that ends it.
func (f *feed) Whole(version string, end []byte) error {
	f.cancelCount()
	if end != nil && f.columns == nil {
		columns, err := f.form.columns(watch.Event{Type: watch.Bookmark, Object: end})
		if err != nil {
			return err
		}
		f.define(columns)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.state.arriving.finish(version)
	f.state.complete(version)
	f.notifyEach((*outbox).more)
	return nil
}

// define takes the columns of a state that arrives.
func (f *feed) define(columns []table.Column) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.columns = f.hub.relay.columns.one(columns)
	f.state.columns = f.columns
	f.state.arriving.define(f.columns)
}

// Opened implements follow.Sink.
func (f *feed) Opened() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.open, f.trouble = true, nil
	f.confirmLeader()
	f.notifyEach((*outbox).opened)
}

// Event implements follow.Sink.
func (f *feed) Event(kind watch.Type, object []byte) (version string, err error) {
	c, columns, err := f.form.change(watch.Event{Type: kind, Object: object}, f.now())
	if err != nil {
		return "", err
	}
	if len(columns) > 0 {
		if err := f.setColumns(columns); err != nil {
			return "", err
		}
	}
	c.version = cmp.Or(c.version, f.state.version)
	if !f.handleChange(c) {
		return "", tooMuch{}
	}
	return c.version, nil
}

// setColumns takes the columns that the watch defines. If the rows that pages have were printed with others, the state has to be fetched
// again. That happens once: a server may print its lists and its watches with different columns for good.
func (f *feed) setColumns(columns []table.Column) error {
	switch {
	case f.columns != nil && !slices.Equal(columns, f.columns) && !slices.Equal(columns, f.moved):
		f.moved = columns
		return follow.ErrMoved
	case f.state.arriving != nil:
		f.define(columns)
	default:
		f.columns = f.hub.relay.columns.one(columns)
	}
	return nil
}

// Passed implements follow.Sink.
func (f *feed) Passed(version string) {
	f.reachVersion(version)
	f.mergeSoon()
}

// Silent implements follow.Sink.
func (f *feed) Silent(t follow.Trouble) { f.suspend(t) }

// Wait implements follow.Sink. Haste is no trouble, so pages aren't told of it.
func (f *feed) Wait(t follow.Trouble) {
	f.cancelCount()
	switch {
	case t.Why.Code == 0:
	case t.Why.Code == status.CodeTooManyRequests && f.hub.handOverLead(f):
	default:
		f.suspend(t)
	}
}

func (f *feed) suspend(t follow.Trouble) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.open, f.trouble = false, &t
	for s := range f.subscribers {
		s.outbox.wait(f.troubleMessage(s, t, t.At))
	}
}

// Stop implements follow.Sink. If the feed is shared, only the leader is refused.
func (f *feed) Stop(why status.Status) {
	f.cancelCount()
	if f.lead != nil {
		f.lead.refused = &why
		return
	}
	f.hub.removeFeed(f)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	f.notifyEach(func(o *outbox) { o.fail(why) })
}
