package relay

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// practiceEnv names the kubeconfig of a practice cluster that runs; make test sets it.
const practiceEnv = "FIELDMARK_TEST_PRACTICE_KUBECONFIG"

// lab is a relay on a real practice cluster, whose lines can be cut.
type lab struct {
	*house
	clusters *cluster.Registry
	lines    *lines
	// kubeconfig is the file that leads to the cluster.
	kubeconfig string
}

func practiceLab(t *testing.T) *lab {
	t.Helper()
	file := os.Getenv(practiceEnv)
	if file == "" {
		t.Skipf("SKIPPED, NOT TESTED: %s names no kubeconfig of a running practice cluster; make test starts one", practiceEnv)
	}
	return newLab(t, file)
}

func newLab(t *testing.T, kubeconfig string) *lab {
	t.Helper()
	l := &lab{clusters: cluster.New(cluster.Options{}), lines: &lines{}, kubeconfig: kubeconfig}
	must(t, l.clusters.AddFile(kubeconfig, cluster.FromPractice))
	l.house = newHouse(t, func(_ context.Context, slug string) (*upstream.Target, error) {
		c, ok := l.clusters.Get(slug)
		if !ok {
			return nil, unanswered{404}
		}
		target, err := c.Target()
		if err != nil {
			return nil, err
		}
		return &upstream.Target{Base: target.Base, Transport: &cuttable{l.lines, target.Transport}}, nil
	})
	return l
}

// lines are the answers under way; cut breaks them off, and keeps further requests from passing.
type lines struct {
	mu   sync.Mutex
	down bool
	open map[*line]struct{}
}

type line struct {
	io.ReadCloser
	lines *lines
}

type cuttable struct {
	lines *lines
	next  http.RoundTripper
}

func (c *cuttable) RoundTrip(r *http.Request) (*http.Response, error) {
	c.lines.mu.Lock()
	down := c.lines.down
	c.lines.mu.Unlock()
	if down {
		return nil, io.ErrUnexpectedEOF
	}
	resp, err := c.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	l := &line{resp.Body, c.lines}
	resp.Body = l
	c.lines.mu.Lock()
	defer c.lines.mu.Unlock()
	if c.lines.open == nil {
		c.lines.open = map[*line]struct{}{}
	}
	c.lines.open[l] = struct{}{}
	return resp, nil
}

func (l *line) Close() error {
	l.lines.mu.Lock()
	delete(l.lines.open, l)
	l.lines.mu.Unlock()
	return l.ReadCloser.Close()
}

func (l *lines) cut() {
	l.mu.Lock()
	l.down = true
	open := slices.Collect(maps.Keys(l.open))
	l.mu.Unlock()
	for _, one := range open {
		_ = one.Close()
	}
}

func (l *lines) mend() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.down = false
}

// ask sends a request to the API server itself.
func (l *lab) ask(method, path, media, body string) []byte {
	l.t.Helper()
	answer, err := l.try(method, path, media, body)
	must(l.t, err)
	return answer
}

func (l *lab) try(method, path, media, body string) ([]byte, error) {
	c, _ := l.clusters.Get(cluster.Practice)
	client, err := c.Client()
	if err != nil {
		return nil, err
	}
	answer, err := client.Do(context.Background(), api.Request{Method: method, Path: path, ContentType: media, Body: []byte(body)})
	return answer.Body, err
}

const asJSON, asMerge = "application/json", "application/merge-patch+json"

// namespace is one of the test's own.
func (l *lab) namespace() string {
	l.t.Helper()
	name := fmt.Sprintf("relay-%d", time.Now().UnixNano())
	l.ask("POST", "/api/v1/namespaces", asJSON, `{"metadata":{"name":"`+name+`"}}`)
	l.t.Cleanup(func() { _, _ = l.try("DELETE", "/api/v1/namespaces/"+name, "", "") })
	maps := "/api/v1/namespaces/" + name + "/configmaps"
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) { // the controllers put one into each
		if _, err := l.try("GET", maps+"/kube-root-ca.crt", "", ""); err == nil {
			return name
		}
		if time.Now().After(deadline) {
			l.t.Fatal("the namespace is never complete")
		}
	}
}

// truth is what the API server has, name → version.
func (l *lab) truth(path string) map[string]string {
	l.t.Helper()
	var list struct {
		Items []struct {
			Metadata struct{ Name, ResourceVersion string }
		}
	}
	must(l.t, json.Unmarshal(l.eventually("GET", path, "", ""), &list))
	all := map[string]string{}
	for _, item := range list.Items {
		all[item.Metadata.Name] = item.Metadata.ResourceVersion
	}
	return all
}

func (l *lab) create(maps, name string) {
	l.t.Helper()
	l.ask("POST", maps, asJSON, `{"metadata":{"name":"`+name+`"},"data":{"n":"0"}}`)
}

