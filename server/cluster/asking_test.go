package cluster

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/feature"
	"github.com/fieldmark/fieldmark/server/api"
)

// scripted is a client of a server that stands in for old, crippled or broken API servers.
func scripted(t *testing.T, h http.HandlerFunc) *api.Client {
	t.Helper()
	ca := newPKI(t)
	client, err := load(t, oneContext(ca.serve(time.Now().Add(time.Hour), h).URL, ca.pem), Options{}).Client()
	must(t, err)
	return client
}

func offers(features []Feature) map[string]Offer {
	all := map[string]Offer{}
	for _, f := range features {
		all[string(f.ID)] = f.Offered
	}
	return all
}

func TestFeaturesOfOtherServers(t *testing.T) {
	reply := func(code int, media, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", media)
			w.WriteHeader(code)
			fmt.Fprint(w, body)
		}
	}
	same := func(o Offer) map[string]Offer {
		all := map[string]Offer{}
		for _, q := range questions {
			all[string(q.of.ID)] = o
		}
		return all
	}
	but := func(all map[string]Offer, id string, o Offer) map[string]Offer { all[id] = o; return all }
	for name, c := range map[string]struct {
		server http.HandlerFunc
		want   map[string]Offer
	}{
		"knows none of it":          {reply(404, "application/json", "{}"), same(No)},
		"accepts nothing":           {reply(406, "application/json", "{}"), same(No)},
		"answers plainly":           {reply(200, "application/json", `{"kind":"NamespaceList"}`), but(same(No), "server-side-apply", Unknown)},
		"forbids":                   {reply(403, "application/json", `{"kind":"Status"}`), same(Unknown)},
		"does not know us":          {reply(401, "application/json", `{"kind":"Status"}`), same(Unknown)},
		"fails":                     {reply(500, "text/plain", "boom"), same(Unknown)},
		"finds watch lists invalid": {reply(422, "application/json", `{"kind":"Status","message":"sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled"}`), but(same(Unknown), "streaming-lists", No)},
		"without apply":             {reply(415, "application/json", `{"kind":"Status"}`), same(No)},
	} {
		t.Run(name, func(t *testing.T) {
			all := AskFeatures(t.Context(), scripted(t, c.server))
			got := offers(all)
			for id, want := range c.want {
				if got[id] != want {
					t.Errorf("%s: %s instead of %s", id, got[id], want)
				}
			}
			for _, f := range all {
				if f.Why == "" || f.Asked.Code == 0 || f.Asked.Path == "" {
					t.Errorf("%+v", f)
				}
			}
		})
	}
}

// A page may ask for a feature, if that is a request which only reads. It is asked once a minute, and what has no result is told as unknown.
func TestOffersOfOneFeature(t *testing.T) {
	var asked atomic.Int32
	ca := newPKI(t)
	server := ca.serve(time.Now().Add(time.Hour), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if !strings.HasPrefix(r.URL.Path, "/api/v1") {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		w.WriteHeader(http.StatusNotAcceptable)
	}))
	c := load(t, oneContext(server.URL, ca.pem), Options{})
	for range 3 {
		if got := c.Offers(t.Context(), nil, feature.CBOR.ID); got != No {
			t.Errorf("CBOR: %s", got)
		}
	}
	if asked.Load() != 1 {
		t.Errorf("asked %d times", asked.Load())
	}
	c.Forget()
	for f, want := range map[feature.ID]Offer{feature.CBOR.ID: No, feature.OpenAPI.ID: Unknown, feature.ServerSideApply.ID: Unknown, "nonsense": Unknown} {
		if got := c.Offers(t.Context(), nil, f); got != want {
			t.Errorf("%s: %s, want %s", f, got, want)
		}
	}
	if asked.Load() != 3 { // what would be a write is not asked
		t.Errorf("asked %d times", asked.Load())
	}
}

