package pages

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/feature"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/views"
	discoverylab "github.com/fieldmark/fieldmark/web/lab/discovery"
	"github.com/fieldmark/fieldmark/web/write/check"
)

// switchedOff starts a practice cluster of its own, without what flags of its API server can switch off. What practice clusters need must stay
// on: autoscaling/v2 and policy/v1 are part of their content.
func switchedOff(t *testing.T) *cluster.Registry {
	t.Helper()
	practiceFile(t)
	folder := t.TempDir()
	file := filepath.Join(folder, "kubeconfig")
	args := []string{
		"up", "--ephemeral", "--die-with-stdin", "--progress", "json", "--dir", filepath.Join(folder, "cluster"), "--kubeconfig-out", file,
		"--api-server-flag", "--feature-gates=WatchList=false,AllowUnsafeMalformedObjectDeletion=false,CBORServingAndStorage=false",
		"--api-server-flag", "--runtime-config=authentication.k8s.io/v1=false,events.k8s.io/v1=false",
	}
	if version := os.Getenv("FIELDMARK_TEST_KUBERNETES"); version != "" {
		args = append(args, "--kubernetes", version)
	}
	up := exec.Command(os.Getenv("FIELDMARK_PRACTICE_BIN"), args...)
	alive, err := up.StdinPipe()
	must(t, err)
	progress, err := up.StdoutPipe()
	must(t, err)
	must(t, up.Start())
	t.Cleanup(func() {
		_ = alive.Close()
		_, _ = io.Copy(io.Discard, progress)
		_ = up.Wait() // what it says about its end is no part of the test
	})
	ready := false
	for lines := bufio.NewScanner(progress); !ready && lines.Scan(); {
		ready = strings.Contains(lines.Text(), `"step":"ready","state":"done"`)
	}
	if !ready {
		t.Fatal("the practice cluster ends before it is ready")
	}
	clusters := cluster.New(cluster.Options{})
	must(t, clusters.AddFile(file, cluster.FromPractice))
	return clusters
}

// bare is a cluster whose API server refuses what no flag can switch off. In all other respects, it is the server of the practice cluster.
func bare(t *testing.T, of *cluster.Registry) *cluster.Registry {
	t.Helper()
	c, _ := of.Get(cluster.Practice)
	target, err := c.Target()
	must(t, err)
	proxy := &httputil.ReverseProxy{Transport: target.Transport, Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target.Base) }, ModifyResponse: unlist}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("Accept", plainly(r.Header.Get("Accept")))
		r.Header.Del("Accept-Encoding") // unlist reads it
		query := r.URL.Query()
		query.Del("fieldValidation") // a server that doesn't know a parameter ignores it
		r.URL.RawQuery = query.Encode()
		switch {
		case slices.ContainsFunc(unserved, func(part string) bool { return strings.Contains(r.URL.Path, part) }):
			w.WriteHeader(http.StatusNotFound)
		case r.Header.Get("Content-Type") == "application/apply-patch+yaml":
			w.WriteHeader(http.StatusUnsupportedMediaType)
		case r.Header.Get("Accept") == "":
			w.WriteHeader(http.StatusNotAcceptable)
		default:
			proxy.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	clusters, err := cluster.Load(cluster.Options{Kubeconfig: kubeconfig(t, map[string]string{cluster.Practice: server.URL})})
	must(t, err)
	return clusters
}

// unserved are parts of paths that the bare server doesn't have.
var unserved = []string{"/openapi/", "/apis/metrics.k8s.io", "/apis/autoscaling/v2", "/apis/policy", "/ephemeralcontainers"}

