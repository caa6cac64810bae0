//nolint:staticcheck // nhooyr.io/websocket is the package that this project builds on, and its successor has another path only
package team

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"nhooyr.io/websocket"

	"github.com/fieldmark/fieldmark/dev/team/replica"
)

// socket is a page's WebSocket, with one subscription to the ConfigMaps of a namespace.
type socket struct {
	conn *websocket.Conn
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
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	address := "wss" + strings.TrimPrefix(v.stage.public, "https") + "/socket"
	conn, response, err := websocket.Dial(ctx, address, &websocket.DialOptions{HTTPClient: v.Client(), HTTPHeader: v.Headers(v.page)})
	if err != nil {
		return nil, err
	}
	if err := v.Took(v.page.URL, response); err != nil {
		return nil, err
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	conn.SetReadLimit(-1)
	s := &socket{conn: conn, version: version}
	return s, s.send(ctx, map[string]any{
		"type": "subscribe", "id": 1, "cluster": replica.Slug, "as": "object", "path": "/api/v1/namespaces/" + namespace + "/configmaps",
		"resourceVersion": version,
	})
}

func (s *socket) send(ctx context.Context, m map[string]any) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return s.conn.Write(ctx, websocket.MessageText, text)
}

// next reads a message. Each one gives its credit back.
func (s *socket) next(ctx context.Context) (message, error) {
	var m message
	_, text, err := s.conn.Read(ctx)
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
func (s *stage) configMap(t *testing.T, namespace, name string) {
	t.Helper()
	got, err := s.api.Admin(t.Context(), http.MethodPost, "/api/v1/namespaces/"+namespace+"/configmaps",
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
	third, err := s.start(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(third.Kill)
	v := s.visit(t, emil, "/")
	s.proxy.Lead(third.Address)
	t.Cleanup(func() { s.proxy.Lead(s.addresses()...) })
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
	s.proxy.Lead(append(s.addresses(), third.Address)...)
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

// TestALivingPageOutlivesItsTokens: a page that sends requests, as the script of each page does, has its tokens renewed. It keeps its WebSocket, whichever
// replica has it.
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
	end := time.Now().Add(time.Duration(s.lives) * s.tokens)
	for i := 0; time.Now().Before(end); i++ {
		time.Sleep(s.tokens / 10) // the test is about a time: several lives of a token
		if got := v.status(t, http.MethodGet, secretsA, ""); got != http.StatusOK {
			t.Fatalf("after %d requests: %d", i, got)
		}
		name := fmt.Sprintf("living-%d", i)
		s.configMap(t, "team-a", name)
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		err := live.until(ctx, live.named(name))
		cancel()
		if err != nil {
			t.Fatalf("after %d events: %v", i, err)
		}
	}
}

// TestAnOpenPageEndsWithItsSignIn: if a page doesn't renew its tokens, its subscription ends soon after them, and says so.
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
	for {
		m, err := live.next(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if m.Type != "failed" {
			continue
		}
		if m.Status == nil || m.Status.Code != http.StatusUnauthorized || !strings.Contains(m.Status.Message, "Sign in again") {
			t.Errorf("it ended with %+v", m.Status)
		}
		break
	}
	if took := time.Since(begun); took > s.tokens+30*time.Second { // what is promised
		t.Errorf("it took %s", took)
	}
}
