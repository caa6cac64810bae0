package issuer

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// Kind is what went wrong.
type Kind string

// The kinds of faults.
const (
	Unreachable  Kind = "unreachable"   // no response, or one that says to try again
	ForeignCA    Kind = "foreign CA"    // its certificate isn't trusted
	NotIssuer    Kind = "not an issuer" // the URL leads to something else
	OtherIssuer  Kind = "other issuer"  // the discovery document has another identity
	MixedUp      Kind = "mixed up"      // the response is of another issuer
	WrongClient  Kind = "wrong client"  // the client or its secret is refused
	Ended        Kind = "ended"         // the code or the refresh token is no longer good
	NoToken      Kind = "no token"      // the response has no token of the kind that is sent
	WrongToken   Kind = "wrong token"   // signature, audience, nonce or subject
	WrongClock   Kind = "wrong clock"   // the two clocks differ
	MissingClaim Kind = "missing claim" // there is no name, or one that can't be used
	NoRevocation Kind = "no revocation" // it has no address at which refresh tokens are revoked
)

// Fault is every error of an Issuer after New. Its text is for people: whole sentences that name the setting, and without credentials.
type Fault struct {
	Kind  Kind
	words string
	cause error
}

// Error is the text for people.
func (f *Fault) Error() string { return f.words }

// Unwrap is the cause, if it may be shown.
func (f *Fault) Unwrap() error { return f.cause }

// KindOf is the kind of an error of an Issuer; empty for others.
func KindOf(err error) Kind {
	var f *Fault
	if errors.As(err, &f) {
		return f.Kind
	}
	return ""
}

// fault makes an error. The text of the cause isn't part of it, because it may quote what the issuer sent.
func (i *Issuer) fault(kind Kind, format string, cause error, args ...any) *Fault {
	return &Fault{Kind: kind, words: i.faultText(format, args...), cause: cause}
}

func (i *Issuer) unreachable(err error) *Fault {
	return i.fault(Unreachable, "%s. Try again. If it stays so, check %s", err, silence(err), i.config.setting("url"))
}

// silence tells an issuer that is slow from one that can't be reached.
func silence(err error) string {
	if errors.Is(err, context.DeadlineExceeded) || isTimeout(err) {
		return fmt.Sprintf("it doesn't respond within %d s", int(callTime/time.Second))
	}
	return "it can't be reached"
}

func isTimeout(err error) bool {
	var slow interface{ Timeout() bool }
	return errors.As(err, &slow) && slow.Timeout()
}

// transport tells faults of the connection, or returns nil.
func (i *Issuer) transport(err error) *Fault {
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var name x509.HostnameError
	switch {
	case errors.As(err, &unknown):
		return i.fault(ForeignCA, "its certificate is signed by an authority that Fieldmark doesn't know. Set %s to a file with the authority's certificate", err, i.config.setting("caFile"))
	case errors.As(err, &invalid), errors.As(err, &name):
		return i.fault(ForeignCA, "its certificate isn't valid for %s. Check the certificate, %s, and the clocks", err, i.config.URL, i.config.setting("url"))
	case isTransport(err):
		return i.unreachable(err)
	}
	return nil
}

// isTransport tells an error without a response from one about a response.
func isTransport(err error) bool {
	var connection interface {
		Timeout() bool
		Temporary() bool
	}
	return errors.As(err, &connection) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}

func (i *Issuer) discoveryError(err error) *Fault {
	var other *oidc.IssuerMismatchError
	if errors.As(err, &other) {
		return i.fault(OtherIssuer, "the discovery document is that of %q, and %s is %q. They must be equal, also in the last slash", nil,
			short(other.Discovered), i.config.setting("url"), i.config.URL)
	}
	if f := i.transport(err); f != nil {
		return f
	}
	return i.fault(NotIssuer, "there is no discovery document at %s/.well-known/openid-configuration. Check %s", nil, i.config.URL, i.config.setting("url"))
}

// tokenError is why the token endpoint gave no token. Only the standard's error codes are read: descriptions may quote what was sent.
func (i *Issuer) tokenError(err error) *Fault {
	var refused *oauth2.RetrieveError
	if !errors.As(err, &refused) {
		if f := i.transport(err); f != nil {
			return f
		}
		return i.fault(NotIssuer, "its response has no token that can be read. Check %s", nil, i.config.setting("url"))
	}
	switch refused.ErrorCode {
	case "invalid_client", "unauthorized_client":
		return i.fault(WrongClient, "it refuses the client %q. Check %s and %s", nil, i.config.ClientID, i.config.setting("clientID"), i.config.setting("clientSecretFile"))
	case "invalid_grant", "invalid_request": // dex says the second of a refresh token that was revoked
		return i.fault(Ended, "the sign-in was used before, has ended, or began in another browser. Sign in again", nil)
	}
	if status := refused.Response; status != nil && (status.StatusCode >= http.StatusInternalServerError || status.StatusCode == http.StatusTooManyRequests) {
		return i.fault(Unreachable, "it responds with the status code %d. Try again", nil, status.StatusCode)
	}
	if status := refused.Response; status != nil && status.StatusCode == http.StatusUnauthorized {
		return i.fault(WrongClient, "it refuses the client %q. Check %s and %s", nil, i.config.ClientID, i.config.setting("clientID"), i.config.setting("clientSecretFile"))
	}
	return i.fault(WrongClient, "it refuses the request (%q). Check %s and %s", nil, short(refused.ErrorCode), i.config.setting("scopes"), i.config.setting("parameters"))
}

// short bounds text of the issuer in a message.
func short(text string) string {
	const most = 200
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}
