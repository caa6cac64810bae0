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
)

const (
	namespaces = "/api/v1/namespaces"
	scenarios  = "/apis/practice.fieldmark.dev/v1alpha1/scenarios"
)

// Time limits for the preparation and the cleanup of a lesson.
const (
	readyTime    = time.Minute
	scenarioTime = 5 * time.Minute
	leaveTime    = time.Minute
)

// prepare creates the namespace and the Scenario of a lesson, and waits for the objects that controllers create in a new namespace.
func (r *run) prepare(ctx context.Context) error {
	if err := r.await(ctx, readyTime, "/readyz", "status = 200"); err != nil {
		return fmt.Errorf("the API server is not ready: %w", err)
	}
	name := r.vars[lesson.Namespace]
	if err := r.make(ctx, namespaces, map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name}}); err != nil {
		return fmt.Errorf("the namespace wasn't created: %w", err)
	}
	for _, path := range []string{"/serviceaccounts/default", "/configmaps/kube-root-ca.crt"} {
		if err := r.await(ctx, readyTime, namespaces+"/"+name+path, "status = 200"); err != nil {
			return fmt.Errorf("the namespace is not complete: %w", err)
		}
	}
	if r.lesson.Scenario == "" {
		return nil
	}
	text, err := r.vars.Expand(r.lesson.Scenario)
	if err != nil {
		return fmt.Errorf("the scenario: %w", err)
	}
	object := map[string]any{
		"apiVersion": "practice.fieldmark.dev/v1alpha1", "kind": "Scenario", "metadata": map[string]any{"name": name}, "spec": json.RawMessage(text),
	}
	if err := r.make(ctx, scenarios, object); err != nil {
		return fmt.Errorf("the Scenario wasn't created: %w", err)
	}
	if err := r.await(ctx, scenarioTime, scenarios+"/"+name, `json .status.conditions[type="Holds"].status = True`); err != nil {
		return fmt.Errorf("the Scenario isn't ready (condition Holds): %w", err)
	}
	return nil
}

// Version is the version of the server, in its own words and as a value. It waits until the server responds.
func (c *Client) Version(ctx context.Context) (string, release.Version, error) {
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	for {
		a, err := c.sendRequest(ctx, lesson.Request{Method: http.MethodGet, Target: "/version", Header: jsonBody[1:]})
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

// make creates an object.
func (r *run) make(ctx context.Context, collection string, object map[string]any) error {
	body, err := json.Marshal(object)
	if err != nil {
		return err
	}
	return r.wants(ctx, http.StatusCreated, lesson.Request{Method: http.MethodPost, Target: collection, Header: jsonBody, Body: string(body)})
}

var jsonBody = []lesson.Header{{Name: "Content-Type", Value: "application/json"}, {Name: "Accept", Value: "application/json"}}

// wants sends a request that isn't the lesson's own, and expects a status code.
func (r *run) wants(ctx context.Context, want int, q lesson.Request) error {
	a, err := r.client.sendRequest(ctx, q)
	if err != nil {
		return err
	}
	r.logRequest(q, a)
	if a.Status != want {
		return fmt.Errorf("%s %s: %d %s", q.Method, q.Target, a.Status, status.Excerpt(a.Body, 300))
	}
	return nil
}

// await sends a GET repeatedly until a statement is true.
func (r *run) await(ctx context.Context, most time.Duration, path, statement string) error {
	s, err := lesson.ParseStatement(statement)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, most, fmt.Errorf("not within %v", most))
	defer cancel()
	pause := firstPause / 2
	for {
		a, err := r.client.sendRequest(ctx, lesson.Request{Method: http.MethodGet, Target: path, Header: jsonBody[1:]})
		v := s.Judge(a, r.vars)
		if err == nil && v.OK {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("GET %s: %w; %s; %s", path, context.Cause(ctx), verdictText(v), status.Excerpt(a.Body, 600))
		case <-time.After(pause):
			pause = min(2*pause, lastPause)
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
		r.remove(ctx, scenarios+"/"+name)
		if r.lesson.Alone {
			if err := r.await(ctx, leaveTime, scenarios+"/"+name, "status = 404"); err != nil {
				r.fail(1, "the Scenario wasn't removed: %v", err)
			}
		}
	}
	r.remove(ctx, namespaces+"/"+name)
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
	a, err := r.client.sendRequest(ctx, lesson.Request{Method: http.MethodDelete, Target: path, Header: jsonBody[1:]})
	if err != nil {
		r.fail(1, "%s wasn't removed: %v", path, err)
		return
	}
	if a.Status >= http.StatusBadRequest && a.Status != http.StatusNotFound {
		r.fail(1, "%s wasn't removed: %d %s", path, a.Status, strings.TrimSpace(status.Excerpt(a.Body, 300)))
	}
}
