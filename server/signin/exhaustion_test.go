package signin

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/guard"
)

// TestExhaustion_AFloodOfWrongTokensLocksNobodyOut sends everything from one address, as behind an ingress.
func TestExhaustion_AFloodOfWrongTokensLocksNobodyOut(t *testing.T) {
	p := open(t, nil)
	if code := p.ask("eve-of-first"); code != http.StatusOK {
		t.Fatalf("a good token: %d", code)
	}
	p.clock.forward(goodFor + time.Second) // the review doesn't count any more
	for i := range failureBurst + 5 {
		p.ask("wrong-" + strconv.Itoa(i))
	}
	if code := p.ask("wrong"); code != http.StatusTooManyRequests {
		t.Fatalf("the flood isn't refused: %d", code)
	}
	before := p.reviews
	if code := p.ask("eve-of-first"); code != http.StatusOK || p.reviews != before+1 {
		t.Errorf("a token that was good, during a flood from the same address: %d after %d reviews", code, p.reviews-before)
	}
}

func TestExhaustion_APersonSignsInSoOften(t *testing.T) {
	p := open(t, nil)
	signIn := func(name string) *httptest.ResponseRecorder {
		return p.browser(t).post(guard.SignInPath, "same-origin", url.Values{"cluster": {"third"}, "token": {name + "-of-third"}})
	}
	for range entryBurst {
		if w := signIn("eve"); w.Code != http.StatusSeeOther {
			t.Fatalf("%d %s", w.Code, words(w))
		}
	}
	w := signIn("eve")
	check(t, "once more", w, http.StatusTooManyRequests, "signed in too often")
	if w.Header().Get("Retry-After") == "" || len(w.Result().Cookies()) > 0 {
		t.Errorf("no time to wait, or a session: %v", w.Header())
	}
	if w := signIn("ada"); w.Code != http.StatusSeeOther {
		t.Errorf("somebody else: %d %s", w.Code, words(w))
	}
	p.clock.forward(entryEvery)
	if w := signIn("eve"); w.Code != http.StatusSeeOther {
		t.Errorf("after a while: %d %s", w.Code, words(w))
	}
}

func TestExhaustion_SpentStatesTakeBoundedMemory(t *testing.T) {
	at := clock{now: time.Unix(1e9, 0)}
	s := &spent{now: at.read}
	at.forward(loginTime)
	if !s.first("mine") || s.first("mine") {
		t.Error("a value doesn't count once")
	}
	at.forward(loginTime - time.Second)
	if s.first("mine") || !s.first("later") {
		t.Error("a value counts again before its time is over")
	}
	at.forward(2 * time.Second)
	if !s.first("after the turn") || s.first("later") {
		t.Error("a value counts again a moment after it was spent")
	}
	for i := range 3 * maxSpent {
		s.first(strconv.Itoa(i))
		if n := len(s.young) + len(s.old); n > 2*maxSpent {
			t.Fatalf("%d values are remembered", n)
		}
	}
}
