package relay

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/api"
)

// sink takes in what a watch gives. It never makes the watch wait.
type sink interface {
	// opened says that the API server has begun to answer.
	opened()
	// changed takes an event; false says that there is no use in more.
	changed(c change) bool
	// passed takes a bookmark.
	passed(version string)
}

// stream is one watch, from its request to its end.
type stream struct {
	*source
	sink sink
	// columns are those that the follower knows; nil: it knows none.
	columns []table.Column
	// version is the last one seen.
	version string
}

// watched is what became of a watch.
type watched struct {
	version string         // the last one seen
	columns []table.Column // as the watch defined them, if it did
	moved   bool           // and they are no longer what the follower knows
	end     watch.Break
}

// follow watches from a version on until the watch ends, or ctx does.
func (s *stream) follow(ctx context.Context, version string) (w watched) {
	s.version = version
	defer func() { w.version, w.columns = s.version, s.columns }()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	pace := s.relay.pace
	overdue := time.AfterFunc(pace.head, func() { cancel(context.DeadlineExceeded) })
	defer overdue.Stop()

	long := pace.minWatch + time.Duration(s.relay.opt.Random()*float64(pace.maxWatch-pace.minWatch))
	body, err := s.open(ctx, int(long.Seconds()))
	if err != nil {
		if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
			err = context.DeadlineExceeded
		}
		w.end = watch.Break{Status: statusOf(err)}
		return w
	}
	defer body.Close()
	overdue.Reset(long + pace.grace)
	s.sink.opened()
	opened := s.now()
	w.end.Status, w.moved = s.read(body)
	w.end.Lasted = s.now().Sub(opened)
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		w.end.Status = status.Status{} // the server was to end it, and we did
	}
	return w
}

func (s *stream) open(ctx context.Context, seconds int) (io.ReadCloser, error) {
	client, err := s.client(ctx)
	if err != nil {
		return nil, err
	}
	body, _, err := client.Stream(ctx, api.Request{
		Path: s.question.watch(s.version, seconds), Accept: s.form.accept(), MaxBytes: math.MaxInt64,
	})
	return body, err //nolint:wrapcheck // statusOf words it
}

// read takes events in to the end of the watch. The Status says why it ended: none, as watches do.
func (s *stream) read(body io.Reader) (end status.Status, moved bool) {
	r := bufio.NewReaderSize(body, 64<<10)
	var line []byte
	for {
		var err error
		line, err = readLine(r, line[:0])
		if errors.Is(err, io.EOF) {
			return status.Status{}, false
		}
		if err != nil {
			return statusOf(err), false
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if more, end, moved := s.take(line); !more {
			return end, moved
		}
	}
}

// readLine appends the next line. What was cut off before its end is an error of its own: it may look whole.
func readLine(r *bufio.Reader, line []byte) ([]byte, error) {
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			return nil, &unreadable{fmt.Errorf("an event of more than %d MiB", maxLine>>20)}
		}
		line = append(line, part...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if errors.Is(err, io.EOF) && len(line) > 0 {
			err = io.ErrUnexpectedEOF
		}
		return line, err
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
		if v := e.Version(); v != "" {
			s.version = v
			s.sink.passed(v)
		}
		return true, end, false
	default:
		return s.change(e)
	}
}

func (s *stream) change(e watch.Event) (more bool, end status.Status, moved bool) {
	c, columns, err := s.form.change(e, s.now())
	if err != nil {
		return false, statusOf(&unreadable{err}), false
	}
	if len(columns) > 0 {
		moved = s.columns != nil && !slices.Equal(columns, s.columns)
		s.columns = columns
	}
	if moved {
		return false, end, true
	}
	if c.version == "" {
		c.version = s.version
	}
	s.version = c.version
	return s.sink.changed(c), end, false
}
