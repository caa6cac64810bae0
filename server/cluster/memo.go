package cluster

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// memo caches one value for a while. If several callers need it at the same time, it is made once. Errors are not
// cached. The zero value is ready.
type memo[T any] struct {
	mu      sync.Mutex
	value   T
	made    time.Time
	expires time.Time
	making  *making[T]
}

type making[T any] struct {
	began time.Time
	done  chan struct{}
	value T
	err   error
}

// recipe says how a memo's value is made and how long it lives.
type recipe[T any] struct {
	now func() time.Time
	// life is how long a value is valid. limit bounds the time to make it, even if somebody still waits for it.
	life, limit time.Duration
	make        func(context.Context) (T, error)
}

// get returns the value, and makes it if necessary. If one caller stops waiting (ctx), the value is still made for the others.
func (m *memo[T]) get(ctx context.Context, r recipe[T]) (T, error) {
	m.mu.Lock()
	if m.expires.After(r.now()) {
		defer m.mu.Unlock()
		return m.value, nil
	}
	f := m.making
	if f == nil {
		f = &making[T]{began: r.now(), done: make(chan struct{})}
		m.making = f
		go m.makeValue(context.WithoutCancel(ctx), f, r)
	}
	m.mu.Unlock()
	select {
	case <-f.done:
		return f.value, f.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

func (m *memo[T]) makeValue(ctx context.Context, f *making[T], r recipe[T]) {
	ctx, cancel := context.WithTimeout(ctx, r.limit)
	defer cancel()
	f.value, f.err = guarded(ctx, r.make)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.making == f { // otherwise forget was called in the meantime
		m.making = nil
		if f.err == nil {
			m.value, m.made = f.value, r.now()
			m.expires = m.made.Add(r.life)
		}
	}
	close(f.done)
}

// past is the last value, even if it is too old, and when the making of a new one began. The two booleans tell whether these
// exist.
func (m *memo[T]) past() (last T, has bool, began time.Time, making bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.making != nil {
		began, making = m.making.began, true
	}
	return m.value, !m.made.IsZero(), began, making
}

// forgetOlder drops the value if it was made before, so that the next get makes a new one. It says whether
// it did.
func (m *memo[T]) forgetOlder(before time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.made.Before(before) {
		return false
	}
	m.expires = time.Time{}
	return true
}

// forget drops the value, and lets the next get make a new one even if one is being made.
func (m *memo[T]) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	var none T
	m.value, m.made, m.expires, m.making = none, time.Time{}, time.Time{}, nil
}

// guarded turns a panic into an error, so that a bad response ends only the request that got it.
func guarded[T any](ctx context.Context, cook func(context.Context) (T, error)) (value T, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("a bug stopped Fieldmark when it read the response: %v", r)
		}
	}()
	return cook(ctx)
}
