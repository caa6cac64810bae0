package request

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object/canary"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/draft"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

var catalog = discovery.Catalog{Groups: []discovery.Group{
	{Preferred: "v1", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{
		{
			Version: "v1", Resource: "pods", Kind: "Pod", Namespaced: true, Verbs: []string{"create", "get", "list", "watch"},
			Subresources: []discovery.Subresource{{Name: "log", Kind: "Pod", Verbs: []string{"get"}}, {Name: "eviction", Kind: "Eviction", Verbs: []string{"create"}}},
		},
		{Version: "v1", Resource: "nodes", Kind: "Node", Verbs: []string{"get", "list", "patch"}},
	}}}},
	{Name: "authorization.k8s.io", Preferred: "v1", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{
		{Group: "authorization.k8s.io", Version: "v1", Resource: "subjectaccessreviews", Kind: "SubjectAccessReview", Verbs: []string{"create"}},
	}}}},
}}

func model(query string) Model {
	values, _ := url.ParseQuery(query)
	return Model{
		Frame: page.Frame{Shell: shell.Model{Origin: "http://127.0.0.1:8080", Cluster: shell.Cluster{Slug: "prod", Name: "prod"}, Catalog: catalog, Namespaces: []string{"default", "shop"}}},
		Draft: draft.Parse(values),
	}
}

func awake(t *testing.T, query string) Model {
	t.Helper()
	p, _ := model(query).Awake(time.Time{})
	return p.(Model)
}

// does gives messages to a page, and gathers what it wants done.
func does(t *testing.T, m Model, messages ...page.Msg) (Model, []page.Cmd) {
	t.Helper()
	var all []page.Cmd
	for _, msg := range messages {
		next, commands := m.Update(msg)
		m, all = next.(Model), append(all, commands...)
	}
	return m, all
}

func only[C page.Cmd](commands []page.Cmd) []C {
	var all []C
	for _, c := range commands {
		if c, ok := c.(C); ok {
			all = append(all, c)
		}
	}
	return all
}

// Whatever is secret is neither in the page's address nor in what the browser keeps.
func TestNothingSecretIsSharedOrKept(t *testing.T) {
	for _, d := range []draft.Draft{
		{Method: "POST", Target: "/api/v1/namespaces/a/secrets", Body: `{"data":"canary"}`},
		{Method: "PUT", Target: "/api/v1/namespaces/a/secrets/b", Body: "canary"},
		{Method: "POST", Target: "/apis/authentication.k8s.io/v1/tokenreviews", Body: "canary"},
		{Method: "POST", Target: "/api/v1/namespaces/a/serviceaccounts/b/token", Body: "canary"},
		{Method: "PATCH", Target: "/anything", Body: "kind: Secret\ndata: canary"},
		{Method: "GET", Target: "/api/v1/pods?token=canary&limit=1"},
		{Method: "GET", Target: "/api/v1/pods?access_key=canary"},
		{Method: "POST", Target: "/api/v1/namespaces/a/pods", Body: strings.Repeat("canary", 2000)},
	} {
		m := awake(t, "")
		m.Practice, m.Draft = true, d
		m, commands := does(t, m, page.Acted{Action: doSend}, page.Typed{Field: fieldAccept, Text: "JSON"}, page.Tick{}, page.Tick{})
		for _, c := range commands {
			switch c := c.(type) {
			case page.Keep:
				if strings.Contains(c.Value, "canary") {
					t.Errorf("%s %s is kept: %s", d.Method, d.Target, c.Value)
				}
			case page.Remember:
				if strings.Contains(c.Address, "canary") {
					t.Errorf("%s %s is in the address: %s", d.Method, d.Target, c.Address)
				}
			}
		}
		if len(only[page.Keep](commands)) != 1 || len(only[page.Remember](commands)) != 1 || m.Draft.Unshared() == "" {
			t.Errorf("%s: %v", d.Target, commands)
		}
	}
}

