package dex

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/dexidp/dex/storage"
)

// faults stands before dex. It closes connections without a response while the issuer is down, and lets requests wait while it is slow.
//
// It also takes the header Cache-Control away. Dex allows everybody to keep its keys for ten minutes, and the API server does: it refuses tokens
// with a key that it doesn't know until that time is over. No test waits so long.
func (d *Dex) faults(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(time.Duration(d.slow.Load())):
		case <-r.Context().Done():
		}
		if d.down.Load() {
			panic(http.ErrAbortHandler) // this is how net/http closes a connection without a response
		}
		next.ServeHTTP(uncached{w}, r)
	})
}

// uncached is a response that nobody may keep.
type uncached struct{ http.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (u uncached) WriteHeader(status int) {
	u.Header().Del("Cache-Control")
	u.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter. Dex calls it without WriteHeader if the status is 200.
func (u uncached) Write(p []byte) (int, error) {
	u.Header().Del("Cache-Control")
	return u.ResponseWriter.Write(p)
}

// Down lets no request through until it is called with false.
func (d *Dex) Down(down bool) { d.down.Store(down) }

// Slow lets each request wait. 0: no longer.
func (d *Dex) Slow(wait time.Duration) { d.slow.Store(int64(wait)) }

// NewKey lets dex replace its signing key, as it does when the key is too old. Tokens that were signed before can still be checked.
func (d *Dex) NewKey(ctx context.Context) {
	d.ahead.Add(int64(rotation + time.Minute))
	ended, cancel := context.WithCancel(ctx)
	cancel() // one rotation, and no goroutine for the next
	d.signer.Start(ended)
}

// Revoke removes all refresh tokens of a person, as an administrator of dex can.
func (d *Dex) Revoke(ctx context.Context, p Person) error {
	tokens, err := d.store.ListRefreshTokens(ctx)
	if err != nil {
		return fmt.Errorf("listing refresh tokens: %w", err)
	}
	for _, token := range tokens {
		if token.Claims.PreferredUsername != p.Name {
			continue
		}
		if err := d.store.DeleteRefresh(ctx, token.ID); err != nil {
			return fmt.Errorf("revoking a refresh token: %w", err)
		}
	}
	return nil
}

// Regroup changes the groups of a person. A token that is issued afterwards has the new ones.
func (d *Dex) Regroup(ctx context.Context, p Person, groups ...string) error {
	err := d.store.UpdatePassword(ctx, p.Email(), func(old storage.Password) (storage.Password, error) {
		old.Groups = groups
		return old, nil
	})
	if err != nil {
		return fmt.Errorf("changing groups: %w", err)
	}
	return nil
}
