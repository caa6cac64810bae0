package relay

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/api"
)

// sink takes in what a watch gives. It never makes the watch wait.
type sink interface {
	// opened says that the API server has begun to answer, or is heard again.
	opened()
	// silent says that nothing was heard of the API server since then, and why; the watch goes on.
	silent(since time.Time, why status.Status)
	// changed takes an event; false says that more can't be kept.
	changed(c change) bool
	// passed takes a bookmark.
	passed(version string)
	// define takes the columns of a whole state that the watch begins with, and complete its end.
	define(columns []table.Column)
	complete(version string)
}

// stream is one watch, from its request to its end.
type stream struct {
	*source
	sink sink
	// whole says that the watch begins with the whole state, until that is complete.
	whole atomic.Bool
	// columns are those that the follower knows; nil: it knows none.
	columns []table.Column
	// version is the last one seen.
	version string
	// late is when the watch is left.
	late *time.Timer
	// long is how long it is to last.
	long time.Duration
	// server is who is asked for a whole state: an API group may be served by another than the rest.
	server string
	// vigil tells when the API server is silent.
	vigil *vigil
}

// watched is what became of a watch.
type watched struct {
	version string         // the last one seen
	columns []table.Column // as the watch defined them, if it did
	moved   bool           // and they are no longer what the follower knows
	refused bool           // the whole state that it was to begin with doesn't come
	end     watch.Break
	sign    time.Time // the last sign of life of the API server
}

// Why a watch is left.
var (
	errLong  = errors.New("it lasts long enough")
	errStuck = errors.New("the whole state does not come")
)

// follow watches from a version on, or from the whole state on, until the watch ends, or ctx does. sign is the last sign of life
// so far.
func (s *stream) follow(ctx context.Context, version string, sign time.Time) (w watched) {
	s.version = version
	s.vigil = s.keep(ctx, sign)
	defer func() { w.version, w.columns, w.sign = s.version, s.columns, s.vigil.end() }()
	ctx, cancel := context.WithCancelCause(s.vigil.ctx)
	defer cancel(nil)
	pace := s.relay.pace
	s.long = pace.minWatch + time.Duration(s.relay.opt.Random()*float64(pace.maxWatch-pace.minWatch))
	s.late = time.AfterFunc(s.patience(pace.head), func() { cancel(s.overdue()) })
	defer s.late.Stop()

	body, err := s.open(ctx)
	if err != nil {
		if errors.Is(context.Cause(ctx), errLong) {
			err = context.DeadlineExceeded
		}
		w.refused = s.refused(ctx, err)
		w.end = watch.Break{Status: statusOf(err)}
		return w
	}
	defer body.Close()
	s.late.Reset(s.patience(s.long + pace.grace))
	s.vigil.opened()
	opened := s.now()
	w.end.Status, w.moved = s.read(body)
	w.end.Lasted = s.now().Sub(opened)
	if errors.Is(context.Cause(ctx), errLong) {
		w.end.Status = status.Status{} // the server was to end it, and we did
	}
	w.refused = s.refused(ctx, nil)
	return w
}

// overdue says what it means that nothing came in time.
func (s *stream) overdue() error {
	if s.whole.Load() {
		return errStuck
	}
	return errLong
}

// refused tells whether the server will not give the whole state so, and remembers it.
func (s *stream) refused(ctx context.Context, err error) bool {
	switch {
	case !s.whole.Load():
		return false
	case errors.Is(err, errRefused):
		return true
	case errors.Is(context.Cause(ctx), errStuck):
		s.relay.refusals.note(s.resource(), s.now().Add(stuckFor))
		return true
	}
	s.learn(api.Code(err))
	return false // the machine knows what to make of the code
}

// learn remembers a refusal that is about the server, or the type. What is forbidden is forbidden to one session, and
// selectors are its own.
func (s *stream) learn(code int) {
	switch {
	case !watch.Refuses(code) || code == http.StatusForbidden || len(s.question.selectors) > 0:
	case code == http.StatusMethodNotAllowed:
		s.relay.refusals.note(s.resource(), s.now().Add(refusedFor))
	default:
		s.relay.refusals.note(s.server, s.now().Add(refusedFor))
	}
}

