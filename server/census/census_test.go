package census

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/census/reading"
	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/manager/writer"
	"github.com/fieldmark/fieldmark/kube/upgrade"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/errand"
	"github.com/fieldmark/fieldmark/server/follow/fake"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/server/wiretap"
)

// patience is how long a test waits for what must come. It is long: the machine may be busy.
const patience = 60 * time.Second

var (
	configmaps = discovery.Type{Version: "v1", Resource: "configmaps", Kind: "ConfigMap", Namespaced: true, Verbs: []string{"list", "update"}}
	secrets    = discovery.Type{Version: "v1", Resource: "secrets", Kind: "Secret", Namespaced: true, Verbs: []string{"list", "update"}}
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

type lab struct {
	*Censuses
	t   testing.TB
	tap *wiretap.Log
}

func newLab(t testing.TB, resolve func(context.Context, string) (*upstream.Target, error)) *lab {
	t.Helper()
	l := &lab{t: t, tap: wiretap.New(wiretap.Options{})}
	l.Censuses = New(Options{Resolve: resolve, Tap: l.tap})
	t.Cleanup(l.Close)
	return l
}

func plan(types ...discovery.Type) Plan {
	return Plan{Catalog: discovery.Catalog{}.Including("", "v1", types)}
}

// scripted is a server that answers lists of metadata as told.
func scripted(t *testing.T, list http.HandlerFunc) *fake.Server {
	t.Helper()
	s := fake.New(t, nil, nil)
	s.Counts = list
	return s
}

// until waits until the census is as wanted.
func (l *lab) until(so func(r report.Report) bool) report.Report {
	l.t.Helper()
	var r report.Report
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		var ok bool
		if r, ok = l.Show("me", "c"); ok && so(r) {
			return r
		}
	}
	l.t.Fatalf("it did not come about: %+v", r)
	return r
}

func ended(r report.Report) bool { return r.Phase != report.Reading }

func list(next string, names ...string) string {
	var items []string
	for _, n := range names {
		items = append(items, fmt.Sprintf(`{"metadata":{"name":%q,"namespace":"n","managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:a":{}}}}]}}`, n))
	}
	return fmt.Sprintf(`{"kind":"PartialObjectMetadataList","metadata":{"continue":%q},"items":[%s]}`, next, strings.Join(items, ","))
}

func TestAServerThatIsBusyAndRefusesSome(t *testing.T) {
	s := scripted(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept") != reading.Accept {
			t.Errorf("accepts %s", r.Header.Get("Accept"))
		}
		if strings.Contains(r.URL.Path, "secrets") {
			fake.Refuses(http.StatusForbidden, "Forbidden")(w, r)
			return
		}
		turns(w, r)
	})
	l := newLab(t, s.Resolve)
	must(t, l.Start("me", "c", plan(configmaps, secrets)))
	r := l.until(ended)
	if r.Phase != report.Done || r.Types[0].State != report.Read || r.Types[0].Objects != 2 || r.Types[1].State != report.Refused || r.Types[1].Code != 403 || r.Types[1].Why == "" {
		t.Errorf("%+v", r)
	}
	if len(r.Managers) != 1 || r.Managers[0].Writer != writer.System || r.Managers[0].Objects != 2 {
		t.Errorf("%+v", r.Managers)
	}
}

// turns sends two chunks.
func turns(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Query().Get("continue") {
	case "":
		fake.Says(list("t", "a"))(w, r)
	default:
		fake.Says(list("", "b"))(w, r)
	}
}

func TestABusyServerIsAskedAgain(t *testing.T) {
	s := scripted(t, fake.Turns(
		fake.Refuses(http.StatusTooManyRequests, "TooManyRequests", "Retry-After", "1"),
		fake.Says(list("t", "a")), fake.Refuses(http.StatusGone, "Expired"), fake.Says(list("", "a", "b")),
	))
	l := newLab(t, s.Resolve)
	must(t, l.Start("me", "c", plan(configmaps)))
	if r := l.until(ended); r.Types[0].State != report.Read || r.Types[0].Objects != 2 {
		t.Errorf("%+v", r.Types)
	}
}

