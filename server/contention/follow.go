package contention

import (
	"bufio"
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"time"

	"github.com/fieldmark/fieldmark/kube/contention"
	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/server/wiretap"
)

// follower follows one type for a scan. One goroutine runs it.
type follower struct {
	*run
	index   int
	of      discovery.Type
	machine *watch.Machine
	listing *listing // where a list broke off; nil: it begins with its first chunk

	arriving bool // the whole state arrives
	turn     bool // it is this type's turn to be read
}

// follow does what the machine says until it stops, or ctx ends.
func (f *follower) follow(ctx context.Context) {
	defer f.yield()
	for ctx.Err() == nil {
		switch step := f.machine.Step(); step.Do {
		case watch.List:
			f.list(ctx)
		case watch.Stream:
			f.stream(ctx)
		case watch.Watch:
			f.watch(ctx, f.watchFrom(step.Version))
		case watch.Wait:
			f.wait(ctx, step)
		case watch.Stop:
			f.state(report.Refused, step.Status)
			return
		}
	}
}

func (f *follower) state(s report.State, why status.Status) {
	f.with(func(scan *contention.Scan) { scan.State(f.index, s, why) })
}

// begin waits for the type's turn, and lets the whole state arrive: from its beginning, unless a list goes on.
func (f *follower) begin(ctx context.Context) bool {
	if !f.turn {
		select {
		case f.turns <- struct{}{}:
			f.turn = true
		case <-ctx.Done():
			return false
		}
	}
	f.arriving = true
	f.machine.Begun()
	f.with(func(s *contention.Scan) {
		if f.listing == nil {
			s.Begin(f.index)
		}
		s.State(f.index, report.Reading, status.Status{})
	})
	return true
}

// whole says that the state has arrived, and lets the next type have its turn.
func (f *follower) whole(version string) {
	f.arriving = false
	f.machine.Synced(version)
	f.with(func(s *contention.Scan) {
		s.Whole(f.index)
		s.State(f.index, report.Followed, status.Status{})
	})
	f.yield()
}

func (f *follower) yield() {
	if f.turn {
		f.turn = false
		<-f.turns
	}
}

// listing is how far a list has come.
type listing struct {
	progress *watch.Progress
	version  string
}

// list fetches the whole state, chunk by chunk. One that broke off because it gets nowhere goes on where that was; any other
// begins with its first chunk.
func (f *follower) list(ctx context.Context) {
	if !f.begin(ctx) {
		return
	}
	l := f.listing
	if f.listing = nil; l == nil {
		l = &listing{progress: watch.ProgressFrom("")}
	}
	for {
		version, chunk, err := f.chunk(ctx, l.progress.Token())
		if err != nil {
			f.broke(ctx, watch.Break{Status: statusOf(err)})
			return
		}
		if l.version == "" {
			l.version = version
		}
		if _, why := l.progress.Take(chunk); why.Code != 0 {
			f.listing = l
			f.broke(ctx, watch.Break{Status: why})
			return
		}
		if chunk.Next == "" {
			f.whole(l.version)
			return
		}
	}
}

func (f *follower) chunk(ctx context.Context, token string) (version string, c watch.Chunk, err error) {
	ctx, cancel := context.WithTimeout(ctx, f.scans.pace.chunk)
	defer cancel()
	client, err := f.client(ctx)
	if err != nil {
		return "", c, err
	}
	answer, err := client.Do(ctx, api.Request{Path: f.listFrom(token)})
	if err != nil {
		return "", c, err //nolint:wrapcheck // statusOf words it
	}
	now := f.scans.opt.Now()
	var ok bool
	f.with(func(s *contention.Scan) {
		version, c.Next, ok = contention.List(answer.Body, func(object []byte) {
			if c.Items++; c.Items == 1 {
				c.First = string(object)
			}
			s.See(f.index, object, true, now)
		})
	})
	if !ok {
		return "", c, errSenseless
	}
	return version, c, nil
}

// stream gets the whole state with the watch that follows it.
func (f *follower) stream(ctx context.Context) {
	f.listing = nil
	if f.begin(ctx) {
		f.watch(ctx, f.streamed())
	}
}

// watch follows what happens until the watch ends, or ctx does. One that is opened anew goes on at the last version.
func (f *follower) watch(parent context.Context, path string) {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	late := time.AfterFunc(f.patience(f.scans.pace.head), cancel)
	defer late.Stop()
	body, err := f.open(ctx, path)
	if err != nil {
		f.left(parent, ctx, watch.Break{Status: statusOf(err)}, false)
		return
	}
	defer body.Close()
	if !f.arriving {
		f.state(report.Followed, status.Status{})
	}
	late.Reset(f.patience(f.long()))
	opened := f.scans.opt.Now()
	end := f.read(body, late)
	f.left(parent, ctx, watch.Break{Status: end, Lasted: f.scans.opt.Now().Sub(opened)}, true)
}

