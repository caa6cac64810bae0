package health

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/discovery"
)

var (
	now   = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	verbs = []string{"get", "list", "watch"}

	pods        = discovery.Type{Version: "v1", Resource: "pods", Kind: "Pod", Namespaced: true, Verbs: verbs}
	nodes       = discovery.Type{Version: "v1", Resource: "nodes", Kind: "Node", Verbs: verbs}
	events      = discovery.Type{Version: "v1", Resource: "events", Kind: "Event", Namespaced: true, Verbs: verbs}
	deployments = discovery.Type{Group: "apps", Version: "v1", Resource: "deployments", Kind: "Deployment", Namespaced: true, Verbs: verbs}
	daemonSets  = discovery.Type{Group: "apps", Version: "v1", Resource: "daemonsets", Kind: "DaemonSet", Namespaced: true, Verbs: verbs}
	jobs        = discovery.Type{Group: "batch", Version: "v1", Resource: "jobs", Kind: "Job", Namespaced: true, Verbs: verbs}
	namespaces  = discovery.Type{Version: "v1", Resource: "namespaces", Kind: "Namespace", Verbs: verbs}
	routes      = discovery.Type{Group: "gateway.networking.k8s.io", Version: "v1", Resource: "httproutes", Kind: "HTTPRoute", Namespaced: true, Verbs: verbs}
	gateways    = discovery.Type{Group: "gateway.networking.k8s.io", Version: "v1", Resource: "gateways", Kind: "Gateway", Namespaced: true, Verbs: verbs}
	metrics     = discovery.Type{Group: "metrics.k8s.io", Version: "v1beta1", Resource: "pods", Kind: "PodMetrics", Namespaced: true, Verbs: verbs}
)

func custom(resource string) discovery.Type {
	return discovery.Type{Group: "example.com", Version: "v1", Resource: resource, Kind: resource, Namespaced: true, Verbs: verbs}
}

func withStatus(t discovery.Type) discovery.Type {
	t.Subresources = []discovery.Subresource{{Name: "status"}}
	return t
}

var catalog = discovery.Catalog{Groups: []discovery.Group{
	{Preferred: "v1", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{pods, nodes, events, namespaces}}}},
	{Name: "apps", Preferred: "v1", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{deployments, daemonSets}}}},
	{Name: "metrics.k8s.io", Preferred: "v1beta1", Versions: []discovery.Version{{Name: "v1beta1", Types: []discovery.Type{metrics}}}},
	{Name: "example.com", Preferred: "v1", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{custom("a"), custom("b"), custom("c"), withStatus(custom("d")), custom("e")}}}},
	{Name: "gateway.networking.k8s.io", Preferred: "v1", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{routes, gateways}}}},
}}

