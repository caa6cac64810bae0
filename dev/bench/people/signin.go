package people

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
	authority := base64.StdEncoding.EncodeToString(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
	local, err := startFor(ctx, l, server.URL, authority)
	if err != nil {
		return cost, err
	}
	defer l.StopLast()
	house, err := startShared(ctx, l, server.URL, authority)
	if err != nil {
		return cost, err
	}
	defer l.StopLast()
	localCookie, err := socket.SignIn(ctx, local)
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
		a, err := clockPage(ctx, local.Fieldmark, localCookie)
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
func startFor(ctx context.Context, l *lab.Lab, server, authority string) (*lab.Lab, error) {
	kubeconfig, err := yaml.Marshal(map[string]any{
		"apiVersion": "v1", "kind": "Config", "current-context": lab.ContextName,
		"clusters": []any{map[string]any{"name": lab.ContextName, "cluster": map[string]any{"server": server, "certificate-authority-data": authority}}},
		"users":    []any{map[string]any{"name": lab.ContextName, "user": map[string]any{"token": "t"}}},
		"contexts": []any{map[string]any{"name": lab.ContextName, "context": map[string]any{"cluster": lab.ContextName, "user": lab.ContextName}}},
	})
	if err != nil {
		return nil, fmt.Errorf("the kubeconfig: %w", err)
	}
	inside := *l
	inside.Folder = filepath.Join(l.Folder, "local")
	if err := os.MkdirAll(inside.Folder, 0o700); err != nil {
		return nil, fmt.Errorf("a folder to work in: %w", err)
	}
	if err := os.WriteFile(inside.Renamed(), kubeconfig, 0o600); err != nil {
		return nil, fmt.Errorf("the kubeconfig: %w", err)
	}
	inside.Fieldmark, err = inside.StartFieldmark(ctx)
	l.Running = inside.Running
	return &inside, err
}

// enter signs a person in with a token, and returns the cookies as a browser sends them.
func (h *house) enter(ctx context.Context, token string) (string, error) {
	form := url.Values{"cluster": {lab.ContextName}, "token": {token}, "next": {"/"}}.Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, h.Fieldmark.Origin+"/-/sign-in", strings.NewReader(form))
	if err != nil {
		return "", fmt.Errorf("signing in: %w", err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Origin", h.Fieldmark.Origin)
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	answer, err := h.Fieldmark.Client.Transport.RoundTrip(request)
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
func clockPage(ctx context.Context, t lab.Target, cookie string) (time.Duration, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, t.Origin+t.Prefix+"/api/v1/namespaces/shop", nil)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", t.Name, err)
	}
	request.Header.Set("Cookie", cookie)
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	begun := time.Now()
	answer, err := t.Client.Do(request)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", t.Name, err)
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s answered %s", t.Name, answer.Status)
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
		tokenBytes, groupNumber, s.cookie, s.requests, figures.MS(s.local), figures.MS(s.shared), maxAdded, figures.MS(s.added))
}