func TestWritingAsksFirst(t *testing.T) {
	const write = "method=DELETE&path=/api/v1/nodes/a"
	m, commands := does(t, awake(t, write), page.Acted{Action: doSend})
	if len(only[page.Call](commands)) != 0 || !m.live.asking {
		t.Fatal(commands)
	}
	if _, commands := does(t, m, page.Acted{Action: doConfirm}); len(only[page.Call](commands)) != 1 {
		t.Error("it is not sent:", commands)
	}
	if m, commands := does(t, m, page.Acted{Action: doLeave}); len(only[page.Call](commands)) != 0 || m.live.asking {
		t.Error("it still asks")
	}
	_, commands = does(t, m, page.Acted{Action: doDry})
	if calls := only[page.Call](commands); len(calls) != 1 || calls[0].Path != "/api/v1/nodes/a?dryRun=All" {
		t.Error("no dry run:", commands)
	}
	if m, _ := does(t, m, page.Typed{Field: fieldTarget, Text: "/api/v1/nodes/b"}); m.live.asking {
		t.Error("another request would be sent than was asked about")
	}
	for _, query := range []string{"path=/api/v1/nodes", write + "?dryRun%3DAll", "method=POST&path=/apis/authorization.k8s.io/v1/subjectaccessreviews&body={}"} {
		if _, commands := does(t, awake(t, query), page.Addressed{Query: url.Values{querySend: {"1"}}}); len(only[page.Call](commands)) != 1 {
			t.Errorf("%s is not sent: %v", query, commands)
		}
	}
	practice := awake(t, write)
	practice.Practice = true
	if _, commands := does(t, practice, page.Acted{Action: doSend}); len(only[page.Call](commands)) != 1 {
		t.Error("the practice cluster is asked about, too")
	}
}

func TestReadOnly(t *testing.T) {
	for query, may := range map[string]bool{
		"path=/api/v1/nodes": true, "method=DELETE&path=/api/v1/nodes/a": false, "method=DELETE&path=/api/v1/nodes/a?dryRun%3DAll": true,
		"path=/api/v1/namespaces/a/pods/b/exec": false, "path=/a%252Fb": false,
	} {
		m := awake(t, query)
		m.Shell.ReadOnly = true
		_, commands := does(t, m, page.Acted{Action: doSend})
		if sent := len(only[page.Call](commands)) == 1; sent != may || (m.mayNot() == "") != may {
			t.Errorf("%s: %v, %s", query, commands, m.mayNot())
		}
	}
}

func TestMayI(t *testing.T) {
	p, commands := model("path=/api/v1/namespaces/shop/pods").Awake(time.Time{})
	m := p.(Model)
	sent := only[page.Call](commands)
	if len(sent) != 2 || !strings.Contains(string(sent[0].Body), `"verb":"list"`) || sent[1].ID != "rules shop" {
		t.Fatal(commands)
	}
	m, _ = does(t, m,
		page.Response{ID: "may", Status: 201, Body: []byte(`{"kind":"SelfSubjectAccessReview","status":{"allowed":true,"reason":"because"}}`)},
		page.Response{ID: "rules shop", Status: 201, Body: []byte(`{"kind":"SelfSubjectRulesReview","status":{"resourceRules":[{"verbs":["list"],"apiGroups":[""],"resources":["pods"]}]}}`)})
	if !m.live.may.Answer.Allowed || m.live.may.rule() != `apiGroups [""]; resources [pods]; verbs [list]` || m.live.may.because() != "because" {
		t.Errorf("%+v", m.live.may)
	}
	m, commands = does(t, m, page.Typed{Field: "q.watch", Text: "true"}, page.Tick{}, page.Tick{})
	if sent := only[page.Call](commands); len(sent) != 1 || !strings.Contains(string(sent[0].Body), `"verb":"watch"`) || m.live.may.Heard {
		t.Error(commands)
	}
}

