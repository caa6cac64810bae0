// Package identity is who sends a request, as far as the other packages need to know it: a name, groups, and a credential for each
// cluster. Only the packages of the shared mode make one. Handlers get it from the guard.
package identity

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"
)

// Way is how Fieldmark knows who somebody is.
type Way string

// The ways in.
const (
	OIDC        Way = "oidc"        // an issuer says it, with an id_token
	Token       Way = "token"       // an API server said it of a pasted token
	Proxy       Way = "proxy"       // a trusted proxy sends the person's token
	Impersonate Way = "impersonate" // an issuer says it, and Fieldmark's own account impersonates the person
)

// Person is the sender of a request. A nil Person is the one of local mode: whoever has the launch token, with the credentials of the
// kubeconfig.
type Person struct {
	// Key is the same for one person on all replicas, and differs between persons. It is a digest, so it is safe for logs and metrics.
	Key string
	// Subject is the key of the person whom the token names: of a subject at an issuer, whichever API server or proxy took the token. Empty: the
	// token names none. Quotas count by it (Account), and nothing else does.
	Subject string
	// Name and Groups are for people to read. The API server decides by the credential, not by them.
	Name   string
	Groups []string
	Way    Way
	// Issuer is the URL of the issuer that said who it is; empty for Token.
	Issuer string
	// Grants are the credentials, by the slug of the cluster. A cluster without one asks the person to sign in for it.
	Grants map[string]Grant
}

// Account is the key by which quotas count what a person uses. It is the same for their browser, their kubectl and a proxy in front of
// Fieldmark, if the tokens are of one issuer.
func (p *Person) Account() string { return cmp.Or(p.Subject, p.Key) }

// Grant is what a person may send to one cluster.
type Grant struct {
	// Token is the bearer token. It is empty if As is set: then Fieldmark's own account sends the request.
	Token string
	// As is set for the way Impersonate only.
	As Impersonation
	// Expires is when the token ends; zero: it isn't known.
	Expires time.Time
}

// Impersonation is whom a request is made as.
type Impersonation struct {
	User   string
	Groups []string
}

// Nobody tells whether nobody is impersonated.
func (i Impersonation) Nobody() bool { return i.User == "" }

// Digest differs between two impersonations, whatever their order of groups. It is empty for nobody.
func (i Impersonation) Digest() string {
	if i.Nobody() {
		return ""
	}
	groups := slices.Sorted(slices.Values(i.Groups))
	return digest(append([]string{i.User}, groups...)...)
}

// KeyOf is the key of a person: of a subject at an issuer, or of a name at a cluster.
func KeyOf(issuer, subject string) string { return digest(issuer, subject) }

func digest(parts ...string) string {
	var all strings.Builder
	for _, part := range parts {
		one := sha256.Sum256([]byte(part)) // of each part, so that no two lists have the same text
		all.Write(one[:])
	}
	sum := sha256.Sum256([]byte(all.String()))
	return hex.EncodeToString(sum[:8])
}

type sessionKey struct{}

// WithSession returns a context of a session: of a request, or of what runs on behalf of the session after its request has ended, such
// as a watch.
func WithSession(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, sessionKey{}, id)
}

// SessionOf is the id of the context's session; empty if it has none.
func SessionOf(ctx context.Context) string {
	id, _ := ctx.Value(sessionKey{}).(string)
	return id
}
