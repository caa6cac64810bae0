package deletion

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components/dependents"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/finalizer"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/call/dryrun"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

const path = "/api/v1/namespaces/shop/configmaps/a"

var verbs = []string{"create", "delete", "get", "list", "patch", "update", "watch"}

func configMap(t testing.TB, version, more string) object.Object {
	t.Helper()
	o, err := object.Parse([]byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"shop","uid":"u1","resourceVersion":"` + version + `"` + more + `}}`))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// begun is the page of an object, and what it asks.
func begun(t testing.TB, o object.Object, changes ...func(*Model)) (Model, []page.Cmd) {
	t.Helper()
	p, err := apipath.Parse(path)
	if err != nil {
		t.Fatal(err)
	}
	m := Model{
		Frame: page.Frame{Shell: shell.Model{Cluster: shell.Cluster{Slug: "practice"}}}, Path: p, Object: o, Options: ParseOptions(url.Values{}),
		Type: discovery.Type{Version: "v1", Resource: "configmaps", Kind: "ConfigMap", Namespaced: true, Verbs: verbs},
	}
	for _, change := range changes {
		change(&m)
	}
	next, commands := m.Awake(time.Unix(1000, 0))
	return next.(Model), commands
}

func after(t testing.TB, m Model, messages ...page.Msg) (Model, []page.Cmd) {
	t.Helper()
	var commands []page.Cmd
	for _, msg := range messages {
		p, more := m.Update(msg)
		m, commands = p.(Model), append(commands, more...)
	}
	return m, commands
}

// sent is the last request that deletes.
func sent(t testing.TB, commands []page.Cmd) page.Call {
	t.Helper()
	var last *page.Call
	for _, c := range commands {
		if s, ok := c.(page.Call); ok && s.Method == "DELETE" {
			last = &s
		}
	}
	if last == nil {
		t.Fatalf("nothing is sent: %+v", commands)
	}
	return *last
}

func reply(id string, status int, body string) page.Response {
	return page.Response{ID: id, Status: status, Body: []byte(body)}
}

const success = `{"kind":"Status","apiVersion":"v1","status":"Success","details":{"name":"a","uid":"u1"}}`

func text(t testing.TB, o object.Object) string {
	t.Helper()
	data, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestRequests(t *testing.T) {
	pod := func(m *Model) { m.Type.Resource = "pods" }
	for name, c := range map[string]struct {
		query url.Values
		kind  func(*Model)
		want  string
	}{
		"as usual":      {url.Values{}, nil, `{"kind":"DeleteOptions","apiVersion":"v1","dryRun":["All"],"propagationPolicy":"Background","preconditions":{"uid":"u1","resourceVersion":"7"}}`},
		"uid alone":     {url.Values{"only-if": {"uid"}}, nil, `{"kind":"DeleteOptions","apiVersion":"v1","dryRun":["All"],"propagationPolicy":"Background","preconditions":{"uid":"u1"}}`},
		"by name":       {url.Values{"only-if": {"none"}, "propagation": {"Orphan"}}, nil, `{"kind":"DeleteOptions","apiVersion":"v1","dryRun":["All"],"propagationPolicy":"Orphan"}`},
		"grace":         {url.Values{"grace": {"5"}, "only-if": {"none"}}, pod, `{"kind":"DeleteOptions","apiVersion":"v1","dryRun":["All"],"propagationPolicy":"Background","gracePeriodSeconds":5}`},
		"no grace here": {url.Values{"grace": {"5"}, "only-if": {"none"}}, nil, `{"kind":"DeleteOptions","apiVersion":"v1","dryRun":["All"],"propagationPolicy":"Background"}`},
		"nonsense":      {url.Values{"propagation": {"Sideways"}, "only-if": {"x"}}, nil, `{"kind":"DeleteOptions","apiVersion":"v1","dryRun":["All"],"propagationPolicy":"Background","preconditions":{"uid":"u1","resourceVersion":"7"}}`},
	} {
		_, commands := begun(t, configMap(t, "7", ""), func(m *Model) {
			m.Options = ParseOptions(c.query)
			if c.kind != nil {
				c.kind(m)
			}
		})
		s := sent(t, commands)
		if s.Path != path+"?dryRun=All" || request.Field(s.Header, "Content-Type") != "application/json" || strings.Join(strings.Fields(string(s.Body)), "") != c.want {
			t.Errorf("%s: %s %s %s", name, s.Path, request.Field(s.Header, "Content-Type"), s.Body)
		}
	}
}

func TestGracePeriods(t *testing.T) {
	for grace, wrong := range map[string]string{"": "", "30": "", "0": "forced deletion", "-1": "a number", "x": "a number", "99999999999": "a number"} {
		m, _ := begun(t, configMap(t, "7", ""), func(m *Model) { m.Type.Resource, m.Options.Grace = "pods", grace })
		why := m.unready()
		if wrong == "" && why != "Fieldmark is waiting for the dry run." || !strings.Contains(why, wrong) {
			t.Errorf("%q: %q", grace, why)
		}
	}
}

func TestWhatADryRunAnswers(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"Status":         {success, "the object is deleted at once."},
		"the object":     {`{"apiVersion":"v1","kind":"Service","metadata":{"name":"a"}}`, "the object is deleted at once."},
		"one finalizer":  {`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","deletionTimestamp":"2026-11-21T12:00:00Z","finalizers":["x.io/y"]}}`, "until its finalizer is removed"},
		"two finalizers": {`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","finalizers":["x.io/y","orphan"]}}`, "until its 2 finalizers are removed"},
		"grace":          {`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","deletionTimestamp":"2026-11-21T12:00:00Z","deletionGracePeriodSeconds":30}}`, "30 s to stop"},
		"namespace":      {`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a"},"spec":{"finalizers":["kubernetes"]}}`, "until its finalizer is removed"},
	} {
		m, _ := begun(t, configMap(t, "7", ""))
		m, _ = after(t, m, reply(dryrun.ID(askDry, 1), 200, c.body))
		if got := m.verdict(m.live.dry.answer); !strings.Contains(got, c.want) || m.unready() != "" {
			t.Errorf("%s: %q, %q", name, got, m.unready())
		}
	}
}

