package program

import (
	"bufio"
	"io"
	"log" //nolint:depguard // net/http writes to it
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
)

// An API server that sends more than its response must not get the rest into the log: it may be an object that another user read.
func TestWhatAnAPIServerSendsUnaskedIsNotLogged(t *testing.T) {
	const secret = "of-another-user"
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	dropped := make(chan struct{}, 100)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				r := bufio.NewReader(c)
				if _, err := http.ReadRequest(r); err != nil {
					return
				}
				_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"+secret)
				_, _ = io.Copy(io.Discard, r) // until Fieldmark closes the connection
				dropped <- struct{}{}
			}()
		}
	}()
	var logged lockedBuffer
	log.SetOutput(&logged)
	defer log.SetOutput(os.Stderr)
	f := start(t, nil, "--practice", "off", "--kubeconfig", file(t, `{"apiVersion":"v1","kind":"Config","current-context":"k",
		"clusters":[{"name":"k","cluster":{"server":"http://`+l.Addr().String()+`"}}],"users":[{"name":"k"}],
		"contexts":[{"name":"k","context":{"cluster":"k","user":"k"}}]}`))
	if got := f.bearer("GET", "/clusters/k/api/v1/configmaps?watch=1"); got.code != http.StatusOK {
		t.Fatalf("got %d %s", got.code, got.body)
	}
	<-dropped
	if left := f.stop(); strings.Contains(logged.String()+left.stdout+left.stderr, secret) {
		t.Errorf("logged: %s%s", logged.String(), left.stderr)
	}
}
