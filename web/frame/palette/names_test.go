package palette

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
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

// paused is a palette after a pause in typing, and what it asks for then.
func paused(t *testing.T, m Model) (Model, map[string]page.Call) {
	t.Helper()
	m, commands := m.Paused()
	return m, fetches(t, commands)
}

// whole answers every question of a palette until there are no more. It returns the types in the order in which they were asked for, and the most questions
// that were open at a time.
func whole(t *testing.T, m Model, answer func(path string) (status int, body string)) (end Model, order []string, most int) {
	t.Helper()
	m, asked := paused(t, m)
	var open []page.Call
	for {
		for _, id := range slices.Sorted(maps.Keys(asked)) {
			open = append(open, asked[id])
		}
		most = max(most, len(open))
		if len(open) == 0 {
			return m, order, most
		}
		first := open[0]
		open = open[1:]
		id := strings.TrimPrefix(first.ID, prefixID)
		order = append(order, id)
		status, body := answer(first.Path)
		m, asked = answered(t, m, id, status, body)
	}
}

func TestNothingIsAskedForBeforeAPause(t *testing.T) {
	m, commands := Open(frameAt(t, "/api/v1/pods"), Everything, nil)
	if asked := fetches(t, commands); len(asked) > 0 {
		t.Errorf("opening asks for %v", asked)
	}
	m, commands = m.Update(page.Typed{Field: Field, Text: "web"})
	if len(commands) > 0 {
		t.Errorf("a letter asks for %v", commands)
	}
	m, asked := paused(t, m)
	if len(asked) != mostAtOnce || asked["palette/pods"].Path != "/api/v1/pods?limit=500" {
		t.Fatalf("a pause asks for %v", asked)
	}
	if m, more := answered(t, m, "pods", 200, listOf("", "shop/api")); len(more) != 1 || !m.looking() {
		t.Errorf("after a response, %v is asked for", more)
	}
	typed := typing(m, "web-")
	if _, more := answered(t, typed, "services", 200, listOf("", "shop/web-1")); len(more) > 0 {
		t.Errorf("after another letter, %v is asked for", more)
	}
	for _, query := range []string{"", "w", ":web", `deployments.apps "web" not found`} {
		m, _ := Open(frameAt(t, "/api/v1/pods"), Everything, nil)
		if _, asked := paused(t, typing(m, query)); len(asked) > 0 {
			t.Errorf("%q asks for %v", query, asked)
		}
	}
	outside := frameAt(t, "/api/v1/pods")
	outside.Cluster.Slug = ""
	m, _ = Open(outside, Everything, nil)
	if _, asked := paused(t, typing(m, "web")); len(asked) > 0 {
		t.Errorf("outside any cluster: %v", asked)
	}
}

func none(string) (int, string) { return 200, listOf("") }

func TestLikelyTypesComeFirst(t *testing.T) {
	frame := frameAt(t, "/apis/cert-manager.io/v1/namespaces/shop/certificates/web")
	frame.Preferences = shell.Preferences{Chosen: true, Favourites: []string{"roles.rbac.authorization.k8s.io"}}
	m, _ := Open(frame, Everything, nil, Known{Type: kind(t, frame, "hpa")}, Known{Type: kind(t, frame, "po"), All: true, Names: []Name{{"shop", "a"}}})
	m, order, most := whole(t, typing(m, "nowhere"), none)
	want := []string{"certificates.cert-manager.io", "horizontalpodautoscalers.autoscaling", "roles.rbac.authorization.k8s.io", "deployments.apps", "services"}
	slices.Sort(want)
	got := slices.Sorted(slices.Values(order[:5]))
	if !slices.Equal(got, want) || most > mostAtOnce {
		t.Errorf("%d at a time, first %v", most, order[:5])
	}
	at := func(name string) int { return slices.Index(order, name) }
	if at("cronjobs.batch") > at("gateways.gateway.networking.k8s.io") || at("gateways.gateway.networking.k8s.io") < at("alertmanagers.monitoring.coreos.com") {
		t.Errorf("in the order %v", order)
	}
	for _, never := range []string{"pods", "namespaces", "secrets", "events", "events.events.k8s.io"} { // known already, or never asked for
		if at(never) >= 0 {
			t.Errorf("%s is asked for", never)
		}
	}
	if m.leads() || m.soFar() != "" || m.lookedAt() != "Looked at 6 objects of 70 of 73 types" || slices.Contains(order[1:], order[0]) {
		t.Errorf("%q after %v", m.lookedAt(), order)
	}
}

func TestAnObjectOfARareTypeIsFound(t *testing.T) {
	m, _ := Open(frameAt(t, "/api/v1/pods"), Everything, nil)
	m, order, _ := whole(t, typing(m, "spring-sale"), func(path string) (int, string) {
		if strings.Contains(path, "/rolebindings") {
			return 200, listOf("", "elsewhere/spring-sale")
		}
		return 200, listOf("", "shop/other")
	})
	if got := lines(m); !slices.Equal(got, []string{"Objects: spring-sale elsewhere"}) {
		t.Errorf("%q", got)
	}
	if order[len(order)-1] == "rolebindings.rbac.authorization.k8s.io" || len(order) > 69 {
		t.Errorf("%d requests, the last for %s", len(order), order[len(order)-1])
	}
}

