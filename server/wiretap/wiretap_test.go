package wiretap

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
)

// answers is a RoundTripper that reads the request's body and gives what it is told.
type answers struct {
	status int
	header http.Header
	body   string
	err    error
}

func (a answers) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		_, _ = io.Copy(io.Discard, r.Body)
		_ = r.Body.Close()
	}
	if a.err != nil {
		return nil, a.err
	}
	header := a.header
	if header == nil {
		header = http.Header{"Content-Type": {"application/json"}}
	}
	return &http.Response{StatusCode: a.status, Proto: "HTTP/1.1", Header: header, Body: io.NopCloser(strings.NewReader(a.body)), Request: r}, nil
}

var me = Who{Session: "me", Cluster: "one", Origin: Page}

func send(t *testing.T, l *Log, who Who, via http.RoundTripper, method, target, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, "https://api.test"+target, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Unknown", "hush")
	resp, err := l.Transport(via, who).RoundTrip(r)
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
}

func TestAnEntryTellsTheWholeRequest(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	l := New(Options{Now: func() time.Time { now = now.Add(time.Second); return now }})
	via := answers{status: 201, body: `{"kind":"Pod"}`, header: http.Header{
		"Content-Type": {"application/json"}, "Warning": {`299 - "old"`}, "Set-Cookie": {"hush"}, "Audit-Id": {"a1"},
	}}
	send(t, l, me, via, "POST", "/api/v1/namespaces/x/pods?dryRun=All", `{}`)
	e := l.Entries("me", 0)[0]
	if e.ID != 1 || e.Who != me || !e.Done || e.First <= 0 || e.Total <= e.First || e.Start.IsZero() {
		t.Errorf("when and who: %+v", e)
	}
	if e.Method != "POST" || e.Path != "/api/v1/namespaces/x/pods" || e.Query != "dryRun=All" || e.Verb != "create" || e.Status != 201 || e.Proto != "HTTP/1.1" {
		t.Errorf("what: %+v", e)
	}
	if string(e.Request.Body) != "{}" || e.Request.Bytes != 2 || e.Request.MediaType != "application/json" || e.Request.Header.Get("X-Unknown") != Redacted {
		t.Errorf("request: %+v", e.Request)
	}
	if string(e.Answer.Body) != via.body || e.Answer.Bytes != 14 || e.Answer.Cut || e.Answer.Header.Get("Set-Cookie") != Redacted || e.Answer.Header.Get("Audit-Id") != "a1" {
		t.Errorf("answer: %+v", e.Answer)
	}
	if len(e.Warnings) != 1 || e.Warnings[0] != `299 - "old"` || e.Error != "" {
		t.Errorf("warnings %q, error %q", e.Warnings, e.Error)
	}
}

// The newest program of a kind counts, and other sessions' programs don't.
func TestTheRecordKnowsTheProgramsThatSent(t *testing.T) {
	l := New(Options{})
	for _, c := range []struct {
		session, agent string
	}{{"me", "kubectl/v1.35.0 (linux/amd64)"}, {"me", "kubectl/v1.36.1 (linux/amd64)"}, {"me", "Mozilla/5.0"}, {"other", "kubectl/v1.20.0"}} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://api.test/api", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("User-Agent", c.agent)
		resp, err := l.Transport(answers{status: 200}, Who{Session: c.session, Cluster: "one", Origin: Page}).RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
	}
	for prefix, want := range map[string]string{"kubectl/": "kubectl/v1.36.1 (linux/amd64)", "helm/": ""} {
		if got := l.View("me").Agent(prefix); got != want {
			t.Errorf("%s: %q, want %q", prefix, got, want)
		}
	}
}

