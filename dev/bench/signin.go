package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
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
func (l *lab) measureSignIn(ctx context.Context) (cost signInCost, err error) {
	server := httptest.NewTLSServer(http.HandlerFunc(answerPerson))
	defer server.Close()
	authority := base64.StdEncoding.EncodeToString(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
	local, err := l.startFor(ctx, server.URL, authority)
	if err != nil {
		return cost, err
	}
	defer l.stopLast()
	house, err := l.startShared(ctx, server.URL, authority)
	if err != nil {
		return cost, err
	}
	defer l.stopLast()
	localCookie, err := local.signIn(ctx)
	if err != nil {
		return cost, err
	}
	token := make([]byte, tokenBytes*3/4)
	if _, err := rand.Read(token); err != nil { // like a token, it can't be compressed
		return cost, fmt.Errorf("a token: %w", err)
	}
	sharedCookie, err := house.enter(ctx, base64.RawURLEncoding.EncodeToString(token))
	if err != nil {
		return cost, err
	}
	cost.cookie = len(sharedCookie)
	var without, with, added []time.Duration
	for i := range signInRounds {
		a, err := local.fieldmark.clockPage(ctx, localCookie)
		if err != nil {
			return cost, err
		}
		b, err := house.fieldmark.clockPage(ctx, sharedCookie)
		if err != nil {
			return cost, err
		}
		if i >= signInRounds/10 { // the first ones warm up
			without, with, added = append(without, a), append(with, b), append(added, b-a)
		}
	}
	cost.requests, cost.local, cost.shared, cost.added = len(added), middle(without), middle(with), middle(added)
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
func (l *lab) startFor(ctx context.Context, server, authority string) (*lab, error) {
	kubeconfig, err := yaml.Marshal(map[string]any{
		"apiVersion": "v1", "kind": "Config", "current-context": contextName,
		"clusters": []any{map[string]any{"name": contextName, "cluster": map[string]any{"server": server, "certificate-authority-data": authority}}},
		"users":    []any{map[string]any{"name": contextName, "user": map[string]any{"token": "t"}}},
		"contexts": []any{map[string]any{"name": contextName, "context": map[string]any{"cluster": contextName, "user": contextName}}},
	})
	if err != nil {
		return nil, fmt.Errorf("the kubeconfig: %w", err)
	}
	inside := *l
	inside.folder = filepath.Join(l.folder, "local")
	if err := os.MkdirAll(inside.folder, 0o700); err != nil {
		return nil, fmt.Errorf("a folder to work in: %w", err)
	}
	if err := os.WriteFile(inside.renamed(), kubeconfig, 0o600); err != nil {
		return nil, fmt.Errorf("the kubeconfig: %w", err)
	}
	inside.fieldmark, err = inside.startFieldmark(ctx)
	l.running = inside.running
	return &inside, err
}

// enter signs a person in with a token, and returns the cookies as a browser sends them.
func (h *house) enter(ctx context.Context, token string) (string, error) {
	form := url.Values{"cluster": {contextName}, "token": {token}, "next": {"/"}}.Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, h.fieldmark.origin+"/-/sign-in", strings.NewReader(form))
	if err != nil {
		return "", fmt.Errorf("signing in: %w", err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Origin", h.fieldmark.origin)
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	answer, err := h.fieldmark.client.Transport.RoundTrip(request)
	if err != nil {
		return "", fmt.Errorf("signing in: %w", err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	var cookies []string
	for _, c := range answer.Cookies() {
		if c.MaxAge >= 0 && c.Value != "" {
			cookies = append(cookies, c.Name+"="+c.Value)
		}
	}
	if len(cookies) == 0 {
		return "", fmt.Errorf("signing in: answered %s: %.200s", answer.Status, text)
	}
	return strings.Join(cookies, "; "), nil
}

// clockPage times a small GET of a browser.
func (t target) clockPage(ctx context.Context, cookie string) (time.Duration, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, t.origin+t.prefix+"/api/v1/namespaces/shop", nil)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", t.name, err)
	}
	request.Header.Set("Cookie", cookie)
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	begun := time.Now()
	answer, err := t.client.Do(request)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", t.name, err)
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s answered %s", t.name, answer.Status)
	}
	return time.Since(begun), err
}

// twoAddresses are two that nobody listens at.
func twoAddresses(ctx context.Context) (first, second string, err error) {
	var config net.ListenConfig
	one, err := config.Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return "", "", fmt.Errorf("finding a free port: %w", err)
	}
	other, err := config.Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return "", "", errors.Join(fmt.Errorf("finding a free port: %w", err), one.Close())
	}
	return one.Addr().String(), other.Addr().String(), errors.Join(one.Close(), other.Close())
}

func (s signInCost) writeCost(b *strings.Builder) {
	fmt.Fprintf(b, "A small GET through a shared Fieldmark, from a browser with a session of a token of %d bytes and %d groups (%d bytes of cookies), beside the same GET in\n"+
		"local mode: medians of %d alternating requests to a scripted API server.\n\n"+
		"| | time |\n|---|---|\n| local mode | %.2f ms |\n| shared mode | %.2f ms |\n| **added by the sign-in** (median of the differences; goal ≤ %d ms) | **%.2f ms** |\n",
		tokenBytes, groupNumber, s.cookie, s.requests, ms(s.local), ms(s.shared), maxAdded, ms(s.added))
}
