package task

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/lessons/room"
	"github.com/fieldmark/fieldmark/lessons/standing"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/server/wiretap"
)

// long is how long a test waits for what must come: the machine may be busy.
const long = 60 * time.Second

// practiceEnv names the kubeconfig of a practice cluster that runs; make test sets it.
const practiceEnv = "FIELDMARK_TEST_PRACTICE_KUBECONFIG"

const session = "me"

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// lab has the tasks of one session on the practice cluster. What it sends is the learner's.
type lab struct {
	*Tasks
	t       *testing.T
	tap     *wiretap.Log
	targets map[string]upstream.Target
	over    chan struct{} // closed when the login ends
}

func practice(t *testing.T) *lab {
	t.Helper()
	file := os.Getenv(practiceEnv)
	if file == "" {
		t.Skipf("SKIPPED, NOT TESTED: %s names no kubeconfig of a running practice cluster; make test starts one", practiceEnv)
	}
	clusters := cluster.New(cluster.Options{})
	must(t, clusters.AddFile(file, cluster.FromPractice))
	l := &lab{t: t, tap: wiretap.New(wiretap.Options{}), targets: map[string]upstream.Target{}, over: make(chan struct{})}
	for _, slug := range []string{cluster.Practice, cluster.PracticeViewer} {
		c, _ := clusters.Get(slug)
		target, err := c.Target()
		must(t, err)
		l.targets[slug] = target
	}
	resolve := func(_ context.Context, slug string) (*upstream.Target, error) {
		target := l.targets[slug]
		return &target, nil
	}
	l.Tasks = New(Options{Resolve: resolve, Tap: l.tap, Login: func(string, string) <-chan struct{} { return l.over }})
	t.Cleanup(l.Close)
	return l
}

func statements(t *testing.T, lines ...string) (all []lesson.Statement) {
	t.Helper()
	for _, l := range lines {
		s, err := lesson.ParseStatement(l)
		must(t, err)
		all = append(all, s)
	}
	return all
}

const shop = "/api/v1/namespaces/{{namespace}}/configmaps/shop"

// painting is a task with a goal of each kind.
func painting(t *testing.T) lesson.Task {
	t.Helper()
	get := func(path string) lesson.Request {
		return lesson.Request{Method: http.MethodGet, Target: path, Header: room.AsJSON[1:]}
	}
	return lesson.Task{
		ID: "painting",
		Start: []lesson.Block{
			{Request: &lesson.Request{Name: "made", Method: http.MethodPost, Target: "/api/v1/namespaces/{{namespace}}/configmaps", Header: room.AsJSON, Body: `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"shop"},"data":{"color":"blue"}}`}},
			{Check: &lesson.Check{Of: "made", Statements: statements(t, "status = 201", "keep json .metadata.uid as uid")}},
		},
		Goals: []lesson.Goal{
			{Kind: lesson.GoalState, Request: get(shop), Statements: statements(t, "json .data.color = red", "json .metadata.uid = {{uid}}")},
			{Kind: lesson.GoalNever, Request: get(shop), Statements: statements(t, "json .type = DELETED")},
			{Kind: lesson.GoalSeen, Request: lesson.Request{Method: http.MethodPatch, Target: shop}, Statements: statements(t, "status = 200")},
			{Kind: lesson.GoalUnseen, Request: lesson.Request{Method: http.MethodPut, Target: shop}},
			{Kind: lesson.GoalAnswer, Choices: []lesson.Choice{{Text: "red", Right: true, Because: "Yes."}, {Text: "blue", Because: "It was."}}},
		},
		Misses: []lesson.Miss{{When: []lesson.Goal{{Kind: lesson.GoalState, Request: get(shop), Statements: statements(t, "json .data.color = green")}}}},
	}
}

var here = Place{cluster.Practice, "painting"}

func (l *lab) begin(of lesson.Task) standing.Standing {
	l.t.Helper()
	must(l.t, l.Start(session, cluster.Practice, of, release.Version(37)))
	return l.until("it is prepared", func(s standing.Standing) bool { return s.Phase != standing.Preparing })
}

