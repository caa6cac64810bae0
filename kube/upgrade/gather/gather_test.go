package gather

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/upgrade"
)

var widgets = discovery.Type{Group: "example.com", Version: "v1", Resource: "widgets", Kind: "Widget", Namespaced: true, Verbs: []string{"list", "patch"}}

func catalog() (c discovery.Catalog) {
	for _, t := range []discovery.Type{
		widgets,
		{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions", Kind: "CustomResourceDefinition"},
		{Group: "apiregistration.k8s.io", Version: "v1", Resource: "apiservices", Kind: "APIService"},
		{Group: "admissionregistration.k8s.io", Version: "v1", Resource: "mutatingwebhookconfigurations", Kind: "MutatingWebhookConfiguration"},
	} {
		c = c.Including(t.Group, t.Version, []discovery.Type{t})
	}
	return c
}

const definition = `{"metadata":{"name":"widgets.example.com"},"spec":{"group":"example.com","names":{"plural":"widgets","kind":"Widget"},"versions":[{"name":"v1","served":true,"storage":true}]},"status":{"storedVersions":["v1"]}}`

// server answers what its map has, by the end of the path, and refuses everything else.
func server(bodies map[string]string) Send {
	return Send{
		Get: func(_ context.Context, target, _ string) ([]byte, *status.Status) {
			for of, body := range bodies {
				if strings.HasSuffix(target, of) {
					return []byte(body), nil
				}
			}
			return nil, &status.Status{Code: 403, Reason: "Forbidden", Message: "no " + target}
		},
		Lines: func(_ context.Context, target string, take func(string)) *status.Status {
			if bodies[target] == "" {
				return &status.Status{Message: "no connection"}
			}
			for line := range strings.Lines(bodies[target]) {
				take(strings.TrimSuffix(line, "\n"))
			}
			return nil
		},
	}
}

func list(next string, items ...string) string {
	return fmt.Sprintf(`{"metadata":{"continue":%q},"items":[%s]}`, next, strings.Join(items, ","))
}

func gathered(t *testing.T, bodies map[string]string) *Gathering {
	t.Helper()
	g, err := New(catalog(), server(bodies))
	if err != nil {
		t.Fatal(err)
	}
	g.Definitions(t.Context())
	g.Parts(t.Context())
	g.Metrics(t.Context())
	return g
}

func TestWhatIsRead(t *testing.T) {
	g := gathered(t, map[string]string{
		"customresourcedefinitions?limit=50":            list("t", definition),
		"customresourcedefinitions?continue=t&limit=50": list("", strings.ReplaceAll(definition, "widget", "gadget")),
		"apiservices?limit=50":                          list("", `{"metadata":{"name":"v1.away.example.com"},"spec":{"service":{"namespace":"a","name":"b"}},"status":{"conditions":[{"type":"Available","status":"False"}]}}`),
		"mutatingwebhookconfigurations?limit=50":        list("", `{"metadata":{"name":"hooks"},"webhooks":[{"name":"one"},{"name":"two"}]}`),
		"/metrics":                                      "# HELP\napiserver_requested_deprecated_apis{group=\"policy\",removed_release=\"1.25\",resource=\"podsecuritypolicies\",version=\"v1beta1\"} 1\n",
	})
	f := g.Facts(38, report.Report{})
	if len(f.Definitions) != 2 || len(f.Services) != 1 || len(f.Hooks) != 2 || len(f.Requested) != 1 || len(f.Missing) != 0 || f.Target != 38 {
		t.Errorf("%+v", f)
	}
}

func TestWhatIsRefusedIsSaid(t *testing.T) {
	g := gathered(t, map[string]string{"customresourcedefinitions?limit=50": list("t", definition), "customresourcedefinitions?continue=t&limit=50": list("t"), "apiservices?limit=50": "[]"})
	var said []string
	for _, m := range g.Facts(38, report.Report{}).Missing {
		said = append(said, m.Why)
	}
	got := strings.Join(said, "\n")
	for _, want := range []string{"definitions of types: the list makes no progress", "API services: the response isn’t a list", "403 Forbidden", "deprecated versions: no connection"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q isn't in %s", want, got)
		}
	}
	stopped, end := context.WithCancel(t.Context())
	end()
	g = gathered(t, nil)
	if why := g.Definitions(stopped); !strings.Contains(why, "the reading was stopped") {
		t.Error(why)
	}
}

func widget(name, version string) []byte {
	return fmt.Appendf(nil, `{"metadata":{"name":%q,"namespace":"n","uid":"1","resourceVersion":"2","managedFields":[{"manager":"old","operation":"Apply","apiVersion":"example.com/%s","time":"2026-03-04T05:06:07Z"}]}}`, name, version)
}

func TestBlockedObjectsAreBounded(t *testing.T) {
	g := gathered(t, map[string]string{"customresourcedefinitions?limit=50": list("", definition)})
	p := g.Plan([]discovery.Type{widgets}, nil)
	see := func() {
		for i := range MostBlocked + 5 {
			p.Take(widgets, widget(fmt.Sprint("w", i), "v1beta1"))
		}
		p.Take(widgets, widget("sound", "v1"))
		p.Take(discovery.Type{Version: "v1", Resource: "pods"}, widget("other", "v0"))
		p.Take(widgets, []byte(`{"metadata":{"managedFields":[{"apiVersion":"a/b"}],`))
	}
	see()
	all, more := g.Blocked()
	if len(all) != MostBlocked || more != 5 || all[0].Path != "/apis/example.com/v1/namespaces/n/widgets/w0" || len(all[0].Ways) != 2 || all[0].Managers[0].Name != "old" {
		t.Fatalf("%d %d %+v", len(all), more, all[0])
	}
	p.Lost(widgets)
	if all, more := g.Blocked(); len(all) != 0 || more != 0 {
		t.Errorf("%d %d", len(all), more)
	}
	see()
	if all, more := g.Blocked(); len(all) != MostBlocked || more != 5 {
		t.Errorf("%d %d", len(all), more)
	}
	found := g.AboutApplies(report.Report{
		Types: []report.Type{{Group: "example.com", Version: "v1", Resource: "widgets", Kind: "Widget"}}, Managers: []report.Manager{{Name: "old"}},
		Cells: []report.Cell{{Entries: []report.Entry{{Operation: "Apply", APIVersion: "example.com/v1beta1", Objects: 3}}}},
	})
	if len(found) == 0 || found[0].Kind != upgrade.Unappliable {
		t.Errorf("%+v", found)
	}
}
