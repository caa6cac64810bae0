package check

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/lessons/room"
)

// leaveTime is the time limit for the cleanup of a lesson.
const leaveTime = time.Minute

// room makes and awaits what isn't the lesson's own.
func (r *run) room() room.Send {
	return func(ctx context.Context, q lesson.Request) (lesson.Answer, error) {
		a, err := r.client.sendRequest(ctx, q)
		if err == nil && !q.Reads() {
			r.logRequest(q, a)
		}
		return a, err
	}
}

// prepare creates the namespace and the Scenario of a lesson, and waits for the objects that controllers create in a new namespace.
func (r *run) prepare(ctx context.Context) error {
	if err := r.room().Until(ctx, room.ReadyTime, "/readyz", "status = 200"); err != nil {
		return fmt.Errorf("the API server is not ready: %w", err)
	}
	spec, err := r.vars.Expand(r.lesson.Scenario)
	if err != nil {
		return fmt.Errorf("the scenario: %w", err)
	}
	return r.room().Make(ctx, r.vars[lesson.Namespace], spec)
}

// Version is the version of the server, in its own words and as a value. It waits until the server responds.
func (c *Client) Version(ctx context.Context) (string, release.Version, error) {
	ctx, cancel := context.WithTimeout(ctx, room.ReadyTime)
	defer cancel()
	for {
		a, err := c.sendRequest(ctx, room.Get("/version"))
		var v release.Info
		if err == nil && a.Status == http.StatusOK && json.Unmarshal(a.Body, &v) == nil {
			return v.GitVersion, v.Version(), nil
		}
		select {
		case <-ctx.Done():
			return "", 0, fmt.Errorf("the version of the server can't be read: %d %s %w", a.Status, status.Excerpt(a.Body, 300), cmp.Or(err, ctx.Err()))
		case <-time.After(firstPause):
		}
	}
}

// cleanUpLesson removes the objects of the lesson, even if the lesson failed.
func (r *run) cleanUpLesson(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, leaveTime)
	defer cancel()
	for _, s := range r.streams {
		s.stopWatch()
	}
	for _, q := range r.lesson.Cleanup {
		r.clean(ctx, q)
	}
	name := r.vars[lesson.Namespace]
	if r.lesson.Scenario != "" {
		r.remove(ctx, room.Scenarios+"/"+name)
		if r.lesson.Alone {
			if err := r.room().Until(ctx, leaveTime, room.Scenarios+"/"+name, "status = 404"); err != nil {
				r.fail(1, "the Scenario wasn't removed: %v", err)
			}
		}
	}
	r.remove(ctx, room.Namespaces+"/"+name)
}

// clean sends a request of the lesson's cleanup, unless it needs a value from a response that never came.
func (r *run) clean(ctx context.Context, q lesson.Request) {
	expanded, err := q.Expanded(r.vars)
	if err != nil {
		return
	}
	a, err := r.client.sendRequest(ctx, expanded)
	switch {
	case err != nil:
		r.fail(q.Line, "cleanup: %v", err)
	case a.Status >= http.StatusBadRequest && a.Status != http.StatusNotFound:
		r.fail(q.Line, "cleanup: %s %s: %d", q.Method, expanded.Target, a.Status)
		r.excerpt("", a)
	default:
		r.logRequest(expanded, a)
	}
}

// remove deletes an object that prepare created.
func (r *run) remove(ctx context.Context, path string) {
	a, err := r.client.sendRequest(ctx, room.Delete(path))
	if err != nil {
		r.fail(1, "%s wasn't removed: %v", path, err)
		return
	}
	if a.Status >= http.StatusBadRequest && a.Status != http.StatusNotFound {
		r.fail(1, "%s wasn't removed: %d %s", path, a.Status, strings.TrimSpace(status.Excerpt(a.Body, 300)))
	}
}
