package task

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/lessons/room"
	"github.com/fieldmark/fieldmark/lessons/standing"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/identity"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/server/wiretap"
)

// run is a task that somebody works on.
type run struct {
	opt              Options
	session, cluster string
	login            <-chan struct{}
	task             lesson.Task
	poke             chan struct{} // judge again

	mu       sync.Mutex
	standing standing.Standing
	changed  chan struct{} // closed and made anew with each revision
	looked   time.Time     // when somebody last asked for the standing
	answers  map[int]string
	watches  map[int]*watched  // by the place of the goal
	met      map[int]bool      // goals of requests that were seen
	holds    map[int]time.Time // since when states are so that have to last, by the place of the goal
	worked   time.Time         // when the learner last sent a request
	log      *requests
}

func newRun(o Options, session, clusterSlug string, of lesson.Task, login <-chan struct{}) *run {
	unique := strings.ToLower(rand.Text()[:6])
	namespace := "task-" + of.ID + "-" + unique
	r := &run{
		opt: o, session: session, cluster: clusterSlug, login: login, task: of, poke: make(chan struct{}, 1), changed: make(chan struct{}),
		answers: map[int]string{}, watches: map[int]*watched{}, met: map[int]bool{}, holds: map[int]time.Time{}, looked: o.Now(),
		standing: standing.Standing{
			Revision: 1, Task: of.ID, Phase: standing.Preparing, Namespace: namespace, Vars: lesson.Vars{lesson.Namespace: namespace, lesson.Unique: unique},
			Goals: make([]standing.Goal, len(of.Goals)), Misses: []int{}, Began: o.Now(),
		},
	}
	for i, g := range of.Goals {
		r.standing.Goals[i].State = standing.Open
		if g.Kind.Broken() {
			r.standing.Goals[i].State = standing.Kept
		}
	}
	return r
}

// run prepares the task, judges it until the context ends or nobody looks at it any more, and removes what it made.
func (r *run) run(ctx context.Context) {
	defer r.cleanUp()
	defer func() {
		if p := recover(); p != nil {
			r.opt.Log.Error("a task panicked", "task", r.task.ID, "panic", p)
			r.end(standing.Failed, "A bug in Fieldmark ended the task.")
		}
	}()
	if err := r.prepare(ctx); err != nil {
		r.end(standing.Failed, err.Error())
		return
	}
	r.log = newRequests(r)
	r.watchAll(ctx)
	r.change(func(s *standing.Standing) { s.Phase = standing.Working })
	r.judgeOn(ctx)
}

// change changes the standing, and tells those who wait for it.
func (r *run) change(how func(*standing.Standing)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := r.standing
	next.Goals = append([]standing.Goal{}, r.standing.Goals...)
	how(&next)
	if reflect.DeepEqual(next, r.standing) {
		return
	}
	next.Revision++
	r.standing = next
	close(r.changed)
	r.changed = make(chan struct{})
}

func (r *run) end(p standing.Phase, why string) {
	r.change(func(s *standing.Standing) { s.Phase, s.Why, s.Ended = p, why, r.opt.Now() })
}

// show is the standing, after the revision.
func (r *run) show(ctx context.Context, revision uint64) standing.Standing {
	for {
		r.mu.Lock()
		s, changed := r.standing, r.changed
		r.looked = r.opt.Now()
		r.mu.Unlock()
		if s.Revision != revision {
			s.Vars = maps.Clone(s.Vars)
			return s
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return s
		}
	}
}

func (r *run) answer(goal int, text string) {
	r.mu.Lock()
	r.answers[goal] = text
	r.mu.Unlock()
	r.again()
}

// again has the task judged again.
func (r *run) again() {
	select {
	case r.poke <- struct{}{}:
	default:
	}
}

func (r *run) vars() lesson.Vars {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.standing.Vars)
}

// slug is the cluster under which requests of a user are sent.
func (r *run) slug(as string) string {
	if as == "" {
		return r.cluster
	}
	return cluster.ViewerOf(r.cluster)
}

// client sends requests of a user. What is told is in the wire log.
func (r *run) client(ctx context.Context, as string, told bool) (*api.Client, error) {
	select {
	case <-r.login:
		return nil, errors.New("the credentials or the address in the kubeconfig changed")
	default:
	}
	found, err := r.opt.Resolve(identity.WithSession(ctx, r.session), r.slug(as))
	if err != nil {
		return nil, err
	}
	target := upstream.Target{Base: found.Base, Transport: found.Transport}
	if told {
		target.Transport = r.opt.Tap.Transport(found.Transport, wiretap.Who{Session: r.session, Cluster: r.slug(as), Origin: wiretap.Scan})
	}
	return api.New(target), nil
}

