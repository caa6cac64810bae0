package promises

import (
	"bufio"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// through is Fieldmark's way to the practice cluster.
type through struct {
	*fieldmark
	addr string
}

func throughFieldmark(t *testing.T) through {
	t.Helper()
	f := startFieldmark(t, practiceKubeconfig(t), filepath.Join(t.TempDir(), "out"))
	at, err := url.Parse(f.url)
	if err != nil {
		t.Fatal(err)
	}
	return through{f, at.Host}
}

// who are the two kinds of client, as headers.
func (h through) who(t *testing.T) map[string]http.Header {
	t.Helper()
	visit, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	visit.Header.Set("Accept", "text/html")
	cookie, _, _ := strings.Cut(do(t, visit).Header.Get("Set-Cookie"), ";")
	return map[string]http.Header{
		"a page":    {"Cookie": {cookie}, "Origin": {"http://" + h.addr}, "Sec-Fetch-Site": {"same-origin"}},
		"a program": {"Authorization": {"Bearer " + h.token}},
	}
}

// do sends a request, and follows no redirect.
func do(t *testing.T, r *http.Request) *http.Response {
	t.Helper()
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

func (h through) call(t *testing.T, who http.Header, method, target, body string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, "http://"+h.addr+target, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = who.Clone()
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	resp := do(t, r)
	content, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(content)
}

// A client may hold the hash of an OpenAPI document from before a CRD changed. The API server redirects it to the document.
func TestAnOldHashLeadsToTheOpenAPIDocument(t *testing.T) {
	h := throughFieldmark(t)
	const document = "/clusters/practice/openapi/v3/apis/apps/v1"
	for name, who := range h.who(t) {
		resp, _ := h.call(t, who, "GET", document+"?hash=STALE", "")
		there := resp.Header.Get("Location")
		if resp.StatusCode != http.StatusMovedPermanently || !strings.HasPrefix(there, document+"?hash=") {
			t.Errorf("%s: %d, to %q", name, resp.StatusCode, there)
			continue
		}
		absolute, err := resp.Request.URL.Parse(there)
		if err != nil {
			t.Fatal(err)
		}
		resp, content := h.call(t, who, "GET", absolute.RequestURI(), "")
		var read struct {
			OpenAPI string
			Paths   map[string]any
		}
		if err := json.Unmarshal([]byte(content), &read); err != nil || resp.StatusCode != http.StatusOK || !strings.HasPrefix(read.OpenAPI, "3.") || len(read.Paths) == 0 {
			t.Errorf("%s: %s: %d, %v", name, absolute, resp.StatusCode, err)
		}
	}
}

// The API server's watch over WebSocket wants an Origin, and the one that a browser sends is ours.
func TestAWatchOverWebSocketReceivesEvents(t *testing.T) {
	h := throughFieldmark(t)
	for name, who := range h.who(t) {
		t.Run(name, func(t *testing.T) {
			var id [4]byte
			_, _ = rand.Read(id[:])
			object := "socket-" + hex.EncodeToString(id[:])
			const maps = "/clusters/practice/api/v1/namespaces/default/configmaps"
			conn, events := h.watch(t, who, maps+"?watch=1&resourceVersion=0&fieldSelector="+url.QueryEscape("metadata.name="+object))
			defer conn.Close()
			made, words := h.call(t, who, "POST", maps, `{"metadata":{"name":"`+object+`"}}`)
			if made.StatusCode != http.StatusCreated {
				t.Fatalf("%d %s", made.StatusCode, words)
			}
			var event struct {
				Type   string
				Object struct{ Metadata struct{ Name string } }
			}
			if err := json.Unmarshal(message(t, events), &event); err != nil || event.Type != "ADDED" || event.Object.Metadata.Name != object {
				t.Errorf("%+v, %v", event, err)
			}
			if gone, words := h.call(t, who, "DELETE", maps+"/"+object, ""); gone.StatusCode != http.StatusOK {
				t.Errorf("%d %s", gone.StatusCode, words)
			}
			if err := json.Unmarshal(message(t, events), &event); err != nil || event.Type != "DELETED" {
				t.Errorf("%+v, %v", event, err)
			}
		})
	}
}

// An open watch is cut when Fieldmark stops: it would last for ever, and so would the stop.
func TestStopCutsAnOpenWatch(t *testing.T) {
	h := throughFieldmark(t)
	program := h.who(t)["a program"]
	if page, content := h.call(t, program, "GET", "/c/practice/api/v1/namespaces", ""); page.StatusCode != http.StatusOK || !strings.Contains(content, `data-name="shop"`) {
		t.Fatalf("%d %s", page.StatusCode, content)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+h.addr+"/clusters/practice/api/v1/namespaces?watch=1", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = program.Clone()
	events := bufio.NewReader(do(t, r).Body)
	if first, err := events.ReadString('\n'); err != nil || !strings.Contains(first, `"ADDED"`) {
		t.Fatalf("%q %v", first, err)
	}
	began := time.Now()
	h.stop(t)
	if took := time.Since(began); took > 19*time.Second {
		t.Errorf("it stops after %v", took)
	}
	if _, err := io.Copy(io.Discard, events); err == nil {
		t.Log("the watch ended as if the server had ended it")
	}
}

// watch opens a WebSocket.
func (h through) watch(t *testing.T, who http.Header, target string) (net.Conn, *bufio.Reader) {
	t.Helper()
	conn, err := net.Dial("tcp", h.addr)
	if err != nil {
		t.Fatal(err)
	}
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	var head strings.Builder
	_ = who.Write(&head)
	_, err = fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"+
		"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n%s\r\n", target, h.addr, head.String())
	if err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(conn)
	resp, err := http.ReadResponse(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusSwitchingProtocols || resp.Header.Get("Sec-Websocket-Accept") != "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" {
		words, _ := io.ReadAll(resp.Body)
		t.Fatalf("%s %v: %s", resp.Status, resp.Header, words)
	}
	return conn, r
}

// message reads one message of a WebSocket whose server doesn't cut messages into parts.
func message(t *testing.T, r io.Reader) []byte {
	t.Helper()
	var head [2]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		t.Fatal(err)
	}
	length := uint64(head[1] & 0x7f)
	if more := map[uint64]int{126: 2, 127: 8}[length]; more > 0 {
		var size [8]byte
		if _, err := io.ReadFull(r, size[8-more:]); err != nil {
			t.Fatal(err)
		}
		length = binary.BigEndian.Uint64(size[:])
	}
	if head[0] != 0x81 && head[0] != 0x82 || length > 1<<20 {
		t.Fatalf("not one whole message: %x", head)
	}
	content := make([]byte, length)
	if _, err := io.ReadFull(r, content); err != nil {
		t.Fatal(err)
	}
	return content
}
