package compare

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/access"
	"github.com/fieldmark/fieldmark/kube/object/canary"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

var clusters = []shell.Cluster{{Slug: "one", Name: "one"}, {Slug: "two", Name: "two"}, {Slug: "three", Name: "three"}}

// asleep is the page for a query, as the server makes it, without a result.
func asleep(t *testing.T, query string) Model {
	t.Helper()
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	m := Parse("one", []string{"one", "two", "three"}, values)
	m.Shell = shell.Model{Cluster: clusters[0], Clusters: clusters}
	return m
}

func awake(t *testing.T, query string) Model {
	t.Helper()
	p, _ := asleep(t, query).Awake(time.Time{})
	return p.(Model)
}

// does sends messages, and returns all commands.
func does(t *testing.T, m Model, messages ...page.Msg) (Model, []page.Cmd) {
	t.Helper()
	var all []page.Cmd
	var p page.Page = m
	for _, msg := range messages {
		var commands []page.Cmd
		p, commands = p.Update(msg)
		all = append(all, commands...)
	}
	return p.(Model), all
}

func only[C page.Cmd](commands []page.Cmd) (all []C) {
	for _, c := range commands {
		if c, ok := c.(C); ok {
			all = append(all, c)
		}
	}
	return all
}

// parts are the requests that the reader sent, without those of the page itself.
func parts(commands []page.Cmd) []page.Call {
	return slices.DeleteFunc(only[page.Call](commands), func(c page.Call) bool { return !c.Parts })
}

func answer(id string, status int, kind, body string) []page.Msg {
	return []page.Msg{
		page.Opened{ID: id, Status: status, Header: []request.Header{{Name: "content-type", Value: kind}, {Name: "fieldmark-request", Value: "7"}, {Name: "content-security-policy", Value: "sandbox"}}, Entry: "7"},
		page.Arrived{ID: id, Part: []byte(body), Bytes: int64(len(body))},
		page.Ended{ID: id, How: page.Whole, Bytes: int64(len(body))},
	}
}

func both(status int, left, right string) []page.Msg {
	return append(answer(callID(0), 200, "application/json", left), answer(callID(1), status, "application/json", right)...)
}