// patience is how long one request may take, and mostBody how much of its response is read.
const (
	patience = 20 * time.Second
	mostBody = 16 << 20
)

// send sends a request of the task, whose variables have values.
func (r *run) send(ctx context.Context, q lesson.Request, told bool) (lesson.Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	client, err := r.client(ctx, q.As, told)
	if err != nil {
		return lesson.Answer{}, err
	}
	request := api.Request{Method: q.Method, Path: q.Target, Body: []byte(q.Body), MaxBytes: mostBody, Header: http.Header{}}
	for _, h := range q.Header {
		switch {
		case strings.EqualFold(h.Name, "Accept"):
			request.Accept = h.Value
		case strings.EqualFold(h.Name, "Content-Type"):
			request.ContentType = h.Value
		default:
			request.Header.Add(h.Name, h.Value)
		}
	}
	answer, _, err := client.Exchange(ctx, request)
	if err != nil {
		return lesson.Answer{}, fmt.Errorf("%s %s: %w", q.Method, q.Target, err)
	}
	a := lesson.Answer{Status: answer.Status, Body: answer.Body, Size: int64(len(answer.Body))}
	for name, values := range answer.Header {
		for _, value := range values {
			a.Header = append(a.Header, lesson.Header{Name: name, Value: value})
		}
	}
	return a, nil
}

// quietly sends requests that aren't in the wire log.
func (r *run) quietly(ctx context.Context, q lesson.Request) (lesson.Answer, error) {
	return r.send(ctx, q, false)
}

// prepare makes the namespace and the Scenario, and sends the requests of the start.
func (r *run) prepare(ctx context.Context) error {
	spec, err := r.vars().Expand(r.task.Scenario)
	if err != nil {
		return fmt.Errorf("the Scenario: %w", err)
	}
	making := room.Send(func(ctx context.Context, q lesson.Request) (lesson.Answer, error) { return r.send(ctx, q, !q.Reads()) })
	if err := making.Make(ctx, r.standing.Namespace, spec); err != nil {
		return err
	}
	answers := map[string]lesson.Answer{}
	for _, b := range r.task.Start {
		if err := r.startBlock(ctx, b, answers); err != nil {
			return fmt.Errorf("the start failed: %w", err)
		}
	}
	return nil
}

// startBlock sends a request of the start, or waits for a check of it and keeps its values.
func (r *run) startBlock(ctx context.Context, b lesson.Block, answers map[string]lesson.Answer) (err error) {
	switch {
	case b.Request != nil:
		q, err := b.Request.Expanded(r.vars())
		if err != nil {
			return err
		}
		answers[q.Name], err = r.send(ctx, q, true)
		return err
	case b.Check != nil:
		a := answers[b.Check.Of]
		if b.Check.Get != "" {
			path, err := r.vars().Expand(b.Check.Get)
			if err != nil {
				return err
			}
			if a, err = room.Send(r.quietly).Await(ctx, max(time.Duration(b.Check.Within)*time.Second, patience), path, b.Check.Statements, r.vars()); err != nil {
				return err
			}
		}
		return r.keep(b.Check.Statements, a)
	}
	return nil
}

// keep takes values of a response as variables. Each statement has to be true.
func (r *run) keep(all []lesson.Statement, a lesson.Answer) error {
	vars := r.vars()
	for _, s := range all {
		if v := s.Judge(a, vars); !v.OK {
			return errors.New(v.String())
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.standing.Vars = vars
	return nil
}

// cleanUp removes what the task made. It has its own time, because the task's has ended.
func (r *run) cleanUp() {
	ctx, cancel := context.WithTimeout(context.Background(), room.ReadyTime)
	defer cancel()
	remove := []lesson.Request{room.Delete(room.Namespaces + "/" + r.standing.Namespace)}
	if r.task.Scenario != "" {
		remove = append(remove, room.Delete(room.Scenarios+"/"+r.standing.Namespace))
	}
	for _, q := range r.task.Cleanup {
		if expanded, err := q.Expanded(r.vars()); err == nil {
			remove = append(remove, expanded)
		}
	}
	for _, q := range remove {
		if a, err := r.send(ctx, q, true); err != nil || a.Status >= http.StatusBadRequest && a.Status != http.StatusNotFound {
			r.opt.Log.Warn("a task could not remove what it made", "task", r.task.ID, "target", q.Target, "status", a.Status, "err", err)
		}
	}
	r.change(func(s *standing.Standing) {
		if s.Phase != standing.Failed { // its page says why
			s.Phase = standing.Over
		}
	})
}
