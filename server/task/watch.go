package task

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/lessons/room"
	"github.com/fieldmark/fieldmark/server/api"
)

// watched is a watch for something that must not happen.
type watched struct {
	goal    lesson.Goal
	path    string // of the collection
	query   url.Values
	version string // of the last event
	broken  bool
	gap     bool
}

// reopen is how long a watch that ended waits before it is opened again.
const reopen = time.Second

// watchAll begins the watches of the task. It returns when all of them run, so that nothing is missed.
func (r *run) watchAll(ctx context.Context) {
	for i, g := range r.task.Goals {
		if g.Kind != lesson.GoalNever {
			continue
		}
		w := &watched{goal: g}
		r.watches[i] = w
		if err := r.begin(ctx, w); err != nil {
			w.gap = true
			r.opt.Log.Warn("a task could not watch", "task", r.task.ID, "err", err)
			continue
		}
		body, err := r.open(ctx, w)
		go r.follow(ctx, w, body, err)
	}
}

// begin finds out from which version on to watch.
func (r *run) begin(ctx context.Context, w *watched) error {
	target, err := r.vars().Expand(w.goal.Request.Target)
	if err != nil {
		return err
	}
	path, query, _ := strings.Cut(target, "?")
	p, err := apipath.Parse(path)
	if err != nil {
		return err
	}
	if w.query, err = url.ParseQuery(query); err != nil {
		return fmt.Errorf("the query of a watch: %w", err)
	}
	if p.Name != "" {
		w.query.Set("fieldSelector", "metadata.name="+p.Name)
		p = apipath.Collection(p.Group, p.Version, p.Namespace, p.Resource)
	}
	w.path = p.String()
	a, err := r.list(ctx, w)
	if err != nil {
		return err
	}
	version, ok := (lesson.Subject{Kind: lesson.JSON, Path: ".metadata.resourceVersion"}).Of(a, nil)
	if !ok {
		return errors.New("the list has no version")
	}
	w.version = version
	return nil
}

// list lists what is watched.
func (r *run) list(ctx context.Context, w *watched) (lesson.Answer, error) {
	q := room.Get(w.path + "?" + w.query.Encode())
	q.As = w.goal.Request.As
	return r.quietly(ctx, q)
}

// open begins the watch after the last event.
func (r *run) open(ctx context.Context, w *watched) (*bufio.Scanner, error) {
	client, err := r.client(ctx, w.goal.Request.As, false)
	if err != nil {
		return nil, err
	}
	query := url.Values{"watch": {"1"}, "allowWatchBookmarks": {"true"}, "resourceVersion": {w.version}}
	for name, values := range w.query {
		query[name] = values
	}
	body, _, err := client.Stream(ctx, api.Request{Path: w.path + "?" + query.Encode(), MaxBytes: 1 << 40})
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { _ = body.Close() })
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, mostBody)
	return lines, nil
}

// follow judges the events of a watch until the task ends. A watch that ends is opened again after its last event. If the server no longer knows that
// version, nobody knows what happened in between.
func (r *run) follow(ctx context.Context, w *watched, lines *bufio.Scanner, err error) {
	for ctx.Err() == nil {
		switch {
		case err == nil:
			for lines.Scan() {
				r.event(w, lines.Bytes())
			}
		case api.Code(err) == status.CodeGone:
			r.lose(w)
		}
		if r.lost(w) {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(reopen):
		}
		lines, err = r.open(ctx, w)
	}
}

// caughtUp tells whether the watches have received the last change of each object that is there now. A goal may be reached by the same write that breaks
// another one, and the event of a write can come later than the response to a read.
func (j judging) caughtUp(ctx context.Context) bool {
	for _, w := range j.run.watches {
		if j.run.lost(w) {
			continue // that is told
		}
		a, err := j.run.list(ctx, w)
		if err != nil {
			continue
		}
		var list struct {
			Items []struct {
				Metadata struct {
					ResourceVersion string `json:"resourceVersion"`
				} `json:"metadata"`
			} `json:"items"`
		}
		if json.Unmarshal(a.Body, &list) != nil {
			continue
		}
		j.run.mu.Lock()
		seen := w.version
		j.run.mu.Unlock()
		for _, o := range list.Items {
			if later(o.Metadata.ResourceVersion, seen) {
				return false
			}
		}
	}
	return true
}

// later tells whether a resource version comes after another one. What is no number can't be compared.
func later(version, than string) bool {
	a, err := strconv.ParseUint(version, 10, 64)
	b, err2 := strconv.ParseUint(than, 10, 64)
	return err == nil && err2 == nil && a > b
}

// lose notes that nobody knows all that happened.
func (r *run) lose(w *watched) {
	r.mu.Lock()
	w.gap = true
	r.mu.Unlock()
	r.again()
}

func (r *run) lost(w *watched) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return w.gap
}

// event judges one event.
func (r *run) event(w *watched, line []byte) {
	e, err := watch.ParseEvent(line)
	if err != nil {
		return
	}
	a := lesson.Answer{Status: 200, Body: append([]byte{}, line...), Size: int64(len(line))}
	version, _ := (lesson.Subject{Kind: lesson.JSON, Path: ".object.metadata.resourceVersion"}).Of(a, nil)
	vars := r.vars()
	r.mu.Lock()
	switch {
	case e.Type == watch.Error:
		w.gap = w.gap || strings.Contains(string(line), `"code":410`)
	case e.Type == watch.Bookmark:
		w.version = version
	default:
		w.version = version
		w.broken = w.broken || w.goal.Breaks(a, vars)
	}
	r.mu.Unlock()
	if e.Type != watch.Bookmark {
		r.again()
	}
}