func TestPathsGoOn(t *testing.T) {
	m := awake(t, "")
	for typed, want := range map[string][]string{
		"/api/v1/namespaces/s":                {"/api/v1/namespaces/shop"},
		"/api/v1/namespaces/shop/p":           {"/api/v1/namespaces/shop/pods"},
		"/api/v1/namespaces/shop/pods/web/":   {"/api/v1/namespaces/shop/pods/web/log", "/api/v1/namespaces/shop/pods/web/eviction"},
		"/api/v1/no":                          {"/api/v1/nodes"},
		"node":                                {"/api/v1/nodes"},
		"/apis/authorization.k8s.io/v1/s":     {"/apis/authorization.k8s.io/v1/subjectaccessreviews"},
		"/vers":                               {"/version"},
		"/api/v1/namespaces/shop/pods/w?a=/b": {"/api/v1/namespaces/shop/pods/web-1"},
	} {
		m, commands := does(t, m, page.Typed{Field: fieldTarget, Text: typed})
		for _, f := range only[page.Call](commands) {
			m, _ = does(t, m, page.Response{ID: f.ID, Status: 200, Body: []byte(`{"items":[{"metadata":{"name":"web-1"}},{"metadata":{"name":"db"}}]}`)})
		}
		var got []string
		for _, o := range m.options() {
			if strings.HasPrefix(o.Path, strings.SplitN(typed, "?", 2)[0]) || !strings.HasPrefix(typed, "/") {
				got = append(got, o.Path)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", typed, got, want)
		}
	}
}

func TestWhatIsPastedBecomesTheRequest(t *testing.T) {
	m := awake(t, "")
	m, commands := does(t, m, page.Typed{Field: fieldPaste, Text: `curl -X POST -H 'Authorization: Bearer canary' -H 'Content-Type: application/json' -d '{}' https://h/api/v1/namespaces/a/pods`})
	if m.Draft.Method != "POST" || m.Draft.Target != "/api/v1/namespaces/a/pods" || m.Draft.Body != "{}" || len(only[page.Edit](commands)) != 1 || !strings.Contains(m.live.pasted, "Authorization was left out") {
		t.Errorf("%+v %s", m.Draft, m.live.pasted)
	}
	m, _ = does(t, m, page.Typed{Field: fieldPaste, Text: "GET https://h/api\nGET https://h/apis"}, page.Acted{Action: doFound + " 1"})
	if m.Draft.Target != "/apis" || m.Draft.Method != "GET" {
		t.Errorf("%+v", m.Draft)
	}
	m, _ = does(t, m, page.Typed{Field: fieldTarget, Text: "kubectl get --raw /version"})
	if m.Draft.Target != "/version" {
		t.Errorf("%+v", m.Draft)
	}
	if m, _ = does(t, m, page.Typed{Field: fieldPaste, Text: "hello"}); m.live.pasted == "" || m.Draft.Target != "/version" {
		t.Errorf("%+v %s", m.Draft, m.live.pasted)
	}
}

// answerTo is a page with an answer.
func answerTo(t *testing.T, query string, status int, media, body string) Model {
	t.Helper()
	m := awake(t, query)
	m.Practice = true
	m, _ = does(t, m, page.Acted{Action: doSend},
		page.Opened{ID: "console", Status: status, Header: []request.Header{{Name: "content-type", Value: media}}, Entry: "7"},
		page.Arrived{ID: "console", Part: []byte(body), Bytes: int64(len(body))}, page.Ended{ID: "console", How: page.Whole, Bytes: int64(len(body))})
	return m
}

func TestSecretsInAnswersAreHidden(t *testing.T) {
	for _, test := range []struct{ query, media, body string }{
		{"path=/api/v1/namespaces/a/secrets/b", "application/json", `{"kind":"Secret","data":{"a":"canary"}}`},
		{"path=/api/v1/namespaces/a/secrets/b&accept=YAML", "application/yaml", "data:\n  a: canary"},
		{"path=/api/v1/namespaces/a/secrets/b&accept=Protobuf", "application/vnd.kubernetes.protobuf", "k8s\x00canary"},
		{"method=POST&path=/api/v1/namespaces/a/serviceaccounts/b/token", "application/json", `{"status":{"token":"canary"}}`},
		{"path=/api/v1/namespaces/a/pods", "application/json", `{"kind":"List","items":[{"kind":"Secret","data":{"a":"canary"}}]}`},
	} {
		for _, tab := range answerTo(t, test.query, 200, test.media, test.body).tabs() {
			m, _ := does(t, answerTo(t, test.query, 200, test.media, test.body), page.Acted{Action: doTab + " " + tab})
			if html := rendered(t, m); strings.Contains(html, "canary") || strings.Contains(html, "63 61 6e 61") {
				t.Errorf("%s as %s shows it: %s", test.query, tab, html[max(0, strings.Index(html, "canary")-300):])
			}
			m, _ = does(t, m, page.Acted{Action: doReveal})
			if html := rendered(t, m); tab != tabHead && tab != tabHex && !strings.Contains(html, "canary") {
				t.Errorf("%s as %s doesn't show it when asked to", test.query, tab)
			}
		}
	}
}

func rendered(t *testing.T, m Model) string {
	t.Helper()
	var b strings.Builder
	if err := page.Main(m).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestRefusalsAreExplained(t *testing.T) {
	m := answerTo(t, "path=/apis/authorization.k8s.io/v1/subjectaccessreviews", 405, "application/json", `{"kind":"Status","message":"the server does not allow this method on the requested resource","reason":"MethodNotAllowed","code":405}`)
	html := rendered(t, m)
	for _, want := range []string{"405: Method not allowed (MethodNotAllowed)", "So you can’t get, list or delete it.", "?entry=7"} {
		if !strings.Contains(html, want) {
			t.Errorf("no %q in %s", want, html)
		}
	}
}

func TestTablesAreShownRowByRow(t *testing.T) {
	row := `{"cells":["web-%",1,{"a":1}],"object":{"metadata":{"uid":"u"}}},`
	body := `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{},"columnDefinitions":[{"name":"Name","type":"string"},{"name":"N","type":"integer"},{"name":"Wide","type":"string","priority":1}],"rows":[` + strings.Repeat(row, 1000)
	m := answerTo(t, "path=/api/v1/pods&accept=Table", 200, "application/json", body) // it is cut
	grid, more := m.grid()
	if m.tab() != tabTable || len(grid.Head) != 2 || len(grid.Rows) != 100 || !more || grid.Rows[0].Cells[0].Text != "web-%" {
		t.Errorf("%s: %+v, %t", m.tab(), grid.Head, more)
	}
	for range 20 {
		m, _ = does(t, m, page.Acted{Action: doMore})
	}
	if grid, more := m.grid(); len(grid.Rows) != 1000 || more {
		t.Error(len(grid.Rows), more)
	}
}

func TestStreamsAreBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("the work is the same on each platform")
	}
	m := awake(t, "path=/api/v1/pods?watch%3D1")
	m, _ = does(t, m, page.Acted{Action: doSend}, page.Opened{ID: "console", Status: 200, Header: []request.Header{{Name: "content-type", Value: "application/json"}}})
	event := []byte(`{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"a","namespace":"b","resourceVersion":"7"},"x":"` + strings.Repeat("y", 3000) + `"}}` + "\n")
	for range 5000 {
		m, _ = does(t, m, page.Arrived{ID: "console", Part: event, Bytes: 1})
	}
	s := m.live.stream
	if s.count != 5000 || len(s.lines) > mostStreamed || s.bytes > mostStreamedBytes || len(s.shown()) != mostMoving || m.live.call.Kept != nil {
		t.Errorf("%d %d %d", s.count, len(s.lines), s.bytes)
	}
	if got := s.lines[len(s.lines)-1]; got.Type != "ADDED" || got.What != "Pod b/a at 7" {
		t.Errorf("%+v", got)
	}
	m, _ = does(t, m, page.Acted{Action: doHold}, page.Arrived{ID: "console", Part: event, Bytes: 1}, page.Acted{Action: doEvent + " 5000"})
	if shown := s.shown(); shown[len(shown)-1].N != 5000 || !strings.Contains(s.counted(), "1 since the pause") || len(s.chosenLines(false)) < 5 {
		t.Error(s.counted())
	}
	m, commands := does(t, m, page.Acted{Action: doHold}, page.Acted{Action: doCancel}, page.Ended{ID: "console", How: page.Canceled})
	if len(only[page.Cancel](commands)) != 1 || m.live.call.State != call.Canceled || s.shown()[mostMoving-1].N != 5001 {
		t.Error(commands)
	}
}

