package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
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

// lines sends a request through an audit log, and returns what is written.
func lines(t *testing.T, r *http.Request, handle http.HandlerFunc) (text string, w *httptest.ResponseRecorder) {
	t.Helper()
	g, err := guard.New(guard.Options{Listen: []string{"127.0.0.1:80"}, Door: door{}, WorkloadProxy: true})
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
		"GET /":                                                               "",
		"GET /clusters/c/api/v1/pods?watch=1":                                 "",
		"HEAD /clusters/c/api/v1/pods":                                        "",
		"POST /clusters/c/api/v1/namespaces/n/pods":                           "create /api/v1/namespaces/n/pods",
		"PUT /clusters/c/api/v1/namespaces/n/pods/p":                          "update /api/v1/namespaces/n/pods/p",
		"PATCH /clusters/c/api/v1/namespaces/n/pods/p?x":                      "patch /api/v1/namespaces/n/pods/p",
		"DELETE /clusters/c/api/v1/namespaces/n/pods":                         "deletecollection /api/v1/namespaces/n/pods",
		"PATCH /clusters/c/api/v1/nodes/n?dryRun=All":                         "patch /api/v1/nodes/n dry",
		"GET /clusters/c/api/v1/namespaces/n/pods/p/exec?command=secret-word": "get /api/v1/namespaces/n/pods/p/exec",
		"POST /c/c/-/contention":                                              "POST /c/c/-/contention",
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
