//go:build !unix

package upstream

import "net"

// alive can't look without taking here, so requests that can't be repeated get a new connection.
func alive(net.Conn) bool { return false }
