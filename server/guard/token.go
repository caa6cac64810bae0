package guard

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// minToken keeps a chosen token out of reach of the guesses that the rate limit lets through.
const minToken = 16

// NewToken makes a launch token of 192 random bits (case 15). A nil source is crypto/rand.
func NewToken(random io.Reader) (string, error) {
	if random == nil {
		random = rand.Reader
	}
	var b [24]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("no randomness for the launch token: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(b[:]), nil
}

// tokenIs compares in constant time; hashing first hides the length too.
func (g *Guard) tokenIs(candidate string) bool {
	sum := sha256.Sum256([]byte(candidate))
	return subtle.ConstantTimeCompare(sum[:], g.token[:]) == 1
}

// try judges a token that somebody offers. Wrong ones are counted for the address they came from; when there were
// too many, right ones must wait too, or guessing would cost nothing.
func (g *Guard) try(r *http.Request, candidate string) refusal {
	from := remote(r)
	if wait := g.failures.wait(from); wait > 0 {
		return tooMany(wait)
	}
	if g.tokenIs(candidate) {
		return refusal{}
	}
	g.failures.count(from)
	g.opt.Log.Warn("a wrong launch token was offered", "from", from)
	return refuse(http.StatusUnauthorized, "This launch token is not the right one.")
}

func tooMany(wait time.Duration) refusal {
	seconds := int((wait + time.Second - 1) / time.Second)
	return refusal{code: http.StatusTooManyRequests, words: fmt.Sprintf("Too many wrong tokens came from this address. Try again in %d s.", seconds)}
}

// bearer finds the token in an Authorization header. given tells that there is such a header at all.
func bearerToken(r *http.Request) (token string, given bool) {
	values, given := r.Header["Authorization"]
	if !given || len(values) != 1 {
		return "", given
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return "", true
	}
	return strings.TrimSpace(token), true
}

// How many wrong tokens an address may offer at once, and how soon it may offer another one.
const (
	failureBurst = 10
	failureEvery = 6 * time.Second
	maxAddresses = 1024
)

// failures counts wrong tokens per address.
type failures struct {
	now func() time.Time

	mu sync.Mutex
	by map[string]*rate.Limiter
}

func newFailures(now func() time.Time) *failures {
	return &failures{now: now, by: map[string]*rate.Limiter{}}
}

func (f *failures) wait(from string) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	limiter := f.by[from]
	if limiter == nil {
		return 0
	}
	missing := 1 - limiter.TokensAt(f.now())
	if missing <= 0 {
		return 0
	}
	return time.Duration(missing * float64(failureEvery))
}

func (f *failures) count(from string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	limiter := f.by[from]
	if limiter == nil {
		f.makeRoom()
		limiter = rate.NewLimiter(rate.Every(failureEvery), failureBurst)
		f.by[from] = limiter
	}
	limiter.AllowN(f.now(), 1)
}

// makeRoom forgets addresses that have nothing left to wait for, or, under attack from many, any of them.
func (f *failures) makeRoom() {
	if len(f.by) < maxAddresses {
		return
	}
	now := f.now()
	for from, limiter := range f.by {
		if limiter.TokensAt(now) >= failureBurst {
			delete(f.by, from)
		}
	}
	for from := range f.by {
		if len(f.by) < maxAddresses {
			return
		}
		delete(f.by, from)
	}
}
