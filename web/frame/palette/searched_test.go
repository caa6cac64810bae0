package palette

import (
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/web/frame/page"
)

// likely is a palette that has looked at all likely types.
func likely(t *testing.T, path, query string) Model {
	t.Helper()
	m, _ := Open(frameAt(t, path), Everything, nil)
	m, _, _ = whole(t, typing(m, "x-"), func(string) (int, string) { return 200, listOf("", "shop/x-1") })
	return typing(m, query)
}

func TestWhatWasSearchedIsSaid(t *testing.T) {
	outside := frameAt(t, "/api/v1/pods")
	outside.Cluster.Slug, outside.Cluster.Name = "", ""
	home, _ := Open(outside, Everything, nil)
	guided, _ := home.Update(page.Response{ID: guideID, Status: 200, Body: []byte(`{"lessons":[{"id":"watch","title":"Watch"}]}`)})
	asking, _ := Open(frameAt(t, "/api/v1/pods"), Everything, nil)
	// The catalog of these tests has 73 types that can be listed, Secrets and two sorts of Events among them.
	ten := "Fieldmark looked at 14 objects of 10 of the 73 resource types in cluster practice: "
	for name, c := range map[string]struct {
		m    Model
		says []string
		not  []string
	}{
		"likely types":        {likely(t, "/api/v1/pods", "spring-sale"), []string{ten, "daemonsets", "cronjobs", "still looking", "To search another type first, type its name too, such as “challenges spring-sale”.", "only if you type “secrets spring-sale”"}, []string{"lessons"}},
		"a type of its own":   {likely(t, "/apis/cert-manager.io/v1/certificates", "zzz"), []string{"of 11 of the 73", "certificates"}, nil},
		"one name for two":    {likely(t, "/apis/serving.knative.dev/v1/services", "zzz"), []string{"services.serving.knative.dev"}, nil},
		"nothing answered":    {typing(asking, "spring-sale"), []string{"at 5 objects of 1 of the 73", "still looking"}, nil}, // namespaces are known
		"one letter":          {typing(asking, "~"), []string{"type at least two letters"}, []string{"looked at"}},
		"outside any cluster": {typing(home, "spring-sale"), []string{"searched clusters and pages.", "Open a cluster"}, []string{"looked at", "lessons"}},
		"with the guide":      {typing(guided, "spring-sale"), []string{"searched clusters, pages, lessons and terms."}, []string{"looked at"}},
		"types alone":         {typing(asking, ":zzz"), []string{"short names, kinds and groups of the 73 resource types in cluster practice."}, []string{"looked at"}},
	} {
		p := c.m.palette()
		said := strings.Join(p.Searched, " ")
		if !strings.HasPrefix(p.Nothing, "No result for “") {
			t.Errorf("%s: %q", name, p.Nothing)
		}
		if further := c.m.leads() && c.m.hunts(); strings.HasSuffix(p.Nothing, " so far") != further {
			t.Errorf("%s: %q, and there is more to look at: %t", name, p.Nothing, further)
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
}

func TestATypeThatTheQueryNamesIsSearchedFirst(t *testing.T) {
	for query, want := range map[string]string{
		"jobs spring":             "jobs.batch",
		"spring HPA":              "horizontalpodautoscalers.autoscaling",
		"certificate.cert-man xx": "certificates.cert-manager.io",
	} {
		_, asked := paused(t, likely(t, "/api/v1/pods", query))
		if _, is := asked[prefixID+want]; !is {
			t.Errorf("%q asks for %v", query, slices.Collect(func(yield func(string) bool) {
				for id := range asked {
					yield(id)
				}
			}))
		}
	}
}

func TestWhereNothingIsFoundTheSearchGoesOnByItself(t *testing.T) {
	m, asked := paused(t, likely(t, "/api/v1/pods", "spring-sale"))
	if len(asked) != mostAtOnce || m.Announcement() != "" {
		t.Fatalf("%v, %q", asked, m.Announcement())
	}
	if e := m.index.entry(m.options()[0]); e.Text != "Looking further…" {
		t.Errorf("%+v", e)
	}
	m.hunt.requests = 0
	for id := range asked {
		m, _ = answered(t, m, strings.TrimPrefix(id, prefixID), 200, listOf(""))
	}
	if said := m.Announcement(); said != "Nothing found so far. Looked at 14 objects of 14 of 73 types. Look further?" {
		t.Errorf("%q", said)
	}
}

func TestNamesOfOneNamespaceAreNoMoreThanThat(t *testing.T) {
	m, _ := Open(frameAt(t, "/api/v1/namespaces/shop/pods"), Everything, nil)
	m, _ = paused(t, typing(m, "web-1"))
	m, _ = answered(t, m, "pods", 403, "{}")
	m, _ = answered(t, m, "pods", 200, listOf("", "shop/web"))
	if notes := strings.Join(m.notes(), "\n"); !strings.Contains(notes, "Only namespace shop of pods") {
		t.Errorf("%q", notes)
	}
}
