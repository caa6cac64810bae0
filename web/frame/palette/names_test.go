package palette

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// fetches are the requests for names: all that a palette asks for, but the guide.
func fetches(t *testing.T, commands []page.Cmd) map[string]page.Call {
	t.Helper()
	all := map[string]page.Call{}
	for _, c := range commands {
		if _, guide := c.(page.Ask); guide {
			continue
		}
		f, ok := c.(page.Call)
		if !ok || f.Method != "GET" || f.Cluster != "practice" || request.Field(f.Header, "Accept") != accept.MetadataList+accept.OrJSON || !strings.HasPrefix(f.ID, "palette/") || all[f.ID].ID != "" {
			t.Fatalf("%+v", c)
		}
		all[f.ID] = f
	}
	return all
}

func answered(t *testing.T, m Model, id string, status int, body string) (Model, map[string]page.Call) {
	t.Helper()
	m, commands := m.Update(page.Response{ID: "palette/" + id, Status: status, Body: []byte(body)})
	return m, fetches(t, commands)
}

func listOf(next string, names ...string) string {
	type meta map[string]string
	var items []map[string]meta
	for _, n := range names {
		namespace, name, _ := strings.Cut(n, "/")
		items = append(items, map[string]meta{"metadata": {"namespace": namespace, "name": name, "uid": "u"}})
	}
	body, err := json.Marshal(map[string]any{"kind": "PartialObjectMetadataList", "metadata": meta{"continue": next}, "items": items})
	if err != nil {
		panic(err)
	}
	return string(body)
}

func TestNamesAreAskedForOfTheTypesThatMostVisitsAreFor(t *testing.T) {
	_, commands := Open(frameAt(t, "/apis/cert-manager.io/v1/namespaces/shop/certificates/web"), Everything, nil)
	asked := fetches(t, commands)
	for id, path := range map[string]string{
		"palette/certificates.cert-manager.io": "/apis/cert-manager.io/v1/certificates?limit=500", // the page's own
		"palette/pods":                         "/api/v1/pods?limit=500",
		"palette/deployments.apps":             "/apis/apps/v1/deployments?limit=500",
		"palette/nodes":                        "/api/v1/nodes?limit=500",
	} {
		if asked[id].Path != path {
			t.Errorf("%s is asked for at %q, want %s", id, asked[id].Path, path)
		}
	}
	for id := range asked {
		if strings.Contains(id, "secrets") || strings.Contains(id, "events") || id == "palette/namespaces" { // the frame lists them all
			t.Errorf("%s is asked for", id)
		}
	}
}

func TestNamesAreNotAskedForInVain(t *testing.T) {
	frame := frameAt(t, "/api/v1/pods")
	_, commands := Open(frame, Everything, nil, Known{Type: kind(t, frame, "po"), All: true})
	if asked := fetches(t, commands); asked["palette/pods"].ID != "" || len(asked) < 5 {
		t.Errorf("asked for %v", asked)
	}
	if _, commands := Open(frame, Types, nil); len(commands) > 0 {
		t.Errorf("for types alone: %v", commands)
	}
	if _, commands := Open(frameAt(t, "/api/v1/secrets"), Everything, nil); fetches(t, commands)["palette/secrets"].ID != "" {
		t.Error("names of Secrets are asked for")
	}
	frame.Cluster.Slug = ""
	if _, commands := Open(frame, Everything, nil); len(fetches(t, commands)) > 0 {
		t.Errorf("outside any cluster: %v", commands)
	}
}

func TestAnswersAreFound(t *testing.T) {
	m, _ := Open(frameAt(t, "/api/v1/namespaces/shop/pods"), Everything, nil)
	m = typing(m, "rare")
	if got := lines(m); len(got) > 0 {
		t.Fatalf("%q", got)
	}
	m, _ = answered(t, m, "deployments.apps", 200, listOf("", "shop/rare-1", "shop/other", "x/rare-2"))
	if got := lines(m); !slices.Equal(got, []string{"Objects: rare-1 shop, rare-2 x"}) {
		t.Fatalf("%q", got)
	}
	m, _ = answered(t, m, "deployments.apps", 200, listOf("", "shop/rare-3")) // nobody asked
	if got := lines(m); !slices.Equal(got, []string{"Objects: rare-1 shop, rare-2 x"}) {
		t.Fatalf("%q", got)
	}
	if e := m.index.entry(m.options()[0]); e.Href != "/c/practice/apis/apps/v1/namespaces/shop/deployments/rare-1" || e.Detail != "Deployment" {
		t.Errorf("%+v", e)
	}
}

