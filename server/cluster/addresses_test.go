package cluster

import (
	"fmt"
	"net"
	"os"
	"syscall"
	"testing"
)

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// unusedAddress refuses connections. Its port is bound for as long as the test lasts, so nobody else gets it.
func unusedAddress(t *testing.T) string {
	t.Helper()
	socket, address := bound(t)
	t.Cleanup(func() { _ = syscall.Close(socket) })
	return address
}

// bound is a socket that refuses connections until listenAt makes it listen.
func bound(t *testing.T) (socket int, address string) {
	t.Helper()
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	must(t, err)
	must(t, syscall.Bind(socket, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	at, err := syscall.Getsockname(socket)
	must(t, err)
	four, _ := at.(*syscall.SockaddrInet4)
	return socket, fmt.Sprintf("127.0.0.1:%d", four.Port)
}

// listenAt makes a bound socket listen.
func listenAt(t *testing.T, socket int) net.Listener {
	t.Helper()
	must(t, syscall.Listen(socket, 16))
	must(t, syscall.SetNonblock(socket, true))
	file := os.NewFile(uintptr(socket), "listener")
	defer file.Close() // the listener has a copy
	l, err := net.FileListener(file)
	must(t, err)
	return l
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