func read(t *testing.T, of discovery.Type, form Form, body string) List {
	t.Helper()
	l, err := Read(Source{Type: of, Form: form}, []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// tableOf is a Table with the named columns. Each row is its cells and the metadata of its object.
func tableOf(columns string, rows ...string) string {
	var names []string
	for _, c := range strings.Fields(columns) {
		names = append(names, `{"name":"`+c+`"}`)
	}
	var all []string
	for _, r := range rows {
		cells, meta, _ := strings.Cut(r, "|")
		all = append(all, `{"cells":[`+cells+`],"object":{"metadata":{`+meta+`}}}`)
	}
	return `{"kind":"Table","columnDefinitions":[` + strings.Join(names, ",") + `],"rows":[` + strings.Join(all, ",") + `]}`
}

func TestSourcesAreBounded(t *testing.T) {
	for namespace, want := range map[string]string{
		"":     "nodes namespaces pods deployments.apps daemonsets.apps events gateways.gateway.networking.k8s.io httproutes.gateway.networking.k8s.io d.example.com a.example.com",
		"shop": "pods deployments.apps daemonsets.apps events gateways.gateway.networking.k8s.io httproutes.gateway.networking.k8s.io d.example.com a.example.com",
	} {
		var names, paths []string
		sources, left := Sources(catalog, namespace)
		if left != 3 {
			t.Errorf("in %q, %d types are left", namespace, left)
		}
		for _, s := range sources {
			if custom := isCustom(s.Type); custom && (s.Form == Objects) != (telling(s.Type) > 0) {
				t.Errorf("%s is requested in form %d", s.Type.FullName(), s.Form)
			}
			names = append(names, s.Type.FullName())
			paths = append(paths, s.Path(namespace))
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("in %q: %s", namespace, got)
		}
		if i := slices.IndexFunc(paths, func(p string) bool { return !strings.Contains(p, "limit=250") }); i >= 0 {
			t.Errorf("%s has no limit", paths[i])
		}
		if last := paths[len(paths)-1]; namespace == "shop" && !strings.HasPrefix(last, "/apis/example.com/v1/namespaces/shop/a?") {
			t.Errorf("the path %s", last)
		}
	}
	if p := (Source{Type: events, Form: Events}).Path(""); p != "/api/v1/events?fieldSelector=type%3DWarning&limit=250" {
		t.Error(p)
	}
}

func TestAWorkloadThatIsNotReadySaysWhy(t *testing.T) {
	lists := []List{
		read(t, deployments, Table, tableOf("Name Ready",
			`"web","1/3"|"namespace":"shop","name":"web"`, `"fine","2/2"|"namespace":"shop","name":"fine"`, `"web","0/1"|"namespace":"other","name":"web"`)),
		read(t, daemonSets, Table, tableOf("Name Desired Ready", `"agent",3,2|"namespace":"a","name":"agent"`, `"none",0,0|"namespace":"a","name":"none"`)),
		read(t, jobs, Table, tableOf("Name Status Completions", `"import","Failed","0/1"|"namespace":"z","name":"import"`, `"busy","Running","0/1"|"namespace":"z","name":"busy"`)),
		read(t, pods, Table, tableOf("Name Ready Status",
			`"web-7d9-a","0/1","CrashLoopBackOff"|"namespace":"shop","name":"web-7d9-a","labels":{"pod-template-hash":"7d9"},"ownerReferences":[{"kind":"ReplicaSet","name":"web-7d9","controller":true}]`,
			`"web-7d9-b","0/1","CrashLoopBackOff"|"namespace":"shop","name":"web-7d9-b","labels":{"pod-template-hash":"7d9"},"ownerReferences":[{"kind":"ReplicaSet","name":"web-7d9","controller":true}]`,
			`"web-7d9-c","1/1","Running"|"namespace":"shop","name":"web-7d9-c"`,
			`"alone","0/1","Pending"|"namespace":"shop","name":"alone"`,
			`"gone","0/1","Error"|"namespace":"shop","name":"gone","deletionTimestamp":"2026-11-23T11:59:00Z"`,
			`"over","0/1","Completed"|"namespace":"shop","name":"over"`)),
		read(t, events, Events, `{"kind":"EventList","items":[
			{"involvedObject":{"apiVersion":"v1","kind":"Pod","namespace":"shop","name":"web-7d9-a"},"reason":"BackOff","message":"restarting","count":4,"lastTimestamp":"2026-11-23T11:58:00Z"},
			{"involvedObject":{"apiVersion":"v1","kind":"Pod","namespace":"shop","name":"web-7d9-b"},"reason":"BackOff","message":"newest","count":2,"lastTimestamp":"2026-11-23T11:59:00Z"},
			{"involvedObject":{"apiVersion":"v9","kind":"Thing","name":"x"},"reason":"Odd","message":"m","eventTime":"2026-11-23T11:57:00.123456Z","series":{"count":7}}]}`),
	}
	r := Summarize(lists, catalog, now)
	var got []string
	for _, w := range r.Workloads {
		got = append(got, w.Namespace+" "+w.Kind+" "+w.Name+" "+w.Ready+" ["+strings.Join(w.Why, "; ")+"] "+w.Said)
	}
	want := []string{
		"a DaemonSet agent 2 of 3 [] ",
		"other Deployment web 0 of 1 [] ",
		"shop Deployment web 1 of 3 [2 pods CrashLoopBackOff] BackOff: newest",
		"shop Pod alone no [Pending] ",
		"z Job import 0 of 1 [the job failed] ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if r.Ready != 3 {
		t.Errorf("%d are ready", r.Ready)
	}
	if len(r.Warnings) != 2 || r.Warned != 3 {
		t.Fatalf("%+v", r.Warnings)
	}
	if w := r.Warnings[0]; w.Count != 6 || w.Objects != 2 || w.Message != "newest" || w.About.Path != "/api/v1/namespaces/shop/pods/web-7d9-b" {
		t.Errorf("%+v", w)
	}
	if w := r.Warnings[1]; w.Count != 7 || w.About.Path != "" {
		t.Errorf("%+v", w)
	}
}

func TestRecentWritesAreGroupedByManager(t *testing.T) {
	entry := func(name, operation, subresource, at string) string {
		return `{"manager":"` + name + `","operation":"` + operation + `","subresource":"` + subresource + `","apiVersion":"v1","time":"` + at + `","fieldsV1":{"f:data":{}}}`
	}
	l := read(t, pods, Metadata, `{"kind":"PartialObjectMetadataList","metadata":{"continue":"x","remainingItemCount":12},"items":[
		{"metadata":{"namespace":"a","name":"one","managedFields":[`+entry("ada", "Apply", "", "2026-11-23T11:58:00Z")+`,`+entry("kubelet", "Update", "status", "2026-11-23T11:59:59Z")+`]}},
		{"metadata":{"namespace":"a","name":"two","managedFields":[`+entry("ada", "Apply", "", "2026-11-23T11:59:00Z")+`,`+entry("ben", "Update", "", "2026-11-23T11:49:00Z")+`]}},
		{"metadata":{"namespace":"a","name":"odd","managedFields":[`+entry("caro", "Update", "", "never")+`,`+entry("ancient-changes", "Update", "", "2026-11-23T11:59:00Z")+`]}}]}`)
	r := Summarize([]List{l}, catalog, now)
	if len(r.Writes) != 1 || len(r.Status) != 1 {
		t.Fatalf("%+v, status %+v", r.Writes, r.Status)
	}
	if w := r.Writes[0]; w.Manager.Name != "ada" || w.Objects != 2 || w.Newest[0].Name != "two" || !w.Last.Equal(now.Add(-time.Minute)) || w.When[17] != 1 || w.When[15] != 1 {
		t.Errorf("%+v", w)
	}
	if len(r.Gaps) != 1 || r.Gaps[0] != (Gap{Resource: "pods", Rest: 12}) {
		t.Errorf("%+v", r.Gaps)
	}
}

func TestAManagerOfSeveralTypesIsOneWrite(t *testing.T) {
	entry := func(version string) string {
		return `{"metadata":{"name":"x","managedFields":[{"manager":"ada","operation":"Update","apiVersion":"` + version + `","time":"2026-11-23T11:59:00Z"}]}}`
	}
	r := Summarize([]List{
		read(t, pods, Metadata, `{"kind":"PodList","items":[`+entry("v1")+`]}`), read(t, deployments, Metadata, `{"kind":"DeploymentList","items":[`+entry("apps/v1")+`]}`),
	}, catalog, now)
	if len(r.Writes) != 1 || r.Writes[0].Objects != 2 || r.Writes[0].Newest[1].Kind != "Deployment" {
		t.Errorf("%+v", r.Writes)
	}
}

func TestSlots(t *testing.T) {
	for ago, want := range map[time.Duration]int{0: 19, -time.Hour: 19, 29 * time.Second: 19, 30 * time.Second: 18, 10*time.Minute - 1: 0, 10 * time.Minute: 0} {
		if got := slot(ago); got != want {
			t.Errorf("%v ago: %d, want %d", ago, got, want)
		}
	}
}

func TestCustomResourcesAreJudgedByTheirConditions(t *testing.T) {
	object := func(name, status string) string {
		return `{"metadata":{"namespace":"a","name":"` + name + `"},"status":` + status + `}`
	}
	of := func(kind, status string) string {
		return `{"conditions":[{"type":"` + kind + `","status":"` + status + `","reason":"R","message":"m"}]}`
	}
	lists := []List{
		read(t, withStatus(custom("a")), Objects, `{"kind":"aList","items":[`+strings.Join([]string{
			object("slow", of("Ready", "Unknown")), object("bad", of("Ready", "False")), object("well", of("Ready", "True")), object("mute", of("Sleepy", "False")),
			object("odd", `"conditions"`), object("degraded", of("Degraded", "True")), object("apart", of("Synced", "False")), object("unwell", of("Healthy", "False")),
		}, ",")+`]}`),
		read(t, routes, Objects, `{"kind":"HTTPRouteList","items":[`+object("lost", `{"parents":[`+of("Accepted", "False")+`]}`)+`]}`),
		read(t, namespaces, Objects, `{"kind":"NamespaceList","items":[{"metadata":{"name":"sick"},"status":`+of("Ready", "False")+`}]}`),
	}
	r := Summarize(lists, catalog, now).Custom
	var got []string
	for _, o := range r.Odd {
		got = append(got, o.Name+" "+o.Words+" "+o.Reason+" "+o.Message)
	}
	want := []string{
		"lost Accepted False R m", "apart Synced False R m", "bad Ready False R m", "degraded Degraded True R m", "unwell Healthy False R m", "slow Ready Unknown R m",
	}
	if !slices.Equal(got, want) || r.Judged != 7 || r.More != 0 {
		t.Errorf("%q, of %d", got, r.Judged)
	}
	if path := r.Odd[0].Path; path != "/apis/gateway.networking.k8s.io/v1/namespaces/a/httproutes/lost" {
		t.Error(path)
	}
}

func TestNamespacesThatAreBeingDeletedSayWhatBlocksThem(t *testing.T) {
	l := read(t, namespaces, Objects, `{"kind":"NamespaceList","items":[{"metadata":{"name":"new","deletionTimestamp":"2026-11-23T11:59:00Z"}},{"metadata":{"name":"stays"}},
		{"metadata":{"name":"stuck","deletionTimestamp":"2026-11-23T09:00:00Z"},"status":{"phase":"Terminating","conditions":[
			{"type":"NamespaceDeletionContentFailure","status":"False","message":"all is deleted"},
			{"type":"NamespaceContentRemaining","status":"True","message":"nests.field.guide has 1 resource instances"},
			{"type":"NamespaceFinalizersRemaining","status":"True","message":"field.guide/nest in 1 resource instances"}]}}]}`)
	n := Summarize([]List{l}, catalog, now).Namespaces
	if !n.Known || n.Count != 3 || len(n.Leaving) != 2 {
		t.Fatalf("%+v", n)
	}
	if first := n.Leaving[0]; first.Name != "stuck" || first.Why != "field.guide/nest in 1 resource instances" || first.Path != "/api/v1/namespaces/stuck" {
		t.Errorf("%+v", first)
	}
	if second := n.Leaving[1]; second.Name != "new" || second.Why != "" {
		t.Errorf("%+v", second)
	}
}

func TestWhatIsChangedAgainAndAgainIsContested(t *testing.T) {
	object := func(name, generation string, writers ...string) string {
		var entries []string
		for _, w := range writers {
			by, at, _ := strings.Cut(w, "@")
			entries = append(entries, `{"manager":"`+by+`","operation":"Update","time":"2026-11-23T`+at+`Z"}`)
		}
		return `{"metadata":{"namespace":"a","name":"` + name + `","generation":` + generation + `,"creationTimestamp":"2026-11-23T11:00:00Z","managedFields":[` + strings.Join(entries, ",") + `]}}`
	}
	l := read(t, deployments, Metadata, `{"kind":"DeploymentList","items":[`+strings.Join([]string{
		object("fight", "200", "ada@11:59:50", "ben@11:59:53"),
		object("slow-fight", "30", "ada@11:59:50", "ben@11:59:53"),
		object("one-left", "120", "ada@11:59:50"),
		object("one-slow", "30", "ada@11:59:50"),
		object("new", "3", "ada@11:59:50", "ben@11:59:53"),
		object("over", "500", "ada@11:50:00", "ben@11:50:03"),
	}, ",")+`]}`)
	var got []string
	for _, c := range Summarize([]List{l}, catalog, now).Contested {
		var names []string
		for _, m := range c.Managers {
			names = append(names, m.Name)
		}
		got = append(got, c.Name+": "+strings.Join(names, " "))
	}
	if want := []string{"fight: ben ada", "one-left: ada", "slow-fight: ben ada"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestNodesThatAreNotSimplyReadyAreNamed(t *testing.T) {
	l := read(t, nodes, Table, tableOf("Name Status Version", `"a","Ready","v1.37.1"|"name":"a"`, `"b","NotReady","v1.36.0"|"name":"b"`, `"c","Ready,SchedulingDisabled","v1.37.1"|"name":"c"`))
	n := Summarize([]List{l}, catalog, now).Nodes
	if !n.Known || n.Count != 3 || n.Ready != 1 || len(n.Odd) != 2 || n.Odd[0].Path != "/api/v1/nodes/b" || !slices.Equal(n.Versions, []string{"v1.36.0", "v1.37.1"}) {
		t.Errorf("%+v", n)
	}
}

// A server without Tables sends the objects. They don't say how they are, so nothing is called ready or not ready.
func TestWithoutTablesNothingIsSaidOfReadiness(t *testing.T) {
	plain := []byte(`{"kind":"List","items":[{"metadata":{"name":"a"}}]}`)
	var lists []List
	for _, of := range []discovery.Type{pods, deployments, nodes} {
		l, err := Read(Source{Type: of, Form: Table}, plain)
		if err != nil || !l.Untold || len(l.Items) != 1 {
			t.Errorf("%s: %+v, %v", of.FullName(), l, err)
		}
		lists = append(lists, l)
	}
	r := Summarize(lists, catalog, now)
	if r.Nodes.Known || len(r.Nodes.Odd) != 0 || len(r.Workloads) != 0 || len(r.Types) != 0 || len(r.Gaps) != 3 || r.Gaps[0].Why != "This server doesn’t offer tables." {
		t.Errorf("%+v", r)
	}
}

func TestOddResponses(t *testing.T) {
	for body, fails := range map[string]bool{
		``: true, `[]`: true, `{}`: true, `{"kind":"Status"}`: true, `{"kind":"PodList","items":[1]}`: true,
		`{"kind":"PodList"}`: false, `{"kind":"Table","rows":[{"cells":["a","b"]}]}`: false, `{"kind":"Table","columnDefinitions":[{"name":"Ready"}],"rows":[{"cells":["x"]}]}`: false,
	} {
		l, err := Read(Source{Type: deployments, Form: Table}, []byte(body))
		if (err != nil) != fails {
			t.Errorf("%s: %v", body, err)
		}
		Summarize([]List{l}, catalog, now)
	}
}
