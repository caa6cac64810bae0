package follow

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/api"
)

// stream is one watch, from its request to its end.
type stream struct {
	*Reflector
	// arriving says that the watch begins with the whole state, until that is complete.
	arriving atomic.Bool
	initial  bool // it began so
	ctx      context.Context
	cancel   context.CancelCauseFunc
	body     io.ReadCloser // nil: the API server has not begun its response
	plain    bool          // the body is not compressed, so what has arrived can be read at once
	lines    lineReader    // of the body
	since    time.Time     // when the API server began its response
	version  string        // the last one seen
	skip     uint64        // the version of a list that the sink got after the watch began; 0: it got none
	late     *time.Timer   // ends the watch after a time
	long     time.Duration // how long the watch should last
	server   string        // identifies the server of the whole state: another server may serve the API group
	vigil    *vigil        // tells when the API server is silent
}

// ending is how a watch ended.
type ending struct {
	watch.Break
	moved   bool // the sink wants the whole state again
	refused bool // the server doesn't send the whole state with the watch
}

// Why Fieldmark ends a watch.
var (
	errLong  = errors.New("the watch has lasted long enough")
	errStuck = errors.New("the initial state does not arrive")
)

// openWatch opens the watch. If that succeeds, it is the Reflector's current one.
func (s *stream) openWatch(ctx context.Context) {
	s.vigil = s.keep(ctx)
	s.ctx, s.cancel = context.WithCancelCause(s.vigil.ctx)
	s.vigil.pulse.EndBy(s.cancelWatch)
	s.current = s
	pace := s.group.Pace
	s.long = pace.MinWatch + time.Duration(s.group.Random()*float64(pace.MaxWatch-pace.MinWatch))
	s.late = time.AfterFunc(s.patience(pace.Head), func() { s.cancel(s.overdue()) })
	if err := s.await(ctx); err != nil {
		s.unopened(err)
		return
	}
	s.late.Reset(s.patience(s.long + pace.Grace))
	s.lines = lineReader{body: s.body}
	s.vigil.opened()
	s.since = s.group.Now()
}

// cancelWatch ends the watch because its login has ended.
func (s *stream) cancelWatch() { s.cancel(nil) }

// unopened ends a watch that the API server didn't begin.
func (s *stream) unopened(err error) {
	defer s.release()
	if errors.Is(context.Cause(s.ctx), errLong) {
		err = context.DeadlineExceeded
	}
	end := ending{refused: s.refused(s.ctx, err)}
	end.Status = api.StatusOf(err)
	s.closed(end)
}

// drain reads what has arrived. It returns true if the watch has ended.
func (s *stream) drain() bool {
	err := s.readEvents()
	if err == nil {
		return false
	}
	defer s.release()
	end := ending{moved: errors.Is(err, ErrMoved)}
	end.Lasted = s.group.Now().Sub(s.since)
	if !end.moved && !errors.Is(context.Cause(s.ctx), errLong) { // otherwise Fieldmark ended the watch, not the server
		end.Status = ended(err)
	}
	end.refused = s.refused(s.ctx, nil)
	s.closed(end)
	return true
}

// release frees what the watch holds.
func (s *stream) release() {
	s.lines.close()
	if s.body != nil {
		_ = s.body.Close()
	}
	if s.late != nil {
		s.late.Stop()
	}
	s.cancel(nil)
	s.sign = s.vigil.endVigil()
	s.current = nil
}

// overdue is the error for a watch on which nothing arrived in time.
func (s *stream) overdue() error {
	if s.arriving.Load() {
		return errStuck
	}
	return errLong
}

// refused tells whether the server will not give the whole state this way, and remembers it.
func (s *stream) refused(ctx context.Context, err error) bool {
	switch {
	case !s.arriving.Load():
		return false
	case errors.Is(err, errRefused):
		return true
	case errors.Is(context.Cause(ctx), errStuck):
		s.group.refusals.noteRefusal(s.resource(), s.group.Now().Add(stuckFor))
		return true
	}
	s.learn(api.Code(err))
	return false // the machine decides by the status code
}

// learn remembers a refusal that is about the server or the type, and not about the session's permissions or selectors.
func (s *stream) learn(code int) {
	switch {
	case !watch.Refuses(code) || code == http.StatusForbidden || len(s.source.Question.Selectors) > 0:
	case code == http.StatusMethodNotAllowed:
		s.group.refusals.noteRefusal(s.resource(), s.group.Now().Add(refusedFor))
	default:
		s.group.refusals.noteRefusal(s.server, s.group.Now().Add(refusedFor))
	}
}

