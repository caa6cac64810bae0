package pages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/chunk"
	rules "github.com/fieldmark/fieldmark/kube/resourceversion"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/lab/versions"
)

// bench is a namespace with ConfigMaps in the practice cluster, to try the API on.
type bench struct {
	*desk
	path string // of the ConfigMaps
}

func newBench(t *testing.T, name string, objects int) bench {
	t.Helper()
	s := practiceSite(t)
	c, _ := s.clusters.Get(cluster.Practice)
	target, err := c.Target()
	must(t, err)
	b := bench{desk: &desk{t: t, site: s, target: target}, path: "/api/v1/namespaces/" + name + "/configmaps"}
	b.make("/api/v1/namespaces", name)
	t.Cleanup(func() {
		request, err := http.NewRequest(http.MethodDelete, strings.TrimSuffix(target.Base.String(), "/")+"/api/v1/namespaces/"+name, nil)
		must(t, err)
		answer, err := target.Transport.RoundTrip(request)
		must(t, err)
		must(t, answer.Body.Close())
	})
	for n := range objects {
		b.make(b.path, fmt.Sprintf("a-%02d", n))
	}
	return b
}

func (b bench) make(path, name string) {
	b.t.Helper()
	if f := b.send(http.MethodPost, path, "application/json", []byte(`{"metadata":{"name":"`+name+`","labels":{"lab":"yes"}}}`)); f.Status != http.StatusCreated {
		b.t.Fatalf("%s: %d %s", name, f.Status, f.Body)
	}
}

// list makes a list to its end, and tells what each chunk had: objects and how many remained.
func (b bench) list(limit int, more url.Values) (chunk.Run, string) {
	b.t.Helper()
	r := chunk.Begin(limit)
	var seen []string
	for {
		asked, ok := r.Ask()
		if !ok {
			return r, strings.Join(seen, ", ")
		}
		f := b.send(http.MethodGet, b.path+"?"+asked.Query(more).Encode(), "", nil)
		if f.Status != http.StatusOK {
			b.t.Fatalf("%d %s", f.Status, f.Body)
		}
		a, err := chunk.Parse(f.Body)
		must(b.t, err)
		r = asked.Took(a)
		remaining := "absent"
		if a.Remaining != nil {
			remaining = fmt.Sprint(*a.Remaining)
		}
		seen = append(seen, fmt.Sprintf("%d/%s", len(a.Items), remaining))
	}
}

func TestPracticeChunks(t *testing.T) {
	b := newBench(t, "chunks-in-go", 24)
	b.make("/api/v1/namespaces/chunks-in-go/configmaps", "z-last")
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) { // the cluster itself puts one more into each namespace
		if f := b.send(http.MethodGet, b.path+"/kube-root-ca.crt", "", nil); f.Status == http.StatusOK {
			break
		}
		if time.Since(began) > 20*time.Second {
			t.Fatal("kube-root-ca.crt does not come")
		}
	}
	for name, c := range map[string]struct {
		limit int
		more  url.Values
		want  string
	}{
		"by ten":          {10, nil, "10/16, 10/6, 6/absent"},
		"at once":         {26, nil, "26/absent"},
		"with a selector": {20, url.Values{"labelSelector": {"lab=yes"}}, "20/absent, 5/absent"},
	} {
		r, got := b.list(c.limit, c.more)
		if got != c.want || r.Phase != chunk.Whole || r.Seams() != 0 {
			t.Errorf("%s: %s (%s, %d seams), want %s", name, got, r.Phase, r.Seams(), c.want)
		}
		for _, s := range r.Steps {
			if in, ok := chunk.Peek(s.Token); s.Token != "" && (!ok || fmt.Sprint(in.Version) != s.Version) {
				t.Errorf("%s: a token of version %s holds %+v", name, s.Version, in)
			}
		}
	}
}

// What kube-apiserver answers in each cell, in the order of the columns: the class, and the code where it refuses. The table of rules
// says what is documented; this says what is.
var practised = map[string]string{
	"get":                    "state state state state early/504",
	"list":                   "state state state state early/504",
	"list-limit":             "state state asked asked early/504",
	"list-continue":          "token token rejected/400 rejected/400 rejected/400",
	"list-exact":             "rejected/422 rejected/422 asked asked early/504",
	"list-exact-limit":       "rejected/422 rejected/422 asked asked early/504",
	"list-exact-continue":    "rejected/422 rejected/422 rejected/422 rejected/422 rejected/422",
	"list-notolder":          "rejected/422 state state state early/504",
	"list-notolder-limit":    "rejected/422 state state state early/504",
	"list-notolder-continue": "rejected/422 rejected/422 rejected/422 rejected/422 rejected/422",
	"watch":                  "began began quiet quiet quiet",
	"watch-exact":            "rejected/422 rejected/422 rejected/422 rejected/422 rejected/422",
	"watch-notolder":         "rejected/422 rejected/422 rejected/422 rejected/422 rejected/422",
	"watch-send":             "rejected/422 rejected/422 rejected/422 rejected/422 rejected/422",
	"watch-send-notolder":    "marked marked marked marked early/504",
	"watch-skip-notolder":    "quiet quiet quiet quiet quiet",
}

