// Package room makes the place in a cluster in which a lesson or a task is done: a namespace, and the Scenario that the cluster has to hold to. The checker of
// lessons and the judge of tasks each have their own way to send requests.
package room

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// Namespaces and Scenarios are the paths of the collections.
const (
	Namespaces = "/api/v1/namespaces"
	Scenarios  = "/apis/practice.fieldmark.dev/v1alpha1/scenarios"
)

// ReadyTime is how long the cluster may need for something small, and scenarioTime how long for a Scenario.
const (
	ReadyTime    = time.Minute
	scenarioTime = 5 * time.Minute
)

// The pauses between two requests that wait for something.
const (
	firstPause = 50 * time.Millisecond
	lastPause  = time.Second
)

// AsJSON are the headers of requests with a body in JSON. Those without one have all but the first.
var AsJSON = []lesson.Header{{Name: "Content-Type", Value: "application/json"}, {Name: "Accept", Value: "application/json"}}

// Get is a GET for JSON.
func Get(path string) lesson.Request {
	return lesson.Request{Method: http.MethodGet, Target: path, Header: AsJSON[1:]}
}

// Delete deletes an object.
func Delete(path string) lesson.Request {
	return lesson.Request{Method: http.MethodDelete, Target: path, Header: AsJSON[1:]}
}

// Send sends a request, whose variables have values.
type Send func(ctx context.Context, q lesson.Request) (lesson.Answer, error)

// Make makes a namespace, waits until controllers have made in it what each namespace has, and makes a Scenario of the same name. An empty spec stands for
// no Scenario.
func (send Send) Make(ctx context.Context, name, spec string) error {
	object := map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name}}
	if err := send.create(ctx, Namespaces, object); err != nil {
		return fmt.Errorf("the namespace wasn’t created: %w", err)
	}
	for _, g := range lesson.Furnishings() {
		if err := send.Until(ctx, ReadyTime, Namespaces+"/"+name+"/"+g.Resource+"/"+g.Name, "status = 200"); err != nil {
			return fmt.Errorf("the namespace isn’t complete: %w", err)
		}
	}
	if spec == "" {
		return nil
	}
	object = map[string]any{
		"apiVersion": "practice.fieldmark.dev/v1alpha1", "kind": "Scenario", "metadata": map[string]any{"name": name}, "spec": json.RawMessage(spec),
	}
	if err := send.create(ctx, Scenarios, object); err != nil {
		return fmt.Errorf("the Scenario wasn’t created: %w", err)
	}
	if err := send.Until(ctx, scenarioTime, Scenarios+"/"+name, `json .status.conditions[type="Holds"].status = True`); err != nil {
		return fmt.Errorf("the Scenario isn’t ready (condition Holds): %w", err)
	}
	return nil
}

func (send Send) create(ctx context.Context, collection string, object map[string]any) error {
	body, err := json.Marshal(object)
	if err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	a, err := send(ctx, lesson.Request{Method: http.MethodPost, Target: collection, Header: AsJSON, Body: string(body)})
	if err == nil && a.Status != http.StatusCreated {
		err = fmt.Errorf("POST %s: %d %s", collection, a.Status, status.Excerpt(a.Body, 300))
	}
	return err
}

// Until sends a GET again and again, until a statement is true of the response.
func (send Send) Until(ctx context.Context, most time.Duration, path, statement string) error {
	s, err := lesson.ParseStatement(statement)
	if err == nil {
		_, err = send.Await(ctx, most, path, []lesson.Statement{s}, nil)
	}
	return err
}

// Await sends a GET again and again, until all statements are true of the response.
func (send Send) Await(ctx context.Context, most time.Duration, path string, all []lesson.Statement, vars lesson.Vars) (lesson.Answer, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, most, fmt.Errorf("not within %v", most))
	defer cancel()
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		a, err := send(ctx, Get(path))
		v, ok := lesson.Holds(all, a, vars)
		if err == nil && ok {
			return a, nil
		}
		select {
		case <-ctx.Done():
			return a, fmt.Errorf("GET %s: %w; %s; %s", path, context.Cause(ctx), v, status.Excerpt(a.Body, 600))
		case <-time.After(pause):
		}
	}
}