// isRefused tells whether the server has refused this lately.
func (s *stream) isRefused() bool {
	return s.relay.refusals.known(s.server, s.now()) || s.relay.refusals.known(s.resource(), s.now())
}

// resource is the type at the server that is asked.
func (s *stream) resource() string { return s.server + " " + s.question.collection.Resource }

// patience is how long to wait now: for a whole state, it is for anything to come.
func (s *stream) patience(otherwise time.Duration) time.Duration {
	if s.whole.Load() {
		return s.relay.pace.stream
	}
	return otherwise
}

func (s *stream) open(ctx context.Context) (io.ReadCloser, error) {
	client, err := s.client(ctx)
	if err != nil {
		return nil, err
	}
	path := s.question.watch(s.version, int(s.long.Seconds()))
	if s.whole.Load() {
		s.server = client.Target().Base.String() + " " + s.question.collection.Group
		if s.isRefused() {
			return nil, errRefused
		}
		path = s.question.stream()
	}
	body, _, err := client.Stream(ctx, api.Request{Path: path, Accept: s.form.accept(), MaxBytes: math.MaxInt64})
	return body, err //nolint:wrapcheck // statusOf words it
}

// read takes events in to the end of the watch. The Status says why it ended: none, as watches do.
func (s *stream) read(body io.Reader) (end status.Status, moved bool) {
	l := &lineReader{body: body}
	defer l.close()
	for {
		line, err := l.next()
		if errors.Is(err, io.EOF) {
			return status.Status{}, false
		}
		if err != nil {
			return statusOf(err), false
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		s.vigil.came()
		if s.whole.Load() {
			s.late.Reset(s.relay.pace.stream)
		}
		if more, end, moved := s.take(line); !more {
			return end, moved
		}
	}
}

// take takes one event in, and says whether more may follow.
func (s *stream) take(line []byte) (more bool, end status.Status, moved bool) {
	e, err := watch.ParseEvent(line)
	if err != nil {
		return false, statusOf(&unreadable{err}), false
	}
	switch e.Type {
	case watch.Error:
		return false, e.Status(), false
	case watch.Bookmark:
		return s.bookmark(e)
	default:
		return s.change(e)
	}
}

func (s *stream) bookmark(e watch.Event) (more bool, end status.Status, moved bool) {
	v := e.Version()
	switch {
	case s.whole.Load() && e.EndsInitialState():
		if err := s.complete(e, v); err != nil {
			return false, statusOf(&unreadable{err}), false
		}
	case v != "" && !s.whole.Load():
		s.version = v
		s.sink.passed(v)
	}
	return true, end, false
}

// complete ends the whole state; what follows is a watch like any other. A state of nothing has its columns here.
func (s *stream) complete(e watch.Event, version string) error {
	columns, err := s.form.columns(e)
	if err != nil {
		return err //nolint:wrapcheck // unreadable says what it is about
	}
	if version == "" {
		return errors.New("the end of a state without a version")
	}
	if s.columns == nil {
		s.columns = columns
		s.sink.define(columns)
	}
	s.version = version
	s.whole.Store(false)
	s.late.Reset(s.long)
	s.sink.complete(version)
	return nil
}

func (s *stream) change(e watch.Event) (more bool, end status.Status, moved bool) {
	c, columns, err := s.form.change(e, s.now())
	if err != nil {
		return false, statusOf(&unreadable{err}), false
	}
	if len(columns) > 0 {
		moved = s.columns != nil && !slices.Equal(columns, s.columns)
		s.columns = s.relay.columns.one(columns)
	}
	if moved {
		return false, end, true
	}
	if s.whole.Load() && len(columns) > 0 {
		s.sink.define(columns)
	}
	if c.version == "" {
		c.version = s.version
	}
	if !s.whole.Load() {
		s.version = c.version
	}
	if !s.sink.changed(c) {
		return false, tooMuch(), false
	}
	return true, end, false
}