// until waits until the task stands as wanted.
func (l *lab) until(what string, so func(standing.Standing) bool) standing.Standing {
	l.t.Helper()
	return l.untilAt(here, what, so)
}

func (l *lab) untilAt(at Place, what string, so func(standing.Standing) bool) (s standing.Standing) {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.t.Context(), long)
	defer cancel()
	for ctx.Err() == nil {
		s, _ = l.Show(ctx, session, at, s.Revision)
		if so(s) {
			return s
		}
	}
	l.t.Fatalf("%s: not within %v: %+v", what, long, s)
	return s
}

// send sends a request of the learner.
func (l *lab) send(s standing.Standing, method, path, contentType, body string) api.Answer {
	l.t.Helper()
	target := l.targets[cluster.Practice]
	target.Transport = l.tap.Transport(target.Transport, wiretap.Who{Session: session, Cluster: cluster.Practice, Origin: wiretap.Client})
	answer, _, err := api.New(target).Exchange(l.t.Context(), api.Request{Method: method, Path: strings.ReplaceAll(path, "{{namespace}}", s.Namespace), ContentType: contentType, Body: []byte(body)})
	must(l.t, err)
	return answer
}

const merge = "application/merge-patch+json"

func state(s standing.Standing, goal int) standing.GoalState { return s.Goals[goal].State }

func TestATaskIsJudgedWhileItIsDone(t *testing.T) {
	l := practice(t)
	s := l.begin(painting(t))
	if s.Phase != standing.Working || state(s, 0) != standing.Open || state(s, 1) != standing.Kept || s.Vars["uid"] == "" {
		t.Fatalf("%+v", s)
	}
	l.send(s, http.MethodPatch, shop, merge, `{"data":{"color":"green"}}`)
	s = l.until("the mistake is told, and the request is seen", func(s standing.Standing) bool { return len(s.Misses) == 1 && state(s, 2) == standing.Reached })
	if s.Phase != standing.Working || s.Goals[0].Why != ".data.color is green." {
		t.Errorf("%+v", s)
	}
	l.Answer(session, here, 4, "blue")
	s = l.until("the answer is explained", func(s standing.Standing) bool { return s.Goals[4].Said != "" })
	if s.Goals[4].Said != "It was." || s.Goals[4].Answer != "blue" || state(s, 4) != standing.Open {
		t.Errorf("%+v", s.Goals[4])
	}
	l.send(s, http.MethodPatch, shop+"-not", merge, `{"data":{"color":"red"}}`) // it is refused, so it doesn't count
	l.Answer(session, here, 4, " RED ")
	begun := time.Now()
	l.send(s, http.MethodPatch, shop, merge, `{"data":{"color":"red"}}`)
	s = l.until("it is solved", func(s standing.Standing) bool { return s.Phase == standing.Solved })
	t.Logf("solved %v after the request", time.Since(begun))
	if s.Writes != 2 || len(s.Misses) != 0 || s.Ended.IsZero() {
		t.Errorf("%+v", s)
	}
	if got := l.send(s, http.MethodGet, "/api/v1/namespaces/{{namespace}}", "", ""); got.Status != http.StatusOK {
		t.Errorf("the namespace of a solved task has the status %d", got.Status)
	}
	l.Stop(session, here)
	if _, ok := l.Newest(session); ok {
		t.Error("the card of a task stays after its end")
	}
	if got := l.send(s, http.MethodGet, "/api/v1/namespaces/{{namespace}}", "", ""); got.Status != http.StatusNotFound && !strings.Contains(string(got.Body), "Terminating") {
		t.Errorf("the namespace stays after the end: %s", got.Body)
	}
}