func TestDeletedAndGone(t *testing.T) {
	m, _ := begun(t, configMap(t, "7", ""))
	if next, commands := after(t, m, page.Acted{Action: doDelete}); len(commands) > 0 || next.live.real != nil {
		t.Fatal("it is sent before its dry run is answered")
	}
	m, commands := after(t, m, reply(dryrun.ID(askDry, 1), 200, success), page.Acted{Action: doDelete})
	s := sent(t, commands)
	if s.Path != path || strings.Contains(string(s.Body), "dryRun") {
		t.Errorf("%s %s", s.Path, s.Body)
	}
	if _, commands = after(t, m, page.Acted{Action: doDelete}); len(commands) > 0 {
		t.Error("it is sent twice")
	}
	going := configMap(t, "8", `,"deletionTimestamp":"2026-11-21T12:00:00Z","finalizers":["a.io/x","b.io/y"]`)
	m, _ = after(t, m, reply(dryrun.ID(askReal, 2), 200, text(t, going)), reply(askLook, 200, text(t, going)))
	if !m.going() || m.sum() != "The deletion waits for 2 finalizers." {
		t.Errorf("%q", m.sum())
	}
	event := func(kind watch.Type, o object.Object) page.Received {
		return page.Received{Message: wire.Message{Type: wire.Events, ID: subscription, Events: []wire.Event{{Type: kind, Object: []byte(text(t, o))}}}}
	}
	one := configMap(t, "9", `,"deletionTimestamp":"2026-11-21T12:00:00Z","finalizers":["b.io/y"]`)
	m, commands = after(t, m, event(watch.Modified, one))
	if m.sum() != "The deletion waits for 1 finalizer." || len(commands) == 0 {
		t.Errorf("%q, %v", m.sum(), commands)
	}
	m, _ = after(t, m, event(watch.Deleted, one))
	if m.sum() != "The object is deleted." || m.unready() != "The object is already deleted." {
		t.Errorf("%q, %q", m.sum(), m.unready())
	}
	other, err := object.Parse([]byte(strings.Replace(text(t, configMap(t, "20", "")), "u1", "u2", 1)))
	if err != nil {
		t.Fatal(err)
	}
	m, _ = after(t, m, event(watch.Added, other))
	if !m.another() || m.going() {
		t.Errorf("%q", m.sum())
	}
}