func TestAServerThatHangs(t *testing.T) {
	s := scripted(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "secrets") {
			fake.Hangs(w, r)
			return
		}
		fake.Says(list("", "a"))(w, r)
	})
	l := newLab(t, s.Resolve)
	must(t, l.Start("me", "c", plan(secrets, configmaps)))
	l.until(func(r report.Report) bool { return r.Types[1].State == report.Read })
	must(t, l.Start("me", "c", plan(configmaps))) // a second one shows the first
	if r, _ := l.Show("me", "c"); len(r.Types) != 2 || r.Phase != report.Reading || len(r.Managers) != 1 {
		t.Errorf("%+v", r)
	}
	if _, ok := l.Show("you", "c"); ok {
		t.Error("somebody else sees it")
	}
	l.Stop("me", "c")
	if r, ok := l.Show("me", "c"); !ok || r.Phase != report.Stopped || r.Types[0].State != report.Partly || r.Types[1].State != report.Read {
		t.Errorf("%v %+v", ok, r)
	}
	must(t, l.Start("me", "c", plan(configmaps)))
	if r := l.until(ended); len(r.Types) != 1 {
		t.Errorf("%+v", r)
	}
	l.EndSession("me")
	if _, ok := l.Show("me", "c"); ok {
		t.Error("it outlives its session")
	}
}

func TestWhatDoesNotStart(t *testing.T) {
	s := scripted(t, fake.Hangs)
	l := newLab(t, s.Resolve)
	if err := l.Start("me", "c", plan()); !errors.Is(err, ErrNothing) {
		t.Error(err)
	}
	must(t, l.Start("me", "c", plan(configmaps)))
	must(t, l.Start("me", "d", plan(configmaps)))
	if err := l.Start("me", "e", plan(configmaps)); !errors.Is(err, errand.ErrBusy) {
		t.Error(err)
	}
	l.Close()
	if err := l.Start("you", "c", plan(configmaps)); !errors.Is(err, errand.ErrOver) {
		t.Error(err)
	}
}

const (
	definition = `{"metadata":{"name":"widgets.example.com"},"spec":{"group":"example.com","names":{"plural":"widgets","kind":"Widget"},"versions":[{"name":"v1","served":true,"storage":true}]}}`
	requested  = `apiserver_requested_deprecated_apis{group="policy",removed_release="1.25",resource="podsecuritypolicies",version="v1beta1"} 1`
)

