package kubectl

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"sync"
)

// Listener serves both plain HTTP and TLS: a connection that begins with a TLS handshake is decrypted,
// any other is left as it is. Inside TLS HTTP/2 is offered, so that a client's watches share a connection, and
// HTTP/1.1, which a client takes to upgrade its connection (exec, port-forward).
func Listener(l net.Listener, cert tls.Certificate) net.Listener {
	return &listener{Listener: l, config: &tls.Config{
		Certificates: []tls.Certificate{cert},
		MinVersion:   tls.VersionTLS12,
		NextProtos:   []string{"h2", "http/1.1"},
	}}
}

// Secure serves TLS only. A connection that begins with anything else is closed, so that nobody's token is sent in plain text twice.
//
// Clients may have a certificate of one of the authorities, which is asked for at each handshake; nil: clients are asked for none. A client with
// a certificate of anybody else gets no connection. One without a certificate does.
func Secure(l net.Listener, certificate func() *tls.Certificate, authorities func() *x509.CertPool) net.Listener {
	config := &tls.Config{
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return certificate(), nil },
		MinVersion:     tls.VersionTLS12,
		NextProtos:     []string{"h2", "http/1.1"},
	}
	if authorities != nil {
		asking := config.Clone()
		config.GetConfigForClient = func(*tls.ClientHelloInfo) (*tls.Config, error) {
			now := asking.Clone()
			now.ClientAuth, now.ClientCAs = tls.VerifyClientCertIfGiven, authorities()
			return now, nil
		}
	}
	return &listener{Listener: l, only: true, config: config}
}

type listener struct {
	net.Listener
	config *tls.Config
	only   bool // nothing but TLS
}

func (l *listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c, config: l.config, only: l.only}, nil
}

// handshake is the first byte of every TLS connection: the record type of a handshake. No HTTP method
// begins with it.
const handshake = 0x16

// errNotTLS is the error of a plain connection where only TLS is served.
var errNotTLS = errors.New("the client doesn't use TLS")

// conn detects at its first Read whether the client uses TLS, so that a client that sends nothing delays only
// itself. Deadlines set on the plain connection hold for both.
type conn struct {
	net.Conn
	config *tls.Config
	only   bool

	once   sync.Once
	stream net.Conn // decrypted where the client began with TLS
	failed error
}

func (c *conn) decide() {
	first := make([]byte, 1)
	if _, err := c.Conn.Read(first); err != nil {
		c.failed = err
		return
	}
	c.stream = &unread{Conn: c.Conn, first: first}
	switch {
	case first[0] == handshake:
		c.stream = tls.Server(c.stream, c.config)
	case c.only:
		c.failed = errNotTLS
	}
}

func (c *conn) Read(p []byte) (int, error) {
	if c.once.Do(c.decide); c.failed != nil {
		return 0, c.failed
	}
	return c.stream.Read(p)
}

func (c *conn) Write(p []byte) (int, error) {
	if c.once.Do(c.decide); c.failed != nil {
		return 0, c.failed
	}
	return c.stream.Write(p)
}

// Negotiated is the protocol that TLS has agreed on; empty before the first Read, and for a plain connection.
func (c *conn) Negotiated() string {
	if secured, ok := c.stream.(*tls.Conn); ok {
		return secured.ConnectionState().NegotiatedProtocol
	}
	return ""
}

// Certificate is the verified certificate of the client; nil: it has none, or this is before the first Read.
func (c *conn) Certificate() *x509.Certificate {
	if secured, ok := c.stream.(*tls.Conn); ok {
		if chains := secured.ConnectionState().VerifiedChains; len(chains) > 0 {
			return chains[0][0]
		}
	}
	return nil
}

// CloseWrite ends our side of the connection while the other may go on.
func (c *conn) CloseWrite() error {
	if half, ok := c.stream.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return net.ErrClosed
}

// unread gives back the first byte, which was read to detect TLS.
type unread struct {
	net.Conn
	first []byte
}

func (u *unread) Read(p []byte) (int, error) {
	if len(u.first) > 0 && len(p) > 0 {
		n := copy(p, u.first)
		u.first = u.first[n:]
		return n, nil
	}
	return u.Conn.Read(p)
}

// CloseWrite lets a plain connection be closed half.
func (u *unread) CloseWrite() error {
	if half, ok := u.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return net.ErrClosed
}