// Every feature has its question, in the order in which features are shown.
func TestEveryFeatureHasAQuestion(t *testing.T) {
	all := feature.All()
	if len(all) != len(questions) {
		t.Fatalf("%d features, %d questions", len(all), len(questions))
	}
	for i, f := range all {
		if questions[i].of != f {
			t.Errorf("question %d is about %s, not %s", i, questions[i].of.ID, f.ID)
		}
	}
}

// A watch without the mark ends by itself; one that never ends is left at the deadline.
func TestStreamingListsThatNeverEnd(t *testing.T) {
	client := scripted(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, `{"type":"ADDED","object":{}}`)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if got := offers(AskFeatures(ctx, client))["streaming-lists"]; got != Unknown {
		t.Errorf("got %s", got)
	}
}

// No question may be able to change anything: only GETs, reviews that are never stored, a PATCH that is a dry run
// without the field manager it would need, and a DELETE that is a dry run for an object that doesn't exist.
func TestQuestionsCanNotWrite(t *testing.T) {
	for _, q := range questions {
		for _, r := range []*api.Request{&q.request, q.instead} {
			if r == nil || r.Method == http.MethodGet {
				continue
			}
			path, _, _ := strings.Cut(r.Path, "?")
			review := r.Method == http.MethodPost && (strings.HasSuffix(path, "/selfsubjectreviews") || strings.HasSuffix(path, "/selfsubjectaccessreviews"))
			dry := strings.Contains(r.Path, "dryRun=All") && !strings.Contains(r.Path, "fieldManager") &&
				(r.Method == http.MethodPatch || r.Method == http.MethodDelete && strings.Contains(path, "/configmaps/fieldmark-asks-for-a-feature"))
			if !review && !dry || r == &q.request && q.review != review {
				t.Errorf("%s asks %s %s", q.of.ID, r.Method, r.Path)
			}
		}
	}
}

// An old server with one aggregated API that is down: the rest is told, and what is not is told too.
func TestDiscoverLegacyWithAHole(t *testing.T) {
	client := scripted(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		body, ok := map[string]string{
			"/api":          `{"kind":"APIVersions","versions":["v1"]}`,
			"/api/v1":       `{"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"pods","kind":"Pod","verbs":["list"]}]}`,
			"/apis":         `{"kind":"APIGroupList","groups":[{"name":"apps","versions":[{"version":"v1"}]},{"name":"metrics.k8s.io","versions":[{"version":"v1beta1"}]}]}`,
			"/apis/apps/v1": `{"kind":"APIResourceList","groupVersion":"apps/v1","resources":[{"name":"deployments","kind":"Deployment","verbs":["list"]}]}`,
		}[r.URL.Path]
		if !ok {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		fmt.Fprint(w, body)
	})
	c, err := Discover(t.Context(), client)
	must(t, err)
	if len(c.Listable()) != 2 || len(c.Groups) != 3 || c.Groups[0].Name != "" {
		t.Errorf("%+v", c)
	}
	if len(c.Failures) != 1 || c.Failures[0].Group != "metrics.k8s.io" || !strings.Contains(c.Failures[0].Why, "503") {
		t.Errorf("%+v", c.Failures)
	}
}

