package issuer

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// Tokens are what the issuer gave and said about a person, verified.
type Tokens struct {
	// Token is what goes to the API server.
	Token string
	// Refresh gets new tokens; empty: the issuer gave none.
	Refresh string
	// Issued and Expires are the life of Token.
	Issued, Expires time.Time
	// Audience is whom the id_token is for.
	Audience []string
	// Subject is the issuer's own name of the person, which never changes.
	Subject string
	// Name and Groups have their prefixes.
	Name   string
	Groups []string
	// NoGroups tells that the id_token has no claim with groups.
	NoGroups bool
	// Mark is that of the issuer that verified them; see Issuer.Mark.
	Mark string
}

// NewAttempt makes the random values for one attempt to sign in.
func NewAttempt(random io.Reader) (Attempt, error) {
	if random == nil {
		random = rand.Reader
	}
	var values [3]string
	for i := range values {
		var b [32]byte
		if _, err := io.ReadFull(random, b[:]); err != nil {
			return Attempt{}, fmt.Errorf("reading random bytes for a sign-in: %w", err)
		}
		values[i] = base64.RawURLEncoding.EncodeToString(b[:])
	}
	return Attempt{State: values[0], Nonce: values[1], Verifier: values[2]}, nil
}

// Exchange gets the tokens for a code. The code works only with the verifier of the same attempt (threat: code injection), and the id_token
// must have its nonce (threat: nonce replay). The error is a Fault.
func (i *Issuer) Exchange(ctx context.Context, code string, a Attempt) (Tokens, error) {
	f, err := i.discover(ctx)
	if err != nil {
		return Tokens{}, err
	}
	ctx, cancel := context.WithTimeout(i.with(ctx), 2*callTime) // for the tokens, and for the issuer's keys
	defer cancel()
	t, err := i.oauth(f).Exchange(ctx, code, oauth2.VerifierOption(a.Verifier))
	if err != nil {
		return Tokens{}, i.tokenError(err)
	}
	return i.verified(ctx, f, t, func(id *oidc.IDToken) bool {
		return subtle.ConstantTimeCompare([]byte(id.Nonce), []byte(a.Nonce)) == 1
	})
}

// Renew gets new tokens for a person. A refresh token that the issuer doesn't replace stays good. The error is a Fault; its kind is Ended if the
// issuer has ended the sign-in, so that trying again is useless.
func (i *Issuer) Renew(ctx context.Context, old Tokens) (Tokens, error) {
	f, err := i.discover(ctx)
	if err != nil {
		return Tokens{}, err
	}
	ctx, cancel := context.WithTimeout(i.with(ctx), 2*callTime)
	defer cancel()
	t, err := i.oauth(f).TokenSource(ctx, &oauth2.Token{RefreshToken: old.Refresh}).Token()
	if err != nil {
		return Tokens{}, i.tokenError(err)
	}
	if idToken(t) == "" && i.config.Send == SendAccess && t.AccessToken != "" {
		return i.withoutClaims(old, t), nil
	}
	fresh, err := i.verified(ctx, f, t, func(id *oidc.IDToken) bool { return id.Subject == old.Subject })
	if fresh.Refresh == "" {
		fresh.Refresh = t.RefreshToken // the library keeps the old one
	}
	return fresh, err
}

// withoutClaims is for a response without an id_token, where the API server gets the access token. What is known of the person stays.
func (i *Issuer) withoutClaims(old Tokens, t *oauth2.Token) Tokens {
	fresh := old
	fresh.Token, fresh.Refresh = t.AccessToken, t.RefreshToken
	fresh.Issued = i.config.Now()
	fresh.Expires = fresh.Issued.Add(lifeOf(t))
	return fresh
}

func idToken(t *oauth2.Token) string {
	raw, _ := t.Extra("id_token").(string)
	return raw
}

// lifeOf is how long an access token lives. An issuer that doesn't say gets five minutes.
func lifeOf(t *oauth2.Token) time.Duration {
	if t.ExpiresIn > 0 {
		return time.Duration(t.ExpiresIn) * time.Second
	}
	return 5 * time.Minute
}

// verified checks the id_token of a response. ours tells whether it belongs to the request. A Fault about the id_token comes with the
// refresh token, which may be a new one.
func (i *Issuer) verified(ctx context.Context, f *found, t *oauth2.Token, ours func(*oidc.IDToken) bool) (Tokens, error) {
	tokens := Tokens{Refresh: t.RefreshToken}
	raw := idToken(t)
	if raw == "" {
		return tokens, i.fault(NoToken, "its response has no id_token. Check that %s has openid, and that the client %q may use it", nil, i.config.setting("scopes"), i.config.ClientID)
	}
	id, err := f.verifier.Verify(ctx, raw)
	if err != nil {
		return tokens, i.wrongToken(err, raw)
	}
	if !ours(id) {
		return tokens, i.fault(WrongToken, "the id_token belongs to another sign-in. Sign in again", nil)
	}
	if err := i.claims(id, &tokens); err != nil {
		return tokens, err
	}
	tokens.Token, tokens.Issued, tokens.Expires = raw, id.IssuedAt, id.Expiry
	if i.config.Send == SendAccess {
		if err := i.takeAccess(id, t, &tokens); err != nil {
			return tokens, err
		}
	}
	return tokens, i.times(id)
}

