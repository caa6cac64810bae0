package cluster

import (
	"context"
	"errors"
	"fmt"
	"strings"

	clientv3 "go.etcd.io/etcd/client/v3"
)

const (
	// corruptPrefix is the prefix of the records of which owner made which key unreadable. API servers don't read keys with it.
	corruptPrefix = "/fieldmark/corrupt/"
	// unreadable begins like Protobuf in the store. The rest is not valid.
	unreadable = "k8s\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
)

// corruptMark is the key that records that owner made a key unreadable.
func corruptMark(owner, key string) string { return corruptPrefix + owner + key }

// Corrupt implements scenario.Store.
func (s *store) Corrupt(ctx context.Context, owner, key string) error {
	answer, err := s.client.Txn(ctx).
		If(clientv3.Compare(clientv3.CreateRevision(key), ">", 0)).
		Then(clientv3.OpPut(corruptMark(owner, key), ""), clientv3.OpPut(key, unreadable)).
		Commit()
	if err == nil && !answer.Succeeded {
		err = errors.New("etcd has no key " + key)
	}
	return err
}

// Discard implements scenario.Store.
func (s *store) Discard(ctx context.Context, owner string) error {
	marks, err := s.client.Get(ctx, corruptMark(owner, "/"), clientv3.WithPrefix(), clientv3.WithKeysOnly())
	if err != nil {
		return fmt.Errorf("looking for what was corrupted: %w", err)
	}
	for _, mark := range marks.Kvs {
		key := strings.TrimPrefix(string(mark.Key), corruptPrefix+owner)
		forget := clientv3.OpDelete(string(mark.Key))
		_, err := s.client.Txn(ctx).
			If(clientv3.Compare(clientv3.Value(key), "=", unreadable)).
			Then(clientv3.OpDelete(key), forget).
			Else(forget).
			Commit()
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}
