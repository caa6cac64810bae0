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

// minToken is the smallest length of a token, in characters. A program can try as many tokens as it can make connections, some
// thousand a second, so short tokens could be guessed; see docs/decisions/0031.
const minToken = 16

// NewToken makes a launch token of 192 random bits (threat: token guessing). A nil source is crypto/rand.
func NewToken(random io.Reader) (string, error) {
	if random == nil {
		random = rand.Reader
	}
	var b [24]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("reading random bytes for the launch token: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(b[:]), nil
}

// tokenIs compares in constant time. The hash also hides the length.
func (l *launch) tokenIs(candidate string) bool {
	sum := sha256.Sum256([]byte(candidate))
	return subtle.ConstantTimeCompare(sum[:], l.token[:]) == 1
}

// try judges a token. The right one passes, even after many wrong ones from the same address: otherwise any local program could lock the
// owner out. Wrong ones are counted. After too many, the response is 429, and the connection is closed.
func (l *launch) try(r *http.Request, candidate string) Refusal {
	if l.tokenIs(candidate) {
		return Refusal{}
	}
	if candidate == "" { // an empty form, or a header of another scheme, is not a guess
		return refuse(http.StatusUnauthorized, "There is no launch token in this request.")
	}
	from := remote(r)
	if wait := l.failures.countFailure(from); wait > 0 {
		return tooMany(wait)
	}
	l.opt.Log.Warn("a wrong launch token was offered", "from", from)
	return refuse(http.StatusUnauthorized, "This launch token is wrong.")
}

func tooMany(wait time.Duration) Refusal {
	no := hangUp(http.StatusTooManyRequests, fmt.Sprintf("This launch token is wrong, and this address sent too many wrong tokens. "+
		"Wait %d s before you try another one.", seconds(wait)))
	no.Wait = wait
	return no
}

func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

// bearerToken finds the token in the Authorization header. given tells whether the request has this header.
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

// How many wrong tokens one address may send at once, and after how long it may send one more.
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

// countFailure counts a wrong token. If the address sent too many, wait is how long it must wait.
func (f *failures) countFailure(from string) (wait time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	limiter := f.by[from]
	if limiter == nil {
		f.makeRoom()
		limiter = rate.NewLimiter(rate.Every(failureEvery), failureBurst)
		f.by[from] = limiter
	}
	now := f.now()
	if limiter.AllowN(now, 1) {
		return 0
	}
	return time.Duration((1 - limiter.TokensAt(now)) * float64(failureEvery))
}

// makeRoom deletes addresses that need not wait any more. If too many remain, as in an attack from many addresses, it deletes any.
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
