package inplace

import (
	"net/url"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/object/canary"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

func shown(t *testing.T, m Model) string {
	t.Helper()
	var b strings.Builder
	if err := Show(m, "http://127.0.0.1:8080/clusters/practice").Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// opened is the panel of a page with a path, after the response with this body.
func opened(t *testing.T, path string, status int, mediaType, body string) Model {
	t.Helper()
	m, commands, taken := Model{}.Update(page.Acted{Action: doOpen}, func() call.Call { return Get("practice", path, accept.JSON) })
	sent, ok := commands[0].(page.Call)
	if !taken || !ok || sent.Path != path || sent.Method != "GET" || sent.Keep != keep || request.Field(sent.Header, "Accept") != accept.JSON {
		t.Fatalf("%v %+v", taken, commands)
	}
	for _, msg := range []page.Msg{
		page.Opened{ID: sent.ID, Status: status, Header: []request.Header{{Name: "content-type", Value: mediaType}}},
		page.Arrived{ID: sent.ID, Part: []byte(body), Bytes: int64(len(body))},
		page.Ended{ID: sent.ID, How: page.Whole, Bytes: int64(len(body))},
	} {
		if m, _, taken = m.Update(msg, nil); !taken {
			t.Fatalf("%+v isn't heard", msg)
		}
	}
	return m
}

func TestRequestAndResponse(t *testing.T) {
	m := opened(t, "/api/v1/namespaces/shop/configmaps/settings", 200, "application/json", `{"kind":"ConfigMap","data":{"a":"<b>"}}`)
	got := shown(t, m)
	for _, want := range []string{
		"GET /api/v1/namespaces/shop/configmaps/settings", "Accept: application/json", "kubectl get", "curl -H", "content-type",
		`&#34;a&#34;: &#34;&lt;b&gt;&#34;`, "/c/practice/-/request?accept=application%2Fjson&amp;method=GET",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
}

func TestSecretsAreHidden(t *testing.T) {
	for path, body := range map[string]string{
		"/api/v1/namespaces/shop/secrets/db":   `{"apiVersion":"v1","kind":"Secret","data":{"password":"Y2FuYXJ5"}}`,
		"/api/v1/namespaces/shop/things/other": `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Secret","data":{"password":"Y2FuYXJ5"}}]}`,
	} {
		if got := shown(t, opened(t, path, 200, "application/json", body)); strings.Contains(got, "Y2FuYXJ5") || !strings.Contains(got, "password") {
			t.Errorf("%s: %s", path, got)
		}
		if got := shown(t, opened(t, path, 200, "text/plain", body)); path[len(path)-2:] == "db" && strings.Contains(got, "Y2FuYXJ5") {
			t.Errorf("as text, %s: %s", path, got)
		}
	}
}

func TestARefusalIsExplained(t *testing.T) {
	m := opened(t, "/api/v1/pods", 403, "application/json", `{"kind":"Status","status":"Failure","reason":"Forbidden","code":403,"message":"pods is forbidden"}`)
	if got := shown(t, m); !strings.Contains(got, "pods is forbidden") || !strings.Contains(got, "Ask an administrator") {
		t.Error(got)
	}
}

func TestALongResponseIsCut(t *testing.T) {
	m := opened(t, "/api/v1/pods", 200, "application/json", "["+strings.Repeat("1,", 2*lines)+"1]")
	if got := shown(t, m); !strings.Contains(got, "the beginning of the response") || len(m.call.Kept) != 0 {
		t.Errorf("%d bytes kept: %s", len(m.call.Kept), got)
	}
}

func TestClose(t *testing.T) {
	for _, msg := range []page.Msg{page.Acted{Action: doClose}, page.Acted{Action: doOpen}, page.Pressed{Key: "Escape"}} {
		m := opened(t, "/api/v1/pods", 200, "application/json", "{}")
		m, commands, taken := m.Update(msg, nil)
		if focus, ok := commands[len(commands)-1].(page.Focus); !taken || !ok || focus.ID != linkID || m.Opened() || shown(t, m) != "" {
			t.Errorf("%+v: %v %+v", msg, taken, commands)
		}
	}
	if _, _, taken := (Model{}).Update(page.Pressed{Key: "Escape"}, nil); taken {
		t.Error("a closed panel takes Escape")
	}
	waiting, _, _ := Model{}.Update(page.Acted{Action: doOpen}, func() call.Call { return Get("practice", "/api", accept.JSON) })
	if _, commands, _ := waiting.Update(page.Acted{Action: doClose}, nil); len(commands) != 2 {
		t.Errorf("the request goes on: %+v", commands)
	}
}

func TestConsole(t *testing.T) {
	u, err := url.Parse(Console(Get("practice", "/api/v1/pods?limit=1", accept.Table)))
	if err != nil || u.Path != "/c/practice/-/request" || u.Query().Get("path") != "/api/v1/pods?limit=1" || u.Query().Get("accept") != accept.Table {
		t.Errorf("%v %v", u, err)
	}
}

// No secret of any document gets into the panel, whether the response is whole or cut.
func TestNoCanaryEscapes(t *testing.T) {
	for _, d := range canary.Documents() {
		for _, n := range []int{len(d.JSON), len(d.JSON) * 9 / 10, len(d.JSON) / 2} {
			if got := shown(t, opened(t, d.Path, 200, "application/json", d.JSON[:n])); canary.Escapes(got) {
				t.Errorf("%s, %d bytes: %s", d.Name, n, got)
			}
		}
	}
}