func TestDiscoverErrors(t *testing.T) {
	for name, h := range map[string]http.HandlerFunc{
		"401":     func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(401) },
		"no JSON": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") },
		"bad form": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io")
		},
	} {
		if c, err := Discover(t.Context(), scripted(t, h)); err == nil {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

func TestCounts(t *testing.T) {
	client := scripted(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/v1/pods":
			fmt.Fprint(w, `{"metadata":{"continue":"x","remainingItemCount":9999},"items":[{}]}`)
		case "/apis/apps/v1/unsaid":
			fmt.Fprint(w, `{"metadata":{"continue":"x"},"items":[{}]}`)
		case "/apis/apps/v1/whole":
			fmt.Fprint(w, `{"items":[{},{},{}]}`)
		case "/apis/apps/v1/forbidden":
			w.WriteHeader(http.StatusForbidden)
		case "/apis/apps/v1/odd":
			fmt.Fprint(w, "odd")
		case "/apis/apps/v1/slow":
			<-r.Context().Done()
		}
	})
	list := func(group, resource string) discovery.Type {
		return discovery.Type{Group: group, Version: "v1", Resource: resource, Verbs: []string{"list"}}
	}
	catalog := discovery.Catalog{Groups: []discovery.Group{
		{Preferred: "v1", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{list("", "pods"), {Version: "v1", Resource: "bindings"}}}}},
		{Name: "apps", Preferred: "v1", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{
			list("apps", "unsaid"), list("apps", "whole"), list("apps", "forbidden"), list("apps", "odd"), list("apps", "slow"),
		}}}},
	}}
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	got := CountAll(ctx, client, catalog)
	for key, want := range map[TypeKey]Count{
		{"", "pods"}:          {Objects: 10000, Known: true},
		{"apps", "unsaid"}:    {Objects: 1, Known: true, AtLeast: true},
		{"apps", "whole"}:     {Objects: 3, Known: true},
		{"apps", "forbidden"}: {Forbidden: true},
		{"apps", "odd"}:       {},
		{"apps", "slow"}:      {},
	} {
		count := got[key]
		if (count.Why == "") != want.Known {
			t.Errorf("%v: %+v", key, count)
		}
		if count.Why = ""; count != want {
			t.Errorf("%v: got %+v, want %+v", key, count, want)
		}
	}
	if len(got) != 6 {
		t.Errorf("%d types", len(got))
	}
}

func TestNonsenseIsNoDiscoveryEach(t *testing.T) {
	ca := newPKI(t)
	var asked atomic.Int32
	server := ca.serve(time.Now().Add(time.Hour), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.Header().Set("Content-Type", "application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io")
		fmt.Fprint(w, `{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2"}`)
	}))
	now := time.Now()
	c := load(t, oneContext(server.URL, ca.pem), Options{Now: func() time.Time { return now }})
	ask := func() {
		if _, found, err := c.Type(t.Context(), nil, "no", "", "nonsense"); found || err != nil {
			t.Errorf("%v %v", found, err)
		}
	}
	for range 10 {
		ask()
	}
	if n := asked.Load(); n != 2 {
		t.Errorf("%d requests", n)
	}
	now = now.Add(catalogFresh + time.Millisecond)
	ask()
	if n := asked.Load(); n != 4 {
		t.Errorf("%d requests", n)
	}
	fresh := func() {
		if _, err := c.Fresh(t.Context(), nil); err != nil {
			t.Error(err)
		}
	}
	fresh() // the catalog is new enough
	now = now.Add(catalogFresh + time.Millisecond)
	fresh()
	if n := asked.Load(); n != 6 {
		t.Errorf("%d requests", n)
	}
}

func TestMemo(t *testing.T) {
	now := time.Now()
	var m memo[int]
	made := 0
	r := recipe[int]{now: func() time.Time { return now }, life: time.Second, limit: time.Minute, make: func(context.Context) (int, error) {
		made++
		if made == 2 {
			return 0, errors.New("no")
		}
		return made, nil
	}}
	want := func(value int, fails bool) {
		t.Helper()
		got, err := m.get(t.Context(), r)
		if got != value || (err != nil) != fails {
			t.Errorf("got %d, %v", got, err)
		}
	}
	want(1, false)
	want(1, false)
	now = now.Add(time.Second)
	want(0, true) // errors are not kept
	want(3, false)
	m.forget()
	want(4, false)
	if m.forgetOlder(now) {
		t.Error("a value made now is not older")
	}
	left, cancel := context.WithCancel(t.Context())
	cancel()
	m.forget()
	hold := make(chan struct{})
	r.make = func(ctx context.Context) (int, error) { <-hold; return 7, ctx.Err() }
	if _, err := m.get(left, r); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	close(hold)
	want(7, false) // who left has not taken the making along
}
