package upgrade

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/kube/removal"
)

func serving(all ...discovery.Type) discovery.Catalog {
	var c discovery.Catalog
	for _, t := range all {
		g, _ := c.Group(t.Group)
		v, _ := g.Version(t.Version)
		c = c.Including(t.Group, t.Version, append(v.Types, t))
	}
	return c
}

var (
	ingress    = discovery.Type{Group: "networking.k8s.io", Version: "v1", Resource: "ingresses", Kind: "Ingress"}
	oldIngress = discovery.Type{Group: "networking.k8s.io", Version: "v1beta1", Resource: "ingresses", Kind: "Ingress"}
	claim      = discovery.Type{Group: "resource.k8s.io", Version: "v1", Resource: "resourceclaims", Kind: "ResourceClaim"}
	oldClaim   = discovery.Type{Group: "resource.k8s.io", Version: "v1beta1", Resource: "resourceclaims", Kind: "ResourceClaim"}
	widget     = discovery.Type{Group: "drop.example.com", Version: "v1", Resource: "widgets", Kind: "Widget"}
)

var written2026 = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// counted is a census with one manager that has one entry.
func counted(of discovery.Type, apiVersion string, objects int) report.Report {
	return report.Report{
		Types:    []report.Type{{Group: of.Group, Version: of.Version, Resource: of.Resource, Kind: of.Kind, State: report.Read}},
		Managers: []report.Manager{{Name: "helm"}},
		Cells: []report.Cell{{Entries: []report.Entry{
			{Operation: "Apply", APIVersion: apiVersion, Objects: objects, Last: written2026},
		}}},
	}
}

func widgets(change func(*Definition)) []Definition {
	d := Definition{
		Name: "widgets.drop.example.com", Group: "drop.example.com", Resource: "widgets", Kind: "Widget",
		Versions: []DefinedVersion{{Name: "v1", Served: true, Storage: true}, {Name: "v1beta1", Served: true}}, Stored: []string{"v1"},
	}
	if change != nil {
		change(&d)
	}
	return []Definition{d}
}