func TestQueriesAreRedacted(t *testing.T) {
	for in, want := range map[string]string{
		"":                            "",
		"labelSelector=app%3Dweb":     "labelSelector=app%3Dweb",
		"continue=abc&limit=5":        "continue=abc&limit=5",
		"token=hush":                  "token=%5Bredacted%5D",
		"a=1&access_%74oken=hush":     "a=1&access_%74oken=%5Bredacted%5D",
		"Password=hush&Password=hush": "Password=%5Bredacted%5D&Password=%5Bredacted%5D",
		"secret=%zz":                  Redacted,
	} {
		got := redactQuery(in, apipath.Path{})
		if strings.Contains(got, "hush") || got != want && !strings.Contains(in, "%74") {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestErrorsAreToldWithoutTheirText(t *testing.T) {
	l := New(Options{})
	send(t, l, me, answers{err: errors.New("getting credentials: hush")}, "GET", "/api/v1/pods", "")
	e := l.Entries("me", 0)[0]
	if !e.Done || strings.Contains(e.Error, "hush") || !strings.Contains(e.Error, "plugin") || e.Status != 0 {
		t.Errorf("got %+v", e)
	}
}

func TestTheRecordIsBounded(t *testing.T) {
	l := New(Options{Entries: 10, Prefix: 100, Bytes: 450, Sessions: 3})
	for n := range 25 {
		send(t, l, me, answers{status: 200, body: strings.Repeat("1", 150)}, "GET", fmt.Sprintf("/api/v1/nodes/n%d", n), "")
	}
	entries := l.Entries("me", 0)
	if len(entries) != 10 || entries[0].ID != 16 || entries[9].ID != 25 || entries[9].Path != "/api/v1/nodes/n24" {
		t.Fatalf("%d entries, from %d", len(entries), entries[0].ID)
	}
	kept := 0
	for i, e := range entries {
		kept += len(e.Answer.Body)
		if e.Answer.Bytes != 150 || !e.Answer.Cut || (len(e.Answer.Body) == 0) != (e.Answer.Withheld != "") || (len(e.Answer.Body) > 0) != (i >= 6) {
			t.Errorf("%d: %+v", i, e.Answer)
		}
	}
	if kept != 400 || l.findSession("me").bytes != 400 {
		t.Errorf("%d bytes are kept, %d are counted", kept, l.findSession("me").bytes)
	}
	if got := l.Entries("me", 23); len(got) != 2 || got[0].ID != 24 {
		t.Errorf("after 23: %+v", got)
	}
	if _, found := l.Entry("me", 3); found {
		t.Error("an entry that is gone was found")
	}
	for _, id := range []string{"a", "b", "c"} {
		send(t, l, Who{Session: id}, answers{status: 200}, "GET", "/api", "")
	}
	if len(l.sessions) != 3 || l.Entries("me", 0) != nil {
		t.Errorf("%d sessions", len(l.sessions))
	}
}

// A page that reads a response again finds all of it, and the record stays within its bounds.
func TestMoreIsKeptOfWhatIsReadAgain(t *testing.T) {
	l := New(Options{Prefix: 100, Reread: 1000, Bytes: 2500})
	again := me
	again.Reread = true
	body := strings.Repeat("1", 900)
	send(t, l, me, answers{status: 200, body: body}, "GET", "/api/v1/nodes", "")
	for range 4 {
		send(t, l, again, answers{status: 200, body: body}, "GET", "/api/v1/nodes", "")
	}
	send(t, l, again, answers{status: 200, body: body + body}, "GET", "/api/v1/nodes", "")
	for i, want := range []int{0, 0, 0, 0, 900, 1000} {
		e, _ := l.View("me").Entry("one", uint64(i+1))
		if got := len(e.Answer.Body); got != want || e.Answer.Cut != (want != 900) || e.Cap != map[bool]int{true: 100, false: 1000}[i == 0] {
			t.Errorf("request %d: %d bytes are kept of at most %d, want %d", i+1, got, e.Cap, want)
		}
	}
	if got := l.findSession("me").bytes; got != 1900 {
		t.Errorf("%d bytes are kept in all", got)
	}
}

func TestALongResponseIsUnpackedAsAWhole(t *testing.T) {
	text := `{"kind":"PodList","items":[` + strings.Repeat(`{"a":"b"},`, 50_000) + `{}]}`
	header := http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {"gzip"}}
	for _, reread := range []bool{false, true} {
		l := New(Options{})
		who := me
		who.Reread = reread
		send(t, l, who, answers{status: 200, header: header, body: zipped(text)}, "GET", "/api/v1/pods", "")
		if e := l.Entries("me", 0)[0]; e.Answer.Cut == reread || (len(e.Answer.Body) == len(text)) != reread {
			t.Errorf("read again %v: %d bytes of %d, cut %v", reread, len(e.Answer.Body), len(text), e.Answer.Cut)
		}
	}
}

func TestWatchesAreVisibleWhileTheyRun(t *testing.T) {
	l := New(Options{})
	events, out := io.Pipe()
	via := watch{events}
	r, _ := http.NewRequestWithContext(t.Context(), "GET", "https://api.test/api/v1/pods?watch=1", nil)
	nudged, cancel := l.Subscribe("me")
	resp, err := l.Transport(via, me).RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	<-nudged
	go func() { _, _ = io.WriteString(out, "{\"type\":\"ADDED\"}\n{\"type\":\"DELETED\"}\n") }()
	_, _ = io.ReadFull(resp.Body, make([]byte, 36))
	e := l.Entries("me", 0)[0]
	if e.Done || e.Events != 2 || e.Answer.Bytes != 36 || e.Verb != "watch" || !strings.HasPrefix(string(e.Answer.Body), `{"type":"ADDED"}`) {
		t.Errorf("got %+v", e)
	}
	cancel()
	l.Forget("me")
	_ = resp.Body.Close()
	if l.Entries("me", 0) != nil {
		t.Error("the record outlived its session")
	}
}

type watch struct{ io.Reader }

func (w watch) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(w), Request: r}, nil
}

