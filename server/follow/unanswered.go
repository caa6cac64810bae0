package follow

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/fieldmark/fieldmark/cli/rescue"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/api"
)

// mostRenewed is how many chunks a state may have that is listed again and again while the watch isn't answered.
const mostRenewed = 10

// await opens the watch. If the API server doesn't begin its response, a server that is alive still answers lists: some proxies hold a watch
// until its first event, and some servers need long to begin one. Then the sink is told, and gets the state by lists.
//
//	watch  ──────────────── 40 s ────────────────▶ response: events after the last list
//	           list      list      list
//	           │ Begin, Keep, Whole; Silent (Unanswered)
func (s *stream) await(ctx context.Context) error {
	if s.arriving.Load() || s.group.Pace.Answer == 0 {
		return s.requestWatch(s.ctx)
	}
	answered := make(chan error, 1)
	var opening rescue.Group
	opening.Go(func() {
		defer close(answered)
		answered <- s.requestWatch(s.ctx)
	})
	next := time.NewTimer(s.group.Pace.Answer)
	defer next.Stop()
	for {
		select {
		case err := <-answered:
			opening.Wait() // raises a panic
			return err
		case <-next.C:
			if err := s.unanswered(ctx); err != nil {
				s.cancel(err)
				opening.Wait()
				return err
			}
			next.Reset(2 * s.group.Pace.Answer)
		}
	}
}

// unanswered tells the sink that the watch isn't answered, and lists. An error is a refusal, which ends the watch.
func (s *stream) unanswered(ctx context.Context) error {
	if s.vigil.isSilent() {
		return nil // nothing is answered
	}
	switch err := s.renew(ctx); {
	case err == nil:
		s.sign = s.group.Now()
		s.late.Reset(s.patience(s.group.Pace.Head)) // the server is alive
	case refusal(err):
		return err
	}
	s.sink.Silent(Trouble{At: s.group.Now(), Sign: s.sign, Why: status.Status{
		Code: http.StatusGatewayTimeout, Reason: status.Unanswered,
		Message: "The API server responds to lists, but it hasn't responded to the watch yet. What you see is as of the last list.",
	}})
	return nil
}

// refusal tells whether an error of a list ends the watch, too.
func refusal(err error) bool {
	code := api.Code(err)
	return errors.Is(err, errOver) || code >= http.StatusBadRequest && code < http.StatusInternalServerError && code != http.StatusTooManyRequests
}

// renew lists the whole state again, and gives it to the sink when it is complete. If it is too large for that, or if versions can't be
// compared, the sink keeps the state that it has.
func (s *stream) renew(ctx context.Context) error {
	var keep []func() error
	var first Chunk
	list := &Reflector{group: s.group, source: s.source, sink: s.sink, listing: newListing(s.source.Limit, Had{})}
	list.session.Store(s.session.Load())
	for {
		c, err := list.fetch(ctx)
		if err != nil {
			return err
		}
		if keep = append(keep, c.Keep); len(keep) == 1 {
			first = c
		}
		if _, compares := number(first.Version); !compares || !s.source.Renews {
			return nil
		}
		if used, _ := list.listing.progress.Take(c.Chunk); !used || len(keep) == mostRenewed && c.Next != "" {
			return nil
		}
		if c.Next == "" {
			return s.renewed(ctx, first.Version, keep)
		}
	}
}

// renewed gives a list to the sink. The watch began at an earlier version, so it will repeat what the list has.
func (s *stream) renewed(ctx context.Context, version string, keep []func() error) error {
	if version == s.version {
		return nil // nothing happened
	}
	if !s.sink.Begin(ctx, Start{Gap: watch.Unanswered}) {
		return ctx.Err()
	}
	for _, k := range keep {
		if err := k(); err != nil {
			return senseless(err)
		}
	}
	if err := s.sink.Whole(version, nil); err != nil {
		return senseless(err)
	}
	s.skip, _ = number(version)
	s.seen(version)
	return nil
}

// repeats tells whether a list had the event. Versions of one API server are numbers that grow; client-go compares them as well.
func (s *stream) repeats(e watch.Event) bool {
	if s.skip == 0 {
		return false
	}
	if n, compares := number(e.Head().Version); compares && n <= s.skip {
		return true
	}
	s.skip = 0 // all that follows is newer
	return false
}

func number(version string) (n uint64, compares bool) {
	n, err := strconv.ParseUint(version, 10, 64)
	return n, err == nil && n > 0
}

// isSilent tells whether nothing is heard of the API server.
func (v *vigil) isSilent() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.silent
}