func rendered(t *testing.T, m Model) string {
	t.Helper()
	var b strings.Builder
	if err := page.Main(m).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTheAddress(t *testing.T) {
	for query, want := range map[string]string{
		"":                                   "/c/one/-/compare?path=%2Fapi%2Fv1%2Fnamespaces%2Fdefault%2Fconfigmaps%3Flimit%3D2&with=two",
		"with=three&path=/version":           "/c/one/-/compare?path=%2Fversion&with=three",
		"with=nosuch&path=/version&all=1":    "/c/one/-/compare?all=1&path=%2Fversion&with=two",
		"with=one&path=/api&accept=CBOR":     "/c/one/-/compare?accept=CBOR&path=%2Fapi&with=one",
		"path=/api/v1/pods?token=x":          "/c/one/-/compare?path=%2Fapi%2Fv1%2Fpods&with=two",
		"method=POST&path=/api&body={}&all=": "/c/one/-/compare?body=%7B%7D&contentType=JSON&method=POST&path=%2Fapi&with=two",
	} {
		m := asleep(t, query)
		if got := m.link(m.Draft); got != want {
			t.Errorf("%s:\n got %s\nwant %s", query, got, want)
		}
	}
	if m := Parse("one", []string{"one"}, nil); m.Other != "one" {
		t.Errorf("the only cluster is compared with %q", m.Other)
	}
}

func TestOnlyAReadIsSentWhenThePageOpens(t *testing.T) {
	for query, want := range map[string]bool{
		"": true, "path=/version": true, "method=DELETE&path=/api/v1/nodes/a": false, "method=POST&path=/api/v1/pods?dryRun=All": false, "path=/a//b": false,
		"path=/api/v1/pods?watch=1": false, "path=/api/v1/namespaces/a/pods/b/log?follow=true": false, "path=/api/v1/namespaces/a/services/b/proxy/": false,
		"path=/api/v1/namespaces/a/pods/b/exec?command=rm": false, "method=HEAD&path=/api": false,
	} {
		m := asleep(t, query)
		if m.Opens() != want {
			t.Errorf("%s: %v", query, !want)
		}
		m = awake(t, "")
		values, _ := url.ParseQuery(query)
		if _, commands := does(t, m, page.Addressed{Query: values}); query != "" && (len(parts(commands)) == 2) != want {
			t.Errorf("%s in the browser: %v", query, parts(commands))
		}
	}
}

func TestOneRequestGoesToBothClusters(t *testing.T) {
	m := awake(t, "path=/api/v1/nodes&accept=CBOR&with=three")
	m, commands := does(t, m, page.Acted{Action: doSend})
	sent := parts(commands)
	if len(sent) != 2 || sent[0].Cluster != "one" || sent[1].Cluster != "three" {
		t.Fatalf("%+v", sent)
	}
	for _, c := range sent {
		if c.Method != "GET" || c.Path != "/api/v1/nodes" || request.Field(c.Header, "Accept") != "application/cbor" || c.Keep != MostKept {
			t.Errorf("%+v", c)
		}
	}
	if text := rendered(t, m); !strings.Contains(text, "Waiting for both responses") || !strings.Contains(text, `data-do="cancel"`) {
		t.Error("the page doesn't say that it waits")
	}
	// What the reader changes now belongs to the next request.
	m, commands = does(t, m, append([]page.Msg{page.Typed{Field: QueryWith, Text: "two"}, page.Typed{Field: "path", Text: "/version"}}, both(200, `{"a":1}`, `{"a":2}`)...)...)
	if m.Result == nil || m.Result.Draft.Target != "/api/v1/nodes" || m.Result.Sides[1].Name != "three" || len(m.Result.Sides[0].Call.Kept) > 0 {
		t.Fatalf("%+v", m.Result)
	}
	if said := only[page.Announce](commands); len(said) != 1 || said[0].Words != "The responses differ in 1 line." {
		t.Errorf("%+v", said)
	}
	if n := len(only[page.Call](commands)); n != 1 {
		t.Errorf("the other server is asked for its version %d times", n)
	}
	for _, h := range m.Result.Found.Headers {
		if h.Name != "content-type" {
			t.Errorf("the header %s isn't of the API server", h.Name)
		}
	}
}

func TestSummary(t *testing.T) {
	const object = `{"kind":"A","metadata":{"uid":"1"}}`
	for name, c := range map[string]struct {
		status      int
		left, right string
		all         bool
		want        string
	}{
		"equal":            {200, object, object, false, "Both servers sent the same response."},
		"a uid":            {200, object, strings.Replace(object, "1", "2", 1), false, "Both servers sent the same response, apart from what always differs."},
		"a uid that count": {200, object, strings.Replace(object, "1", "2", 1), true, "The responses differ in 1 line."},
		"a status":         {201, object, object, false, "The responses differ in the status."},
		"all":              {403, object, `{"kind":"Status"}`, false, "The responses differ in the status and 4 lines."},
	} {
		m := awake(t, "path=/api/v1/nodes")
		m.All = c.all
		m, _ = does(t, m, append([]page.Msg{page.Acted{Action: doSend}}, both(c.status, c.left, c.right)...)...)
		if got := m.summary(); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
		if text := rendered(t, m); !strings.Contains(text, c.want) {
			t.Errorf("%s: the page doesn't say it", name)
		}
	}
}

func TestEqualLines(t *testing.T) {
	m := awake(t, "path=/api/v1/nodes")
	m, _ = does(t, m, append([]page.Msg{page.Acted{Action: doSend}}, both(200, `{"a":1}`, `{"a":1}`)...)...)
	if text := rendered(t, m); !strings.Contains(text, "Both bodies have the same 3 lines.") || strings.Contains(text, "<code>") && strings.Contains(text, `class="compared"`) {
		t.Error(text)
	}
	m, _ = does(t, m, page.Acted{Action: doEqual})
	if d, more := m.difference(); len(d.Lines) != 3 || more {
		t.Errorf("%+v", d)
	}
}

func TestManyLinesAreShownInParts(t *testing.T) {
	m := awake(t, "path=/metrics")
	text := strings.Repeat("a\n", 3*firstLines)
	m, _ = does(t, m, append([]page.Msg{page.Acted{Action: doSend}}, append(answer(callID(0), 200, "text/plain", text), answer(callID(1), 200, "text/plain", "b")...)...)...)
	if d, more := m.difference(); len(d.Lines) != firstLines || !more {
		t.Errorf("%d lines", len(d.Lines))
	}
	m, _ = does(t, m, page.Acted{Action: doMore})
	if d, more := m.difference(); len(d.Lines) != 3*firstLines || more {
		t.Errorf("%d lines, more: %v", len(d.Lines), more)
	}
}

// Fieldmark responds itself if nothing listens at the address of an API server.
func TestAResponseThatIsntFromTheServer(t *testing.T) {
	m := awake(t, "path=/version")
	m, _ = does(t, m, append([]page.Msg{page.Acted{Action: doSend}}, both(503, `{}`, `{"kind":"Status","message":"nothing listens"}`)...)...)
	if text := rendered(t, m); m.Result.Found != nil || !strings.Contains(text, "No response from the API server") || !strings.Contains(text, "nothing listens") {
		t.Error(text)
	}
}

func TestTheSwitch(t *testing.T) {
	m := awake(t, "path=/api/v1/nodes")
	m, _ = does(t, m, append([]page.Msg{page.Acted{Action: doSend}}, both(200, `{"a":1,"metadata":{"uid":"1"}}`, `{"a":2,"metadata":{"uid":"2"}}`)...)...)
	if got := m.leftOut(); got != "1 difference is left out." || strings.Count(rendered(t, m), `data-mark="varies"`) != 1 {
		t.Errorf("%q", got)
	}
	m, commands := does(t, m, page.Acted{Action: doAll})
	if got := only[page.Remember](commands); len(got) != 1 || !strings.Contains(got[0].Address, "all=1") || m.leftOut() != "" || m.summary() != "The responses differ in 2 lines." {
		t.Errorf("%+v", got)
	}
	// The link of a reader without scripts changes the same, and sends nothing.
	values, _ := url.ParseQuery("path=/api/v1/nodes&with=two")
	if m, commands = does(t, m, page.Addressed{Query: values}); m.All || len(parts(commands)) != 0 || m.Result == nil {
		t.Errorf("%v", commands)
	}
}

func TestAWriteIsConfirmed(t *testing.T) {
	for query, asks := range map[string]bool{
		"method=DELETE&path=/api/v1/nodes/a": true, "method=PATCH&path=/api/v1/nodes/a&body={}": true, "method=POST&path=/api/v1/nodes?dryRun=All&body={}": true,
		"method=DELETE&path=/api/v1/nodes/a?dryRun%3DAll":                         false,
		"method=POST&path=/apis/authorization.k8s.io/v1/selfsubjectaccessreviews": false,
	} {
		m := awake(t, strings.Replace(query, "?dryRun=All&body", "&body", 1))
		m, commands := does(t, m, page.Addressed{Query: url.Values{querySend: {"1"}}})
		if m.live.asking != asks || (len(parts(commands)) == 0) != asks {
			t.Errorf("%s: asks %v, sends %v", query, m.live.asking, parts(commands))
		}
		if text := rendered(t, m); asks && !strings.Contains(text, "This request changes both clusters: one and two.") {
			t.Errorf("%s: the page doesn't say that both clusters change", query)
		}
		if !asks {
			continue
		}
		if _, commands := does(t, m, page.Acted{Action: doConfirm}); len(parts(commands)) != 2 {
			t.Errorf("%s: confirmed, it sends %v", query, parts(commands))
		}
	}
	m := awake(t, "method=DELETE&path=/api/v1/nodes/a")
	m, _ = does(t, m, page.Acted{Action: doSend})
	_, commands := does(t, m, page.Acted{Action: doDry})
	if sent := parts(commands); len(sent) != 2 || !strings.HasSuffix(sent[1].Path, "?dryRun=All") {
		t.Errorf("%+v", sent)
	}
	m = awake(t, "method=DELETE&path=/api/v1/nodes/a")
	m.Shell.ReadOnly = true
	if _, commands := does(t, m, page.Acted{Action: doSend}, page.Acted{Action: doConfirm}); len(parts(commands)) != 0 {
		t.Errorf("with --read-only, it sends %v", parts(commands))
	}
}

func TestAWatchIsStopped(t *testing.T) {
	m := awake(t, "path=/api/v1/nodes?watch%3D1")
	m, commands := does(t, m, page.Acted{Action: doSend})
	if sent := parts(commands); len(sent) != 2 || sent[0].Coding != "identity" {
		t.Fatalf("%+v", sent)
	}
	for range mostSeconds - 1 {
		if m, commands = does(t, m, page.Tick{}); len(only[page.Cancel](commands)) != 0 {
			t.Fatal("the watch is stopped too early")
		}
	}
	if m, commands = does(t, m, page.Tick{}); len(only[page.Cancel](commands)) != 2 {
		t.Fatalf("%v", commands)
	}
	event := `{"type":"ADDED","object":{"metadata":{"uid":"1"}}}` + "\n"
	for side := range sides {
		m, _ = does(t, m, page.Opened{ID: callID(side), Status: 200, Header: []request.Header{{Name: "content-type", Value: "application/json"}}}, page.Arrived{ID: callID(side), Part: []byte(event), Bytes: int64(len(event))}, page.Ended{ID: callID(side), How: page.Canceled})
	}
	if m.Result == nil || !m.Result.Stopped || !m.Result.Found.Count(true).None() || !strings.Contains(rendered(t, m), "stopped it after 5 seconds") {
		t.Errorf("%+v", m.Result)
	}
}

// The browser requests responses again that were too long for the document.
func TestALongResponseIsRequestedAgain(t *testing.T) {
	for cut, want := range map[bool]int{true: 2, false: 0} {
		m := asleep(t, "path=/openapi/v2")
		calls := [2]call.Call{m.Request(0), m.Request(1)}
		for i := range calls {
			x := &calls[i]
			x.State, x.Status, x.Kept, x.Bytes = call.Whole, 200, []byte("{"), 1
			if cut {
				x.State = call.CutOff
			}
		}
		m.Result = m.Settle(calls, [2]*components.Notice{})
		if _, commands := m.Awake(time.Time{}); len(parts(commands)) != want {
			t.Errorf("cut: %v, sent: %+v", cut, parts(commands))
		}
	}
}

func TestWithoutAResponse(t *testing.T) {
	m := awake(t, "path=/version")
	m, _ = does(t, m, append(append([]page.Msg{page.Acted{Action: doSend}}, answer(callID(0), 200, "application/json", `{}`)...), page.Ended{ID: callID(1), How: page.CutOff})...)
	text := rendered(t, m)
	if m.Result.Found != nil || !strings.Contains(text, "There is nothing to compare, because a server sent no response.") || !strings.Contains(text, "No response") {
		t.Error(text)
	}
	away := asleep(t, "path=/version")
	notice := components.Notice{Title: "This cluster isn’t ready yet"}
	calls := [2]call.Call{away.Request(0), away.Request(1)}
	calls[0].State, calls[0].Status = call.Whole, 200
	away.Result = away.Settle(calls, [2]*components.Notice{nil, &notice})
	if text := rendered(t, away); !strings.Contains(text, notice.Title) {
		t.Error("the page doesn't say why the other server didn't respond")
	}
	_, commands := away.Awake(time.Time{})
	if asked := only[page.Call](commands); len(asked) != 1 || asked[0].Cluster != "one" {
		t.Errorf("permissions are asked for with %+v", asked)
	}
}

func TestPermissionsOfBoth(t *testing.T) {
	p, commands := asleep(t, "path=/api/v1/secrets").Awake(time.Time{})
	asked := only[page.Call](commands)
	if len(asked) != 2 || asked[0].Cluster != "one" || asked[1].Cluster != "two" || asked[0].Path != access.ReviewPath {
		t.Fatalf("%+v", asked)
	}
	m, _ := does(t, p.(Model), page.Response{ID: asked[0].ID, Status: 201, Body: []byte(`{"kind":"SelfSubjectAccessReview","status":{"allowed":true}}`)}, page.Response{ID: asked[1].ID, Status: 201, Body: []byte(`{"kind":"SelfSubjectAccessReview","status":{"allowed":false}}`)})
	if text := rendered(t, m); !strings.Contains(text, "on two.") || strings.Contains(text, "on one.") {
		t.Error(text)
	}
}

func TestNoticesOnTheOtherCluster(t *testing.T) {
	if text := rendered(t, asleep(t, "with=one")); !strings.Contains(text, sameContext.Title) {
		t.Error("the page doesn't say that both clusters are the same")
	}
	m := Parse("one", []string{"one"}, nil)
	m.Shell = shell.Model{Cluster: clusters[0], Clusters: clusters[:1]}
	if text := rendered(t, m); !strings.Contains(text, onlyOne.Title) || strings.Contains(text, `id="with"`) {
		t.Error("the page doesn't say that there is one cluster only")
	}
}

func TestExamplesCanBeSent(t *testing.T) {
	for _, e := range examples {
		d := e.draft()
		if _, ok := d.Path(); !ok || d.Stores() || d.Mismatch() != "" || d.Unshared() != "" {
			t.Errorf("%s: %+v %s", e.Title, d, d.Unshared())
		}
		values, _ := url.Parse(asleep(t, "").link(d))
		if back := Parse("one", nil, values.Query()).Draft; back.Target != d.Target || back.Method != d.Method || back.Accept != d.Accept || back.Body != d.Body {
			t.Errorf("%s: its address makes %+v of it", e.Title, back)
		}
	}
}

func TestVersionOf(t *testing.T) {
	if got := VersionOf(200, []byte(`{"gitVersion":"v1.37.1","platform":"linux/amd64"}`)); got != "v1.37.1 linux/amd64" {
		t.Error(got)
	}
	for _, body := range []string{"", "{}", "[]"} {
		if got := VersionOf(200, []byte(body)); got != unknownVersion {
			t.Error(got)
		}
	}
	if got := VersionOf(403, []byte(`{"gitVersion":"v1"}`)); got != unknownVersion {
		t.Error(got)
	}
}

// No secret is on the page, or in the model that the server embeds in it.
func TestNoCanaryEscapes(t *testing.T) {
	for _, d := range canary.Documents() {
		for _, n := range []int{len(d.JSON), len(d.JSON) / 2} {
			for _, kind := range []string{"application/json", "application/yaml", "application/cbor", "text/plain"} {
				m := awake(t, "path="+url.QueryEscape(d.Path))
				m, _ = does(t, m, page.Acted{Action: doSend})
				for side := range sides {
					m, _ = does(t, m, answer(callID(side), 200, kind, d.JSON[:n])...)
				}
				m, _ = does(t, m, page.Acted{Action: doEqual})
				var document strings.Builder
				if err := page.View(m).Render(t.Context(), &document); err != nil {
					t.Fatal(err)
				}
				if canary.Escapes(document.String()) {
					t.Errorf("%s as %s", d.Name, kind)
				}
			}
		}
	}
}
