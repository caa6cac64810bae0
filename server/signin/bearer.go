package signin

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"

	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/identity"
)

// byBearer finds the sender of a request with a token of their own, such as kubectl. The token goes to the cluster in the path, and to no other.
func (d *Door) byBearer(r *http.Request, values []string) (guard.Session, guard.Refusal) {
	token, ok := bearer(values)
	if !ok {
		return guard.Session{}, refuse(http.StatusUnauthorized, "The Authorization header must have one Bearer token.")
	}
	slug := slugOf(r.URL.Path)
	if _, known := d.clusters[slug]; !known || d.Review == nil {
		return guard.Session{}, refuse(http.StatusUnauthorized, "A Bearer token is only for the paths of a cluster, /clusters/{cluster}/…")
	}
	whose, no := d.reviewed(r, slug, token)
	if no.Code != 0 {
		return guard.Session{}, no
	}
	sum := sha256.Sum256([]byte("bearer " + slug + " " + token))
	s := guard.Session{ID: "client-" + hex.EncodeToString(sum[:8]), Kind: guard.Bearer}
	s.ReadOnly, s.NoWorkloads = d.readOnly(whose.groups, ""), d.noWorkloads(whose.groups, "")
	s.Person = &identity.Person{
		Key: clusterKey(slug, whose.name), Subject: subjectOf(token), Name: whose.name, Groups: whose.groups, Way: identity.Token,
		Grants: map[string]identity.Grant{slug: {Token: token, Expires: expiryOf(token)}},
	}
	return s, guard.Refusal{}
}

// bearer is the token of Authorization headers, of which there must be one.
func bearer(values []string) (token string, ok bool) {
	if len(values) != 1 {
		return "", false
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	token = strings.TrimSpace(token)
	return token, strings.EqualFold(scheme, "Bearer") && token != ""
}