func TestRefusals(t *testing.T) {
	const conflict = `{"kind":"Status","status":"Failure","reason":"Conflict","code":409,"message":"the ResourceVersion in the precondition (7) does not match"}`
	m, _ := begun(t, configMap(t, "7", ""))
	m, _ = after(t, m, reply(dryrun.ID(askDry, 1), 200, success), page.Acted{Action: doDelete}, reply(dryrun.ID(askReal, 2), 409, conflict))
	if m.live.raced == nil || m.live.raced.seen {
		t.Fatalf("%+v", m.live.raced)
	}
	m, commands := after(t, m, reply(askLook, 200, text(t, configMap(t, "8", `,"labels":{"x":"y"}`))))
	if !m.live.raced.seen || len(m.live.raced.effect.Values) != 1 || m.live.raced.effect.Values[0].Path != ".metadata.labels.x" {
		t.Errorf("%+v", m.live.raced)
	}
	if s := sent(t, commands); !strings.Contains(s.Path, "dryRun=All") || !strings.Contains(string(s.Body), `"resourceVersion": "8"`) {
		t.Errorf("%s %s", s.Path, s.Body)
	}
	m, _ = begun(t, configMap(t, "7", ""))
	m, _ = after(t, m, page.Connection{State: page.Open}, page.Received{Message: wire.Message{Type: wire.Synced, ID: subscription}},
		reply(dryrun.ID(askDry, 1), 200, success), page.Acted{Action: doDelete}, reply(dryrun.ID(askReal, 2), 409, conflict),
		page.Received{Message: wire.Message{Type: wire.Events, ID: subscription, Events: []wire.Event{{Type: watch.Modified, Object: []byte(text(t, configMap(t, "9", "")))}}}},
		reply(askLook, 200, text(t, configMap(t, "8", ""))))
	if got := m.live.pinned.Meta("resourceVersion"); got != "9" {
		t.Errorf("a read that an event has overtaken: the page shows version %s", got)
	}
	m, _ = begun(t, configMap(t, "7", ""))
	m, _ = after(t, m, reply(dryrun.ID(askDry, 1), 403, `{"kind":"Status","status":"Failure","reason":"Forbidden","code":403,"message":"no"}`))
	if m.unready() != "The API server refuses the request." {
		t.Errorf("%q", m.unready())
	}
	m, _ = after(t, m, reply(askMay, 201, `{"kind":"SelfSubjectAccessReview","status":{"allowed":false,"reason":"no rule"}}`))
	if m.unready() != "You don’t have permission to delete configmaps: no rule" {
		t.Errorf("%q", m.unready())
	}
	m.Shell.ReadOnly = true
	if !strings.Contains(m.unready(), "--read-only") {
		t.Errorf("%q", m.unready())
	}
	m, _ = begun(t, configMap(t, "7", ""))
	m, _ = after(t, m, reply(dryrun.ID(askDry, 1), 200, success), page.Acted{Action: doDelete}, reply(dryrun.ID(askReal, 2), 404, `{"kind":"Status","reason":"NotFound","code":404,"message":"no"}`))
	if !m.live.followed.Gone() {
		t.Error("404 is gone")
	}
	m, _ = begun(t, configMap(t, "7", ""))
	m, commands = after(t, m, reply(dryrun.ID(askDry, 1), 200, success), page.Acted{Action: doDelete}, reply(dryrun.ID(askReal, 2), 0, ""))
	if m.sum() != "The API server refused the deletion." || len(commands) == 0 {
		t.Errorf("no answer: %q, %v", m.sum(), commands)
	}
}

func TestFate(t *testing.T) {
	owned := []dependents.Ref{
		{Kind: "ReplicaSet", Name: "a", Blocks: true},
		{Kind: "Pod", Name: "a-1", Depth: 1, Blocks: true},
		{Kind: "Pod", Name: "a-2", Depth: 1, Others: 1},
		{Kind: "ConfigMap", Name: "b"},
	}
	for p, want := range map[Propagation]string{
		Background: "2 objects have this object as their owner. 2 more objects are indirect dependents. They are deleted after the object.",
		Foreground: "2 objects have this object as their owner. 2 more objects are indirect dependents. They are deleted first. 1 direct dependent blocks the deletion until it is gone.",
		Orphan:     "2 objects have this object as their owner. 2 more objects are indirect dependents. All of them stay.",
	} {
		m := Model{Owned: owned, Options: Options{Propagation: p}}
		if got := m.fate(); got != want {
			t.Errorf("%s: %q", p, got)
		}
	}
}

func TestFinalizersAreExplained(t *testing.T) {
	for name, want := range map[string]string{
		"foregroundDeletion": "garbage collector", "kubernetes.io/pvc-protection": "no Pod uses the claim", "external-attacher/x": "detached",
		"x.example.com/y": "The controller of x.example.com", "bare": "The controller that added this finalizer",
	} {
		if got := finalizer.Explain(name); !strings.Contains(got.Words, want) {
			t.Errorf("%s: %q", name, got.Words)
		}
	}
}

// TestTheRequestIsShownOnce: and the sentence below it is true of the dry run.
func TestTheRequestIsShownOnce(t *testing.T) {
	for name, query := range map[string]url.Values{"as usual": {}, "by name": {"only-if": {"none"}, "propagation": {"Orphan"}}} {
		m, commands := begun(t, configMap(t, "7", ""), func(m *Model) { m.Options = ParseOptions(query) })
		var b strings.Builder
		if err := page.Main(m).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(b.String(), `class="http"`); n != 1 || !strings.Contains(b.String(), "The dry run is the same request with") {
			t.Errorf("%s: %d requests are shown", name, n)
		}
		dry, earnest := sent(t, commands), m.request(false)
		if got := strings.Replace(string(dry.Body), "  \"dryRun\": [\n    \"All\"\n  ],\n", "", 1); got != string(earnest.Body) {
			t.Errorf("%s: the dry run's body is %s, the other one %s", name, dry.Body, earnest.Body)
		}
		if dry.Method != earnest.Method || dry.Path != earnest.Path+"?dryRun=All" {
			t.Errorf("%s: %s %s", name, dry.Method, dry.Path)
		}
	}
}
