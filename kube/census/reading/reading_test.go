package reading

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/status"
)

// server is a scripted one: what it sends depends on the path, the token and how often it was asked for them.
type server struct {
	mu     sync.Mutex
	asked  map[string]int
	log    []string
	waits  []time.Duration
	now    time.Time
	at     int // requests under way
	most   int
	answer func(path, token string, times int) (string, *status.Status)
	hold   func(path string) // called while the request is under way
}

func (s *server) send() Send {
	s.asked = map[string]int{}
	return Send{Get: s.get, Wait: s.wait, Now: s.clock, Panicked: func(any) {}}
}

func (s *server) clock() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

func (s *server) wait(_ context.Context, d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waits = append(s.waits, d)
}

func (s *server) get(_ context.Context, target, accept string) ([]byte, *status.Status) {
	u, err := url.Parse(target)
	if err != nil || accept != Accept {
		return nil, &status.Status{Code: 400, Message: target + accept}
	}
	s.mu.Lock()
	token := u.Query().Get("continue")
	s.asked[u.Path+token]++
	times := s.asked[u.Path+token]
	s.log = append(s.log, target)
	s.at++
	s.most = max(s.most, s.at)
	s.mu.Unlock()
	if s.hold != nil {
		s.hold(u.Path)
	}
	text, no := s.answer(u.Path, token, times)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at--
	return []byte(text), no
}

func chunk(next string, names ...string) string {
	var items []string
	for _, n := range names {
		items = append(items, fmt.Sprintf(`{"metadata":{"name":%q,"namespace":"n","managedFields":[{"manager":"m","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:a":{}}}}]}}`, n))
	}
	return fmt.Sprintf(`{"kind":"PartialObjectMetadataList","metadata":{"continue":%q,"remainingItemCount":7},"items":[%s]}`, next, strings.Join(items, ","))
}

var configmaps = discovery.Type{Version: "v1", Resource: "configmaps", Kind: "ConfigMap", Namespaced: true}

func plan(types ...discovery.Type) Plan {
	return Plan{Types: types, Served: func(string) bool { return true }}
}

func read(s *server, p Plan) report.Report {
	r := New(p, s.send())
	r.Run(context.Background())
	return r.Report()
}

// busy is a server that says twice when to ask again.
func busy(_, _ string, times int) (string, *status.Status) {
	switch times {
	case 1:
		return "", &status.Status{Code: 429, RetryAfterSeconds: 7}
	case 2:
		return "", &status.Status{Code: 503, RetryAfterSeconds: 100_000}
	}
	return chunk("", "a"), nil
}

// behind is a server whose memory is behind its store when it is asked for the second chunk.
func behind(_, token string, times int) (string, *status.Status) {
	switch {
	case token == "":
		return chunk("t", "a"), nil
	case times == 1:
		return "", &status.Status{Code: 504, Reason: "Timeout", Message: "Too large resource version: 9, current: 7", RetryAfterSeconds: 1}
	}
	return chunk("", "b"), nil
}

func TestWholeObjectsAreReadWhereAServerKnowsNoMetadataAlone(t *testing.T) {
	if !strings.HasSuffix(Accept, ",application/json") {
		t.Errorf("such a server responds with 406 to %s", Accept)
	}
	whole := `{"kind":"StationList","metadata":{},"items":[{"kind":"Station","metadata":{"name":"s"},"spec":{"metadata":{"name":"no","managedFields":[{"manager":"x"}]}}}]}`
	s := &server{answer: func(string, string, int) (string, *status.Status) { return whole, nil }}
	if typ := read(s, plan(configmaps)).Types[0]; typ.State != report.Read || typ.Objects != 1 || typ.Unrecorded != 1 || typ.Bytes != int64(len(`{"name":"s"}`)) {
		t.Errorf("%+v", typ)
	}
}