// isRefused tells whether the server refused such a watch a short time ago.
func (s *stream) isRefused() bool {
	now := s.group.Now()
	return s.group.refusals.known(s.server, now) || s.group.refusals.known(s.resource(), now)
}

// resource is the type at the server that is asked.
func (s *stream) resource() string { return s.server + " " + s.source.Question.Collection.Resource }

// patience is how long to wait now. While the whole state arrives, it limits the time between two events.
func (s *stream) patience(otherwise time.Duration) time.Duration {
	if s.arriving.Load() {
		return s.group.Pace.Stream
	}
	return otherwise
}

func (s *stream) requestWatch(ctx context.Context) error {
	client, err := s.Client(ctx)
	if err != nil {
		return err
	}
	path := s.source.Question.Watch(s.version, int(s.long.Seconds()))
	if s.arriving.Load() {
		s.server = client.Target().Base.String() + " " + s.source.Question.Collection.Group
		if s.isRefused() {
			return errRefused
		}
		path = s.source.Question.Stream()
	}
	body, answer, err := client.Stream(ctx, api.Request{Path: path, Accept: s.source.Accept, MaxBytes: math.MaxInt64})
	if err != nil {
		return err
	}
	s.body, s.plain = body, answer.Header.Get("Content-Encoding") == ""
	return nil
}

// readEvents passes events to the sink until the watch is silent, or until it ends. Then it returns why; io.EOF is the regular end.
func (s *stream) readEvents() error {
	for !s.lines.empty() || !s.plain || !s.vigil.pulse.Silent() {
		line, err := s.lines.next()
		if err != nil {
			return err
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		s.vigil.came()
		if s.arriving.Load() {
			s.late.Reset(s.group.Pace.Stream)
		}
		if err := s.handleEvent(line); err != nil {
			return err
		}
	}
	return nil
}

// told is the end of a watch with the API server's own Status.
type told struct{ status.Status }

func (t told) Error() string { return t.String() }

// ended is why a watch ended, as a Status. Its code is 0 if the watch came to its regular end.
func ended(err error) status.Status {
	if errors.Is(err, io.EOF) {
		return status.Status{}
	}
	if own, ok := errors.AsType[told](err); ok {
		return own.Status
	}
	return api.StatusOf(err)
}

// handleEvent handles one event. An error ends the watch.
func (s *stream) handleEvent(line []byte) error {
	e, err := watch.SplitEvent(line)
	switch {
	case err != nil:
		return senseless(err)
	case e.Type != watch.Error && s.repeats(e):
		return nil
	}
	switch e.Type {
	case watch.Error:
		return told{e.Status()}
	case watch.Bookmark:
		return s.bookmark(e)
	default:
		return s.change(e)
	}
}

func (s *stream) bookmark(e watch.Event) error {
	head := e.Head()
	switch {
	case s.arriving.Load() && head.EndsInitialState:
		return s.complete(e, head.Version)
	case head.Version != "" && !s.arriving.Load():
		s.seen(head.Version)
		s.sink.Passed(head.Version)
	}
	return nil
}

// complete notes that the whole state has arrived. After it, the watch is like any other.
func (s *stream) complete(e watch.Event, version string) error {
	if version == "" {
		return senseless(errors.New("the bookmark after the initial events has no resource version"))
	}
	if err := s.sink.Whole(version, e.Object); err != nil {
		return senseless(err)
	}
	s.version = version
	s.arriving.Store(false)
	s.late.Reset(s.long)
	s.machine.Synced(version)
	return nil
}

func (s *stream) change(e watch.Event) error {
	version, err := s.sink.Event(e.Type, e.Object)
	switch {
	case err != nil:
		return senseless(err)
	case s.arriving.Load():
		s.machine.Begun()
	default:
		s.seen(cmp.Or(version, s.version))
	}
	return nil
}

func (s *stream) seen(version string) {
	s.version = version
	s.machine.Seen(version)
}

// senseless is the error of a text that can't be read. An error with a method HTTPStatus is
// returned unchanged.
func senseless(err error) error {
	var known interface {
		error
		HTTPStatus() int
	}
	if errors.Is(err, ErrMoved) || errors.As(err, &known) {
		return err
	}
	return &api.BadAnswer{Why: err.Error()}
}
