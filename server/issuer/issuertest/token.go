package issuertest

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
)

// token is the token endpoint.
func (i *Issuer) token(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	hold := i.behaviour.Hold
	i.mu.Unlock()
	if hold != nil {
		select {
		case <-hold:
		case <-r.Context().Done():
			return
		}
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if !i.knows(r) {
		refused(w, http.StatusUnauthorized, "invalid_client")
		return
	}
	if i.behaviour.TokenError != "" {
		refused(w, http.StatusBadRequest, i.behaviour.TokenError)
		return
	}
	g, ok := i.redeem(r)
	if !ok {
		refused(w, http.StatusBadRequest, "invalid_grant")
		return
	}
	i.give(w, r, g)
}

// knows tells whether a request has the secret of the client, in the way that the discovery document says.
func (i *Issuer) knows(r *http.Request) bool {
	id, secret, ok := r.BasicAuth()
	if i.behaviour.Discovered["token_endpoint_auth_methods_supported"] != nil && !ok {
		id, secret = r.PostFormValue("client_id"), r.PostFormValue("client_secret")
	}
	return id == i.ClientID && secret == i.Secret
}

// revoke is the revocation endpoint.
func (i *Issuer) revoke(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	switch status := i.behaviour.RevocationStatus; {
	case !i.knows(r):
		refused(w, http.StatusUnauthorized, "invalid_client")
	case status != 0:
		refused(w, status, "unsupported_token_type")
	default:
		delete(i.refreshes, r.PostFormValue("token"))
		w.WriteHeader(http.StatusOK)
	}
}

func refused(w http.ResponseWriter, status int, why string) {
	respond(w, status, map[string]string{"error": why, "error_description": "words that quote secret-of-the-client"})
}

// redeem takes a code or a refresh token, which is useless afterwards.
func (i *Issuer) redeem(r *http.Request) (grant, bool) {
	switch r.PostFormValue("grant_type") {
	case "authorization_code":
		code := r.PostFormValue("code")
		g, ok := i.codes[code]
		delete(i.codes, code)
		challenge := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
		same := base64.RawURLEncoding.EncodeToString(challenge[:]) == g.challenge && r.PostFormValue("redirect_uri") == g.redirect
		return g, ok && same
	case "refresh_token":
		old := r.PostFormValue("refresh_token")
		g, ok := i.refreshes[old]
		if !i.behaviour.KeepRefresh {
			delete(i.refreshes, old)
		}
		return g, ok
	}
	return grant{}, false
}

func (i *Issuer) give(w http.ResponseWriter, r *http.Request, g grant) {
	renewal := r.PostFormValue("grant_type") == "refresh_token"
	body := map[string]any{"access_token": i.random("access"), "token_type": "Bearer", "expires_in": int(i.life().Seconds())}
	if !renewal || !i.behaviour.NoIDTokenOnRenewal {
		body["id_token"] = i.sign(g)
	}
	if !renewal || !i.behaviour.KeepRefresh {
		refresh := i.random("refresh")
		i.refreshes[refresh] = grant{subject: g.subject}
		body["refresh_token"] = refresh
	}
	respond(w, http.StatusOK, body)
}
