//go:build !unix

package upstream

import "net"

// alive can't test a connection on this system without reading from it. So requests that can't be repeated get a new connection.
func alive(net.Conn) bool { return false }