func TestEventsInAFewWords(t *testing.T) {
	for text, want := range map[string]string{
		`{"type":"ADDED","object":{"kind":"Node","apiVersion":"v1","metadata":{"name":"a","resourceVersion":"7","labels":{"a":"b"}},"spec":{"kind":"no"}}}`:                 "ADDED|Node a at 7",
		`{"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"resourceVersion":"9","annotations":{"k8s.io/initial-events-end":"true"}}}}`:                                 "BOOKMARK|Pod at 9: the initial state ends here",
		`{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"too old resource version","reason":"Expired","code":410}}`: "ERROR|Status too old resource version",
		`{"type":"DELETED","object":{"metadata":{"name":"a","namespace":"b"`:                                                                                                "DELETED|",
		`no JSON`: "|", ``: "|", `[]`: "|", `{"type":7}`: "|",
	} {
		kind, what := eventOf(text)
		if got := kind + "|" + what; got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestTemplatesFit(t *testing.T) {
	for query, want := range map[string]string{
		"method=POST&path=/apis/authorization.k8s.io/v1/subjectaccessreviews":     "SubjectAccessReview",
		"method=POST&path=/api/v1/namespaces/shop/pods/web/eviction":              "Eviction",
		"method=POST&path=/api/v1/namespaces/shop/serviceaccounts/a/token":        "TokenRequest",
		"method=POST&path=/api/v1/namespaces/shop/pods":                           "Pod, from its schema",
		"method=PATCH&path=/api/v1/nodes/a":                                       "apply merge patch JSON Patch",
		"method=DELETE&path=/api/v1/nodes/a":                                      "DeleteOptions",
		"method=GET&path=/api/v1/nodes/a":                                         "",
		"method=PUT&path=/api/v1/nodes/a":                                         "The live object Node, from its schema",
		"method=POST&path=/apis/authentication.k8s.io/v1/selfsubjectreviews":      "SelfSubjectReview",
		"method=POST&path=/apis/authorization.k8s.io/v1/selfsubjectrulesreviews":  "SelfSubjectRulesReview",
		"method=POST&path=/apis/authorization.k8s.io/v1/selfsubjectaccessreviews": "SelfSubjectAccessReview",
	} {
		var got []string
		for _, one := range awake(t, query).templates() {
			got = append(got, one.Name)
			if strings.HasPrefix(one.Type, "application/json") && one.Body != "" && !json.Valid([]byte(one.Body)) {
				t.Errorf("%s is no JSON: %s", one.Name, one.Body)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v", query, got)
		}
	}
	for _, all := range []map[string]string{virtual.Get(), subresources.Get()} {
		for name, body := range all {
			if !json.Valid([]byte(body)) {
				t.Errorf("%s: %s", name, body)
			}
		}
	}
}

// The answers of the console show no secret in any tab, whole or cut, unless they are asked to.
func TestNoCanaryEscapes(t *testing.T) {
	for _, d := range canary.Documents() {
		for _, n := range []int{len(d.JSON), len(d.JSON) * 9 / 10, len(d.JSON) / 2} {
			m := answerTo(t, "path="+url.QueryEscape(d.Path), 200, "application/json", d.JSON[:n])
			for _, tab := range m.tabs() {
				m, _ := does(t, m, page.Acted{Action: doTab + " " + tab}, page.Acted{Action: doEvent + " 1"})
				if html := rendered(t, m); canary.Escapes(html) {
					t.Errorf("%s as %s: %s", d.Name, tab, html)
				}
			}
		}
	}
}