func table(t *testing.T) removal.Table {
	t.Helper()
	all, err := removal.Of()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// finding is a case of TestFindings.
type finding struct {
	facts Facts
	want  Kind
	says  []string // in the sentence, and in the ways
}

// aboutEntries are the rules about what managers wrote.
func aboutEntries() map[string]finding {
	return map[string]finding{
		"a version that the target drops": {
			Facts{Target: 22, Census: counted(ingress, "networking.k8s.io/v1beta1", 3), Catalog: serving(ingress, oldIngress)},
			Dropped,
			[]string{"helm (Apply)", "3 objects of ingresses.networking.k8s.io", "Kubernetes 1.22 drops it", "2026-03-04", "use apiVersion: networking.k8s.io/v1 instead", removal.Guide, "Apply again"},
		},
		"the same before that": {
			Facts{Target: 21, Census: counted(ingress, "networking.k8s.io/v1beta1", 1), Catalog: serving(ingress, oldIngress)},
			Deprecated,
			[]string{"1 object of", "deprecated since Kubernetes 1.19", "1.22 drops it"},
		},
		"a version that isn't served any more": {
			Facts{Target: 37, Census: counted(ingress, "networking.k8s.io/v1beta1", 1), Catalog: serving(ingress)},
			Forgotten,
			[]string{"no longer serves", "use apiVersion: networking.k8s.io/v1 instead"},
		},
		"a replacement that only the server knows": {
			Facts{Target: 36, Census: counted(claim, "resource.k8s.io/v1beta1", 1), Catalog: serving(claim, oldClaim)},
			Deprecated,
			[]string{"use apiVersion: resource.k8s.io/v1 instead"},
		},
		"a definition that dropped the version": {
			Facts{Target: 37, Census: counted(widget, "drop.example.com/v1beta1", 2), Catalog: serving(widget), Definitions: widgets(func(d *Definition) { d.Versions = d.Versions[:1] })},
			Unappliable,
			[]string{"no longer lists", "by any manager", "kubectl patch", `"op":"copy"`, "v1beta1"},
		},
		"a definition of another group": {
			Facts{Target: 37, Census: counted(widget, "old.example.com/v1", 2), Catalog: serving(widget), Definitions: widgets(nil)}, Unappliable, []string{"old.example.com/v1"},
		},
		"a definition that couldn't be read": {
			Facts{Target: 37, Census: counted(widget, "drop.example.com/v1beta1", 2), Catalog: serving(widget)}, Unappliable, []string{"couldn’t read the definition"},
		},
		"a version that is listed and not served": {
			Facts{Target: 37, Census: counted(widget, "drop.example.com/v1beta1", 2), Catalog: serving(widget), Definitions: widgets(func(d *Definition) { d.Versions[1].Served = false })},
			Fading,
			[]string{"still lists it, so applies pass"},
		},
		"a version that is served and not stored": {
			Facts{Target: 37, Census: counted(widget, "drop.example.com/v1beta1", 2), Catalog: serving(widget), Definitions: widgets(func(d *Definition) { d.Versions[1].Deprecated = true })},
			Fading,
			[]string{"objects are stored in v1", "calls the version deprecated", "use apiVersion: drop.example.com/v1 instead"},
		},
	}
}

// aboutParts are the other rules.
func aboutParts() map[string]finding {
	return map[string]finding{
		"versions in which objects may be stored": {
			Facts{Target: 37, Definitions: widgets(func(d *Definition) { d.Stored = []string{"v1alpha1", "v1"} })}, Stored, []string{"stored as v1alpha1", "store v1", "storedVersions", "kubectl replace"},
		},
		"the same with a migration": {
			Facts{Target: 37, Catalog: serving(discovery.Type{Group: "storagemigration.k8s.io", Version: "v1", Resource: "storageversionmigrations", Kind: "StorageVersionMigration"}), Definitions: widgets(func(d *Definition) { d.Stored = []string{"v1beta1"} })},
			Stored,
			[]string{"apiVersion: storagemigration.k8s.io/v1\n", "group: drop.example.com\n", "resource: widgets\n"},
		},
		"a request that the target refuses": {
			Facts{Target: 37, Requested: []Request{{Group: "storage.k8s.io", Version: "v1beta1", Resource: "volumeattributesclasses", Removed: 37}}}, Requested, []string{"Kubernetes 1.37 drops it", "doesn’t say which client", "audit.log"},
		},
		"a request that a later release refuses": {
			Facts{Target: 37, Requested: []Request{{Group: "resource.k8s.io", Version: "v1beta1", Resource: "resourceclaims", Subresource: "status", Removed: 38}}}, Deprecated, []string{"resourceclaims.resource.k8s.io/status"},
		},
		"a request without a release": {
			Facts{Target: 37, Requested: []Request{{Version: "v1", Resource: "endpoints"}}}, Deprecated, []string{"v1 endpoints", "No release is named"},
		},
		"a target after the table": {Facts{Target: 39}, Target, []string{"made for Kubernetes 1.37"}},
		"an API service": {
			Facts{Target: 37, Services: []APIService{{Name: "v1beta1.metrics.k8s.io", Server: "kube-system/metrics-server", Why: "MissingEndpoints: no addresses"}, {Name: "v1.apps"}, {Name: "v1.x", Server: "a/b", Available: true}}},
			Service,
			[]string{"kube-system/metrics-server", "no addresses", "kubectl describe apiservice v1beta1.metrics.k8s.io"},
		},
		"metrics that can't be read":   {Facts{Target: 37, Missing: []Missing{{What: "the metrics of the API server", Why: "The API server refused: 403."}}}, Unread, []string{"403"}},
		"types that can't be listed":   {Facts{Target: 37, Census: report.Report{Types: []report.Type{{Resource: "secrets", State: report.Refused, Why: "forbidden."}}}}, Unread, []string{"didn’t list", "forbidden."}},
		"types that were read in part": {Facts{Target: 37, Census: report.Report{Types: []report.Type{{Resource: "pods", State: report.Partly, Objects: 7}}}}, Unread, []string{"Only 7 objects were read."}},
		"a group that isn't told":      {Facts{Target: 37, Catalog: discovery.Catalog{Failures: []discovery.Failure{{Group: "metrics.k8s.io", Version: "v1beta1"}}}}, Unread, []string{"Discovery"}},
	}
}

// TestFindings has a case for each rule.
func TestFindings(t *testing.T) {
	all, cases := table(t), aboutEntries()
	maps.Copy(cases, aboutParts())
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			test.facts.Table = all
			found := test.facts.Findings()
			if len(found) != 1 || found[0].Kind != test.want {
				t.Fatalf("%+v", found)
			}
			said := found[0].Why
			for _, w := range found[0].Ways {
				said += w.Text
			}
			for _, words := range test.says {
				if !strings.Contains(said, words) {
					t.Errorf("%q isn't in %q", words, said)
				}
			}
		})
	}
}

