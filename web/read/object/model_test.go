package object

import (
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/condition"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/reference"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/frame/views"
	"github.com/fieldmark/fieldmark/web/read/object/secrets"
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

const deployment = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop","resourceVersion":"42",
"creationTimestamp":"2026-11-21T10:00:00Z","managedFields":[{"manager":"kubectl"},{"manager":"argocd"}]},
"spec":{"replicas":3},
"status":{"conditions":[{"type":"Available","status":"True","reason":"Enough","message":"it has","lastTransitionTime":"2026-11-21T11:55:00Z"},{"type":"Progressing","status":"False"}]}}`

func pageOf(t *testing.T, path, document string) Model {
	t.Helper()
	p, err := apipath.Parse(path)
	if err != nil {
		t.Fatal(err)
	}
	o, err := object.Parse([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	verbs := func(name, kind string, verbs ...string) discovery.Subresource {
		return discovery.Subresource{Name: name, Kind: kind, Verbs: verbs}
	}
	return Model{
		Frame: page.Frame{Shell: shell.Model{Cluster: shell.Cluster{Slug: "practice", Name: "practice"}, Path: p, Title: "web"}},
		Type: discovery.Type{Group: "apps", Version: "v1", Resource: "deployments", Kind: "Deployment", Subresources: []discovery.Subresource{
			verbs("scale", "Scale", "get", "patch"), verbs("status", "Deployment", "get"), verbs("log", "Pod", "get"),
			verbs("exec", "PodExecOptions", "get"), verbs("proxy", "ProxyOptions", "get"), verbs("eviction", "Eviction", "create"),
		}},
		Tab: YAML, Now: now, Object: o,
	}
}

const path = "/apis/apps/v1/namespaces/shop/deployments/web"

func TestUnknownTabIsTheFirst(t *testing.T) {
	for text, want := range map[string]Tab{
		"": Fields, "tab=fields": Fields, "tab=yaml": YAML, "tab=json": JSON, "tab=timeline": Timeline, "tab=events": Events, "tab=related": Related,
		"tab=owners": Related, // as it was called before
		"tab=schema": Schema, "tab=JSON": Fields, "tab=../x": Fields, "managed=1": YAML, "managed=1&tab=json": JSON, "managed=0": Fields,
	} {
		if got := views.Parse(query(t, text)); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

func TestTabs(t *testing.T) {
	m := pageOf(t, path, deployment)
	m.Tab = Events
	want := map[string]string{
		"Fields": "/c/practice" + path, "YAML": "/c/practice" + path + "?tab=yaml", "JSON": "/c/practice" + path + "?tab=json",
		"Timeline": "/c/practice" + path + "?tab=timeline", "Schema": "/c/practice" + path + "?tab=schema",
		"Events": "/c/practice" + path + "?tab=events", "Related": "/c/practice" + path + "?tab=related", "Logs": "/c/practice" + path + "?tab=logs",
	}
	tabs := m.tabs()
	for _, l := range tabs {
		if l.Href != want[l.Text] || l.Current != (l.Text == "Events") {
			t.Errorf("%+v", l)
		}
	}
	if len(tabs) != len(want) {
		t.Errorf("%d tabs", len(tabs))
	}
	if tabs := pageOf(t, path+"/scale", deployment).tabs(); len(tabs) != 4 {
		t.Errorf("a subresource has no timeline, no events and no owners: %+v", tabs)
	}
}

func TestEveryTabIsExplained(t *testing.T) {
	m := pageOf(t, path, deployment)
	m.Problem = &components.Notice{Title: "The head of the page is enough"}
	for _, m.Tab = range m.views() {
		for _, l := range m.tabs() {
			if l.Why == nil {
				t.Errorf("nothing explains %s", l.Text)
			} else if shown := markup(t, page.Main(m)); l.Current && !strings.Contains(shown, `</nav><a class="why" href="`+l.Why.Address()) {
				t.Errorf("%s does not lead to %s", l.Text, l.Why.Address())
			}
		}
	}
}

func TestSince(t *testing.T) {
	m := pageOf(t, path, deployment)
	for at, want := range map[time.Time]string{
		{}: "", now: "for 0s", now.Add(-5 * time.Minute): "for 5m", now.Add(-48 * time.Hour): "for 2d", now.Add(time.Hour): "for <invalid>",
	} {
		if got := m.since(at); got != want {
			t.Errorf("since %v is %q, want %q", at, got, want)
		}
	}
}

