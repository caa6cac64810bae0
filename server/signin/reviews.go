package signin

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
	"golang.org/x/time/rate"

	"github.com/fieldmark/fieldmark/server/guard"
)

// How long a review counts, and how many are remembered. A token that is withdrawn is refused by the API server at once: the review only
// tells whose it is.
const (
	goodFor    = time.Minute
	badFor     = 10 * time.Second
	maxReviews = 4096
	reviewTime = 10 * time.Second
)

// Failures of one address. Behind an ingress many people can have one address, so this only keeps floods from the API servers: tokens that
// were good before are reviewed in any case, so that nobody locks the others out (threat: exhaustion).
const (
	failureEvery = 200 * time.Millisecond
	failureBurst = 60
	maxAddresses = 4096
)

// reviews remembers whose tokens are, by the hash of a token with its cluster.
type reviews struct {
	now    func() time.Time
	flight singleflight.Group

	mu       sync.Mutex
	by       map[string]verdict
	lost     map[string]time.Time // clusters that couldn't be reached, and until when not to ask them without need
	failures map[netip.Addr]*rate.Limiter
}

// verdict is what an API server said of a token.
type verdict struct {
	name   string
	groups []string
	no     guard.Refusal
	until  time.Time
}

func newReviews(c Config) *reviews {
	return &reviews{now: c.Now, by: map[string]verdict{}, lost: map[string]time.Time{}, failures: map[netip.Addr]*rate.Limiter{}}
}

// reviewed says whose a token is, as the API server of the cluster says it. It asks at most once a minute. While the API server can't be
// reached, its earlier word counts: a token doesn't change its owner.
func (d *Door) reviewed(r *http.Request, slug, token string) (verdict, guard.Refusal) {
	if !plausible(token) {
		return verdict{}, refuse(http.StatusUnauthorized, "There is no token in this request, or it can't be one.")
	}
	key := reviewKey(slug, token)
	before, fresh, good := d.reviews.lastVerdict(key)
	if fresh {
		return before, before.no
	}
	from := d.client(r)
	if wait := d.reviews.wait(from); wait > 0 && !good {
		return verdict{}, guard.Refusal{
			Code: http.StatusTooManyRequests, Wait: wait, Words: "Too many wrong tokens came from this address. Wait a moment, and try again.",
		}
	}
	found, _, _ := d.reviews.flight.Do(key, func() (any, error) { return d.reviewToken(r.Context(), slug, token), nil })
	v, _ := found.(verdict)
	switch {
	case v.no.Code == http.StatusUnauthorized:
		d.reviews.failed(from)
	case v.no.Code == http.StatusBadGateway && before.name != "":
		v = before
		v.until = d.Now().Add(badFor)
	case v.no.Code == http.StatusBadGateway:
		return v, v.no
	}
	d.reviews.keep(key, v)
	return v, v.no
}

// reviewKey is the hash of a token with its cluster.
func reviewKey(slug, token string) string {
	sum := sha256.Sum256([]byte(slug + "\x00" + token))
	return string(sum[:])
}

// reviewToken asks the API server, for all who wait for the same token.
func (d *Door) reviewToken(ctx context.Context, slug, token string) verdict {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), reviewTime)
	defer cancel()
	name, groups, err := d.Review(ctx, slug, token)
	now := d.Now()
	switch {
	case errors.Is(err, ErrWrongToken) || err == nil && name == "":
		return verdict{until: now.Add(badFor), no: refuse(http.StatusUnauthorized,
			"The API server of this cluster refuses the token. It may have expired, or be for another cluster or audience.")}
	case err == nil && anonymous(name):
		return verdict{until: now.Add(badFor), no: refuse(http.StatusUnauthorized, "The API server doesn't know whose token this is.")}
	case err != nil:
		d.Log.Warn("a token can't be reviewed", "cluster", slug)
		d.reviews.lose(slug)
		return unsaid()
	}
	return verdict{name: name, groups: groups, until: now.Add(goodFor)}
}

// anonymous is the API server's name for senders whom it doesn't know. They don't come in.
func anonymous(name string) bool { return name == "system:anonymous" }

// lastVerdict is the last verdict about a token. fresh tells whether it still counts, and good whether the token was somebody's.
func (v *reviews) lastVerdict(key string) (found verdict, fresh, good bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	found, known := v.by[key]
	return found, known && v.now().Before(found.until), known && found.no.Code == 0
}

// lose notes that a cluster can't be reached.
func (v *reviews) lose(slug string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.lost[slug] = v.now().Add(badFor)
}

// isLost tells whether a cluster couldn't be reached a moment ago.
func (v *reviews) isLost(slug string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.now().Before(v.lost[slug])
}

func (v *reviews) keep(key string, found verdict) {
	v.mu.Lock()
	defer v.mu.Unlock()
	now := v.now()
	if len(v.by) >= maxReviews {
		for k, old := range v.by {
			if !now.Before(old.until) {
				delete(v.by, k)
			}
		}
	}
	for k := range v.by { // any, if all still count
		if len(v.by) < maxReviews {
			break
		}
		delete(v.by, k)
	}
	v.by[key] = found
}

// wait is how long an address with too many failures must wait.
func (v *reviews) wait(from netip.Addr) time.Duration {
	v.mu.Lock()
	defer v.mu.Unlock()
	limiter := v.failures[from]
	if limiter == nil {
		return 0
	}
	missing := 1 - limiter.TokensAt(v.now())
	return max(time.Duration(missing*float64(failureEvery)), 0)
}

func (v *reviews) failed(from netip.Addr) {
	v.mu.Lock()
	defer v.mu.Unlock()
	limiter := v.failures[from]
	if limiter == nil {
		if len(v.failures) >= maxAddresses {
			clear(v.failures)
		}
		limiter = rate.NewLimiter(rate.Every(failureEvery), failureBurst)
		v.failures[from] = limiter
	}
	limiter.AllowN(v.now(), 1)
}
