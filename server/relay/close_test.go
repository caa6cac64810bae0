package relay

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestOneCloseFrame: whoever answers a close frame gets nothing more.
func TestOneCloseFrame(t *testing.T) {
	h := newHouse(t, nil)
	conn, err := net.Dial("tcp", strings.TrimPrefix(h.server.URL, "http://"))
	must(t, err)
	defer conn.Close()
	must(t, conn.SetDeadline(time.Now().Add(patience)))
	_, err = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: "+conn.RemoteAddr().String()+"\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
	must(t, err)
	from := bufio.NewReader(conn)
	answer, err := http.ReadResponse(from, nil)
	must(t, err)
	if answer.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("%d", answer.StatusCode)
	}
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		h.relay.Close(ctx)
	}()
	for frame := readFrame(t, from); frame[0] != closeFrame; frame = readFrame(t, from) {
		t.Logf("before it comes %q", frame)
	}
	_, err = conn.Write([]byte{closeFrame, 0x82, 0, 0, 0, 0, 0x03, 0xe9}) // 1001, masked with nothing
	must(t, err)
	rest, err := io.ReadAll(from)
	if len(rest) > 0 || err != nil && !errors.Is(err, net.ErrClosed) {
		t.Errorf("after the close frame comes %x, %v", rest, err)
	}
}

// TestWhatAPageSendsWithItsHandshake: it doesn't wait for the answer. What arrived before the connection was taken over is more than a buffer, and
// nothing of it is lost.
func TestWhatAPageSendsWithItsHandshake(t *testing.T) {
	h, _ := scripted(t, fiveWithA, stays())
	conn, err := net.Dial("tcp", strings.TrimPrefix(h.server.URL, "http://"))
	must(t, err)
	defer conn.Close()
	must(t, conn.SetDeadline(time.Now().Add(patience)))
	all := []byte("GET / HTTP/1.1\r\nHost: " + conn.RemoteAddr().String() + "\r\nSession: s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
	const many = 25
	for id := range many {
		text := fmt.Sprintf(`{"type":"subscribe","id":%d,"cluster":"k","path":"/api/v1/namespaces/n%d/pods","as":"table"}`, id+1, id)
		all = append(append(all, 0x81, 0x80|byte(len(text)), 0, 0, 0, 0), text...)
	}
	if len(all) < 2*buffer {
		t.Fatalf("only %d bytes are sent", len(all))
	}
	_, err = conn.Write(all)
	must(t, err)
	from := bufio.NewReader(conn)
	_, err = http.ReadResponse(from, nil)
	must(t, err)
	for synced := 0; synced < many; {
		if strings.Contains(string(readFrame(t, from)), `"type":"synced"`) {
			synced++
		}
	}
}

// readFrame reads a short frame of the server's.
func readFrame(t *testing.T, from *bufio.Reader) []byte {
	t.Helper()
	head := make([]byte, 2)
	_, err := io.ReadFull(from, head)
	must(t, err)
	size := int(head[1])
	if size == 126 {
		long := make([]byte, 2)
		_, err := io.ReadFull(from, long)
		must(t, err)
		size = int(long[0])<<8 | int(long[1])
	}
	body := make([]byte, size)
	_, err = io.ReadFull(from, body)
	must(t, err)
	return slices.Concat(head, body)
}