// practisedBefore has the rows in which API servers before 1.34 respond otherwise: they read exact versions from etcd only, and offer no
// streaming lists.
var practisedBefore = map[string]string{
	"list-limit":          "state state asked asked early/500",
	"list-exact":          "rejected/422 rejected/422 asked asked early/500",
	"list-exact-limit":    "rejected/422 rejected/422 asked asked early/500",
	"watch-send-notolder": "unoffered/422 unoffered/422 unoffered/422 unoffered/422 unoffered/422",
	"watch-skip-notolder": "unoffered/422 unoffered/422 unoffered/422 unoffered/422 unoffered/422",
}

// minor is the minor version of the API server: a test may say what a version does, Fieldmark asks.
func (b bench) minor() int {
	b.t.Helper()
	var v struct{ Minor string }
	must(b.t, json.Unmarshal(b.send(http.MethodGet, "/version", "", nil).Body, &v))
	n, err := strconv.Atoi(v.Minor)
	must(b.t, err)
	return n
}

func TestPracticeEveryCellOfTheVersionTables(t *testing.T) {
	b := newBench(t, "versions-in-go", 4)
	m := b.versions()
	old := m.Values.Current
	b.make(b.path, "later")
	fresh := b.versions()
	m.Values = fresh.Values
	m.Values.Old = old
	if m.Values.Token == "" || m.Values.Future == "" || m.Object != b.path+"/a-00" {
		t.Fatalf("the page begins with %+v, %s", m.Values, m.Object)
	}
	known := maps.Clone(practised)
	if b.minor() < 34 {
		maps.Copy(known, practisedBefore)
	}
	var wg sync.WaitGroup
	for _, r := range rules.Rows {
		want := strings.Fields(known[r.ID])
		if len(want) != len(rules.Columns) {
			t.Errorf("nothing is known of %s", r.ID)
			continue
		}
		for n, c := range rules.Columns {
			wg.Go(func() { b.cell(m, r, c, want[n]) })
		}
	}
	wg.Wait()
}

// versions is the page's model, as the server fills it.
func (b bench) versions() versions.Model {
	b.t.Helper()
	body := b.ask(web.WithQuery(web.Tool(cluster.Practice, web.Versions), url.Values{versions.QueryPath: {b.path}}), page.MediaType)
	var m versions.Model
	must(b.t, json.Unmarshal(body.Body, &m))
	return m
}

// cell sends a cell's request, and compares the answer with the documents and with what is known of this server.
func (b bench) cell(m versions.Model, r rules.Row, c rules.Column, want string) {
	path := b.path
	if r.Verb == rules.Get {
		path = m.Object
	}
	f := b.send(http.MethodGet, path+"?"+r.Query(c, m.Values).Encode(), "", nil)
	a := rules.Read(r.Verb, f.Status, f.Body)
	j := rules.Judge(r, c, m.Values, a)
	got := string(j.Class)
	if j.Class == rules.Asked && r.In(c) != rules.Exact {
		got = string(rules.State) // the newest happens to be what was asked for
	}
	if a.No != nil {
		got += "/" + strconv.Itoa(a.Code)
	}
	if got != want || !j.Agrees {
		b.t.Errorf("%s, %s (%s): %s, agrees: %v; want %s. %d %.300s", r.ID, c, r.In(c), got, j.Agrees, want, f.Status, f.Body)
	}
	asked, given := m.Values.In(c)
	if r.Verb == rules.List && given && a.No == nil && number(b.t, a.Version) < number(b.t, asked) {
		b.t.Errorf("%s, %s: version %s is older than %s", r.ID, c, a.Version, asked)
	}
	if (j.Class == rules.Unoffered || a.Code == http.StatusInternalServerError) && j.Differs == "" {
		b.t.Errorf("%s, %s: the difference from the documentation isn't told", r.ID, c)
	}
	if j.Class == rules.Early && a.Code == http.StatusGatewayTimeout && (len(a.No.Causes) == 0 || a.No.Causes[0].Reason != "ResourceVersionTooLarge" || a.No.RetryAfterSeconds < 1 || !bytes.Contains(f.Body, []byte("Too large resource version"))) {
		b.t.Errorf("%s, %s: %+v", r.ID, c, a.No)
	}
	if all := r.Verb == rules.List && r.Paging == rules.Limited && c == rules.Zero && a.No == nil; all && (a.Items < 5 || j.Differs == "") {
		b.t.Errorf("%s, %s: %d objects, %q", r.ID, c, a.Items, j.Differs)
	}
}

// number reads a version as a number: that of etcd, in a test that knows it is one.
func number(t *testing.T, version string) uint64 {
	n, err := strconv.ParseUint(version, 10, 64)
	if err != nil {
		t.Errorf("version %q: %v", version, err)
	}
	return n
}