func TestWhatThePageKnowsIsNotListedTwice(t *testing.T) {
	frame := frameAt(t, "/api/v1/namespaces/shop/pods")
	m, _ := Open(frame, Everything, nil, Known{Type: kind(t, frame, "po"), Names: []Name{{"shop", "rare-1"}, {"shop", "rare-2"}}})
	m, _ = answered(t, typing(m, "rare"), "pods", 200, listOf("", "shop/rare-2", "x/rare-2"))
	if got := lines(m); !slices.Equal(got, []string{"Objects: rare-1 shop, rare-2 shop, rare-2 x"}) {
		t.Fatalf("%q", got)
	}
}

func TestFurtherChunksComeOnceSomethingIsLookedFor(t *testing.T) {
	m, _ := Open(frameAt(t, "/api/v1/pods"), Everything, nil)
	m, more := answered(t, m, "pods", 200, listOf("two+2", "a/b"))
	if len(more) > 0 {
		t.Fatalf("asked for %v before anything was typed", more)
	}
	m, commands := m.Update(page.Typed{Field: Field, Text: "w"})
	for i := 1; i < mostChunks; i++ {
		if i > 1 {
			commands = nil
			for _, f := range more {
				commands = append(commands, f)
			}
		}
		if got := fetches(t, commands)["palette/pods"].Path; got != "/api/v1/pods?continue=two%2B2&limit=500" || len(commands) != 1 {
			t.Fatalf("chunk %d is asked for as %v", i, commands)
		}
		m, more = answered(t, m, "pods", 200, listOf("two+2", fmt.Sprintf("a/w-%d", i)))
	}
	if len(more) > 0 {
		t.Fatalf("asked for %v after %d chunks", more, mostChunks)
	}
	if got := lines(m); len(got) == 0 || !strings.Contains(got[0], "w-1 a, w-2 a, w-3 a") {
		t.Errorf("%q", got)
	}
	if notes := strings.Join(m.notes(), "\n"); !strings.Contains(notes, "Only the first names of pods are searched") {
		t.Errorf("%q", notes)
	}
}

func TestWhoMayNotListEverywhereIsAskedAboutWhereTheyAre(t *testing.T) {
	m, _ := Open(frameAt(t, "/api/v1/namespaces/shop/pods"), Everything, nil)
	m, again := answered(t, m, "pods", 403, "{}")
	if got := again["palette/pods"].Path; got != "/api/v1/namespaces/shop/pods?limit=500" {
		t.Fatalf("asked again at %q", got)
	}
	m, again = answered(t, m, "pods", 403, "{}")
	m, other := answered(t, m, "nodes", 403, "{}") // which are in no namespace
	if len(again)+len(other) > 0 {
		t.Fatalf("asked again: %v %v", again, other)
	}
	m, _ = answered(t, m, "services", 0, "")
	m, _ = answered(t, m, "configmaps", 200, "<html>")
	notes := strings.Join(m.notes(), "\n")
	for _, want := range []string{"Names of pods and nodes: you don’t have permission to list them", "Names of services and configmaps could not be fetched", "Fetching names"} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes are %q", notes)
		}
	}
}

