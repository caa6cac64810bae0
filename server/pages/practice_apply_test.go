package pages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/change"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/write/aim"
	"github.com/fieldmark/fieldmark/web/write/apply"
)

// desk is the apply page, run against the practice cluster: what it asks for is sent as the browser would.
type desk struct {
	t      *testing.T
	site   *site
	target upstream.Target
	model  apply.Model
	sent   []string      // methods and paths, in their order
	wrote  page.Response // the answer to the last write that was no dry run
}

// newDesk opens the page at an address.
func newDesk(t *testing.T, query url.Values) *desk {
	t.Helper()
	s := practiceSite(t)
	c, _ := s.clusters.Get(cluster.Practice)
	target, err := c.Target()
	must(t, err)
	d := &desk{t: t, site: s, target: target}
	body := d.ask(web.WithQuery(web.Tool(cluster.Practice, web.Apply), query), page.MediaType)
	must(t, json.Unmarshal(body.Body, &d.model))
	return d
}

// ask asks the pages' own server.
func (d *desk) ask(address, accept string) page.Response {
	d.t.Helper()
	request, err := http.NewRequestWithContext(d.t.Context(), http.MethodGet, d.site.server.URL+address, nil)
	must(d.t, err)
	request.Header.Set("Accept", accept)
	return d.answer(http.DefaultTransport, request)
}

// send makes an API request.
func (d *desk) send(method, path, contentType string, body []byte) page.Response {
	d.t.Helper()
	request, err := http.NewRequestWithContext(d.t.Context(), method, strings.TrimSuffix(d.target.Base.String(), "/")+path, bytes.NewReader(body))
	must(d.t, err)
	request.Header.Set("Accept", "application/json")
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	return d.answer(d.target.Transport, request)
}