func TestSubscribersHearOfTheEnd(t *testing.T) {
	l := New(Options{})
	nudged, cancel := l.Subscribe("me")
	defer cancel()
	l.Forget("me")
	if _, open := <-nudged; open {
		t.Error("a nudge instead of the end")
	}
	send(t, l, me, answers{status: 200}, "GET", "/api", "") // a late request of the session does no harm
}

func TestManyAtOnce(t *testing.T) {
	l := New(Options{Entries: 20, Bytes: 2000, Prefix: 64, Sessions: 2})
	var wait sync.WaitGroup
	for n := range 8 {
		wait.Go(func() {
			who := Who{Session: fmt.Sprint(n % 3)}
			for range 200 {
				send(t, l, who, answers{status: 200, body: strings.Repeat("1", 90)}, "PUT", "/api/v1/nodes/n", "1234567")
				for _, e := range l.Entries(who.Session, 0) {
					_ = e.Answer.Header.Get("Date")
				}
			}
		})
	}
	wait.Wait()
	for id, s := range l.sessions {
		kept := 0
		for _, e := range l.Entries(id, 0) {
			kept += len(e.Answer.Body) + len(e.Request.Body)
		}
		if kept != s.bytes || kept > 2000 {
			t.Errorf("%s: %d bytes are kept, %d are counted", id, kept, s.bytes)
		}
	}
}

func BenchmarkTransport(b *testing.B) {
	l := New(Options{})
	via := l.Transport(answers{status: 200, body: strings.Repeat("x", 1000)}, me)
	r, _ := http.NewRequestWithContext(b.Context(), "GET", "https://api.test/api/v1/namespaces/default", nil)
	buffer := make([]byte, 4096)
	b.ReportAllocs()
	for b.Loop() {
		resp, _ := via.RoundTrip(r)
		for {
			if _, err := resp.Body.Read(buffer); err != nil {
				break
			}
		}
		_ = resp.Body.Close()
	}
}
