package palette

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/web/frame/page"
)

// quiet is a palette all of whose questions were answered, each type with an object that is called like it.
func quiet(t *testing.T, path string) Model {
	t.Helper()
	m, commands := Open(frameAt(t, path), Everything, nil)
	for id, f := range fetches(t, commands) {
		name := strings.TrimPrefix(id, prefixID)
		body := listOf("", "shop/a-"+name)
		if strings.Contains(f.Path, "/nodes") {
			body = listOf("", "/a-node")
		}
		m, _ = answered(t, m, name, 200, body)
	}
	return m
}

func TestWhatWasSearchedIsSaid(t *testing.T) {
	outside := frameAt(t, "/api/v1/pods")
	outside.Cluster.Slug, outside.Cluster.Name = "", ""
	home, _ := Open(outside, Everything, nil)
	guided, _ := home.Update(page.Response{ID: guideID, Status: 200, Body: []byte(`{"lessons":[{"id":"watch","title":"Watch"}]}`)})
	asking, _ := Open(frameAt(t, "/api/v1/pods"), Everything, nil)
	// The catalog of these tests has 73 types that can be listed, Secrets and two sorts of Events among them.
	ten := "Fieldmark searched the names of objects of 10 of the 73 resource types in cluster practice: "
	for name, c := range map[string]struct {
		m    Model
		says []string
		not  []string
	}{
		"all answered":        {typing(quiet(t, "/api/v1/pods"), "spring-sale"), []string{ten, "daemonsets", "cronjobs", "To search another type, type its name first, such as “endpoints spring-sale”.", "never searches the names of Secrets and Events"}, []string{"lessons", "still fetching"}},
		"a type of its own":   {typing(quiet(t, "/apis/cert-manager.io/v1/certificates"), "zzz"), []string{"of 11 of the 73", "certificates"}, nil},
		"one name for two":    {typing(quiet(t, "/apis/serving.knative.dev/v1/services"), "zzz"), []string{"services.serving.knative.dev"}, nil},
		"nothing answered":    {typing(asking, "spring-sale"), []string{"of objects of 1 of the 73", "still fetching the names of objects of 9 resource types"}, nil}, // namespaces are known
		"outside any cluster": {typing(home, "spring-sale"), []string{"searched clusters and pages.", "Open a cluster"}, []string{"names of objects", "lessons"}},
		"with the guide":      {typing(guided, "spring-sale"), []string{"searched clusters, pages, lessons and terms."}, []string{"names of objects"}},
		"types alone":         {typing(quiet(t, "/api/v1/pods"), ":zzz"), []string{"short names, kinds and groups of the 73 resource types in cluster practice."}, []string{"names of objects"}},
	} {
		p := c.m.palette()
		said := strings.Join(p.Searched, " ")
		if !strings.HasPrefix(p.Nothing, "No result for “") {
			t.Errorf("%s: %q", name, p.Nothing)
		}
		for _, want := range c.says {
			if !strings.Contains(said, want) {
				t.Errorf("%s: %q does not say %q", name, said, want)
			}
		}
		for _, lie := range c.not {
			if strings.Contains(said, lie) {
				t.Errorf("%s: %q says %q", name, said, lie)
			}
		}
	}
	if p := typing(quiet(t, "/api/v1/pods"), "a-pods").palette(); p.Nothing != "" || !strings.Contains(strings.Join(p.Notes, "\n"), "Names of objects: 10 of 73 resource types") {
		t.Errorf("where something is found: %q, %q", p.Nothing, p.Notes)
	}
}

func TestNamesOfATypeAreFetchedWhenTheQueryNamesIt(t *testing.T) {
	for query, want := range map[string]string{
		"cj spring":               "", // they are known
		"jobs":                    "", // the type itself is looked for
		"jobs spring":             "palette/jobs.batch",
		"spring HPA":              "palette/horizontalpodautoscalers.autoscaling",
		"secrets spring":          "",
		":jobs spring":            "",
		"certificate.cert-man xx": "palette/certificates.cert-manager.io",
	} {
		m, commands := quiet(t, "/api/v1/pods").Update(page.Typed{Field: Field, Text: query})
		asked := fetches(t, commands)
		if _, is := asked[want]; want != "" && (!is || len(asked) != 1) || want == "" && len(asked) > 0 {
			t.Errorf("%q asks for %v", query, asked)
		}
		if _, again := m.Update(page.Typed{Field: Field, Text: query + "x"}); len(fetches(t, again)) > 0 {
			t.Errorf("%q asks twice", query)
		}
	}
}

func TestWhereNothingIsFoundFurtherTypesAreOffered(t *testing.T) {
	m := typing(quiet(t, "/api/v1/pods"), "spring-sale")
	if got := lines(m); len(got) != 1 || got[0] != "Actions: Search the names of 60 more resource types" {
		t.Fatalf("%q", got)
	}
	if words := m.Announcement(); words != "Nothing found. Search the names of 60 more resource types?" {
		t.Errorf("%q is announced", words)
	}
	m, commands := m.Update(page.Pressed{Key: "Enter"})
	asked := fetches(t, commands)
	if _, chosen := m.Chosen(); chosen || len(asked) != 60 || asked["palette/jobs.batch"].Path == "" || asked["palette/secrets"].Path != "" {
		t.Fatalf("%d are asked for", len(asked))
	}
	if len(m.options()) > 0 {
		t.Errorf("%q is offered while it is done", lines(m))
	}
	m, _ = answered(t, m, "jobs.batch", 200, listOf("", "shop/spring-sale"))
	if got := lines(m); len(got) != 1 || got[0] != "Objects: spring-sale shop" {
		t.Fatalf("%q", got)
	}
	for id := range asked {
		m, _ = answered(t, m, strings.TrimPrefix(id, prefixID), 403, "{}")
	}
	m = typing(m, "nowhere")
	if said := strings.Join(m.palette().Searched, " "); len(m.options()) > 0 || !strings.Contains(said, "of 11 of the 73") || strings.Contains(said, "another type") {
		t.Errorf("%q, %q", lines(m), said)
	}
}

func TestNamesOfOneNamespaceAreNoMoreThanThat(t *testing.T) {
	m, _ := Open(frameAt(t, "/api/v1/namespaces/shop/pods"), Everything, nil)
	m, _ = answered(t, m, "pods", 403, "{}")
	m, _ = answered(t, m, "pods", 200, listOf("", "shop/web"))
	if notes := strings.Join(m.notes(), "\n"); !strings.Contains(notes, "Names of pods: only in namespace shop") {
		t.Errorf("%q", notes)
	}
}
