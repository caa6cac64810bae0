package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/identity"
)

// door lets everybody in as one person.
type door struct{}

func (door) Who(http.ResponseWriter, *http.Request) (guard.Session, guard.Refusal) {
	return guard.Session{ID: "s1", Kind: guard.Bearer, Person: &identity.Person{
		Key: "k1", Name: "ada\n{\"user\":\"ben\"}", Way: identity.OIDC, Grants: map[string]identity.Grant{"c": {Token: "secret-token"}},
	}}, guard.Refusal{}
}
func (door) Own(*http.Request) http.Handler      { return nil }
func (door) Invite(*http.Request, *guard.Notice) {}
func (door) Sweep()                              {}

// viewer lets everybody in as one person, who views a cluster as ben.
type viewer struct{ door }

func (v viewer) Who(w http.ResponseWriter, r *http.Request) (guard.Session, guard.Refusal) {
	s, no := v.door.Who(w, r)
	s.View = identity.View{Cluster: "c", As: identity.Impersonation{User: "ben"}}
	return s, no
}

func TestAViewIsNoted(t *testing.T) {
	for path, want := range map[string]bool{"/clusters/c/api/v1/nodes/n?dryRun=All": true, "/clusters/d/api/v1/nodes/n?dryRun=All": false} {
		text, _ := linesOf(t, viewer{}, httptest.NewRequest(http.MethodPatch, path, nil), func(http.ResponseWriter, *http.Request) {})
		if strings.Contains(text, `"as":"ben"`) != want || !strings.Contains(text, `"person":"k1"`) {
			t.Errorf("%s: %s", path, text)
		}
	}
}

// lines sends a request of one person through an audit log, and returns what is written.
func lines(t *testing.T, r *http.Request, handle http.HandlerFunc) (text string, w *httptest.ResponseRecorder) {
	t.Helper()
	return linesOf(t, door{}, r, handle)
}

func linesOf(t *testing.T, d guard.Door, r *http.Request, handle http.HandlerFunc) (text string, w *httptest.ResponseRecorder) {
	t.Helper()
	g, err := guard.New(guard.Options{Listen: []string{"127.0.0.1:80"}, Door: d, WorkloadProxy: true})
	if err != nil {
		t.Fatal(err)
	}
	var to bytes.Buffer
	r.Host = "127.0.0.1"
	w = httptest.NewRecorder()
	g.Wrap(New(Options{To: &to}).Wrap(handle)).ServeHTTP(w, r)
	return to.String(), w
}

func TestWhatIsNoted(t *testing.T) {
	for request, want := range map[string]string{
		"GET /":                                                                   "",
		"GET /clusters/c/api/v1/pods?watch=1":                                     "",
		"HEAD /clusters/c/api/v1/pods":                                            "",
		"POST /clusters/c/api/v1/namespaces/n/pods":                               "create /api/v1/namespaces/n/pods",
		"PUT /clusters/c/api/v1/namespaces/n/pods/p":                              "update /api/v1/namespaces/n/pods/p",
		"PATCH /clusters/c/api/v1/namespaces/n/pods/p?x":                          "patch /api/v1/namespaces/n/pods/p",
		"DELETE /clusters/c/api/v1/namespaces/n/pods":                             "deletecollection /api/v1/namespaces/n/pods",
		"PATCH /clusters/c/api/v1/nodes/n?dryRun=All":                             "patch /api/v1/nodes/n dry",
		"GET /clusters/c/api/v1/namespaces/n/pods/p/exec?command=secret-word":     "get /api/v1/namespaces/n/pods/p/exec",
		"POST /clusters/c/api/v1/namespaces/n/services/s/proxy/token/secret-word": "create /api/v1/namespaces/n/services/s/proxy/token/%5Bredacted%5D",
		"PUT /clusters/c/api/v1/namespaces/n/pods/password=secret-word":           "update /api/v1/namespaces/n/pods/password=%5Bredacted%5D",
		"POST /other/password/secret-word":                                        "POST /other/password/%5Bredacted%5D",
		"POST /c/c/-/contention":                                                  "POST /c/c/-/contention",
	} {
		method, path, _ := strings.Cut(request, " ")
		text, w := lines(t, httptest.NewRequest(method, path, strings.NewReader("secret-body")), func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Audit-Id", "a1")
			w.WriteHeader(http.StatusCreated)
		})
		if want == "" {
			if text != "" || w.Header().Get(RequestHeader) != "" {
				t.Errorf("%s is noted: %s", request, text)
			}
			continue
		}
		var line map[string]any
		if err := json.Unmarshal([]byte(text), &line); err != nil || strings.Count(text, "\n") != 1 {
			t.Errorf("%s: not one line: %q", request, text)
			continue
		}
		got := fmt.Sprint(line["verb"], " ", line["path"])
		if line["dry_run"] == true {
			got += " dry"
		}
		if got != want || line["status"] != 201.0 || line["audit_id"] != "a1" || line["user"] != "ada\n{\"user\":\"ben\"}" || line["person"] != "k1" ||
			line["way"] != "oidc" || line["request"] == "" || line["request"] != w.Header().Get(RequestHeader) {
			t.Errorf("%s: %s", request, text)
		}
		if strings.Contains(text, "secret") {
			t.Errorf("%s: the line has a secret: %s", request, text)
		}
	}
}

