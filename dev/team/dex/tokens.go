package dex

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Scopes are what a client asks for to get a name, groups and a refresh token.
const Scopes = "openid profile groups offline_access"

// Tokens are what dex gives to a client.
type Tokens struct {
	ID      string `json:"id_token"`
	Refresh string `json:"refresh_token"`
	// Fault is the standard's error code; empty if there are tokens.
	Fault string `json:"error"`
}

// Grant gets tokens with a person's password, without a browser.
func (d *Dex) Grant(ctx context.Context, trusted *x509.CertPool, c Client, p Person, scopes string) (Tokens, error) {
	return d.token(ctx, trusted, c, url.Values{"grant_type": {"password"}, "username": {p.Email()}, "password": {p.Password()}, "scope": {scopes}})
}

// Renew gets tokens with a refresh token.
func (d *Dex) Renew(ctx context.Context, trusted *x509.CertPool, c Client, refresh string) (Tokens, error) {
	return d.token(ctx, trusted, c, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {refresh}})
}

func (d *Dex) token(ctx context.Context, trusted *x509.CertPool, c Client, form url.Values) (Tokens, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, d.URL+"/token", strings.NewReader(form.Encode()))
	if err != nil {
		return Tokens{}, fmt.Errorf("making the request for tokens: %w", err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.SetBasicAuth(url.QueryEscape(c.ID), url.QueryEscape(c.Secret))
	client := http.Client{Timeout: time.Minute, Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12}}}
	response, err := client.Do(request)
	if err != nil {
		return Tokens{}, fmt.Errorf("asking for tokens: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	var got Tokens
	if err := json.NewDecoder(response.Body).Decode(&got); err != nil {
		return Tokens{}, fmt.Errorf("reading the tokens: %w", err)
	}
	return got, nil
}
