package program

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/web"
)

// socket opens a WebSocket as a program does, and gives what comes over it. Package relay has the tests of what
// that means; here it is only seen that the parts are put together.
func (f *fieldmark) socket() (net.Conn, *bufio.Reader) {
	f.t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(f.base, "http://"))
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(patience))
	_, _ = fmt.Fprintf(c, "GET /socket HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n", strings.TrimPrefix(f.base, "http://"), f.token)
	r := bufio.NewReader(c)
	resp, err := http.ReadResponse(r, nil)
	if err != nil {
		f.t.Fatal(err)
	}
	if resp.StatusCode != http.StatusSwitchingProtocols {
		f.t.Fatalf("it answers %d", resp.StatusCode)
	}
	return c, r
}

// frame reads a short frame: its kind, and what is in it.
func frame(t *testing.T, r io.Reader) (kind byte, text string) {
	t.Helper()
	head := make([]byte, 2)
	if _, err := io.ReadFull(r, head); err != nil {
		t.Fatal(err)
	}
	content := make([]byte, head[1])
	if _, err := io.ReadFull(r, content); err != nil {
		t.Fatal(err)
	}
	return head[0] & 0xf, string(content)
}

func TestTheSocketIsThereAndToldOfTheEnd(t *testing.T) {
	f := start(t, nil, "--practice", "off")
	if got := f.ask("GET", web.Socket); got.code != http.StatusUnauthorized {
		t.Errorf("without a session: %d", got.code)
	}
	if got := f.bearer("GET", web.Socket); got.code != http.StatusUpgradeRequired {
		t.Errorf("without an upgrade: %d", got.code)
	}
	c, r := f.socket()
	if _, hello := frame(t, r); !strings.Contains(hello, `"type":"hello","build":"`) {
		t.Errorf("it begins with %s", hello)
	}
	stopped := make(chan ended, 1)
	go func() { stopped <- f.stop() }()
	if kind, text := frame(t, r); kind != 8 || !strings.HasPrefix(text, "\x03\xe9") { // a close frame, 1001
		t.Errorf("it ends with %d %q", kind, text)
	}
	_ = c.Close()
	if got := <-stopped; got.code != 0 {
		t.Errorf("exit code %d: %s", got.code, got.stderr)
	}
}
