package cluster

import (
	"net"
	"testing"
)

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// unusedAddress refuses connections.
func unusedAddress(t *testing.T) string {
	t.Helper()
	l := listen(t)
	must(t, l.Close())
	return l.Addr().String()
}

// hangingAddress takes connections and never says a word.
func hangingAddress(t *testing.T) string {
	t.Helper()
	return listen(t).Addr().String()
}

// closingAddress ends each connection at once.
func closingAddress(t *testing.T) string {
	t.Helper()
	l := listen(t)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_ = conn.Close()
		}
	}()
	return l.Addr().String()
}
