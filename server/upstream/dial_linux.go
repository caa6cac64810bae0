package upstream

import (
	"fmt"
	"syscall"
)

// tcpUserTimeout (TCP_USER_TIMEOUT) is missing from package syscall.
const tcpUserTimeout = 0x12

// userTimeout ends a connection whose peer stopped acknowledging what was sent; keep-alive probes are not made while
// something is unacknowledged, and retransmission would go on for a quarter of an hour.
func userTimeout(_, _ string, raw syscall.RawConn) error {
	err := raw.Control(func(fd uintptr) {
		_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, tcpUserTimeout, 30_000)
	})
	if err != nil {
		return fmt.Errorf("setting the user timeout: %w", err)
	}
	return nil
}
