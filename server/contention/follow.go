package contention

import (
	"context"
	"errors"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/contention"
	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/walk"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/follow"
)

// chunkSize is how many objects are listed at once.
const chunkSize = 250

// follower reads one resource type for a scan. It is the sink of a Reflector, which runs in one goroutine.
type follower struct {
	*run
	index    int
	arriving bool // the initial state still arrives; guarded by the run
	turn     bool // the type holds one of run.turns
}

// follow lists and watches a type until the API server refuses, or ctx ends.
func (f *follower) follow(ctx context.Context, of discovery.Type) {
	defer f.yield()
	f.scans.following.Reflector(f.source(of), f, follow.Had{}).Run(ctx)
}

func (f *follower) source(of discovery.Type) follow.Source {
	namespace := ""
	if of.Namespaced {
		namespace = f.plan.Namespace
	}
	return follow.Source{
		Session: f.key.session, Cluster: f.key.cluster, Limit: chunkSize, Over: f.login,
		Question: follow.Question{Collection: apipath.Collection(of.Group, of.Version, namespace, of.Resource)},
	}
}

func (f *follower) state(s report.State, why status.Status) {
	f.with(func(scan *contention.Scan) { scan.State(f.index, s, why) })
}

// Begin implements follow.Sink. It waits for the type's turn.
func (f *follower) Begin(ctx context.Context, s follow.Start) bool {
	if !f.turn {
		select {
		case f.turns <- struct{}{}:
			f.turn = true
		case <-ctx.Done():
			return false
		}
	}
	f.with(func(scan *contention.Scan) {
		f.arriving = true
		if !s.Continues {
			scan.Begin(f.index)
		}
		scan.State(f.index, report.Reading, status.Status{})
	})
	return true
}

func (f *follower) yield() {
	if f.turn {
		f.turn = false
		<-f.turns
	}
}

// Chunk implements follow.Sink.
func (f *follower) Chunk(body []byte) (follow.Chunk, error) {
	var objects [][]byte
	listed, ok := walk.List(body, func(object []byte) { objects = append(objects, object) })
	if !ok {
		return follow.Chunk{}, errors.New("it is not a list")
	}
	c := follow.Chunk{Version: listed.Version, Chunk: watch.Chunk{Items: len(objects), Next: listed.Continue}}
	if len(objects) > 0 {
		c.First = string(objects[0])
	}
	c.Keep = func() error {
		now := f.scans.opt.Now()
		f.with(func(scan *contention.Scan) {
			for _, o := range objects {
				scan.See(f.index, o, true, now)
			}
		})
		return nil
	}
	return c, nil
}

// Whole implements follow.Sink. The list is complete, so the next type can be listed.
func (f *follower) Whole(string, []byte) error {
	f.with(func(scan *contention.Scan) {
		f.arriving = false
		scan.Whole(f.index)
		scan.State(f.index, report.Followed, status.Status{})
	})
	f.yield()
	return nil
}

// Opened implements follow.Sink.
func (f *follower) Opened() {
	f.with(func(scan *contention.Scan) {
		now := report.Followed
		if f.arriving {
			now = report.Reading
		}
		scan.State(f.index, now, status.Status{})
	})
}

// Event implements follow.Sink.
func (f *follower) Event(kind watch.Type, object []byte) (version string, err error) {
	now := f.scans.opt.Now()
	f.with(func(scan *contention.Scan) {
		if kind == watch.Deleted {
			version = scan.Delete(f.index, object, now)
		} else {
			version = scan.See(f.index, object, f.arriving, now)
		}
	})
	return version, nil
}

// Passed implements follow.Sink.
func (f *follower) Passed(string) {}

// Silent implements follow.Sink.
func (f *follower) Silent(t follow.Trouble) { f.state(report.Troubled, t.Why) }

// Wait implements follow.Sink. During the wait another type can be listed.
func (f *follower) Wait(t follow.Trouble) {
	if t.Why.Code != 0 {
		f.state(report.Troubled, t.Why)
	}
	f.yield()
}

// Stop implements follow.Sink.
func (f *follower) Stop(why status.Status) { f.state(report.Refused, why) }
