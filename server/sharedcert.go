package main

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// certificateLife is how long a certificate is used before its files are read again. Programs that renew certificates do so days before
// the end.
const certificateLife = time.Minute

// certificates is a certificate in two files, which may be renewed while Fieldmark runs.
type certificates struct {
	cert, key string
	clock     func() time.Time
	log       *slog.Logger

	mu   sync.Mutex
	last *tls.Certificate
	read time.Time
}

// newCertificates reads the files; it is nil without files.
func newCertificates(cert, key string, clock func() time.Time, log *slog.Logger) (*certificates, error) {
	if cert == "" {
		return nil, nil
	}
	c := &certificates{cert: cert, key: key, clock: clock, log: log}
	if _, err := c.now(); err != nil {
		return nil, fmt.Errorf("--tls-cert and --tls-key can't be used: %w", err)
	}
	return c, nil
}

// now is the certificate. If the files can't be read again, the last one stays in use.
func (c *certificates) now() (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.clock()
	if c.last != nil && now.Sub(c.read) < certificateLife {
		return c.last, nil
	}
	c.read = now
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	switch {
	case err == nil:
		c.last = &pair
	case c.last == nil:
		return nil, fmt.Errorf("reading the certificate: %w", err)
	default:
		c.log.Warn("the certificate can't be read again", "err", err)
	}
	return c.last, nil
}