func TestChunksAndRefusals(t *testing.T) {
	forbidden := &status.Status{Code: 403, Reason: status.Forbidden, Message: "no"}
	for name, c := range map[string]struct {
		answer  func(path, token string, times int) (string, *status.Status)
		state   report.State
		objects int
		phase   report.Phase
		waits   string
	}{
		"two chunks": {func(_, token string, _ int) (string, *status.Status) {
			if token == "" {
				return chunk("t", "a", "b"), nil
			}
			return chunk("", "c"), nil
		}, report.Read, 3, report.Done, "[]"},
		"refused": {func(string, string, int) (string, *status.Status) { return "", forbidden }, report.Refused, 0, report.Failed, "[]"},
		"expired once": {func(_, token string, times int) (string, *status.Status) {
			switch {
			case token == "":
				return chunk("t", "a"), nil
			case times == 1:
				return "", &status.Status{Code: 410, Reason: status.Expired}
			}
			return chunk("", "b"), nil
		}, report.Read, 2, report.Done, "[]"},
		"always expires": {func(_, token string, _ int) (string, *status.Status) {
			if token == "" {
				return chunk("t", "a"), nil
			}
			return "", &status.Status{Code: 410, Reason: status.Expired, Message: "too old"}
		}, report.Partly, 1, report.Done, "[]"},
		"busy":                  {busy, report.Read, 1, report.Done, "[7s 2m0s]"},
		"behind its store":      {behind, report.Read, 2, report.Done, "[1s]"},
		"a proxy that gives up": {func(string, string, int) (string, *status.Status) { return "", &status.Status{Code: 504} }, report.Refused, 0, report.Failed, "[]"},
		"always busy":           {func(string, string, int) (string, *status.Status) { return "", &status.Status{Code: 429} }, report.Refused, 0, report.Failed, "[1s 1s 1s 1s]"},
		"same token":            {func(string, string, int) (string, *status.Status) { return chunk("t", "a"), nil }, report.Partly, 2, report.Done, "[]"},
		"no objects": {
			func(_, token string, _ int) (string, *status.Status) { return chunk(token + "x"), nil },
			report.Refused, 0, report.Failed, "[]",
		},
		"no list": {func(string, string, int) (string, *status.Status) { return `{"kind":"Status"}`, nil }, report.Refused, 0, report.Failed, "[]"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &server{answer: c.answer}
			r := read(s, plan(configmaps))
			typ := r.Types[0]
			if typ.State != c.state || typ.Objects != c.objects || r.Phase != c.phase || fmt.Sprint(s.waits) != c.waits {
				t.Errorf("%s: %s with %d objects, %s, waits %v", r.Phase, typ.State, typ.Objects, typ.Why, s.waits)
			}
			if (typ.State != report.Read) != (typ.Why != "" || typ.Code != 0) {
				t.Errorf("why: %+v", typ)
			}
		})
	}
}

func TestLargeChunksBecomeSmaller(t *testing.T) {
	s := &server{}
	s.answer = func(_, _ string, times int) (string, *status.Status) {
		if times < 3 {
			return "", &status.Status{Code: 413}
		}
		return chunk("", "a"), nil
	}
	if r := read(s, plan(configmaps)); r.Types[0].State != report.Read || !strings.Contains(s.log[2], "limit=20") {
		t.Errorf("%+v %q", r.Types, s.log)
	}
}

func TestNamespacesOfOnePlan(t *testing.T) {
	s := &server{answer: func(path, _ string, _ int) (string, *status.Status) {
		if strings.Contains(path, "/bad/") {
			return "", &status.Status{Code: 403, Message: "no"}
		}
		return chunk("", path), nil
	}}
	p := plan(configmaps)
	p.Namespaces = []string{"a", "bad", "c"}
	r := read(s, p)
	if r.Types[0].Objects != 2 || r.Types[0].State != report.Partly || r.Types[0].Code != 403 || !slices.Equal(r.Namespaces, p.Namespaces) {
		t.Errorf("%+v", r)
	}
}

// many are types that wait for each other, so that a test sees how many are read at once.
func many(n int) (all []discovery.Type) {
	for i := range n {
		all = append(all, discovery.Type{Version: "v1", Resource: fmt.Sprint("r", i), Namespaced: true})
	}
	return all
}

func TestFourAtOnceAndTwoWhileTheServerIsSlow(t *testing.T) {
	s := &server{answer: func(path, _ string, _ int) (string, *status.Status) { return chunk("", path), nil }}
	four := make(chan struct{})
	s.hold = func(string) {
		s.mu.Lock()
		if s.at == atOnce && len(s.log) == atOnce {
			close(four)
		}
		s.mu.Unlock()
		<-four
	}
	if r := read(s, plan(many(9)...)); s.most != atOnce || r.Types[8].State != report.Read {
		t.Errorf("%d at once, %+v", s.most, r.Types[8])
	}

	slower := &server{answer: s.answer}
	slower.hold = func(string) {
		slower.mu.Lock()
		slower.now = slower.now.Add(2 * slow)
		slower.mu.Unlock()
	}
	r := New(plan(many(9)...), slower.send())
	r.slow = true // as the response before said
	r.Run(context.Background())
	if slower.most > atOnceSlow {
		t.Errorf("%d at once", slower.most)
	}
}

