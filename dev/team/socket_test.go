//nolint:staticcheck // nhooyr.io/websocket is the package that this project builds on, and its successor has another path only
package team

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"nhooyr.io/websocket"

	"github.com/fieldmark/fieldmark/dev/team/replica"
)

// socket is a page's WebSocket, with one subscription to the ConfigMaps of a namespace.
type socket struct {
	conn *websocket.Conn
	// open connects for another time, and subscribes from the version on.
	open func(context.Context) error
	// renewed counts how often the server wanted another connection, so that the session is renewed.
	renewed int
	// version is the version of the state that the page has, and names the ConfigMaps that it has seen, in order.
	version string
	names   []string
}

// message is a message of the server, as far as the tests read it; package wire of the module above documents it.
type message struct {
	Type            string   `json:"type"`
	ResourceVersion string   `json:"resourceVersion"`
	Reason          string   `json:"reason"`
	Objects         []object `json:"objects"`
	Events          []struct {
		Type   string `json:"type"`
		Object object `json:"object"`
	} `json:"events"`
	Status *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"status"`
}

type object struct {
	Metadata struct {
		Name string `json:"name"`
	} `json:"metadata"`
}

// follow opens a WebSocket and subscribes, from the version on if there is one.
func (v *visitor) follow(t *testing.T, namespace, version string) (*socket, error) {
	t.Helper()
	s := &socket{version: version}
	s.open = func(ctx context.Context) error {
		address := "wss" + strings.TrimPrefix(v.stage.Public, "https") + "/socket"
		conn, response, err := websocket.Dial(ctx, address, &websocket.DialOptions{HTTPClient: v.Client(), HTTPHeader: v.Headers(v.page)})
		if err != nil {
			return err
		}
		t.Cleanup(func() { _ = conn.CloseNow() })
		if err := v.Took(v.page.URL, response); err != nil {
			return err
		}
		conn.SetReadLimit(-1)
		s.conn = conn
		return s.send(ctx, map[string]any{
			"type": "subscribe", "id": 1, "cluster": replica.Slug, "as": "object", "path": "/api/v1/namespaces/" + namespace + "/configmaps",
			"resourceVersion": s.version,
		})
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	return s, s.open(ctx)
}

func (s *socket) send(ctx context.Context, m map[string]any) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return s.conn.Write(ctx, websocket.MessageText, text)
}

// renew is the close code with which the server asks for another connection; package wire of the module above documents it.
const renew = 4402

// next reads a message. Each one gives its credit back. Where the server asks for another connection, the page opens one.
func (s *socket) next(ctx context.Context) (message, error) {
	var m message
	_, text, err := s.conn.Read(ctx)
	for websocket.CloseStatus(err) == renew {
		s.renewed++
		if err := s.open(ctx); err != nil {
			return m, err
		}
		_, text, err = s.conn.Read(ctx)
	}
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return m, err
	}
	s.take(m)
	return m, s.send(ctx, map[string]any{"type": "credit", "id": 1, "n": 1})
}

func (s *socket) take(m message) {
	if m.ResourceVersion != "" {
		s.version = m.ResourceVersion
	}
	for _, o := range m.Objects {
		s.names = append(s.names, o.Metadata.Name)
	}
	for _, e := range m.Events {
		if e.Type == "ADDED" {
			s.names = append(s.names, e.Object.Metadata.Name)
		}
	}
}

// until reads messages until one has the type. Gaps and failures are errors.
func (s *socket) until(ctx context.Context, want func(message) bool) error {
	for {
		m, err := s.next(ctx)
		switch {
		case err != nil:
			return err
		case want(m):
			return nil
		case m.Type == "gap" || m.Type == "failed" || m.Type == "closed":
			return fmt.Errorf("%s: %s %+v", m.Type, m.Reason, m.Status)
		}
	}
}

func typed(which string) func(message) bool { return func(m message) bool { return m.Type == which } }

// named waits for a ConfigMap.
func (s *socket) named(name string) func(message) bool {
	return func(message) bool { return len(s.names) > 0 && s.names[len(s.names)-1] == name }
}

// configMap creates a ConfigMap with all rights.
func (s *scene) configMap(t *testing.T, namespace, name string) {
	t.Helper()
	got, err := s.API.Admin(t.Context(), http.MethodPost, "/api/v1/namespaces/"+namespace+"/configmaps",
		map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": name}})
	if err != nil || got.Status != http.StatusCreated {
		t.Fatalf("creating a ConfigMap: %d %s, %v", got.Status, got.Body, err)
	}
}

// TestAKilledReplicaLosesNothing: the page goes on at the other replica, from the version that it has.
func TestAKilledReplicaLosesNothing(t *testing.T) {
	s := onStage(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	third, err := s.Another(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(third.Kill)
	v := s.visit(t, emil, "/")
	s.Proxy.Lead(third.Address)
	t.Cleanup(func() { s.Proxy.Lead(s.Addresses()...) })
	first, err := v.follow(t, "team-a", "")
	if err != nil {
		t.Fatal(err)
	}
	if err := first.until(ctx, typed("synced")); err != nil {
		t.Fatal(err)
	}
	s.configMap(t, "team-a", "before")
	if err := first.until(ctx, first.named("before")); err != nil {
		t.Fatal(err)
	}
	s.Proxy.Lead(append(s.Addresses(), third.Address)...)
	third.Kill()
	s.configMap(t, "team-a", "between")
	if _, err := first.next(ctx); err == nil {
		t.Fatal("the WebSocket survived its server")
	}
	second, err := v.follow(t, "team-a", first.version)
	if err != nil {
		t.Fatal(err)
	}
	s.configMap(t, "team-a", "after")
	if err := second.until(ctx, second.named("after")); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(second.names, " "); got != "between after" {
		t.Errorf("the page saw %q after the kill; want each ConfigMap once, in order", got)
	}
}

// TestALivingPageOutlivesItsTokens: a page that only listens has its tokens renewed, because the server asks it to connect again. It misses
// nothing, whichever replica it comes to.
func TestALivingPageOutlivesItsTokens(t *testing.T) {
	s := onStage(t)
	t.Parallel()
	v := s.visit(t, dora, "/")
	live, err := v.follow(t, "team-a", "")
	if err != nil {
		t.Fatal(err)
	}
	if err := live.until(t.Context(), typed("synced")); err != nil {
		t.Fatal(err)
	}
	var made []string
	end := time.Now().Add(time.Duration(s.lives) * s.Tokens)
	for i := 0; time.Now().Before(end); i++ {
		time.Sleep(s.Tokens / 10) // the test is about a time: several lives of a token
		name := fmt.Sprintf("living-%d", i)
		s.configMap(t, "team-a", name)
		made = append(made, name)
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		err := live.until(ctx, live.named(name))
		cancel()
		if err != nil {
			t.Fatalf("after %d events: %v", i, err)
		}
	}
	var seen []string
	for _, name := range live.names {
		if strings.HasPrefix(name, "living-") {
			seen = append(seen, name)
		}
	}
	if !slices.Equal(seen, made) {
		t.Errorf("the page saw %q; want each ConfigMap once, in order", seen)
	}
	if live.renewed == 0 {
		t.Error("nobody asked the page to renew its session")
	}
}

// TestAnOpenPageEndsWithItsSignIn: a page whose tokens can't be renewed ends soon after them: it can't connect again.
func TestAnOpenPageEndsWithItsSignIn(t *testing.T) {
	s := onStage(t)
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	v := s.visit(t, gil, "/")
	live, err := v.follow(t, "team-a", "")
	if err != nil {
		t.Fatal(err)
	}
	if err := live.until(ctx, typed("synced")); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	if err := s.Dex.Revoke(t.Context(), gil); err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = live.next(ctx)
	}
	if ctx.Err() != nil {
		t.Fatalf("the page still lives: %v", err)
	}
	if took := time.Since(begun); took > s.Tokens+30*time.Second { // what is promised
		t.Errorf("it took %s", took)
	}
	if got := v.status(t, http.MethodGet, secretsA, ""); got != http.StatusUnauthorized {
		t.Errorf("afterwards a request gets %d", got)
	}
}