func TestHiddenWrite_OnlyTheWholeRequestSaysWhatItIs(t *testing.T) {
	const (
		web     = "/clusters/c/api/v1/namespaces/n/pods/p"
		console = "/clusters/c/apis/subresources.kubevirt.io/v1/namespaces/n/virtualmachineinstances/v/console"
	)
	type given struct{ request, body, upgrade string }
	for g, want := range map[given]string{
		{"DELETE " + web + "?dryRun=All", "", ""}:                                                 "delete dry",
		{"DELETE " + web, `{"dryRun":["All"]}`, ""}:                                               "delete dry",
		{"DELETE " + web + "?dryRun=All", `{"kind":"DeleteOptions"}`, ""}:                         "delete",
		{"DELETE " + web + "?dryRun=All", `{"dryRun":["All"]}` + strings.Repeat(" ", 64<<10), ""}: "delete",
		{"PATCH " + web + "?dryRun=All", `{}`, ""}:                                                "patch dry",
		{"PATCH " + web + "?dryRun=All&dryRun=", `{}`, ""}:                                        "patch",
		{"POST " + web + "/exec?dryRun=All", "", ""}:                                              "create",
		{"POST " + web + "/proxy/x?dryRun=All", `{}`, ""}:                                         "create",
		{"GET " + web + "/exec?dryRun=All&watch", "", "websocket"}:                                "get",
		{"GET " + console + "?watch", "", "websocket"}:                                            "get",
		{"GET " + console, "", "websocket"}:                                                       "get",
		{"GET /clusters/c/api/v1/pods?watch=0", "", "websocket"}:                                  "list",
		{"GET /clusters/c/api/v1/pods?watch=1", "", "websocket"}:                                  "",
		{"PROPFIND " + web, "", ""}:                                                               "PROPFIND",
		{"GET " + web + "?_method=DELETE", "", ""}:                                                "",
	} {
		method, path, _ := strings.Cut(g.request, " ")
		r := httptest.NewRequest(method, path, strings.NewReader(g.body))
		r.Header.Set("Content-Type", "application/json")
		if g.upgrade != "" {
			r.Header.Set("Connection", "Upgrade")
			r.Header.Set("Upgrade", g.upgrade)
		}
		var passed []byte
		text, w := lines(t, r, func(_ http.ResponseWriter, r *http.Request) {
			var err error
			if passed, err = io.ReadAll(r.Body); err != nil {
				t.Error(err)
			}
		})
		if string(passed) != g.body {
			t.Errorf("%s: the body became %q, status code %d", g.request, passed, w.Code)
		}
		var line struct {
			Verb string
			Dry  bool `json:"dry_run"`
		}
		if text != "" && json.Unmarshal([]byte(text), &line) != nil {
			t.Errorf("%s: not one line: %q", g.request, text)
		}
		got := line.Verb
		if line.Dry {
			got += " dry"
		}
		if got != want {
			t.Errorf("%s %s: %q is noted, want %q", g.request, g.body, got, want)
		}
	}
}

func TestAPanicIsNotedToo(t *testing.T) {
	text, w := lines(t, httptest.NewRequest(http.MethodDelete, "/clusters/c/api/v1/nodes/n", nil), func(http.ResponseWriter, *http.Request) { panic("a bug") })
	if !strings.Contains(text, `"status":0`) || w.Code != http.StatusInternalServerError {
		t.Errorf("%d %s", w.Code, text)
	}
}

// TestAConnectionIsNotedWhenItBegins looks at the line while a connection to a workload is open.
func TestAConnectionIsNotedWhenItBegins(t *testing.T) {
	var to bytes.Buffer
	begun := ""
	g, err := guard.New(guard.Options{Listen: []string{"127.0.0.1:80"}, Door: door{}})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Host = "127.0.0.1"
		g.Wrap(New(Options{To: &to}).Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			begun = to.String()
			fmt.Fprint(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: close\r\n\r\n")
			conn.Close()
		}))).ServeHTTP(w, r)
	}))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/clusters/c/api/v1/namespaces/n/pods/p/exec", nil)
	if err != nil {
		t.Fatal(err)
	}
	if resp, err := http.DefaultClient.Do(req); err == nil {
		resp.Body.Close()
	}
	s.Close()
	if !strings.Contains(begun, `"status":101`) || to.String() != begun {
		t.Errorf("at the beginning %q, at the end %q", begun, to.String())
	}
}
