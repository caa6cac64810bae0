package discovery

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

var catalog = discovery.Catalog{Groups: []discovery.Group{
	{Name: "", Preferred: "v1", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{
		{Version: "v1", Resource: "pods", Kind: "Pod", Singular: "pod", Namespaced: true, Verbs: []string{"get", "list", "watch"}, ShortNames: []string{"po"}, Subresources: []discovery.Subresource{{Name: "eviction", Verbs: []string{"create"}}}},
		{Version: "v1", Resource: "bindings", Kind: "Binding", Namespaced: true, Verbs: []string{"create"}},
	}}}},
	{Name: "autoscaling", Preferred: "v2", Versions: []discovery.Version{
		{Name: "v2", Types: []discovery.Type{{Group: "autoscaling", Version: "v2", Resource: "horizontalpodautoscalers", Kind: "HorizontalPodAutoscaler", Namespaced: true, Verbs: []string{"list"}}}},
		{Name: "v1", Types: []discovery.Type{{Group: "autoscaling", Version: "v1", Resource: "horizontalpodautoscalers", Kind: "HorizontalPodAutoscaler", Namespaced: true, Verbs: []string{"list"}}}},
	}},
}}

func awake(q Query) Model {
	m := Model{Frame: page.Frame{Shell: shell.Model{Cluster: shell.Cluster{Slug: "practice"}, Catalog: catalog}}, Query: q}
	p, _ := m.Awake(time.Time{})
	return p.(Model)
}

func told(m Model, messages ...page.Msg) (Model, []page.Call) {
	var calls []page.Call
	for _, msg := range messages {
		p, cmds := m.Update(msg)
		m = p.(Model)
		for _, c := range cmds {
			if call, is := c.(page.Call); is {
				calls = append(calls, call)
			}
		}
	}
	return m, calls
}

// answer is a whole answer to a call.
func answer(id, body string, head ...request.Header) []page.Msg {
	return []page.Msg{
		page.Opened{ID: id, Status: 200, Header: head},
		page.Arrived{ID: id, Part: []byte(body), Bytes: int64(len(body))},
		page.Ended{ID: id, How: page.Whole, Bytes: int64(len(body)), Took: time.Second},
	}
}

func TestQueryThereAndBack(t *testing.T) {
	for _, q := range []Query{{Tab: Types}, {Tab: Types, Type: "pods", Filter: "a b"}, {Tab: Offered, Ask: true}} {
		if got := ParseQuery(q.Values()); got != q {
			t.Errorf("%+v became %+v", q, got)
		}
	}
	if got := ParseQuery(url.Values{"tab": {"nosuch"}}); got.Tab != Types {
		t.Errorf("%+v", got)
	}
}

func TestFilter(t *testing.T) {
	for filter, want := range map[string]int{"": 3, "po": 2, "eviction": 1, "namespace create": 1, "v2 scaler": 1, "nothing": 0, "PODS": 1} {
		if _, passed, all := awake(Query{Filter: filter}).groups(); passed != want || all != 3 {
			t.Errorf("%q: %d of %d pass", filter, passed, all)
		}
	}
	m, _ := told(awake(Query{Tab: Types}), page.Typed{Field: QueryFilter, Text: "pods"})
	if m.Query.Filter != "pods" {
		t.Error("what is typed does not filter")
	}
}

func TestEveryVersionIsAskedAboutWarnings(t *testing.T) {
	m, calls := told(awake(Query{Tab: Deprecated}), page.Acted{Action: doDeprecated})
	var paths []string
	for _, c := range calls {
		paths = append(paths, c.Path)
	}
	if want := []string{"/api/v1/pods?limit=1", "/apis/autoscaling/v2/horizontalpodautoscalers?limit=1", "/apis/autoscaling/v1/horizontalpodautoscalers?limit=1"}; !slices.Equal(paths, want) {
		t.Fatalf("asked for %v", paths)
	}
	m, _ = told(m, answer(calls[0].ID, "{}")...)
	m, _ = told(m, answer(calls[2].ID, "{}", request.Header{Name: "warning", Value: `299 - "autoscaling/v1 is old"`})...)
	m, _ = told(m, page.Opened{ID: calls[1].ID, Status: 403}, page.Ended{ID: calls[1].ID, How: page.Whole})
	all, refused := m.live.warnings()
	if len(all) != 1 || all[0].Warnings[0].Text != "autoscaling/v1 is old" || refused != 1 || !m.live.deprecated.over() {
		t.Errorf("%+v, %d refused", all, refused)
	}
}

func TestABatchIsSentSomeAtATime(t *testing.T) {
	var requests []wanted
	for i := range 9 {
		requests = append(requests, wanted{fmt.Sprint(i), "/p", ""})
	}
	b, cmds := startBatch("b", "c", requests)
	if len(cmds) != atOnce {
		t.Fatalf("%d at once", len(cmds))
	}
	for _, msg := range answer("b/0", "") {
		cmds, _ = b.handleMessage(msg)
	}
	if len(cmds) != 1 || b.done != 1 {
		t.Errorf("then %d more", len(cmds))
	}
	b.stop = true
	for i := 1; i < 5; i++ {
		for _, msg := range answer(fmt.Sprintf("b/%d", i), "") {
			b.handleMessage(msg)
		}
	}
	if !b.over() || b.done != 5 {
		t.Errorf("stopped after %d", b.done)
	}
	if _, heard := b.handleMessage(page.Ended{ID: "other"}); heard {
		t.Error("it takes in what is not its own")
	}
}