func TestAfterAResultOnlyLikelyTypesAreAskedFor(t *testing.T) {
	m, _ := Open(frameAt(t, "/api/v1/pods"), Everything, nil)
	m, order, _ := whole(t, typing(m, "spring-sale"), func(string) (int, string) { return 200, listOf("", "shop/spring-sale") })
	if len(order) != 9 { // sought, without the namespaces of the menu
		t.Errorf("%v", order)
	}
	if offer := m.options()[len(m.options())-2]; m.index.entry(offer).Text != "Look further" || m.index.entry(offer).Beside != "60 more resource types" {
		t.Errorf("%+v", m.index.entry(offer))
	}
	if g := m.groups[len(m.groups)-2]; g.title != "Looked at 14 objects of 10 of 73 types" {
		t.Errorf("%q", g.title)
	}
	m, commands := press(t, m, "End", "ArrowUp").Update(page.Pressed{Key: "Enter"})
	if _, done := m.Chosen(); done || len(fetches(t, commands)) != mostAtOnce {
		t.Errorf("%v", commands)
	}
}

func TestASearchHasABudget(t *testing.T) {
	if testing.Short() {
		t.Skip("the work is the same on each platform")
	}
	frame := frameAt(t, "/api/v1/pods")
	m, _ := Open(frame, Everything, nil)
	var names []string
	for i := range 500 {
		names = append(names, fmt.Sprintf("shop/a-%d", i))
	}
	endless := func(string) (int, string) { return 200, listOf("next", names...) }
	m, order, _ := whole(t, typing(m, "nowhere"), endless)
	if n := len(order) * 500; n < mostObjects || n > mostObjects+mostAtOnce*500 {
		t.Errorf("%d objects", n)
	}
	for name := range m.hunt.begun {
		if n := len(slices.DeleteFunc(slices.Clone(order), func(o string) bool { return o != name })); n > mostChunks {
			t.Errorf("%d requests for %s", n, name)
		}
	}
	notes := strings.Join(m.notes(), "\n")
	if !strings.Contains(notes, "Only the first objects of ") || m.soFar() != " so far" {
		t.Errorf("%q", notes)
	}
	if _, again := paused(t, typing(m, "nowhere else")); len(again) > 0 {
		t.Errorf("after the budget: %v", again)
	}
	m, commands := press(t, m, "End", "ArrowUp").Update(page.Pressed{Key: "Enter"})
	if len(fetches(t, commands)) != mostAtOnce || m.hunt.objects != mostObjects {
		t.Errorf("%v", commands)
	}

	m, _ = Open(frame, Everything, nil)
	m.hunt.requests = 3
	if _, order, _ := whole(t, typing(m, "nowhere"), none); len(order) != 3 {
		t.Errorf("%v", order)
	}
}

func TestNamesOfSecretsAreAskedForOnlyIfTheQueryNamesThem(t *testing.T) {
	for query, want := range map[string]bool{"secret web": true, "web secrets": true, "secrets": false, "web": false, ":secrets web": false} {
		m, _ := Open(frameAt(t, "/api/v1/pods"), Everything, nil)
		if _, order, _ := whole(t, typing(m, query), none); slices.Contains(order, "secrets") != want {
			t.Errorf("%q: %v", query, order)
		}
	}
}

func TestAnswersAreFound(t *testing.T) {
	m, _ := Open(frameAt(t, "/api/v1/namespaces/shop/pods"), Everything, nil)
	m, _ = paused(t, typing(m, "rare"))
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
	m, _ = paused(t, typing(m, "rare"))
	m, _ = answered(t, m, "pods", 200, listOf("", "shop/rare-2", "x/rare-2"))
	if got := lines(m); !slices.Equal(got, []string{"Objects: rare-1 shop, rare-2 shop, rare-2 x"}) {
		t.Fatalf("%q", got)
	}
}

func TestWhoMayNotListEverywhereIsAskedAboutWhereTheyAre(t *testing.T) {
	m, _ := Open(frameAt(t, "/api/v1/namespaces/shop/pods"), Everything, nil)
	m, _ = paused(t, typing(m, "web-1"))
	m, again := answered(t, m, "pods", 403, "{}")
	if got := again["palette/pods"].Path; got != "/api/v1/namespaces/shop/pods?limit=500" {
		t.Fatalf("asked again at %q", got)
	}
	m, _ = answered(t, m, "pods", 403, "{}")
	m, other := answered(t, m, "nodes", 403, "{}") // which are in no namespace
	if _, twice := other["palette/nodes"]; twice {
		t.Fatal("nodes are asked for again")
	}
	m, _ = answered(t, m, "services", 0, "")
	m, _ = answered(t, m, "configmaps", 200, "<html>")
	notes := strings.Join(m.notes(), "\n")
	for _, want := range []string{"You don’t have permission to list pods and nodes", "Fieldmark could not list services and configmaps"} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes are %q", notes)
		}
	}
	refusing := func(string) (int, string) { return 403, "{}" }
	m, _ = Open(frameAt(t, "/api/v1/pods"), Everything, nil)
	m, _, _ = whole(t, typing(m, "web-1"), refusing)
	p := m.palette()
	if notes := strings.Join(p.Notes, "\n"); !strings.Contains(notes, "You don’t have permission to list ") || !strings.Contains(notes, " and 65 other types in all namespaces") {
		t.Errorf("%q", notes)
	}
	if p.Nothing != "No result for “web-1” in the types that Fieldmark could list" {
		t.Errorf("%q", p.Nothing)
	}
}

func TestNamespacesThatTheMenuLacksArePlacesToGoTo(t *testing.T) {
	frame := frameAt(t, "/apis/apps/v1/namespaces/shop/deployments/web")
	frame.MoreNamespaces = true
	m, _ := Open(frame, Everything, nil)
	m, _, _ = whole(t, typing(m, "shop rare"), func(path string) (int, string) {
		if strings.HasPrefix(path, "/api/v1/namespaces?") {
			return 200, listOf("", "/shop", "/rare-shop")
		}
		return 200, listOf("")
	})
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