func TestNamespacesThatTheMenuLacksArePlacesToGoTo(t *testing.T) {
	frame := frameAt(t, "/apis/apps/v1/namespaces/shop/deployments/web")
	frame.MoreNamespaces = true
	m, _ := Open(frame, Everything, nil)
	m = typing(m, "shop rare")
	m, _ = answered(t, m, "namespaces", 200, listOf("", "/shop", "/rare-shop"))
	if got := lines(m); !slices.Equal(got, []string{"Namespaces: rare-shop", "Objects: rare-shop"}) {
		t.Fatalf("%q", got)
	}
	if e := m.index.entry(m.options()[0]); e.Href != "/c/practice/apis/apps/v1/namespaces/rare-shop/deployments" {
		t.Errorf("%+v", e)
	}
	if got := lines(typing(m, "po rare-shop")); !strings.HasPrefix(got[0], "Resource types: Pods in rare-shop") {
		t.Errorf("%q", got)
	}
}

func TestOnlyNamesAreReadOfAList(t *testing.T) {
	for list, want := range map[string]string{
		`{"metadata":{"continue":"x"},"items":[{"metadata":{"name":"a","namespace":"n"}},{"metadata":{"namespace":"n","name":"b"}}]}`:                                                         "[{n a} {n b}] x",
		" {\n\t\"items\" : [ { \"metadata\" : { \"name\" : \"a\" } } ] } ":                                                                                                                    "[{ a}] ",
		`{"items":[{"spec":{"metadata":{"name":"no"},"name":"no"},"metadata":{"labels":{"name":"no"},"name":"a","managedFields":[{"fieldsV1":{"f:name":{}}},1,"\"}]",null]}}],"metadata":{}}`: "[{ a}] ",
		`{"items":[{"metadata":{"name":"\u0061\"\\\n"}}]}`:                                                                                                                                    "[{ a\"\\\n}] ",
		`{"items":[{"metadata":{"uid":"\\","name":"a"}}]}`:                                                                                                                                    "[{ a}] ",
		`{"items":[]}`:                        "[] ",
		`{"items":null}`:                      "[] ",
		`{}`:                                  "[] ",
		``:                                    "broken",
		`null`:                                "broken",
		`[]`:                                  "broken",
		`{"items":[`:                          "broken",
		`{"items":[{]}`:                       "broken",
		`{"items":{}}`:                        "broken",
		`{"items":[1]}`:                       "broken",
		`{"x":"\"}`:                           "broken",
		`{"metadata":"x"}`:                    "broken",
		`{"metadata":{"continue":7}}`:         "broken",
		`{"items":[{"metadata":{"name":1}}]}`: "broken",
		`{"x":{"y":[1`:                        "broken",
		`<html><body>Bad gateway</body>`:      "broken",
	} {
		names, next, err := parseNames([]byte(list))
		got := fmt.Sprint(names, " ", next)
		if err != nil {
			got = "broken"
		}
		if got != want {
			t.Errorf("%s gives %s, want %s", list, got, want)
		}
	}
}

func FuzzNames(f *testing.F) {
	f.Add(listOf("next", "a/b", "/c"))
	f.Add(`{"items":[{"metadata":{"name":"\u00e9\\","x":[{"y":-1.5e3},null,true]}}]}`)
	f.Add(`{"items":[{"metadata":{"name":"a","name":"b"}}],"items":[]}`)
	f.Add(`{"items":[{"metadata":{"name":"\ud800"}}],"metadata":{"continue":"\u2028"}}`)
	f.Fuzz(func(t *testing.T, list string) {
		_, _, _ = parseNames([]byte(list)) // it ends, whatever it is given
		var v any
		if json.Unmarshal([]byte(list), &v) != nil {
			return
		}
		plain, err := json.Marshal(v) // with no field twice
		if err != nil {
			t.Fatal(err)
		}
		names, next, err := parseNames(plain)
		if err != nil {
			return
		}
		top, _ := v.(map[string]any)
		items, _ := top["items"].([]any)
		if want, _ := field(top, "metadata", "continue"); next != want || len(names) != len(items) {
			t.Fatalf("%s gives %q, %q", plain, names, next)
		}
		for i, n := range names {
			namespace, _ := field(items[i], "metadata", "namespace")
			if name, _ := field(items[i], "metadata", "name"); n != (Name{namespace, name}) {
				t.Fatalf("%s gives %q", plain, n)
			}
		}
	})
}

func field(v any, path ...string) (text string, ok bool) {
	for _, key := range path {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	text, ok = v.(string)
	return text, ok
}
