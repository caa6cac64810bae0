package dex

import (
	"context"
	"strings"
	"sync"

	"github.com/dexidp/dex/storage"
)

// roster has the people, beside a storage for everything else. Dex reads a person while it changes a refresh token, and its storage in memory has
// one lock for both.
type roster struct {
	storage.Storage

	mu     sync.Mutex
	people map[string]storage.Password // by address
}

// GetPassword implements storage.Storage.
func (r *roster) GetPassword(_ context.Context, email string) (storage.Password, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p, found := r.people[strings.ToLower(email)]
	if !found {
		return storage.Password{}, storage.ErrNotFound
	}
	return p, nil
}

// CreatePassword implements storage.Storage.
func (r *roster) CreatePassword(_ context.Context, p storage.Password) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, found := r.people[p.Email]; found {
		return storage.ErrAlreadyExists
	}
	r.people[p.Email] = p
	return nil
}

// UpdatePassword implements storage.Storage.
func (r *roster) UpdatePassword(ctx context.Context, email string, change func(storage.Password) (storage.Password, error)) error {
	old, err := r.GetPassword(ctx, email)
	if err != nil {
		return err
	}
	changed, err := change(old)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.people[old.Email] = changed
	return nil
}