// One pass answers what an upgrade breaks, and which objects can't be applied.
func TestOnePassAnswersSeveralPages(t *testing.T) {
	s := scripted(t, fake.Says(strings.NewReplacer(`"apiVersion":"v1"`, `"apiVersion":"example.com/v1beta1"`, `"name":"w"`, `"name":"w","annotations":{"argocd.argoproj.io/tracking-id":"web:a"}`).Replace(list("", "w"))))
	s.List = func(w http.ResponseWriter, r *http.Request) {
		said := `{"items":[` + definition + `]}`
		if r.URL.Path == "/metrics" {
			said = requested
		}
		fake.Says(said)(w, r)
	}
	l := newLab(t, s.Resolve)
	if _, ok := l.Facts("me", "c", 38); ok {
		t.Error("facts without a census")
	}
	if _, ok := l.Blocked("me", "c"); ok {
		t.Error("objects without a census")
	}
	if _, ok := l.Owned("me", "c", ""); ok || l.Release("me", "c", "a/b") != "" {
		t.Error("owners without a census")
	}
	catalog := discovery.Catalog{}.
		Including("example.com", "v1", []discovery.Type{{Group: "example.com", Version: "v1", Resource: "widgets", Kind: "Widget", Namespaced: true, Verbs: []string{"list", "update", "patch"}}}).
		Including("apiextensions.k8s.io", "v1", []discovery.Type{{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions", Kind: "CustomResourceDefinition"}})
	must(t, l.Start("me", "c", Plan{Catalog: catalog}))
	l.until(ended)
	facts, _ := l.Facts("me", "c", 38)
	blocked, _ := l.Blocked("me", "c")
	owned, _ := l.Owned("me", "c", "argo-cd web")
	if len(owned.Owners) != 1 || owned.Owners[0].Objects != 1 || len(owned.Objects) != 1 || owned.Objects[0].Name != "w" || owned.Report.Phase != report.Done {
		t.Errorf("%+v", owned)
	}
	if len(facts.Definitions) != 1 || len(facts.Requested) != 1 || len(facts.Missing) != 0 || facts.Target != 38 || facts.Census.Types[0].Objects != 1 {
		t.Errorf("%+v", facts)
	}
	if len(blocked.Objects) != 1 || blocked.Objects[0].Name != "w" || len(blocked.Findings) != 1 || blocked.Findings[0].Kind != upgrade.Unappliable || blocked.Report.Phase != report.Done {
		t.Errorf("%+v", blocked)
	}
}

// practiceEnv names the kubeconfig of a practice cluster that runs; make test sets it.
const practiceEnv = "FIELDMARK_TEST_PRACTICE_KUBECONFIG"

func practice(t *testing.T, context string) (*lab, *cluster.Cluster) {
	t.Helper()
	file := os.Getenv(practiceEnv)
	if file == "" {
		t.Skipf("SKIPPED, NOT TESTED: %s names no kubeconfig of a running practice cluster; make test starts one", practiceEnv)
	}
	clusters := cluster.New(cluster.Options{})
	must(t, clusters.AddFile(file, cluster.FromPractice))
	c, _ := clusters.Get(context)
	target, err := c.Target()
	must(t, err)
	return newLab(t, fixed(target)), c
}

func fixed(target upstream.Target) func(context.Context, string) (*upstream.Target, error) {
	return func(context.Context, string) (*upstream.Target, error) { return &target, nil }
}

func TestPracticeTheWholeCluster(t *testing.T) {
	l, c := practice(t, cluster.Practice)
	catalog, err := c.Catalog(t.Context(), nil)
	must(t, err)
	must(t, l.Start("me", "c", Plan{Catalog: catalog}))
	r := l.until(ended)
	if r.Phase != report.Done || len(r.Types) < 40 || len(r.Managers) < 3 {
		t.Fatalf("%s: %d types, %d managers", r.Phase, len(r.Types), len(r.Managers))
	}
	for _, typ := range r.Types {
		if typ.Name() == "stations.legacy.practice.fieldmark.dev" && typ.Objects == 0 {
			t.Errorf("a server that lists no metadata alone sends whole objects: %+v", typ)
		}
		if typ.State != report.Read && !strings.HasSuffix(typ.Name(), ".example.org") { // another test may have deleted its type since
			t.Errorf("%+v", typ)
		}
	}
	at := slices.IndexFunc(r.Managers, func(m report.Manager) bool { return m.Writer == writer.System })
	if at < 0 {
		t.Fatalf("no component of Kubernetes writes: %+v", r.Managers)
	}
	t.Logf("%d types, %d managers, %d cells, %d findings, in %s", len(r.Types), len(r.Managers), len(r.Cells), len(r.Findings), r.Ended.Sub(r.Began))
	cell := r.Cells[slices.IndexFunc(r.Cells, func(c report.Cell) bool { return c.Manager == at })]
	client, err := c.Client()
	must(t, err)
	typ := r.Types[cell.Type]
	held, _, no := Objects(t.Context(), client, discovery.Type{Group: typ.Group, Version: typ.Version, Resource: typ.Resource, Namespaced: typ.Namespaced}, nil, r.Managers[at].Name)
	if no != nil || len(held) == 0 {
		t.Fatalf("%v %+v", no, held)
	}
	if _, err := client.Do(t.Context(), api.Request{Path: held[0].Path}); err != nil && api.Code(err) != http.StatusNotFound {
		t.Errorf("%s: %v", held[0].Path, err)
	}
}

func TestPracticeWhoMayReadLittleIsToldWhatWasRefused(t *testing.T) {
	l, c := practice(t, cluster.PracticeViewer)
	catalog, err := c.Catalog(t.Context(), nil)
	must(t, err)
	namespaces := []string{"shop"}
	must(t, l.Start("me", "c", Plan{Catalog: catalog, Namespaces: namespaces}))
	states := map[string]report.Type{}
	for _, typ := range l.until(ended).Types {
		states[typ.Name()] = typ
	}
	if got := states["pods"]; got.State != report.Read || got.Objects == 0 {
		t.Errorf("%+v", got)
	}
	if got := states["secrets"]; got.State != report.Refused || got.Code != http.StatusForbidden || got.Why == "" {
		t.Errorf("%+v", got)
	}
	if _, ok := states["nodes"]; ok {
		t.Error("nodes have no namespace")
	}
}
