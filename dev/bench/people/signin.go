package people

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/figures"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
	"github.com/fieldmark/fieldmark/dev/bench/socket"
)

// signInCost is what signing in adds to a request.
type signInCost struct {
	requests      int // in each mode
	cookie        int // bytes that the browser sends
	local, shared time.Duration
	added         time.Duration // median of the differences
}

const (
	signInRounds = 1500
	tokenBytes   = 6 << 10 // of the largest id_token that is tested
	groupNumber  = 200
)

// measureSignIn compares a small GET in the two modes. Both use a scripted API server, because the practice cluster's can't give a person
// so many groups.
func measureSignIn(ctx context.Context, l *lab.Lab) (cost signInCost, err error) {
	server := httptest.NewTLSServer(http.HandlerFunc(answerPerson))
	defer server.Close()
	authority := lab.AuthorityOf(server)
	local, err := startFor(ctx, l, server.URL, authority)
	if err != nil {
		return cost, err
	}
	defer l.StopLast()
	house, err := openHouse(ctx, l, server.URL, authority)
	if err != nil {
		return cost, err
	}
	defer l.StopLast()
	localCookie, err := socket.SignIn(ctx, local, url.Values{"token": {l.Token}})
	if err != nil {
		return cost, err
	}
	local.Token = "" // as a browser, which has the cookie only
	token := make([]byte, tokenBytes*3/4)
	if _, err := rand.Read(token); err != nil { // like a token, it can't be compressed
		return cost, fmt.Errorf("a token: %w", err)
	}
	sharedCookie, err := socket.SignIn(ctx, house.Fieldmark, lab.SharedForm(base64.RawURLEncoding.EncodeToString(token)))
	if err != nil {
		return cost, err
	}
	cost.cookie = len(sharedCookie)
	var without, with, added []time.Duration
	for i := range signInRounds {
		a, err := clockPage(ctx, local, localCookie)
		if err != nil {
			return cost, err
		}
		b, err := clockPage(ctx, house.Fieldmark, sharedCookie)
		if err != nil {
			return cost, err
		}
		if i >= signInRounds/10 { // the first ones warm up
			without, with, added = append(without, a), append(with, b), append(added, b-a)
		}
	}
	cost.requests, cost.local, cost.shared, cost.added = len(added), figures.Middle(without), figures.Middle(with), figures.Middle(added)
	return cost, nil
}

// answerPerson is as much of an API server as signing in and a small GET need. Whoever asks is in many groups.
func answerPerson(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if !strings.HasSuffix(r.URL.Path, "/selfsubjectreviews") {
		_, _ = io.WriteString(w, `{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"shop"}}`)
		return
	}
	groups := make([]string, groupNumber)
	for i := range groups {
		groups[i] = fmt.Sprintf(`"department-%d-of-the-company"`, i)
	}
	w.WriteHeader(http.StatusCreated)
	_, _ = io.WriteString(w, `{"kind":"SelfSubjectReview","status":{"userInfo":{"username":"ada","groups":[`+strings.Join(groups, ",")+`]}}}`)
}

// startFor starts a Fieldmark in local mode with one API server.
func startFor(ctx context.Context, l *lab.Lab, server, authority string) (lab.Target, error) {
	kubeconfig, err := l.WriteKubeconfig(server, authority)
	if err != nil {
		return lab.Target{}, err
	}
	return l.StartFieldmarkFor(ctx, kubeconfig)
}

// clockPage times a small GET of a browser.
func clockPage(ctx context.Context, t lab.Target, cookies string) (time.Duration, error) {
	begun := time.Now()
	_, _, err := t.Send(ctx, http.MethodGet, t.Prefix+"/api/v1/namespaces/shop", nil, false, "Cookie", cookies, "Sec-Fetch-Site", "same-origin")
	return time.Since(begun), err
}

func (s signInCost) writeCost(b *strings.Builder) {
	fmt.Fprintf(b, "A small GET through a shared Fieldmark, from a browser with a session of a token of %d bytes and %d groups (%d bytes of cookies), beside the same GET in\n"+
		"local mode: medians of %d alternating requests to a scripted API server.\n\n"+
		"| | time |\n|---|---|\n| local mode | %.2f ms |\n| shared mode | %.2f ms |\n| **added by the sign-in** (median of the differences; goal ≤ %d ms) | **%.2f ms** |\n",
		tokenBytes, groupNumber, s.cookie, s.requests, figures.MS(s.local), figures.MS(s.shared), maxAdded, figures.MS(s.added))
}