// left tells the machine how a watch ended: by itself, or because it was left.
func (f *follower) left(parent, ctx context.Context, b watch.Break, opened bool) {
	switch {
	case ctx.Err() == nil:
	case f.arriving:
		f.machine.Refused() // nothing comes: it is listed
		return
	case opened:
		b.Status = status.Status{} // it lasted long enough
	}
	f.broke(parent, b)
}

func (f *follower) broke(ctx context.Context, b watch.Break) {
	if ctx.Err() != nil {
		return
	}
	b.Random = f.scans.opt.Random()
	f.machine.Broke(b)
}

// patience is how long to wait now: for a whole state, it is for anything to come.
func (f *follower) patience(otherwise time.Duration) time.Duration {
	if f.arriving {
		return f.scans.pace.stream
	}
	return otherwise
}

func (f *follower) long() time.Duration {
	p := f.scans.pace
	return p.minWatch + time.Duration(f.scans.opt.Random()*float64(p.maxWatch-p.minWatch)) + p.grace
}

func (f *follower) wait(ctx context.Context, step watch.Step) {
	if step.Status.Code != 0 {
		f.state(report.Troubled, step.Status)
	}
	f.yield()
	t := time.NewTimer(step.Delay)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
	f.machine.Waited()
}

// maxLine bounds an event. The API server's own bound on objects is far below.
const maxLine = 16 << 20

// read takes events in to the end of the watch. The Status says why it ended: none, as watches do.
func (f *follower) read(body io.Reader, late *time.Timer) status.Status {
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		if f.arriving {
			late.Reset(f.scans.pace.stream)
		}
		arrived := f.arriving
		if end, more := f.take(lines.Bytes()); !more {
			return end
		}
		if arrived && !f.arriving {
			late.Reset(f.long())
		}
	}
	if err := lines.Err(); err != nil {
		return statusOf(err)
	}
	return status.Status{}
}

// take takes one event in, and says whether more may follow.
func (f *follower) take(line []byte) (end status.Status, more bool) {
	e, err := watch.SplitEvent(line)
	switch {
	case err != nil:
		return statusOf(errSenseless), false
	case e.Type == watch.Added || e.Type == watch.Modified:
		f.seen(func(s *contention.Scan, now time.Time) string { return s.See(f.index, e.Object, f.arriving, now) })
	case e.Type == watch.Deleted:
		f.seen(func(s *contention.Scan, now time.Time) string { return s.Delete(f.index, e.Object, now) })
	default:
		return f.told(e)
	}
	return end, true
}

func (f *follower) seen(tell func(s *contention.Scan, now time.Time) string) {
	var version string
	f.with(func(s *contention.Scan) { version = tell(s, f.scans.opt.Now()) })
	f.machine.Seen(version)
}

// told takes what the watch says about itself.
func (f *follower) told(e watch.Event) (end status.Status, more bool) {
	switch {
	case e.Type == watch.Error:
		return e.Status(), false
	case f.arriving && e.EndsInitialState():
		f.whole(e.Version())
	case !f.arriving:
		f.machine.Seen(e.Version())
	}
	return end, true
}

func (f *follower) open(ctx context.Context, path string) (io.ReadCloser, error) {
	client, err := f.client(ctx)
	if err != nil {
		return nil, err
	}
	body, _, err := client.Stream(ctx, api.Request{Path: path, MaxBytes: math.MaxInt64})
	return body, err //nolint:wrapcheck // statusOf words it
}

// client asks the cluster as it is now, as the session that began the scan.
func (f *follower) client(ctx context.Context) (*api.Client, error) {
	target, err := f.scans.opt.Resolve(ctx, f.key.cluster)
	if err != nil {
		return nil, err
	}
	if f.isOver() {
		return nil, context.Canceled // the scan ends
	}
	who := wiretap.Who{Session: f.key.session, Cluster: f.key.cluster, Origin: wiretap.Scan}
	return api.New(upstream.Target{Base: target.Base, Transport: f.scans.opt.Tap.Transport(target.Transport, who)}), nil
}

// errSenseless is an answer that can't be read.
var errSenseless = errors.New("the API server's answer makes no sense")

// statusOf is a request's error as a Status: the API server's own, or one in our words where none came. Its code is
// never 0.
func statusOf(err error) status.Status {
	var known interface {
		error
		HTTPStatus() int
	}
	large := (*api.TooLarge)(nil)
	refused := (*api.Error)(nil)
	switch {
	case errors.As(err, &refused):
		return refused.Status
	case errors.As(err, &large), errors.Is(err, bufio.ErrTooLong):
		return status.Parse(http.StatusRequestEntityTooLarge, []byte(err.Error()))
	case errors.Is(err, errSenseless):
		return status.Parse(http.StatusBadGateway, []byte(err.Error()))
	case errors.As(err, &known):
		return status.Parse(known.HTTPStatus(), []byte(known.Error()))
	}
	out := upstream.Unreach(err)
	return status.Parse(out.HTTPStatus(), []byte(out.Words()))
}
