package guard

import (
	"bufio"
	"io"
	"net"
	"net/http"
)

// tracked remembers whether an answer has begun.
type tracked struct {
	http.ResponseWriter
	wrote bool
}

func (t *tracked) WriteHeader(code int) {
	t.wrote = t.wrote || code >= 200 || code == http.StatusSwitchingProtocols
	t.ResponseWriter.WriteHeader(code)
}

func (t *tracked) Write(p []byte) (int, error) {
	t.wrote = true
	return t.ResponseWriter.Write(p)
}

// ReadFrom keeps what net/http knows about sending files.
func (t *tracked) ReadFrom(r io.Reader) (int64, error) {
	t.wrote = true
	return io.Copy(t.ResponseWriter, r)
}

// Flush implements http.Flusher.
func (t *tracked) Flush() { _ = t.FlushError() }

// FlushError tells http.ResponseController what went wrong.
func (t *tracked) FlushError() error {
	t.wrote = true
	return http.NewResponseController(t.ResponseWriter).Flush()
}

// Hijack implements http.Hijacker, which WebSocket libraries ask for.
func (t *tracked) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	t.wrote = true
	return http.NewResponseController(t.ResponseWriter).Hijack()
}

// Unwrap lets http.ResponseController reach the rest.
func (t *tracked) Unwrap() http.ResponseWriter { return t.ResponseWriter }
