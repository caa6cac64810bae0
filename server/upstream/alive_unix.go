//go:build unix

package upstream

import (
	"net"
	"syscall"
)

// alive tells whether an idle connection has nothing to read. An end of file means that the server has closed it; other bytes mean
// that the server sent something without a request. alive doesn't consume what it finds.
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