func (l *lab) patch(maps, name, value string) {
	l.t.Helper()
	l.ask("PATCH", maps+"/"+name, asMerge, `{"data":{"n":"`+value+`"}}`)
}

func TestPracticeChangesArriveAtOnce(t *testing.T) {
	l := practiceLab(t)
	path := "/api/v1/namespaces/" + l.namespace() + "/configmaps"
	p := l.open()
	m := p.mirrored(1, cluster.Practice, path)
	m.until("the state is there", m.equals(l.truth(path)))
	var took []time.Duration
	measure := func(write func(), arrived func() bool) {
		begun := time.Now()
		write()
		m.until("the change is there", arrived)
		took = append(took, time.Since(begun))
	}
	for i := range 10 {
		name := fmt.Sprintf("m%d", i)
		measure(func() { l.create(path, name) }, func() bool { return m.objects[name] != "" })
		created := m.objects[name]
		measure(func() { l.patch(path, name, "1") }, func() bool { return m.objects[name] != created })
		measure(func() { l.ask("DELETE", path+"/"+name, "", "") }, func() bool { return m.objects[name] == "" })
	}
	slices.Sort(took)
	median := took[len(took)/2]
	t.Logf("from the beginning of a write to its arrival: median %v, longest %v", median, took[len(took)-1])
	if median > 5*time.Second {
		t.Errorf("the median is %v", median)
	}
}

func TestPracticeResumesWithoutAGap(t *testing.T) {
	l := practiceLab(t)
	path := "/api/v1/namespaces/" + l.namespace() + "/configmaps"
	for _, name := range []string{"stays", "changes", "goes"} {
		l.create(path, name)
	}
	p := l.open()
	m := p.mirrored(1, cluster.Practice, path)
	m.until("the state is there", m.equals(l.truth(path)))
	for round := range 3 {
		l.lines.cut()
		m.until("the cut is told", func() bool { return m.waiting != nil })
		name := fmt.Sprintf("new%d", round)
		l.create(path, name)
		l.patch(path, name, "1")
		l.patch(path, "changes", name)
		if round == 0 {
			l.ask("DELETE", path+"/goes", "", "")
		}
		l.lines.mend()
		m.until("it has caught up", m.equals(l.truth(path)))
	}
	if len(m.gaps) != 0 || m.waited == 0 {
		t.Errorf("gaps %q, waited %d times", m.gaps, m.waited)
	}
}

