package cluster

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"

	"github.com/fieldmark/fieldmark/practice/controlplane"
)

// compactRevKey is where API servers tell each other up to which revision the
// store was compacted. Their watch caches forget what is older.
const compactRevKey = "compact_rev_key"

func (c *Cluster) etcdClient() (*clientv3.Client, error) {
	pair, err := tls.X509KeyPair(c.certs.EtcdMaintainer.Cert, c.certs.EtcdMaintainer.Key)
	if err != nil {
		return nil, fmt.Errorf("reading the certificate for etcd: %w", err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(c.certs.EtcdCA.Cert) {
		return nil, errors.New("no certificate of etcd's authority")
	}
	client, err := clientv3.New(clientv3.Config{
		Endpoints:   []string{controlplane.Endpoint(c.etcdPort.port)},
		TLS:         &tls.Config{Certificates: []tls.Certificate{pair}, RootCAs: roots, MinVersion: tls.VersionTLS12},
		DialTimeout: 10 * time.Second,
		Logger:      zap.NewNop(),
	})
	if err != nil {
		return nil, fmt.Errorf("connecting to etcd: %w", err)
	}
	return client, nil
}

func (c *Cluster) etcdAnswers(ctx context.Context) error {
	// The client waits a second after a refused connection; a plain one can be tried again at once.
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(c.etcdPort.port)))
	if err != nil {
		return err
	}
	_ = conn.Close()
	client, err := c.etcdClient()
	if err != nil {
		return err
	}
	defer func() { _ = client.Close() }()
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if _, err := client.Get(ctx, "health"); err != nil {
		return fmt.Errorf("reading from etcd: %w", err)
	}
	return nil
}

// Compact compacts the store at its current revision and tells the API
// server's watch caches. It returns the revision.
func (c *Cluster) Compact(ctx context.Context) (int64, error) {
	client, err := c.etcdClient()
	if err != nil {
		return 0, err
	}
	defer func() { _ = client.Close() }()
	// After the first write, every version that a client has seen is older than the current one.
	mark, err := client.Put(ctx, compactRevKey, "0")
	if err != nil {
		return 0, fmt.Errorf("marking the revision to compact: %w", err)
	}
	revision := mark.Header.Revision
	if _, err := client.Put(ctx, compactRevKey, strconv.FormatInt(revision, 10)); err != nil {
		return 0, fmt.Errorf("marking the revision to compact: %w", err)
	}
	if _, err := client.Compact(ctx, revision, clientv3.WithCompactPhysical()); err != nil {
		return 0, fmt.Errorf("compacting: %w", err)
	}
	return revision, nil
}
