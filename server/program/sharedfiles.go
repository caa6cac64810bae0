package program

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// certificateLife is how long a certificate is used before its files are read again. Programs that renew certificates do so days before
// the end.
const certificateLife = time.Minute

// renewed is what was read from files that may be replaced while Fieldmark runs.
type renewed[T any] struct {
	what  string // for the log
	read  func() (T, error)
	clock func() time.Time
	log   *slog.Logger

	mu   sync.Mutex
	last T
	at   time.Time
}

// newRenewed reads the files for the first time. The error is that of read.
func newRenewed[T any](what string, read func() (T, error), clock func() time.Time, log *slog.Logger) (*renewed[T], error) {
	first, err := read()
	if err != nil {
		return nil, err
	}
	return &renewed[T]{what: what, read: read, clock: clock, log: log, last: first, at: clock()}, nil
}

// now is what the files have. If they can't be read again, what was read last stays in use.
func (r *renewed[T]) now() T {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.clock()
	if now.Sub(r.at) < certificateLife {
		return r.last
	}
	r.at = now
	next, err := r.read()
	if err != nil {
		r.log.Warn("a file can't be read again", "what", r.what, "err", err)
		return r.last
	}
	r.last = next
	return next
}

// newCertificate reads the certificate for TLS; it is nil without files.
func newCertificate(cert, key string, clock func() time.Time, log *slog.Logger) (*renewed[*tls.Certificate], error) {
	if cert == "" {
		return nil, nil
	}
	return newRenewed("the certificate", func() (*tls.Certificate, error) {
		pair, err := tls.LoadX509KeyPair(cert, key)
		if err != nil {
			return nil, fmt.Errorf("--tls-cert and --tls-key can't be used: %w", err)
		}
		return &pair, nil
	}, clock, log)
}

// newProxyAuthority reads the authority that signs the certificates of trusted proxies; it is nil without a file.
func newProxyAuthority(file string, clock func() time.Time, log *slog.Logger) (*renewed[*x509.CertPool], error) {
	if file == "" {
		return nil, nil
	}
	return newRenewed("the authority of trusted proxies", func() (*x509.CertPool, error) {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("--proxy-ca: %w", err)
		}
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(text) {
			return nil, errors.New("--proxy-ca: the file " + file + " has no certificate in PEM")
		}
		return pool, nil
	}, clock, log)
}
