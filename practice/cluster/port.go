package cluster

import (
	"fmt"
	"net"
	"strconv"

	"golang.org/x/sys/unix"
)

// reservation holds a port of the loopback address without listening on it.
// API server and etcd share theirs while they run; while one is down, connections
// are refused and no other program can take its port.
type reservation struct {
	fd   int
	port int
}

// reserve reserves the port, or a free one for 0.
func reserve(port int) (*reservation, error) {
	port, err := free(port)
	if err != nil {
		return nil, err
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	if err != nil {
		return nil, fmt.Errorf("opening a socket: %w", err)
	}
	unix.CloseOnExec(fd)
	err = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_REUSEPORT, 1)
	if err == nil {
		err = unix.Bind(fd, &unix.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}})
	}
	if err != nil {
		_ = unix.Close(fd)
		return nil, taken(port, err)
	}
	return &reservation{fd: fd, port: port}, nil
}

func (r *reservation) release() { _ = unix.Close(r.fd) }

// free returns the port if nobody has it, or some free port for 0. It tests
// without sharing: a port that another practice cluster shares is not free.
func free(port int) (int, error) {
	listener, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return 0, taken(port, err)
	}
	port = listener.Addr().(*net.TCPAddr).Port
	return port, listener.Close()
}

func taken(port int, err error) error {
	return fmt.Errorf("port %d on 127.0.0.1 is not available (%w); give --port another number, or omit it to use a free port", port, err)
}