func TestConditionsHaveTheirAgeAndTheUnhealthyComeFirst(t *testing.T) {
	got := pageOf(t, path, deployment).conditions()
	want := []components.Condition{
		{Type: "Progressing", Status: "False", Verdict: condition.Ill},
		{Type: "Available", Status: "True", Reason: "Enough", Message: "it has", Since: "for 5m", Verdict: condition.Fine},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

func TestSubtitle(t *testing.T) {
	for document, want := range map[string]string{
		deployment:                "Deployment · apps/v1 · 120m old",
		`{"kind":"Scale"}`:        "Scale",
		`{"apiVersion":"v1"}`:     " · v1",
		`{"metadata":{"name":7}}`: "",
	} {
		if got := pageOf(t, path, document).subtitle(); got != want {
			t.Errorf("%.30s: %q, want %q", document, got, want)
		}
	}
}

func TestOneValueIsRevealedAtATime(t *testing.T) {
	m := pageOf(t, path, deployment)
	m.Tab, m.Managed = JSON, true
	m.Secrets.Reveal = &secrets.Revealed{Key: "first", Text: "x"}
	u, err := url.Parse(secrets.Address(m.about(), "tls.key&reveal=other"))
	if err != nil {
		t.Fatal(err)
	}
	if q := u.Query(); q.Get("reveal") != "tls.key&reveal=other" || len(q["reveal"]) != 1 || q.Get("tab") != "json" || q.Get("managed") != "1" {
		t.Errorf("%s", u)
	}
	if got := m.about().Here(); strings.Contains(got, "reveal") || got != "/c/practice"+path+"?managed=1&tab=json" {
		t.Errorf("hiding leads to %s", got)
	}
	for _, l := range m.tabs() {
		if strings.Contains(l.Href, "reveal") {
			t.Errorf("the tab %s carries what was revealed along: %s", l.Text, l.Href)
		}
	}
	if got := m.queryAddress(m.toggled()); strings.Contains(got, "reveal") || strings.Contains(got, "managed") {
		t.Errorf("%s", got)
	}
}

func TestManagedFieldsAreFoldedAwayUnlessAskedFor(t *testing.T) {
	m := pageOf(t, path, deployment)
	for _, tab := range []Tab{YAML, JSON} {
		for _, managed := range []bool{false, true} {
			m.Tab, m.Managed = tab, managed
			lines, err := m.lines()
			if err != nil {
				t.Fatal(err)
			}
			var text strings.Builder
			for _, l := range lines {
				text.WriteString(l.String() + "\n")
			}
			if strings.Contains(text.String(), "managedFields") != managed {
				t.Errorf("%s, managed %v:\n%s", tab, managed, &text)
			}
			if isJSON := strings.HasPrefix(text.String(), "{"); isJSON != (tab == JSON) {
				t.Errorf("%s looks like this:\n%s", tab, &text)
			}
		}
	}
}

func TestANamespacesConditionsLeadToWhatRemains(t *testing.T) {
	m := pageOf(t, "/api/v1/namespaces/old", `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"old"},"status":{"conditions":[{"type":"NamespaceContentRemaining","status":"True",
		"message":"Some resources are remaining: pods. has 2 resource instances, unknowns.example.com has 1 resource instances"}]}}`)
	m.Type = discovery.Type{Version: "v1", Resource: "namespaces", Kind: "Namespace"}
	m.Shell.Catalog = discovery.Catalog{Groups: []discovery.Group{{Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{{Version: "v1", Resource: "pods", Singular: "pod", Namespaced: true}}}}}}}
	want := []components.Link{{Text: "2 pods in this namespace", Href: "/c/practice/api/v1/namespaces/old/pods"}}
	if got := m.conditions(); len(got) != 1 || !slices.Equal(got[0].Links, want) {
		t.Errorf("%+v", got)
	}
}

func TestOnlyReadableSubresourcesAreOffered(t *testing.T) {
	var got []string
	for _, l := range pageOf(t, path, deployment).subresources() {
		got = append(got, l.Text+" "+l.Href)
	}
	want := []string{"Subresource scale /c/practice" + path + "/scale", "Subresource status /c/practice" + path + "/status"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if links := pageOf(t, path+"/scale", deployment).subresources(); links != nil {
		t.Errorf("a subresource has subresources: %+v", links)
	}
}

func TestNamesOfOtherObjectsAreLinks(t *testing.T) {
	m := pageOf(t, path, `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop","ownerReferences":[
		{"apiVersion":"example.com/v1","kind":"App","name":"shop","uid":"u"},{"apiVersion":"example.com/v1","kind":"Other","name":"unknown","uid":"v"}]},
		"spec":{"selector":{"matchLabels":{"app":"web","tier":"front"}},"template":{"spec":{"serviceAccountName":"ro<b>bot","nodeName":"n1"}}}}`)
	m.Kinds = []reference.Kind{{APIVersion: "example.com/v1", Kind: "App", Resource: "apps", Namespaced: true}}
	for _, m.Tab = range []Tab{YAML, Fields, JSON} {
		shown := markup(t, page.Main(m))
		if m.Tab == JSON {
			shown = strings.NewReplacer(`>&#34;`, `>`, `&#34;</a>`, `</a>`).Replace(shown)
		}
		for _, want := range []string{
			`href="/c/practice/apis/example.com/v1/namespaces/shop/apps/shop">shop</a>`, `href="/c/practice/api/v1/nodes/n1">n1</a>`,
			`href="/c/practice/api/v1/namespaces/shop/serviceaccounts/ro%3Cb%3Ebot">ro&lt;b&gt;bot</a>`,
			`href="/c/practice/api/v1/namespaces/shop/pods?labelSelector=app%3Dweb%2Ctier%3Dfront">front</a>`,
		} {
			if !strings.Contains(shown, want) {
				t.Errorf("%s has no %s", m.Tab, want)
			}
		}
		if strings.Contains(shown, ">unknown</a>") {
			t.Errorf("%s links an object of an unknown kind", m.Tab)
		}
	}
}