func TestWhatLosesATask(t *testing.T) {
	l := practice(t)
	for name, how := range map[string]struct {
		do   func(standing.Standing)
		goal int
	}{
		"an object is deleted":          {func(s standing.Standing) { l.send(s, http.MethodDelete, shop, "", "") }, 1},
		"deleted and made again":        {func(s standing.Standing) { l.again(s) }, 1},
		"a request that must not be":    {func(s standing.Standing) { l.send(s, http.MethodPut, shop, "application/json", "{}") }, 3},
		"the whole namespace goes away": {func(s standing.Standing) { l.send(s, http.MethodDelete, "/api/v1/namespaces/{{namespace}}", "", "") }, -1},
	} {
		t.Run(name, func(t *testing.T) {
			s := l.begin(painting(t))
			if s.Phase != standing.Working {
				t.Fatalf("%+v", s)
			}
			how.do(s)
			s = l.until("it is lost", func(s standing.Standing) bool { return s.Phase == standing.Lost })
			if how.goal < 0 && !strings.Contains(s.Why, "namespace") || how.goal >= 0 && state(s, how.goal) != standing.Broken {
				t.Errorf("%+v", s)
			}
		})
	}
	begun := time.Now()
	if s := l.begin(painting(t)); s.Phase != standing.Working {
		t.Errorf("it can't be started over: %+v", s)
	}
	t.Logf("started over in %v", time.Since(begun))
}

// again deletes the object and makes it again.
func (l *lab) again(s standing.Standing) {
	l.send(s, http.MethodDelete, shop, "", "")
	l.send(s, http.MethodPost, "/api/v1/namespaces/{{namespace}}/configmaps", "application/json", `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"shop"},"data":{"color":"red"}}`)
}

func TestATaskThatCannotBegin(t *testing.T) {
	l := practice(t)
	of := painting(t)
	of.Start[1].Check.Statements = statements(t, "status = 418")
	if s := l.begin(of); s.Phase != standing.Failed || !strings.HasPrefix(s.Why, "the start failed: ") {
		t.Errorf("%+v", s)
	}
	newer := painting(t)
	newer.Range = release.Range{Since: 99}
	if err := l.Start(session, cluster.Practice, newer, release.Version(37)); !errors.Is(err, ErrVersion) {
		t.Error(err)
	}
}

func TestTwoSessions_TasksAreTheirOwn(t *testing.T) {
	l := practice(t)
	s := l.begin(painting(t))
	if _, ok := l.Show(t.Context(), "another", here, 0); ok {
		t.Error("another session sees the task")
	}
	if _, ok := l.Newest("another"); ok {
		t.Error("another session has a newest task")
	}
	if at, ok := l.Newest(session); !ok || at != here {
		t.Errorf("%v %v", at, ok)
	}
	close(l.over)
	if _, ok := l.Show(t.Context(), session, here, 0); ok {
		t.Error("the task outlives its login")
	}
	l.EndSession(session)
	if _, ok := l.Newest(session); ok {
		t.Errorf("the task %s outlives its session", s.Namespace)
	}
}

// The events of a watch come after its headers. So a watch is judged as long as it is open.
func TestAWatchIsJudgedByEventsThatComeLater(t *testing.T) {
	l := practice(t)
	of := painting(t)
	of.Goals = []lesson.Goal{{
		Kind: lesson.GoalSeen, Request: lesson.Request{Method: http.MethodGet, Target: "/api/v1/namespaces/{{namespace}}/configmaps?watch=*"},
		Statements: statements(t, "status = 200", "events DELETED where .metadata.name = shop = 1"),
	}}
	s := l.begin(of)
	target := l.targets[cluster.Practice]
	target.Transport = l.tap.Transport(target.Transport, wiretap.Who{Session: session, Cluster: cluster.Practice, Origin: wiretap.Client})
	body, _, err := api.New(target).Stream(t.Context(), api.Request{Path: "/api/v1/namespaces/" + s.Namespace + "/configmaps?watch=true", MaxBytes: mostBody})
	must(t, err)
	defer body.Close()
	go io.Copy(io.Discard, body) //nolint:errcheck // it ends with the test
	l.until("the open watch is judged", func(s standing.Standing) bool { return s.Goals[0].Why != "" })
	l.send(s, http.MethodDelete, shop, "", "")
	l.until("its event counts", func(s standing.Standing) bool { return s.Phase == standing.Solved })
}