// unlist removes from discovery what the bare server doesn't have.
func unlist(r *http.Response) error {
	path := r.Request.URL.Path
	if path != "/apis" && path != "/api/v1" {
		return nil
	}
	var list map[string]any
	if err := json.NewDecoder(r.Body).Decode(&list); err != nil {
		return err
	}
	keep := func(key string, drop func(map[string]any) bool) {
		all, _ := list[key].([]any)
		list[key] = slices.DeleteFunc(all, func(one any) bool { return drop(one.(map[string]any)) })
	}
	keep("resources", func(of map[string]any) bool { return of["name"] == "pods/ephemeralcontainers" })
	keep("groups", func(of map[string]any) bool {
		if versions, _ := of["versions"].([]any); of["name"] == "autoscaling" {
			of["versions"] = slices.DeleteFunc(versions, func(one any) bool { return one.(map[string]any)["version"] == "v2" })
			of["preferredVersion"] = of["versions"].([]any)[0]
		}
		return of["name"] == "metrics.k8s.io" || of["name"] == "policy"
	})
	body, err := json.Marshal(list)
	if err != nil {
		return err
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	r.Header.Set("Content-Length", strconv.Itoa(len(body)))
	return nil
}

// plainly keeps JSON of an Accept header: without tables, Protobuf, CBOR and aggregated discovery. Empty: nothing is left.
func plainly(accept string) string {
	if accept == "" || strings.Contains(accept, "*/*") {
		return "application/json"
	}
	kept := slices.DeleteFunc(strings.Split(accept, ","), func(media string) bool {
		return strings.Contains(media, "as=") || !strings.Contains(media, "json")
	})
	return strings.Join(kept, ",")
}

// Every page that the server renders works without what can be switched off, and says what is missing: since when API servers have it, and
// what is done instead.
func TestPracticePagesWithoutWhatIsSwitchedOff(t *testing.T) {
	t.Parallel() // it has clusters of its own
	clusters := switchedOff(t)
	t.Run("by flags", func(t *testing.T) {
		s := newSite(t, clusters)
		s.opensEverything()
		s.saysWhatIsMissing(map[string][]feature.Feature{
			deployments:               {feature.StreamingLists},
			storefrontPath:            {feature.StreamingLists},
			tool(web.Watch):           {feature.StreamingLists.Then("The other ways to begin work.")},
			tool(web.Versions):        {feature.StreamingLists.Then("refuses every request below that has sendInitialEvents")},
			tool(web.Contention):      {feature.StreamingLists},
			tool(web.Representations): {feature.CBOR},
			tool(web.WhoAmI):          {feature.SelfReview},
		})
		for lesson, f := range map[string]feature.Feature{"streaming-lists": feature.StreamingLists, "representations": feature.CBOR} {
			s.want(http.StatusOK, web.Learn+"/"+lesson).says(f.Lacking(), f.Since, "get other responses than the lesson says")
		}
	})
	t.Run("by a server in front", func(t *testing.T) {
		s := newSite(t, bare(t, clusters))
		s.opensEverything()
		s.want(http.StatusNotFound, web.Page(cluster.Practice, aNode+"?tab=usage")).says("This server doesn’t offer metrics.k8s.io", feature.Metrics.Since, feature.Metrics.Instead)
		s.checked("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: shop}\n").
			says(feature.ServerSideApply.Lacking(), feature.ServerSideApply.Since, feature.ServerSideApply.Instead)
		s.saysWhatIsMissing(map[string][]feature.Feature{
			deployments:                          {feature.StreamingLists, feature.Tables},
			"":                                   {feature.Tables.Then("So Fieldmark can’t say which workloads and nodes are ready.")},
			storefrontPath + "?tab=schema":       {feature.OpenAPI},
			tool(web.Discovery):                  {feature.AggregatedDiscovery},
			tool(web.Discovery) + "?tab=openapi": {feature.AggregatedDiscovery, feature.OpenAPI},
			tool(web.Representations):            {feature.Tables, feature.CBOR, feature.Protobuf},
			tool(web.Apply):                      {feature.OpenAPI, feature.FieldValidation},
			tool(web.Check):                      {feature.OpenAPI, feature.FieldValidation},
			tool(web.Act) + "?act=scale&path=" + storefrontPath:    {feature.Autoscalers},
			tool(web.Act) + "?act=drain&path=" + aNode:             {feature.Budgets},
			s.first("/api/v1/namespaces/shop/pods") + "?tab=shell": {feature.EphemeralContainers},
			tool(web.Assist) + "?path=" + storefrontPath:           {feature.Autoscalers},
		})
	})
}

const (
	deployments    = "/apis/apps/v1/namespaces/shop/deployments"
	storefrontPath = deployments + "/storefront"
	aNode          = "/api/v1/nodes/node-1"
)

func tool(name string) string { return "/-/" + name }

// opensEverything opens every kind of page. None may fail because of us, and each must be whole.
func (s *site) opensEverything() {
	s.t.Helper()
	for _, address := range append(s.addresses(), s.objects()...) {
		p := s.get(address)
		if p.code >= http.StatusInternalServerError || len(p.all("h1"))+len(p.all("h2")) == 0 {
			s.t.Errorf("%s answered %d: %.300s", address, p.code, p.main())
		}
		p.inert()
	}
}

// addresses are those of all pages but the ones of objects.
func (s *site) addresses() []string {
	root := web.Cluster(cluster.Practice)
	all := []string{web.Home, web.Learn, root, root + "/api", root + "/api/v1", root + "/apis", root + "/apis/apps", root + "/apis/apps/v1"}
	for _, t := range web.Tools() {
		all = append(all, root+tool(t.Tool()), root+tool(t.Tool())+"?path="+storefrontPath)
	}
	for _, tab := range []discoverylab.Tab{discoverylab.Types, discoverylab.OpenAPI, discoverylab.Offered, discoverylab.Deprecated, discoverylab.Raw} {
		all = append(all, web.WithQuery(root+tool(web.Discovery), discoverylab.Query{Tab: tab, Ask: tab == discoverylab.Offered}.Values()))
	}
	for _, act := range []string{"scale", "restart", "rollback", "drain"} {
		all = append(all, root+tool(web.Act)+"?act="+act+"&path="+storefrontPath)
	}
	return all
}

// objects are the pages of every type that can be listed, and every view of its first object.
func (s *site) objects() (all []string) {
	c, _ := s.clusters.Get(cluster.Practice)
	catalog, err := c.Catalog(s.t.Context(), nil)
	must(s.t, err)
	if len(catalog.Listable()) < 35 {
		s.t.Errorf("only %d types", len(catalog.Listable()))
	}
	for n, of := range catalog.Listable() {
		collection := apipath.Collection(of.Group, of.Version, "", of.Resource)
		all = append(all, web.Page(cluster.Practice, collection.String()))
		first := s.first(collection.String())
		if first == "" {
			continue
		}
		path, err := apipath.Parse(first)
		must(s.t, err)
		for _, view := range some(n, views.Of(of, path, catalog)) {
			all = append(all, view.Address(cluster.Practice, path))
		}
		all = append(all, views.Usage.Address(cluster.Practice, path))
	}
	return all
}

// checked checks a manifest, without scripts.
func (s *site) checked(text string) answered {
	s.t.Helper()
	form := strings.NewReader(url.Values{check.FieldText: {text}}.Encode())
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.server.URL+web.Cluster(cluster.Practice)+tool(web.Check), form)
	must(s.t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return s.do(r)
}

// first is the path of a collection's first object; empty: there is none.
func (s *site) first(collection string) string {
	s.t.Helper()
	answer, err := s.admin().Do(s.t.Context(), api.Request{Path: collection + "?limit=1"})
	must(s.t, err)
	var list struct {
		Items []struct {
			Metadata struct{ Name, Namespace string }
		}
	}
	must(s.t, json.Unmarshal(answer.Body, &list))
	if len(list.Items) == 0 {
		return ""
	}
	at, err := apipath.Parse(collection)
	must(s.t, err)
	o := list.Items[0].Metadata
	return apipath.Object(at.Group, at.Version, o.Namespace, at.Resource, o.Name).String()
}

// saysWhatIsMissing wants the words of each feature on the pages at these addresses of the cluster.
func (s *site) saysWhatIsMissing(pages map[string][]feature.Feature) {
	s.t.Helper()
	for address, lacking := range pages {
		p := s.want(http.StatusOK, web.Cluster(cluster.Practice)+address)
		for _, f := range lacking {
			p.says("This server doesn’t offer "+f.What, f.Since, f.Instead)
		}
		if n := len(p.all("p", "data-lacks")); n > len(lacking) {
			s.t.Errorf("%s: %d features are missing there, want %d: %s", address, n, len(lacking), p.main())
		}
	}
}
