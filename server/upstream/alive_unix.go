//go:build unix

package upstream

import (
	"net"
	"syscall"
)

// alive reports whether an idle connection has nothing to read: an end of file would mean that the server has closed
// it, and anything else that it speaks out of turn. It looks without taking.
func alive(c net.Conn) bool {
	s, ok := bottom(c).(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := s.SyscallConn()
	if err != nil {
		return false
	}
	quiet := false
	err = raw.Read(func(fd uintptr) bool {
		var b [1]byte
		_, _, err := syscall.Recvfrom(int(fd), b[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		quiet = err == syscall.EAGAIN || err == syscall.EWOULDBLOCK
		return true
	})
	return err == nil && quiet
}