// Many writers at once, and lines that break again and again: in the end the page has what the API server has.
func TestPracticeStaysTrueUnderChurn(t *testing.T) {
	l := practiceLab(t)
	path := "/api/v1/namespaces/" + l.namespace() + "/configmaps"
	p := l.open()
	m := p.mirrored(1, cluster.Practice, path)
	m.until("the state is there", m.equals(l.truth(path)))
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			for i := range 200 {
				name := fmt.Sprintf("w%d-%d", w, i%7)
				if _, err := l.try("POST", path, asJSON, `{"metadata":{"name":"`+name+`"}}`); api.Code(err) == http.StatusConflict {
					if i%3 == 0 {
						_, _ = l.try("DELETE", path+"/"+name, "", "")
					} else {
						_, _ = l.try("PATCH", path+"/"+name, asMerge, fmt.Sprintf(`{"data":{"n":"%d"}}`, i))
					}
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { defer close(done); writers.Wait() }()
	for cutting := true; cutting; {
		select {
		case <-done:
			cutting = false
		case <-time.After(150 * time.Millisecond): // a cut now and then
			l.lines.cut()
			l.lines.mend()
		}
	}
	l.create(path, "last")
	m.until("the last is there", func() bool { return m.objects["last"] != "" })
	if want := l.truth(path); !maps.Equal(m.objects, want) || len(m.gaps) != 0 {
		t.Errorf("the page has %v, the API server %v; gaps %q", m, want, m.gaps)
	}
	t.Logf("%d waits", m.waited)
}

func TestPracticeViewerMayNot(t *testing.T) {
	l := practiceLab(t)
	p := l.open()
	m := p.mirrored(1, cluster.PracticeViewer, "/api/v1/secrets")
	m.until("it is refused", func() bool { return m.failed != nil })
	denial, ok := m.failed.Denied()
	if m.failed.Code != 403 || !ok || denial.Verb != "list" || denial.Resource != "secrets" {
		t.Errorf("%+v", m.failed)
	}
	for id, path := range map[uint32]string{2: "/api/v1/nothings", 3: "/api/v1/pods?labelSelector=a%3D%3D%3D"} {
		m := p.mirrored(id, cluster.Practice, path)
		m.until("it is refused", func() bool { return m.failed != nil })
		if want := map[uint32]int{2: 404, 3: 400}[id]; m.failed.Code != want || m.failed.Message == "" {
			t.Errorf("%s: %+v", path, m.failed)
		}
	}
}

func TestPracticeSecretsAreMasked(t *testing.T) {
	l := practiceLab(t)
	secrets := "/api/v1/namespaces/" + l.namespace() + "/secrets"
	l.ask("POST", secrets, asJSON, `{"metadata":{"name":"db"},"stringData":{"password":"hunter2"}}`)
	p := l.open()
	for id, path := range map[uint32]string{1: secrets, 2: secrets + "/db"} {
		p.send(wire.Request{Type: wire.Subscribe, ID: id, Cluster: cluster.Practice, Path: path, As: wire.Object})
		rows := p.want(id, wire.Rows)
		p.want(id, wire.Synced)
		l.ask("PATCH", secrets+"/db", asMerge, fmt.Sprintf(`{"stringData":{"password":"hunter2","n":"%d"}}`, id))
		events := p.want(id, wire.Events)
		for _, text := range []json.RawMessage{rows.Objects[0], events.Events[0].Object} {
			var o struct {
				Kind     string
				Metadata struct{ ManagedFields []any }
				Data     map[string]string
			}
			must(t, json.Unmarshal(text, &o))
			if o.Kind != "Secret" || len(o.Metadata.ManagedFields) == 0 || !strings.Contains(o.Data["password"], "(7 bytes, hidden)") {
				t.Errorf("told: %s", text)
			}
		}
	}
}

// A type whose definition has no printer columns, and then gets some while it is followed.
func TestPracticeCustomResources(t *testing.T) {
	l := practiceLab(t)
	group := fmt.Sprintf("r%d.example.org", time.Now().UnixNano())
	const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	l.ask("POST", definitions, asJSON, fmt.Sprintf(`{"metadata":{"name":"things.%[1]s"},"spec":{"group":%[1]q,"scope":"Cluster",
		"names":{"plural":"things","singular":"thing","kind":"Thing"},"versions":[{"name":"v1","served":true,"storage":true,
		"schema":{"openAPIV3Schema":{"type":"object","properties":{"size":{"type":"integer"}}}}}]}}`, group))
	t.Cleanup(func() { _, _ = l.try("DELETE", definitions+"/things."+group, "", "") })
	path := "/apis/" + group + "/v1/things"
	for deadline := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		if _, err := l.try("GET", path, "", ""); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the new type is never served")
		}
	}
	thing := func(name string) string {
		return `{"apiVersion":"` + group + `/v1","kind":"Thing","metadata":{"name":"` + name + `"},"size":3}`
	}
	p := l.open()
	m := p.mirrored(1, cluster.Practice, path)
	m.until("nothing is there", m.equals(map[string]string{}))
	l.ask("POST", path, asJSON, thing("a"))
	m.until("the first is there", m.equals(l.truth(path)))

	l.ask("PATCH", definitions+"/things."+group, "application/json-patch+json",
		`[{"op":"add","path":"/spec/versions/0/additionalPrinterColumns","value":[{"name":"Size","type":"integer","jsonPath":".size"}]}]`)
	m.until("the columns are others", func() bool {
		_, err := l.try("PATCH", path+"/a", asMerge, fmt.Sprintf(`{"size":%d}`, time.Now().UnixNano()%1_000_000))
		must(t, err)
		return len(m.gaps) > 0
	})
	if m.gaps[0] != watch.Restarted {
		t.Errorf("%q", m.gaps)
	}
	m.until("it is there again", m.equals(l.truth(path)))
}

// What a page shows comes by a single request where the server offers that. Another server is asked once: it refuses, the page gets a list
// and a watch, and the next page doesn't ask again.
func TestPracticeWholeStatesComeWithTheWatch(t *testing.T) {
	l := practiceLab(t)
	first, second := []string{"watch with the state 200"}, []string{"watch with the state 200"}
	if !l.streams() {
		first, second = []string{"watch with the state 422", "list 200", "watch 200"}, []string{"list 200", "watch 200"}
	}
	for n, want := range [][]string{first, second} {
		session, path := fmt.Sprintf("alone-%d", n), "/api/v1/namespaces/"+l.namespace()+"/configmaps"
		l.create(path, "a")
		p := l.dial(session)
		m := p.mirrored(1, cluster.Practice, path)
		m.until("the state is there", m.equals(l.truth(path)))
		l.patch(path, "a", "1")
		m.until("it is followed", m.equals(l.truth(path)))
		if got := l.requests(session); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", session, got, want)
		}
	}
}

// streams asks whether the server offers watches that begin with the whole state.
func (l *lab) streams() bool {
	_, err := l.try("GET", "/api/v1/namespaces?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=1", "", "")
	if code := api.Code(err); err != nil && code != http.StatusUnprocessableEntity {
		l.t.Fatal(err)
	}
	return err == nil
}

