package signin

import (
	"context"
	"net/http"
	"time"

	"github.com/fieldmark/fieldmark/server/issuer"
)

const (
	// earliest is how long before its end a token is renewed, at most. A token with a short life is renewed in its last quarter.
	earliest = time.Minute
	// defaultPatience is how long a request waits for an issuer while its token is still good.
	defaultPatience = 2 * time.Second
	// again is after how long a renewal that failed is tried again.
	again = 10 * time.Second
	// renewTime bounds a renewal.
	renewTime = 25 * time.Second
)

// lead is how long before its end a token is renewed here. Replicas differ by up to half of it. Otherwise two requests of one page could make
// two replicas use one refresh token at the same moment, and some issuers end the sign-in for that.
func (d *Door) lead(t issuer.Tokens) time.Duration {
	most := min(t.Expires.Sub(t.Issued)/4, earliest)
	return most - time.Duration(float64(most)*d.spread/2)
}

// due tells whether it is time to renew a token.
func (d *Door) due(t issuer.Tokens) bool {
	return t.Refresh != "" && !d.Now().Before(t.Expires.Add(-d.lead(t)))
}

func (d *Door) anyDue(s *session) bool {
	for _, t := range s.Logins {
		if d.due(t) {
			return true
		}
	}
	return false
}

// renew renews the tokens of a session whose end is near, once at a time. While they are good, the request waits only a moment: the
// renewal goes on, and a later request gets its result. The error says why the last renewal failed.
func (d *Door) renew(r *http.Request, k *known) error {
	flight, trouble := d.takeOff(r, k)
	if flight == nil {
		return trouble
	}
	wait := r.Context()
	if d.valid(k.now()) {
		bounded, cancel := context.WithTimeout(wait, d.patience)
		defer cancel()
		wait = bounded
	}
	select {
	case <-flight:
	case <-wait.Done():
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.trouble
}

// takeOff begins a renewal, or finds the one that runs. Without one, the result is nil.
func (d *Door) takeOff(r *http.Request, k *known) (flight chan struct{}, trouble error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case k.flight != nil:
		return k.flight, nil
	case !d.anyDue(k.session) || d.Now().Sub(k.failed) < again:
		return nil, k.trouble
	}
	flight = make(chan struct{})
	k.flight = flight
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), renewTime)
	go func() {
		defer cancel()
		d.fly(ctx, k, flight)
	}()
	return flight, nil
}

// fly renews each token that is due.
func (d *Door) fly(ctx context.Context, k *known, flight chan struct{}) {
	var trouble error
	for name, old := range k.now().Logins {
		if i := d.issuers[name]; i != nil && d.due(old) {
			if err := d.renewOne(ctx, k, i, old); err != nil {
				trouble = err
				d.Log.Warn("a sign-in can't be renewed", "session", k.id, "issuer", name, "kind", string(issuer.KindOf(err)))
			}
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.trouble, k.flight = trouble, nil
	if trouble != nil {
		k.failed = d.Now()
	}
	close(flight)
}

// renewOne renews one token. A refresh token that was replaced is kept even if the rest of the response is of no use.
func (d *Door) renewOne(ctx context.Context, k *known, i *issuer.Issuer, old issuer.Tokens) error {
	fresh, err := i.Renew(ctx, old)
	if err != nil && (fresh.Refresh == "" || fresh.Refresh == old.Refresh) {
		return err
	}
	if err != nil {
		kept := old
		kept.Refresh = fresh.Refresh
		fresh = kept
	}
	sealing := k.change(func(s *session) *session {
		c := s.clone()
		c.Logins[i.Name()] = fresh
		c.Renewed = d.Now().UnixMilli()
		return c
	}, d.pack)
	if err == nil {
		err = sealing
	}
	return err
}
