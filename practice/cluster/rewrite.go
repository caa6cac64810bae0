package cluster

import (
	"context"
	"errors"
	"fmt"
	"sync"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/fieldmark/fieldmark/practice/scenario"
)

// store writes to etcd past the API server. It is safe for concurrent use.
type store struct {
	client *clientv3.Client

	mu   sync.Mutex
	kept map[string]stored
}

// stored is what is in etcd under a key.
type stored struct {
	value    string
	revision int64
}

// OpenStore implements scenario.Host.
func (c *Cluster) OpenStore() (scenario.Store, error) {
	client, err := c.etcdClient()
	if err != nil {
		return nil, err
	}
	return &store{client: client, kept: map[string]stored{}}, nil
}

// Rewrite implements scenario.Store. Whatever others wrote meanwhile stays as it is.
func (s *store) Rewrite(ctx context.Context, key string) error {
	is, err := s.readKey(ctx, key)
	if err != nil {
		return err
	}
	answer, err := s.client.Txn(ctx).
		If(clientv3.Compare(clientv3.ModRevision(key), "=", is.revision)).
		Then(clientv3.OpPut(key, is.value)).
		Commit()
	if err != nil {
		return fmt.Errorf("writing to etcd: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !answer.Succeeded {
		delete(s.kept, key)
		return errors.New("another client changed the key " + key)
	}
	s.kept[key] = stored{is.value, answer.Header.Revision}
	return nil
}

// Add implements scenario.Store.
func (s *store) Add(ctx context.Context, values map[string]string) error {
	var absent []clientv3.Cmp
	var puts []clientv3.Op
	for key, value := range values {
		absent = append(absent, clientv3.Compare(clientv3.CreateRevision(key), "=", 0))
		puts = append(puts, clientv3.OpPut(key, value))
	}
	answer, err := s.client.Txn(ctx).If(absent...).Then(puts...).Commit()
	if err != nil {
		return fmt.Errorf("writing to etcd: %w", err)
	}
	if !answer.Succeeded {
		return errors.New("another client has written one of the keys")
	}
	return nil
}

func (s *store) readKey(ctx context.Context, key string) (stored, error) {
	s.mu.Lock()
	is, known := s.kept[key]
	s.mu.Unlock()
	if known {
		return is, nil
	}
	answer, err := s.client.Get(ctx, key)
	if err != nil {
		return stored{}, fmt.Errorf("reading from etcd: %w", err)
	}
	if len(answer.Kvs) == 0 {
		return stored{}, errors.New("etcd has no key " + key)
	}
	return stored{string(answer.Kvs[0].Value), answer.Kvs[0].ModRevision}, nil
}

// Close implements scenario.Store.
func (s *store) Close() error {
	if err := s.client.Close(); err != nil {
		return fmt.Errorf("closing the connection to etcd: %w", err)
	}
	return nil
}