// held sends requests, and holds back their responses until it is closed.
type held struct {
	next http.RoundTripper
	free chan struct{}
}

func (h held) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := h.next.RoundTrip(r)
	<-h.free
	return response, err
}

// hold sends a request of the learner. Its response is held back until it is released; sent is closed after that.
func (l *lab) hold(s standing.Standing, method, path, body string) (sent <-chan struct{}, release func()) {
	target, free, over := l.targets[cluster.Practice], make(chan struct{}), make(chan struct{})
	learner := *l
	learner.targets = map[string]upstream.Target{cluster.Practice: {Base: target.Base, Transport: held{target.Transport, free}}}
	go func() {
		defer close(over)
		learner.send(s, method, path, "application/json", body)
	}()
	return over, func() { close(free) }
}

// A shell stays open for as long as somebody works in it.
func TestAnOpenShellKeepsNoTaskFromBeingSolved(t *testing.T) {
	l := practice(t)
	of := painting(t)
	of.Goals = of.Goals[:1]
	s := l.begin(of)
	sent, release := l.hold(s, http.MethodPost, "/api/v1/namespaces/{{namespace}}/pods/shell/exec", "")
	defer func() { release(); <-sent }()
	for ; l.tap.View(session).Last() == 0; time.Sleep(10 * time.Millisecond) {
	}
	l.send(s, http.MethodPatch, shop, merge, `{"data":{"color":"red"}}`)
	if s = l.until("it is solved", func(s standing.Standing) bool { return s.Phase == standing.Solved }); s.Writes != 1 {
		t.Errorf("%d writes", s.Writes)
	}
}

// The effect of a write can be seen before its response. The write may break a goal, and it counts.
func TestATaskIsSolvedOnlyAfterItsWritesHaveEnded(t *testing.T) {
	l := practice(t)
	of := painting(t)
	of.Goals = []lesson.Goal{of.Goals[0], of.Goals[3]} // the color, and no PUT
	s := l.begin(of)
	target := l.targets[cluster.Practice]
	sent, release := l.hold(s, http.MethodPut, shop, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"shop"},"data":{"color":"red"}}`)
	client := api.New(target)
	for color := ""; !strings.Contains(color, `"red"`); {
		answer, _, err := client.Exchange(t.Context(), api.Request{Method: http.MethodGet, Path: strings.ReplaceAll(shop, "{{namespace}}", s.Namespace)})
		must(t, err)
		color = string(answer.Body)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond) // the judge looks twice
	defer cancel()
	for ctx.Err() == nil {
		if s, _ = l.Show(ctx, session, here, s.Revision); s.Phase != standing.Working {
			t.Fatalf("judged before the write has ended: %+v", s)
		}
	}
	release()
	<-sent
	s = l.until("the write breaks the goal", func(s standing.Standing) bool { return s.Phase != standing.Working })
	if s.Phase != standing.Lost || state(s, 1) != standing.Broken || s.Writes != 1 {
		t.Errorf("%+v", s)
	}
}

// What has to last is reached when it has lasted, and begins anew after a break.
func TestAStateThatHasToLast(t *testing.T) {
	l := practice(t)
	of := painting(t)
	of.Goals = of.Goals[:1]
	of.Goals[0].Hold = 3
	s := l.begin(of)
	l.send(s, http.MethodPatch, shop, merge, `{"data":{"color":"red"}}`)
	l.until("it is so", func(s standing.Standing) bool { return strings.HasPrefix(s.Goals[0].Why, "It has been so for") })
	l.send(s, http.MethodPatch, shop, merge, `{"data":{"color":"blue"}}`)
	l.until("it is broken", func(s standing.Standing) bool { return !strings.HasPrefix(s.Goals[0].Why, "It has been so for") })
	l.send(s, http.MethodPatch, shop, merge, `{"data":{"color":"red"}}`)
	begun := time.Now()
	l.until("it has lasted", func(s standing.Standing) bool { return s.Phase == standing.Solved })
	if took := time.Since(begun); took < 3*time.Second {
		t.Errorf("it was reached after %v", took)
	}
}