func (d *desk) answer(by http.RoundTripper, request *http.Request) page.Response {
	d.t.Helper()
	began := time.Now()
	response, err := by.RoundTrip(request)
	must(d.t, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	must(d.t, err)
	return page.Response{Status: response.StatusCode, Body: body, Took: time.Since(began)}
}

// open begins the page's life with a text.
func (d *desk) open(text string) {
	d.t.Helper()
	if text != "" {
		d.model.Text = text
	}
	p, commands := d.model.Awake(time.Now())
	d.carryOut(p, commands)
}

// does tells the page what happened, and does what it asks for until it asks for nothing.
func (d *desk) does(messages ...page.Msg) {
	d.t.Helper()
	for _, m := range messages {
		p, commands := d.model.Update(m)
		d.carryOut(p, commands)
	}
}

func (d *desk) press(action string) { d.t.Helper(); d.does(page.Acted{Action: action}) }

func (d *desk) carryOut(p page.Page, commands []page.Cmd) {
	d.t.Helper()
	for {
		d.model = p.(apply.Model)
		if len(commands) == 0 {
			return
		}
		c := commands[0]
		commands = commands[1:]
		var f page.Response
		switch c := c.(type) {
		case page.Call:
			d.sent = append(d.sent, c.Method+" "+c.Path)
			f = d.send(c.Method, c.Path, request.Field(c.Header, "Content-Type"), c.Body)
			if c.Method != http.MethodGet && !strings.Contains(c.Path, "dryRun=All") {
				d.wrote = f
			}
			f.ID = c.ID
		case page.Ask:
			f = d.ask(c.Address, c.Accept)
			f.ID = c.ID
		default:
			continue
		}
		var more []page.Cmd
		p, more = d.model.Update(f)
		commands = append(commands, more...)
	}
}

// shows is the page as HTML.
func (d *desk) shows() string {
	d.t.Helper()
	var b strings.Builder
	must(d.t, page.Main(d.model).Render(d.t.Context(), &b))
	return b.String()
}

// get reads an object; its version is empty where there is none.
func (d *desk) get(path string) object.Object {
	d.t.Helper()
	f := d.send(http.MethodGet, path, "", nil)
	if f.Status == http.StatusNotFound {
		return object.Object{}
	}
	o, err := object.Parse(f.Body)
	must(d.t, err)
	return o
}

// apply writes as a manager, as kubectl would.
func (d *desk) apply(path, manager, text string) object.Object {
	d.t.Helper()
	f := d.send(http.MethodPatch, path+"?fieldManager="+manager+"&force=true", "application/apply-patch+yaml", []byte(text))
	if f.Status > 299 {
		d.t.Fatalf("applying %s: %d %s", path, f.Status, f.Body)
	}
	o, err := object.Parse(f.Body)
	must(d.t, err)
	return o
}

// namespace makes a namespace of the test's own.
func (d *desk) namespace() string {
	d.t.Helper()
	name := fmt.Sprintf("apply-%d", time.Now().UnixNano())
	d.apply("/api/v1/namespaces/"+name, "test", "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: "+name+"\n")
	d.t.Cleanup(func() {
		request, err := http.NewRequest(http.MethodDelete, strings.TrimSuffix(d.target.Base.String(), "/")+"/api/v1/namespaces/"+name, nil)
		if err != nil {
			d.t.Error(err)
			return
		}
		response, err := d.target.Transport.RoundTrip(request)
		if err != nil {
			d.t.Error(err)
			return
		}
		_ = response.Body.Close()
	})
	return name
}

func configMap(namespace, name, data string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + name + "\n  namespace: " + namespace + "\ndata:\n" + data
}

// owners are who owns a field of an object: names with their operations.
func owners(o object.Object, path string) []string {
	var all []string
	blame := ownership.Parse(o.Fields).On(manifest.Tree(o.WithoutManagedFields().Fields), nil)
	for _, n := range blame.Find(path) {
		for _, owner := range blame.Owners(n) {
			all = append(all, owner.Name+" "+owner.Operation)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func TestEveryWayOutOfAConflict(t *testing.T) {
	for way, want := range map[string]struct {
		value  string
		owners []string
	}{
		"overwrite 0 0": {"2", []string{"ada Apply"}},
		"give-up 0 0":   {"1", []string{"bob Apply"}},
		"share 0 0":     {"1", []string{"ada Apply", "bob Apply"}},
	} {
		t.Run(way, func(t *testing.T) {
			d := newDesk(t, url.Values{apply.QueryManager: {"ada"}})
			ns := d.namespace()
			path := "/api/v1/namespaces/" + ns + "/configmaps/a"
			d.apply(path, "bob", configMap(ns, "a", "  x: \"1\"\n"))
			before := d.get(path)
			d.open(configMap(ns, "a", "  x: \"2\" # mine\n  z: \"1\"\n"))
			if html := d.shows(); !strings.Contains(html, `data-conflict=".data.x"`) || !strings.Contains(html, "bob") {
				t.Fatalf("no conflict is shown: %s", html)
			}
			d.press(way)
			if got := d.get(path); got.Meta("resourceVersion") != before.Meta("resourceVersion") {
				t.Fatal("a preview has written")
			}
			d.press("apply")
			after := d.get(path)
			data, _ := after.Fields["data"].(map[string]any)
			if data["x"] != want.value || data["z"] != "1" {
				t.Errorf("it holds %v", data)
			}
			if got := owners(after, ".data.x"); !slices.Equal(got, want.owners) {
				t.Errorf("%v own it, wanted %v", got, want.owners)
			}
			if !strings.Contains(d.shows(), "No more changes") {
				t.Error("after applying, something would still change")
			}
		})
	}
}

func TestPreviewThenAChangeThenApply(t *testing.T) {
	d := newDesk(t, url.Values{apply.QueryManager: {"ada"}})
	ns := d.namespace()
	path := "/api/v1/namespaces/" + ns + "/configmaps/a"
	d.apply(path, "bob", configMap(ns, "a", "  x: \"1\"\n"))
	d.open(configMap(ns, "a", "  z: \"1\"\n"))
	moved := d.apply(path, "bob", configMap(ns, "a", "  x: \"5\"\n"))
	d.press("apply")
	if got := d.get(path); got.Meta("resourceVersion") != moved.Meta("resourceVersion") {
		t.Fatal("it was applied to another version than the one that was previewed")
	}
	if html := d.shows(); !strings.Contains(html, "The object has changed since the preview") {
		t.Errorf("nothing tells of it: %s", html)
	}
	d.press("apply")
	if data, _ := d.get(path).Fields["data"].(map[string]any); data["x"] != "5" || data["z"] != "1" {
		t.Errorf("the second time it came to %v", data)
	}
}

func TestOneOfThreeFails(t *testing.T) {
	d := newDesk(t, url.Values{apply.QueryManager: {"ada"}})
	ns := d.namespace()
	at := func(name string) string { return "/api/v1/namespaces/" + ns + "/configmaps/" + name }
	three := func() string {
		return configMap(ns, "a", "  x: \"1\"\n") + "---\n" + configMap(ns, "b", "  x: \"1\"\n") + "---\n" + configMap(ns, "c", "  x: \"1\"\n")
	}
	d.until("the namespace has its root certificate", func() bool { // made later, it might not be counted for minutes
		return len(d.get(at("kube-root-ca.crt")).Fields) > 0
	})
	// A quota that has room for one: a dry run of each passes, the second write doesn't.
	d.apply("/api/v1/namespaces/"+ns+"/resourcequotas/few", "test", "apiVersion: v1\nkind: ResourceQuota\nmetadata:\n  name: few\n  namespace: "+ns+"\nspec:\n  hard:\n    count/configmaps: \"2\"\n    count/secrets: \"0\"\n")
	d.until("the quota counts", func() bool {
		status, _ := d.get("/api/v1/namespaces/" + ns + "/resourcequotas/few").Fields["status"].(map[string]any)
		used, _ := status["used"].(map[string]any)
		return used["count/configmaps"] == "1"
	})
	d.until("admission knows of the quota, and what it counted", func() bool { // it follows quotas by a watch, and sees them later than we do
		f := d.send(http.MethodPost, "/api/v1/namespaces/"+ns+"/secrets?dryRun=All", "application/json", []byte(`{"metadata":{"name":"none"}}`))
		return strings.Contains(string(f.Body), "exceeded quota")
	})
	d.open(three())
	d.press("apply")
	there := []bool{len(d.get(at("a")).Fields) > 0, len(d.get(at("b")).Fields) > 0, len(d.get(at("c")).Fields) > 0}
	if !slices.Equal(there, []bool{true, false, false}) {
		t.Errorf("there are %v; the page: %s", there, d.shows())
	}
	if html := d.shows(); !strings.Contains(html, "exceeded quota") || !strings.Contains(html, "Fieldmark didn’t send this document") {
		t.Errorf("it does not say what became of each: %s", html)
	}
}

// until waits for the cluster.
func (d *desk) until(what string, is func() bool) {
	d.t.Helper()
	for end := time.Now().Add(60 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		if is() {
			return
		}
		if time.Now().After(end) {
			d.t.Fatalf("waited for: %s", what)
		}
	}
}

// manifests are real ones: what managers state of the objects of the practice cluster.
func (d *desk) manifests() map[string]string {
	d.t.Helper()
	all := map[string]string{}
	for _, collection := range []string{
		"/apis/apps/v1/deployments", "/api/v1/services", "/api/v1/configmaps", "/api/v1/namespaces", "/apis/shop.example.com/v1/promotions",
		"/apis/rbac.authorization.k8s.io/v1/clusterroles", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "/api/v1/nodes", "/apis/apps/v1/daemonsets", "/apis/batch/v1/cronjobs", "/api/v1/serviceaccounts",
	} {
		f := d.send(http.MethodGet, collection+"?limit=40", "", nil)
		if f.Status != http.StatusOK {
			d.t.Fatalf("listing %s: %d", collection, f.Status)
		}
		var list struct {
			APIVersion string            `json:"apiVersion"`
			Kind       string            `json:"kind"`
			Items      []json.RawMessage `json:"items"`
		}
		must(d.t, json.Unmarshal(f.Body, &list))
		for _, item := range list.Items {
			o, err := object.Parse(item)
			must(d.t, err)
			if madeByTest.MatchString(o.Meta("namespace")) || madeByTest.MatchString(o.Meta("name")) {
				continue
			}
			o.Fields["apiVersion"], o.Fields["kind"] = list.APIVersion, strings.TrimSuffix(list.Kind, "List")
			for i, e := range ownership.Parse(o.Fields).Entries {
				if e.Subresource != "" {
					continue
				}
				text, err := manifest.YAML(change.Intent(o.Fields, e.Manager, nil))
				must(d.t, err)
				all[fmt.Sprintf("%s/%s %d %s", collection, o.Meta("name"), i, e.Name)] = string(text)
			}
		}
	}
	return all
}

// madeByTest are names that tests give to what they make for themselves: all of them end with the time.
var madeByTest = regexp.MustCompile(`\d{16,}(\.example\.org)?$`)

// kept is what is known of a stored object: which version it is, by etcd's own count, and who wrote it.
type kept struct {
	version  string
	managers []string
}

// stored is all that is stored.
func (d *desk) stored(catalog discovery.Catalog) map[string]kept {
	d.t.Helper()
	all := map[string]kept{}
	for _, typ := range catalog.Listable() {
		root := "/apis/" + typ.Group
		if typ.Group == "" {
			root = "/api"
		}
		f := d.send(http.MethodGet, root+"/"+typ.Version+"/"+typ.Resource, "", nil)
		if f.Status == http.StatusNotFound {
			continue // another test has deleted its CustomResourceDefinition since the catalog was read
		}
		var list struct {
			Items []struct {
				Metadata struct {
					UID             string `json:"uid"`
					Name            string `json:"name"`
					Namespace       string `json:"namespace"`
					ResourceVersion string `json:"resourceVersion"`
					ManagedFields   []struct {
						Manager string `json:"manager"`
					} `json:"managedFields"`
				} `json:"metadata"`
			} `json:"items"`
		}
		must(d.t, json.Unmarshal(f.Body, &list))
		for _, i := range list.Items {
			k := kept{version: i.Metadata.UID + " " + i.Metadata.ResourceVersion}
			for _, e := range i.Metadata.ManagedFields {
				k.managers = append(k.managers, e.Manager)
			}
			all[typ.FullName()+" "+i.Metadata.Namespace+"/"+i.Metadata.Name] = k
		}
	}
	return all
}

// A preview never writes: not one stored byte changes, whatever is previewed. The cluster's own controllers and other tests write
// meanwhile; they do so under other names, and an apply that was stored would bear the name it was made with.
func TestAThousandPreviewsChangeNothing(t *testing.T) {
	d := newDesk(t, nil)
	texts := d.manifests()
	names := slices.Sorted(maps.Keys(texts))
	if len(names) < 60 {
		t.Fatalf("only %d manifests", len(names))
	}
	before := d.stored(d.model.Shell.Catalog)
	r := rand.New(rand.NewPCG(1, 2))
	managers := []string{"ada-previews", "kubectl-previews", "argocd-controller-previews", "fieldmark-previews"}
	previews, refused := 0, 0
	for previews < 1000 {
		var documents []string
		for range 1 + r.IntN(8) {
			documents = append(documents, mutated(r, texts[names[r.IntN(len(names))]]))
		}
		d.model.Manager = managers[r.IntN(len(managers))]
		d.model.Validation = aim.Validations()[r.IntN(3)]
		d.sent = nil
		d.open(strings.Join(documents, "---\n"))
		for _, s := range d.sent {
			if !strings.HasPrefix(s, "GET ") && !strings.Contains(s, "dryRun=All") {
				t.Fatalf("a preview sends %s", s)
			}
			if strings.HasPrefix(s, "PATCH ") {
				previews++
			}
		}
		if strings.Contains(d.shows(), "refuses") {
			refused++
		}
	}
	same, still := 0, 0 // other tests delete what is theirs meanwhile
	for name, now := range d.stored(d.model.Shell.Catalog) {
		for _, m := range managers {
			if slices.Contains(now.managers, m) {
				t.Errorf("%s was written by a preview: %v", name, now.managers)
			}
		}
		if was, there := before[name]; there {
			still++
			if was.version == now.version {
				same++
			}
		}
	}
	if same < still*3/4 || still < 200 {
		t.Errorf("only %d of %d objects are as they were: what was compared?", same, still)
	}
	t.Logf("%d previews of %d manifests; %d texts were refused; %d of %d objects are as they were, none was written", previews, len(names), refused, same, still)
}

// mutated changes something in a manifest: a number, a word, a line.
func mutated(r *rand.Rand, text string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for range r.IntN(3) {
		i := r.IntN(len(lines))
		switch key, value, found := strings.Cut(lines[i], ": "); {
		case !found || slices.Contains([]string{"apiVersion", "kind", "name", "namespace"}, strings.TrimLeft(key, " -")):
		case r.IntN(3) == 0:
			lines[i] = key + ": " + fmt.Sprint(r.IntN(100))
		case r.IntN(2) == 0:
			lines[i] = key + ": \"" + strings.Trim(value, `"`) + "x\""
		default:
			lines = slices.Delete(lines, i, i+1)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// examples are of what server-side apply is explained by: a label of one's own, a Deployment with and without its replicas, ports
// told apart by two keys of which one has a default, a custom resource, a Secret.
var examples = map[string]string{
	"a label":             "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: labelled\n  namespace: x\n  labels: {team: a}\ndata: {key: value}\n",
	"replicas":            deployment("with-replicas", "  replicas: 3\n"),
	"replicas left out":   deployment("without-replicas", ""),
	"ports by two keys":   "apiVersion: v1\nkind: Service\nmetadata:\n  name: ports\n  namespace: x\nspec:\n  selector: {app: web}\n  ports:\n  - {name: dns, port: 53, protocol: UDP}\n  - {name: dns-tcp, port: 53}\n",
	"finalizers":          "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: finalized\n  namespace: x\n  finalizers: [example.com/one]\n",
	"a Secret":            "apiVersion: v1\nkind: Secret\nmetadata:\n  name: secret\n  namespace: x\nstringData: {password: not-a-real-one}\n",
	"a job, its defaults": "apiVersion: batch/v1\nkind: CronJob\nmetadata:\n  name: nightly\n  namespace: x\nspec:\n  schedule: \"0 3 * * *\"\n  jobTemplate:\n    spec:\n      template:\n        spec:\n          restartPolicy: Never\n          containers: [{name: job, image: registry.example/job}]\n",
}

func deployment(name, spec string) string {
	return "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: " + name + "\n  namespace: x\nspec:\n" + spec +
		"  selector: {matchLabels: {app: " + name + "}}\n  template:\n    metadata: {labels: {app: " + name + "}}\n    spec:\n      containers:\n      - name: web\n        image: registry.example/web\n        ports: [{containerPort: 80}]\n"
}

// What a preview shows is what an apply then stores, but for what the server makes up.
func TestPreviewIsWhatIsThenStored(t *testing.T) {
	d := newDesk(t, url.Values{apply.QueryManager: {"ada"}})
	ns := d.namespace()
	made := 0
	texts := d.manifests()
	examples := maps.Clone(examples)
	maps.Copy(texts, examples)
	for name, text := range texts {
		if !strings.Contains(text, "\n  namespace: ") {
			continue // of the whole cluster
		}
		d.open(strings.Replace(text, "\n  namespace: "+namespaceOf(text), "\n  namespace: "+ns, 1))
		path, predicted, told, ok := d.model.Foretold(0)
		if !ok {
			continue // what one manager states alone may be no whole object
		}
		d.press("apply")
		if d.wrote.Status == http.StatusUnprocessableEntity && strings.Contains(string(d.wrote.Body), "already allocated") {
			continue // which addresses are taken, a dry run doesn't ask
		}
		stored, err := object.Parse(d.wrote.Body)
		must(t, err)
		if diff := differ(told, predicted, stored); len(diff) > 0 {
			t.Errorf("%s: what is stored is not what was foretold: %v", name, diff)
		}
		made++
		delete(examples, name)
		d.send(http.MethodPatch, path, "application/merge-patch+json", []byte(`{"metadata":{"finalizers":null}}`))
		d.send(http.MethodDelete, path, "", nil)
	}
	if made < 10 || len(examples) > 0 {
		t.Errorf("only %d manifests could be applied; these could not: %v", made, slices.Sorted(maps.Keys(examples)))
	}
	t.Logf("%d manifests were previewed and applied", made)
}

func namespaceOf(text string) string {
	_, rest, _ := strings.Cut(text, "\n  namespace: ")
	name, _, _ := strings.Cut(rest, "\n")
	return name
}

// differ are the paths at which an object is not as foretold, but for what was said to be made up in a real run, for when
// managers wrote, and for status, which controllers write at once.
func differ(told change.Preview, foretold, stored object.Object) []string {
	generated := map[string]bool{}
	for _, r := range told.Rows {
		if r.Cause == change.Generated {
			generated[r.Path] = true
		}
	}
	was, is := leaves(foretold), leaves(stored)
	var all []string
	made := func(path string) bool {
		for whole := range generated {
			if rest, below := strings.CutPrefix(path, whole); below && (rest == "" || strings.ContainsAny(rest[:1], ".[ ")) {
				return true
			}
		}
		return path == ".metadata.resourceVersion" // nobody can foretell that, and nobody does
	}
	for path := range was {
		if was[path] != is[path] && !made(path) {
			all = append(all, fmt.Sprintf("%s: %q, not %q", path, is[path], was[path]))
		}
	}
	for path := range is {
		if _, had := was[path]; !had && !made(path) {
			all = append(all, fmt.Sprintf("%s: %q is there", path, is[path]))
		}
	}
	return all
}

// leaves are an object's values by their paths, and its claims without their times.
func leaves(o object.Object) map[string]string {
	all := map[string]string{}
	record := ownership.Parse(o.Fields)
	blame := record.On(manifest.Tree(o.WithoutManagedFields().Fields), nil)
	var walk func(n *manifest.Node)
	walk = func(n *manifest.Node) {
		path := blame.Path(n)
		if path == ".status" {
			return
		}
		if len(n.Children) == 0 {
			text, err := json.Marshal(n.Value)
			if err != nil {
				panic(err)
			}
			all[path] = string(text)
		}
		for _, owner := range blame.Owners(n) {
			if owner.Subresource == "" {
				all[path+" owned by "+owner.Name+" "+owner.Operation] = ""
			}
		}
		for _, child := range n.Children {
			walk(child)
		}
	}
	walk(blame.Root)
	return all
}