func TestStoppedAtAnyTime(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s := &server{}
	s.answer = func(_, token string, _ int) (string, *status.Status) {
		if token != "" {
			cancel()
			return "", &status.Status{Message: "canceled"}
		}
		return chunk("t", "a"), nil
	}
	r := New(plan(many(9)...), s.send())
	r.Run(ctx)
	shown := r.Report()
	if shown.Phase != report.Stopped || shown.Ended != s.now || len(shown.Managers) != 1 {
		t.Errorf("%+v", shown)
	}
	for _, typ := range shown.Types {
		if typ.State != report.Partly || typ.Why == "" {
			t.Errorf("%+v", typ)
		}
	}
	if _, of, objects := r.Progress(); of != 9 || objects == 0 {
		t.Errorf("%d objects of %d types", objects, of)
	}
}

func TestABugInOneTypeLeavesTheOthers(t *testing.T) {
	s := &server{answer: func(path, _ string, _ int) (string, *status.Status) {
		if strings.HasSuffix(path, "r0") {
			panic("bug")
		}
		return chunk("", path), nil
	}}
	r := read(s, plan(many(3)...))
	if r.Types[0].State != report.Partly || r.Types[0].Code != 500 || r.Types[2].State != report.Read {
		t.Errorf("%+v", r.Types)
	}
}

func TestTypesOfACatalog(t *testing.T) {
	list := []string{"list"}
	catalog := discovery.Catalog{Groups: []discovery.Group{
		{Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{{Version: "v1", Resource: "events", Namespaced: true, Verbs: list}, {Version: "v1", Resource: "nodes", Verbs: list}, {Version: "v1", Resource: "bindings", Namespaced: true}}}}},
		{Name: "events.k8s.io", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{{Group: "events.k8s.io", Version: "v1", Resource: "events", Namespaced: true, Verbs: list}}}}},
	}}
	names := func(all []discovery.Type) (names string) {
		for _, t := range all {
			names += t.FullName() + " "
		}
		return names
	}
	if got := names(TypesOf(catalog, nil)); got != "nodes events.events.k8s.io " {
		t.Error(got)
	}
	if got := names(TypesOf(catalog, []string{"shop"})); got != "events.events.k8s.io " {
		t.Error(got)
	}
}

func TestEachObjectIsTakenAndAgainIfTheListIsLost(t *testing.T) {
	lost := false
	s := &server{answer: func(_, token string, _ int) (string, *status.Status) {
		switch {
		case token == "":
			return chunk("t", "a", "b"), nil
		case !lost:
			lost = true
			return "", &status.Status{Code: status.CodeGone}
		}
		return chunk("", "c"), nil
	}}
	var taken []string
	p := plan(configmaps)
	p.Take = func(of discovery.Type, raw []byte) {
		name, _, _ := strings.Cut(strings.SplitAfter(string(raw), `"name":"`)[1], `"`)
		taken = append(taken, of.Resource+"/"+name)
	}
	p.Lost = func(of discovery.Type) { taken = append(taken, "lost:"+of.Resource) }
	r := New(p, s.send())
	r.Run(t.Context())
	if got := strings.Join(taken, " "); got != "configmaps/a configmaps/b lost:configmaps configmaps/a configmaps/b configmaps/c" || r.Report().Types[0].Objects != 3 {
		t.Errorf("%s, and %d were counted", got, r.Report().Types[0].Objects)
	}
}

func TestObjectsOfACell(t *testing.T) {
	s := &server{answer: func(_, token string, _ int) (string, *status.Status) {
		if token == "" {
			return chunk("t", "a", "b"), nil
		}
		return chunk("", "c"), nil
	}}
	held, more, no := Objects(t.Context(), s.send(), configmaps, nil, "m")
	if len(held) != 3 || more || no != nil || held[2].Path != "/api/v1/namespaces/n/configmaps/c" || held[0].Fields != 1 || !slices.Equal(held[0].Paths, []string{".data.a"}) || held[0].How[0] != "Apply" || held[0].Others != 0 {
		t.Errorf("%+v %v %v", held, more, no)
	}
	if held, more, no := Objects(t.Context(), s.send(), configmaps, nil, "nobody"); len(held) != 0 || more || no != nil {
		t.Errorf("%+v %v %v", held, more, no)
	}
	var names []string
	for i := range MostHeld + 1 {
		names = append(names, fmt.Sprint("o", i))
	}
	s.answer = func(string, string, int) (string, *status.Status) { return chunk("", names...), nil }
	if held, more, no := Objects(t.Context(), s.send(), configmaps, nil, "m"); len(held) != MostHeld || !more || no != nil {
		t.Errorf("%d %v %v", len(held), more, no)
	}
}