// What is as it should be has no finding.
func TestNothingIsFound(t *testing.T) {
	all := table(t)
	for name, facts := range map[string]Facts{
		"a version of today":               {Target: 37, Census: counted(ingress, "networking.k8s.io/v1", 3), Catalog: serving(ingress)},
		"the storage version":              {Target: 37, Census: counted(widget, "drop.example.com/v1", 3), Catalog: serving(widget), Definitions: widgets(nil)},
		"a version that couldn't be read":  {Target: 16, Census: counted(ingress, "networking.k8s.io/v1beta1", 1), Catalog: discovery.Catalog{}},
		"an entry without a version":       {Target: 37, Census: counted(ingress, "", 1), Catalog: serving(ingress)},
		"cells that refer to nothing":      {Target: 37, Census: report.Report{Cells: []report.Cell{{Manager: 3, Type: -1}}}},
		"a webhook, and nothing to change": {Target: 37, Hooks: []Hook{{Fail: true, Rules: []HookRule{{APIGroups: []string{"*"}, Resources: []string{"*"}, Operations: []string{"*"}}}}}},
	} {
		facts.Table = all
		if name == "a version that couldn't be read" {
			facts.Catalog.Failures = []discovery.Failure{{Group: "networking.k8s.io", Version: "v1beta1"}}
			if found := facts.Findings(); len(found) != 1 || found[0].Kind != Unread {
				t.Errorf("%s: %+v", name, found)
			}
			continue
		}
		if found := facts.Findings(); len(found) > 0 {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

func TestWebhooks(t *testing.T) {
	facts := Facts{Target: 37, Table: table(t), Census: counted(widget, "drop.example.com/v1beta1", 2), Catalog: serving(widget), Definitions: widgets(nil)}
	rule := func(group, resource, operation string) []HookRule {
		return []HookRule{{APIGroups: []string{group}, Resources: []string{resource}, Operations: []string{operation}}}
	}
	for _, test := range []struct {
		hook Hook
		says bool
	}{
		{Hook{Fail: true, Rules: rule("drop.example.com", "widgets", "UPDATE")}, true},
		{Hook{Fail: true, Rules: rule("*", "*/*", "*")}, true},
		{Hook{Fail: false, Rules: rule("*", "*", "*")}, false},
		{Hook{Fail: true, Rules: rule("apps", "widgets", "UPDATE")}, false},
		{Hook{Fail: true, Rules: rule("*", "*", "CREATE")}, false},
		{Hook{Fail: true, Rules: rule("*", "widgets/status", "UPDATE")}, false},
	} {
		test.hook.Kind, test.hook.Configuration, test.hook.Name = "ValidatingWebhookConfiguration", "policy", "deny.example.com"
		facts.Hooks = []Hook{test.hook}
		found := facts.Findings()
		says := len(found) == 2 && found[1].Kind == Webhook && strings.Contains(found[1].Why, "deny.example.com of the ValidatingWebhookConfiguration policy when it writes widgets.drop.example.com")
		if says != test.says {
			t.Errorf("%+v: %+v", test.hook, found)
		}
	}
	if got := few([]string{"a", "b", "c", "d", "e", "f", "g"}); got != "a, b, c, d, e and 2 more types" {
		t.Error(got)
	}
}

func TestWorstFirst(t *testing.T) {
	c := counted(ingress, "networking.k8s.io/v1beta1", 1)
	c.Managers = append(c.Managers, report.Manager{Name: "argocd"})
	c.Cells = append(c.Cells, report.Cell{Manager: 1, Entries: []report.Entry{{Operation: "Update", APIVersion: "networking.k8s.io/v1beta1", Objects: 9}}})
	found := Facts{Target: 22, Table: table(t), Census: c, Catalog: serving(ingress, oldIngress), Requested: []Request{{Resource: "endpoints", Version: "v1"}}, Missing: []Missing{{What: "x"}}}.Findings()
	var order []string
	for _, f := range found {
		order = append(order, string(f.Kind)+" "+f.Manager.Name)
	}
	if got := strings.Join(order, ", "); got != "dropped argocd, dropped helm, unread , deprecated " {
		t.Error(got)
	}
	if !strings.Contains(found[0].Why, "don’t say when") {
		t.Errorf("%+v", found[0])
	}
	r := Report{Clusters: []Cluster{Cluster{Findings: found}.Counted(), Cluster{}.Counted()}}
	if !r.Fails(FailOn()) || r.Fails([]Kind{Stored}) || r.Clusters[1].Findings == nil {
		t.Errorf("%+v", r)
	}
	if got := Tally(r.Clusters[0].Counts); got != "2 dropped, 1 unread, 1 deprecated" {
		t.Error(got)
	}
}

func TestKindsSayEverything(t *testing.T) {
	for _, k := range Kinds() {
		if a := k.About(); a.Title == "" || a.Means == "" || a.Do == "" {
			t.Errorf("%+v", a)
		}
	}
	if Kind("x").About().Kind != "x" || len(FailOn()) != 4 {
		t.Error("kinds")
	}
}

func TestMetrics(t *testing.T) {
	for line, want := range map[string]Request{
		`apiserver_requested_deprecated_apis{group="resource.k8s.io",removed_release="1.38",resource="resourceclaims",subresource="status",version="v1beta1"} 1`: {"resource.k8s.io", "v1beta1", "resourceclaims", "status", 38},
		`apiserver_requested_deprecated_apis{group="",removed_release="",resource="endpoints",subresource="",version="v1"} 1`:                                    {"", "v1", "endpoints", "", 0},
		`apiserver_requested_deprecated_apis{group="a\\\"\n",resource="x",version="v1"} 1`:                                                                       {"a\\\"\n", "v1", "x", "", 0},
		`apiserver_requested_deprecated_apis{group="",resource="endpoints",version="v1"} 0`:                                                                      {},
		`apiserver_requested_deprecated_apis{group="`:                                                                                                            {},
		`apiserver_requested_deprecated_apis{group`:                                                                                                              {},
		`# TYPE apiserver_requested_deprecated_apis gauge`:                                                                                                       {},
		`apiserver_request_total{resource="x"} 1`:                                                                                                                {},
	} {
		got, ok := ParseMetric(line)
		if ok != (want != Request{}) || ok && got != want {
			t.Errorf("%s: %v %+v", line, ok, got)
		}
	}
}

func TestPartsAreRead(t *testing.T) {
	d, err := ParseDefinition([]byte(`{"metadata":{"name":"w.x"},"spec":{"group":"x","names":{"plural":"w","kind":"W"},"conversion":{"strategy":"Webhook"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{}},{"name":"v0","deprecated":true}]},"status":{"storedVersions":["v0","v1"]}}`))
	if storage, at := d.Storage(); err != nil || storage != "v1" || at != 0 || !d.Converted || !d.Versions[1].Deprecated || len(d.Old()) != 1 || !d.Lists("x/v0") || d.Lists("x/v2") || d.Lists("y/v0") {
		t.Errorf("%+v %v", d, err)
	}
	if ways := d.wayBack("x/v2"); ways != nil {
		t.Errorf("a webhook must know the version: %+v", ways)
	}
	if _, at := (Definition{}).Storage(); at != -1 {
		t.Error("no version is stored")
	}
	s, err := ParseAPIService([]byte(`{"metadata":{"name":"v1.x"},"spec":{"service":{"namespace":"a","name":"b"}},"status":{"conditions":[{"type":"Available","status":"False","reason":"R","message":"M"}]}}`))
	if err != nil || s != (APIService{Name: "v1.x", Server: "a/b", Why: "R: M"}) {
		t.Errorf("%+v %v", s, err)
	}
	hooks, err := ParseHooks("MutatingWebhookConfiguration", []byte(`{"metadata":{"name":"c"},"webhooks":[{"name":"n","failurePolicy":"Fail","rules":[{"apiGroups":["*"],"resources":["pods"],"operations":["UPDATE"]}]},{"name":"i","failurePolicy":"Ignore"}]}`))
	if err != nil || len(hooks) != 2 || !hooks[0].Fail || hooks[1].Fail || !hooks[0].calls("", "pods") || hooks[0].calls("", "nodes") {
		t.Errorf("%+v %v", hooks, err)
	}
	for name, err := range map[string]error{
		"definition": second(ParseDefinition([]byte("["))), "service": second(ParseAPIService([]byte("["))), "hooks": second(ParseHooks("x", []byte("["))),
	} {
		if err == nil {
			t.Error(name)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// Texts of a cluster can't leave the quotes of a command.
func TestHostileNames(t *testing.T) {
	for _, w := range inAudit(Request{Resource: "a'; rm -rf / #", Version: `"`}) {
		if strings.Count(w.Text, "'") != 2 {
			t.Error(w.Text)
		}
	}
	d := widgets(func(d *Definition) { d.Name, d.Versions = "-x'$(id)", d.Versions[:1] })[0]
	for _, w := range d.wayBack("drop.example.com/v1beta1") {
		if !strings.Contains(w.Text, `'\''`) && !strings.Contains(w.Text, `"'"`) {
			t.Error(w.Text)
		}
	}
	if got := planned(release.Version(0)); got != "" {
		t.Error(got)
	}
}

// While a census reads, a type that it will read isn't missing. A type that nobody can write never is.
func TestWhatIsMissing(t *testing.T) {
	pods := discovery.Type{Version: "v1", Resource: "pods", Kind: "Pod", Verbs: []string{"list", "update"}}
	metrics := discovery.Type{Group: "metrics.k8s.io", Version: "v1beta1", Resource: "nodes", Kind: "NodeMetrics", Verbs: []string{"list"}}
	for name, c := range map[string]struct {
		of    discovery.Type
		state report.State
		phase report.Phase
		want  int
	}{
		"waiting":             {pods, report.Waiting, report.Reading, 0},
		"waited in vain":      {pods, report.Waiting, report.Stopped, 1},
		"refused":             {pods, report.Refused, report.Reading, 1},
		"nobody can write it": {metrics, report.Refused, report.Done, 0},
	} {
		r := counted(c.of, "", 1)
		r.Types[0].State, r.Phase = c.state, c.phase
		if found := (Facts{Target: 22, Table: table(t), Census: r, Catalog: serving(pods, metrics)}).Findings(); len(found) != c.want {
			t.Errorf("%s: %+v", name, found)
		}
	}
}