// requests are the requests of a session, with their status codes.
func (l *lab) requests(session string) []string {
	var all []string
	for _, e := range l.tap.Entries(session, 0) {
		verb := e.Verb
		if strings.Contains(e.Query, "sendInitialEvents=true") {
			verb += " with the state"
		}
		all = append(all, fmt.Sprintf("%s %d", verb, e.Status))
	}
	return all
}

// An API server behind the API server may know no Table, and no watch that begins with the whole state.
func TestPracticePlainServers(t *testing.T) {
	l := practiceLab(t)
	path := "/apis/legacy.practice.fieldmark.dev/v1/namespaces/" + l.namespace() + "/readings"
	l.ask("POST", path, asJSON, `{"metadata":{"name":"a"}}`)
	p := l.dial("plain")
	m := p.mirrored(1, cluster.Practice, path)
	m.until("the state is there", m.equals(l.truth(path)))
	for _, name := range []string{"b", "c"} {
		l.ask("POST", path, asJSON, `{"metadata":{"name":"`+name+`"}}`)
	}
	l.ask("DELETE", path+"/a", "", "")
	m.until("it is followed", m.equals(l.truth(path)))
	l.lines.cut()
	m.until("the cut is told", func() bool { return m.waiting != nil })
	l.ask("DELETE", path+"/b", "", "")
	l.lines.mend()
	m.until("it has caught up", m.equals(l.truth(path)))
	if len(m.gaps) != 0 {
		t.Errorf("gaps %q", m.gaps)
	}
	stations := p.mirrored(2, cluster.Practice, "/apis/legacy.practice.fieldmark.dev/v1/stations")
	stations.until("it is told that nothing can be watched", func() bool { return stations.failed != nil })
	if stations.failed.Code != http.StatusMethodNotAllowed {
		t.Errorf("%+v", stations.failed)
	}
}

// serviceAccount makes an account that may read ConfigMaps, adds it as a cluster, and gives the path of what permits it.
func (l *lab) serviceAccount(namespace string) (slug, permit string) {
	l.t.Helper()
	const rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/"
	l.ask("POST", "/api/v1/namespaces/"+namespace+"/serviceaccounts", asJSON, `{"metadata":{"name":"reader"}}`)
	l.ask("POST", rbac+namespace+"/roles", asJSON, `{"metadata":{"name":"reader"},"rules":[{"apiGroups":[""],"resources":["configmaps"],"verbs":["list","watch"]}]}`)
	l.ask("POST", rbac+namespace+"/rolebindings", asJSON, `{"metadata":{"name":"reader"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":"reader"},
		"subjects":[{"kind":"ServiceAccount","name":"reader","namespace":"`+namespace+`"}]}`)
	var token struct{ Status struct{ Token string } }
	must(l.t, json.Unmarshal(l.ask("POST", "/api/v1/namespaces/"+namespace+"/serviceaccounts/reader/token", asJSON,
		`{"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{}}`), &token))
	file := l.t.TempDir() + "/kubeconfig"
	practice, err := os.ReadFile(os.Getenv(practiceEnv))
	must(l.t, err)
	servers, _, _ := strings.Cut(string(practice), "contexts:")
	must(l.t, os.WriteFile(file, []byte(servers+"contexts:\n- {name: reader, context: {cluster: practice, user: reader}}\n"+
		"users:\n- {name: reader, user: {token: "+token.Status.Token+"}}\n"), 0o600))
	must(l.t, l.clusters.AddFile(file, cluster.FromKubeconfig))
	return "reader", rbac + namespace + "/rolebindings/reader"
}

// A running watch outlives the permission for it; the page learns of it all the same, within half a minute (threat: withdrawn permission).
func TestPracticeWithdrawnPermission_PermissionWithdrawn(t *testing.T) {
	l := practiceLab(t)
	namespace := l.namespace()
	path := "/api/v1/namespaces/" + namespace + "/configmaps"
	slug, permit := l.serviceAccount(namespace)
	p := l.dial("reader")
	var m *mirror
	for id := uint32(1); m == nil || m.failed != nil; id++ { // the permission may take a moment
		m = p.mirrored(id, slug, path)
		m.until("it is followed or refused", func() bool { return m.synced || m.failed != nil })
	}
	l.ask("DELETE", permit, "", "")
	withdrawn := time.Now()
	m.until("it is told", func() bool { return m.failed != nil })
	took := time.Since(withdrawn)
	if m.failed.Code != 403 || !m.failed.Told || took > 30*time.Second+patience/4 {
		t.Errorf("after %v: %+v", took, m.failed)
	}
	t.Logf("told after %v: %s", took, m.failed.Message)
	last := l.tap.Entries("reader", 0)
	if e := last[len(last)-1]; e.Status != 403 || e.Verb != "watch" {
		t.Errorf("the record ends with %+v", e)
	}
}
