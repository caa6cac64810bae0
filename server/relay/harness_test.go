package relay

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/follow/fake"
	"github.com/fieldmark/fieldmark/server/lasting"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/server/wiretap"
)

// patience is how long a test waits for what must come. It is long: the machine may be busy.
const patience = 60 * time.Second

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// house is a relay behind an HTTP server, without its guard.
type house struct {
	t      testing.TB
	relay  *Relay
	tap    *wiretap.Log
	server *httptest.Server
}

// newHouse serves a relay. The session is what a request says it is.
func newHouse(t testing.TB, resolve func(context.Context, string) (*upstream.Target, error)) *house {
	t.Helper()
	h := &house{t: t, tap: wiretap.New(wiretap.Options{})}
	h.relay = New(Options{
		Resolve: resolve, Tap: h.tap, Build: "b1", Reader: func(*http.Request) string { return "the reader" }, Random: func() float64 { return 0 },
		Session: func(r *http.Request) string { return r.Header.Get("Session") },
	})
	h.server = httptest.NewUnstartedServer(h.relay)
	h.server.Config.ConnContext = func(ctx context.Context, _ net.Conn) context.Context { return lasting.Context(ctx) }
	h.server.Start()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		h.relay.Close(ctx)
		h.server.Close()
	})
	return h
}

// script is an API server that does what each test says.
type script = fake.Server

// The words that scripts are made of.
var (
	newScript = fake.New
	says      = fake.Says
	refuses   = fake.Refuses
	turns     = fake.Turns
	stays     = fake.Stays
	cuts      = fake.Cuts
	after     = fake.After
)

// scripted is a house whose only cluster is the script.
func scripted(t testing.TB, list, watch http.HandlerFunc) (*house, *script) {
	t.Helper()
	s := newScript(t, list, watch)
	return newHouse(t, s.Resolve), s
}

const pods = "/api/v1/namespaces/n/pods"

func row(name string, version int) string {
	return fmt.Sprintf(`{"cells":[%[1]q,"x"],"object":{"metadata":{"uid":"u-%[1]s","name":%[1]q,"namespace":"n","resourceVersion":"%[2]d"}}}`, name, version)
}

const columns = `"columnDefinitions":[{"name":"Name","type":"string","format":"name"},{"name":"State","type":"string"}]`

// tableOf is a list's answer.
func tableOf(version int, next string, remaining int, rows ...string) string {
	meta := fmt.Sprintf(`"resourceVersion":"%d"`, version)
	if next != "" {
		meta += fmt.Sprintf(`,"continue":%q,"remainingItemCount":%d`, next, remaining)
	}
	return fmt.Sprintf(`{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{%s},%s,"rows":[%s]}`, meta, columns, strings.Join(rows, ","))
}

// event is one line of a watch; the first of a watch has columns.
func event(kind, name string, version int) string {
	return fmt.Sprintf(`{"type":%q,"object":{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"%d"},"rows":[%s]}}`+"\n", kind, version, row(name, version))
}

func bookmark(version int) string { return event("BOOKMARK", "", version) }

func failure(code int, reason string) string {
	return fmt.Sprintf(`{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure","message":"m","reason":%q,"code":%d}}`+"\n", reason, code)
}