func TestBothFormsAreMeasured(t *testing.T) {
	m, calls := told(awake(Query{Tab: Raw}), page.Acted{Action: doRaw})
	if len(calls) != 2 || !strings.Contains(request.Field(calls[0].Header, "Accept"), "APIGroupDiscoveryList") {
		t.Fatalf("%+v", calls)
	}
	m, _ = told(m, answer(calls[0].ID, "{}")...)
	m, calls = told(m, answer(calls[1].ID, "{}")...)
	if len(calls) != 2 || calls[1].Path != "/apis" || request.Field(calls[1].Header, "Accept") != accept.JSON {
		t.Fatalf("then %+v", calls)
	}
	m, more := told(m, answer(calls[0].ID, `{"kind":"APIVersions","versions":["v1"]}`)...)
	m, others := told(m, answer(calls[1].ID, `{"kind":"APIGroupList","groups":[{"name":"apps","versions":[{"version":"v1"}]}]}`)...)
	if len(more) != 1 || more[0].Path != "/api/v1" || len(others) != 1 || others[0].Path != "/apis/apps/v1" {
		t.Fatalf("then %+v, %+v", more, others)
	}
	m, _ = told(m, answer(more[0].ID, "{}")...)
	m, _ = told(m, answer(others[0].ID, "{}")...)
	if bars := m.live.bars(); bars[0].First != "2" || bars[0].Second != "4" || !m.live.one.over() {
		t.Errorf("%+v", bars)
	}
}

func TestParseIndex(t *testing.T) {
	got, err := ParseIndex([]byte(`{"paths":{"apis/apps/v1":{"serverRelativeURL":"/openapi/v3/apis/apps/v1?hash=AB%3D"},"api/v1":{"serverRelativeURL":"::"},"../x y":{"serverRelativeURL":"https://evil/?hash=1"}}}`))
	want := []Document{
		{Name: "../x y", Path: "/openapi/v3/../x%20y?hash=1", Hash: "1"},
		{Name: "api/v1", Path: "/openapi/v3/api/v1"},
		{Name: "apis/apps/v1", Path: "/openapi/v3/apis/apps/v1?hash=AB%3D", Hash: "AB="},
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v (%v)", got, err)
	}
	if _, err := ParseIndex([]byte("[]")); err == nil {
		t.Error("a list is read")
	}
}

func TestParseDefinition(t *testing.T) {
	d, err := ParseDefinition([]byte(`{"metadata":{"name":"a.b"},"spec":{"conversion":{"strategy":"None"},"versions":[{"name":"v1beta1","served":true,"deprecated":true,"deprecationWarning":"use v1"},{"name":"v1","served":true,"storage":true}]},"status":{"storedVersions":["v1"]}}`))
	if err != nil || d.Conversion != "None" || len(d.Versions) != 2 {
		t.Fatalf("%+v (%v)", d, err)
	}
	about := Detail{Definition: d}
	if got := defined(about, "v1beta1"); got != "deprecated, with the warning “use v1”" {
		t.Error(got)
	}
	if got := defined(about, "v1"); got != "the storage version" {
		t.Error(got)
	}
}

func TestVerbsAsRequests(t *testing.T) {
	m, pod := awake(Query{}), catalog.Groups[0].Versions[0].Types[0]
	for verb, want := range map[string]string{
		"list": "/c/practice/-/request?method=GET&path=%2Fapi%2Fv1%2Fnamespaces%2Fdefault%2Fpods", "watch": "/c/practice/-/request?method=GET&path=%2Fapi%2Fv1%2Fnamespaces%2Fdefault%2Fpods%3Fwatch%3D1",
		"get": "/c/practice/-/request?method=GET&path=%2Fapi%2Fv1%2Fnamespaces%2Fdefault%2Fpods%2FNAME", "create": "/c/practice/-/request?method=POST&path=%2Fapi%2Fv1%2Fnamespaces%2Fdefault%2Fpods",
		"patch": "/c/practice/-/request?method=PATCH&path=%2Fapi%2Fv1%2Fnamespaces%2Fdefault%2Fpods%2FNAME", "deletecollection": "/c/practice/-/request?method=DELETE&path=%2Fapi%2Fv1%2Fnamespaces%2Fdefault%2Fpods",
	} {
		if got := m.console(verb, verbPath(pod, verb)); got != want {
			t.Errorf("%s leads to %s", verb, got)
		}
	}
	if got := subresourcePath(pod, pod.Subresources[0]).String(); got != "/api/v1/namespaces/default/pods/NAME/eviction" {
		t.Error(got)
	}
}
