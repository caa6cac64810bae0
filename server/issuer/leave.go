package issuer

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/oauth2"
)

// SignOut is the address of the issuer at which a person signs out, and from which the issuer leads to back with the state. It is empty if
// the issuer has none, or can't be reached. It has no token (id_token_hint), because browsers and servers keep addresses: the issuer may ask
// the person instead (threat: leaked credential).
func (i *Issuer) SignOut(ctx context.Context, back, state string) string {
	f, err := i.discover(ctx)
	if err != nil {
		return ""
	}
	u, err := url.Parse(f.endSession)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	query := u.Query()
	query.Set("client_id", i.config.ClientID)
	query.Set("post_logout_redirect_uri", back)
	if state != "" {
		query.Set("state", state)
	}
	u.RawQuery = query.Encode()
	return u.String()
}

// Revoke tells the issuer that a refresh token must not work any longer (RFC 7009), so that nobody can renew a copy of the tokens (threat: copied
// session). Tokens that can't be renewed need no call. The error is a Fault: its kind is NoRevocation if the issuer can't do this, and
// Unreachable or WrongClient if it didn't.
func (i *Issuer) Revoke(ctx context.Context, t Tokens) error {
	if t.Refresh == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(i.with(ctx), callTime)
	defer cancel()
	f, err := i.discover(ctx)
	if err != nil {
		return i.notTold(KindOf(err), silence(err))
	}
	if f.revocation == "" {
		return i.notTold(NoRevocation, "it has no address for that (revocation_endpoint)")
	}
	request, err := i.revocation(ctx, f, t.Refresh)
	if err != nil {
		return i.notTold(NotIssuer, "its address for that can't be used")
	}
	response, err := i.client.Do(request)
	if err != nil {
		return i.notTold(Unreachable, silence(err))
	}
	_ = response.Body.Close()
	switch response.StatusCode {
	case http.StatusOK: // also for a token that it doesn't know, as the standard says
		return nil
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden:
		return i.notTold(WrongClient, fmt.Sprintf("it refuses that (status code %d)", response.StatusCode))
	}
	return i.notTold(Unreachable, fmt.Sprintf("it responds with the status code %d", response.StatusCode))
}

// revocation is the request that revokes a refresh token.
func (i *Issuer) revocation(ctx context.Context, f *found, refresh string) (*http.Request, error) {
	form := url.Values{"token": {refresh}, "token_type_hint": {"refresh_token"}}
	if f.endpoint.AuthStyle == oauth2.AuthStyleInParams {
		form.Set("client_id", i.config.ClientID)
		if i.secret != "" {
			form.Set("client_secret", i.secret)
		}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, f.revocation, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, fmt.Errorf("making the request: %w", err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if f.endpoint.AuthStyle == oauth2.AuthStyleInHeader {
		request.SetBasicAuth(url.QueryEscape(i.config.ClientID), url.QueryEscape(i.secret))
	}
	return request, nil
}

// notTold is the Fault of a sign-in that the issuer didn't end.
func (i *Issuer) notTold(kind Kind, why string) *Fault {
	return &Fault{Kind: kind, words: fmt.Sprintf("%s didn’t end your sign-in for Fieldmark: %s.", i.config.Title, why)}
}