func (i *Issuer) takeAccess(id *oidc.IDToken, t *oauth2.Token, tokens *Tokens) error {
	if id.AccessTokenHash != "" && id.VerifyAccessToken(t.AccessToken) != nil {
		return i.fault(WrongToken, "the access token doesn't belong to the id_token. Sign in again", nil)
	}
	now := i.config.Now()
	tokens.Token, tokens.Issued, tokens.Expires = t.AccessToken, now, now.Add(lifeOf(t))
	return nil
}

// wrongToken says why an id_token isn't good. Its audience is read only for the message.
func (i *Issuer) wrongToken(err error, raw string) *Fault {
	if strings.Contains(err.Error(), "fetching keys") { // the library doesn't wrap it
		return i.unreachable(err)
	}
	if audience := unverifiedAudience(raw); len(audience) > 0 && !slices.Contains(audience, i.config.ClientID) {
		return i.fault(WrongToken, "the id_token is for %q, and %s is %q", nil, short(strings.Join(audience, ", ")), i.config.setting("clientID"), i.config.ClientID)
	}
	return i.fault(WrongToken, "the id_token has no valid signature of the issuer at %s. Sign in again. If it stays so, the issuer's keys are wrong", nil, i.config.URL)
}

func unverifiedAudience(raw string) []string {
	parts := strings.Split(raw, ".")
	if len(parts) != 3 {
		return nil
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return nil
	}
	var claims struct {
		Audience texts `json:"aud"`
	}
	if json.Unmarshal(payload, &claims) != nil {
		return nil
	}
	return claims.Audience
}

// times compares the token's times with our clock.
func (i *Issuer) times(id *oidc.IDToken) error {
	now := i.config.Now()
	var claims struct {
		NotBefore float64 `json:"nbf"`
	}
	_ = id.Claims(&claims) // a value that isn't a number fails in Verify
	begins := id.IssuedAt
	if before := time.Unix(int64(claims.NotBefore), 0); before.After(begins) {
		begins = before
	}
	switch {
	case begins.After(now.Add(skew)):
		return i.fault(WrongClock, "its clock is %s ahead of Fieldmark's. Correct the clocks of both machines", nil, roughly(begins.Sub(now)))
	case !id.Expiry.After(now.Add(-skew)):
		return i.fault(WrongClock, "its new token expired %s ago, so the clocks differ. Correct the clocks of both machines", nil, roughly(now.Sub(id.Expiry)))
	}
	return nil
}

func roughly(d time.Duration) string {
	if d < 2*time.Minute {
		return fmt.Sprintf("%d seconds", int(d.Seconds()))
	}
	return fmt.Sprintf("%d minutes", int(d.Round(time.Minute).Minutes()))
}

// claims reads the name and the groups.
func (i *Issuer) claims(id *oidc.IDToken, tokens *Tokens) error {
	var all map[string]json.RawMessage
	if err := id.Claims(&all); err != nil {
		return i.fault(WrongToken, "the claims of the id_token can't be read", nil)
	}
	var party string
	_ = json.Unmarshal(all["azp"], &party) // absent in most tokens
	if len(id.Audience) > 1 && party != "" && party != i.config.ClientID {
		return i.fault(WrongToken, "the id_token was made for the client %q, and %s is %q", nil, short(party), i.config.setting("clientID"), i.config.ClientID)
	}
	name, err := i.name(all)
	if err != nil {
		return err
	}
	var groups texts
	claim, given := all[i.config.GroupsClaim]
	if given && json.Unmarshal(claim, &groups) != nil {
		return i.fault(MissingClaim, "the claim %q isn't a list of groups. Check %s", nil, i.config.GroupsClaim, i.config.setting("groupsClaim"))
	}
	for _, group := range groups {
		tokens.Groups = append(tokens.Groups, i.config.GroupsPrefix+group)
	}
	tokens.Name, tokens.NoGroups = i.config.UserPrefix+name, !given
	tokens.Subject, tokens.Audience, tokens.Mark = id.Subject, id.Audience, i.Mark()
	return nil
}

// name reads the claim with the name. As in the API server, an email must not be one that the issuer says it didn't verify.
func (i *Issuer) name(all map[string]json.RawMessage) (string, error) {
	claim := i.config.UserClaim
	var name string
	if json.Unmarshal(all[claim], &name) != nil || name == "" {
		return "", i.fault(MissingClaim, "the id_token has no claim %q with a name. Check %s and %s", nil, claim, i.config.setting("userClaim"), i.config.setting("scopes"))
	}
	verified, given := all["email_verified"]
	if claim == "email" && given && string(verified) != "true" {
		return "", i.fault(MissingClaim, "the issuer hasn't verified this email address. Verify the address there, or change %s", nil, i.config.setting("userClaim"))
	}
	return name, nil
}

// texts is a claim that is one text or a list of them.
type texts []string

// UnmarshalJSON implements json.Unmarshaler.
func (t *texts) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*t = texts{one}
		return nil
	}
	var list []string
	if json.Unmarshal(b, &list) != nil {
		return errors.New("neither a text nor a list of texts")
	}
	*t = list
	return nil
}
