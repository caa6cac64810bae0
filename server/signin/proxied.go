package signin

import (
	"context"
	"net/http"
	"time"

	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/identity"
)

// byProxy finds the person whose token the proxy sends. The token is used at a cluster only after this cluster's own API server has said whose
// it is. The first cluster that knows the token gives the person's key.
//
// To browsers, the proxy's sign-in is like a cookie: pages of other sites can use it. So these sessions have to prove the origin of what they
// change.
func (d *Door) byProxy(r *http.Request, token string) (guard.Session, guard.Refusal) {
	slugs := d.proxiedClusters()
	if len(slugs) == 0 {
		return guard.Session{}, refuse(http.StatusUnauthorized, "No cluster accepts the proxy's token. Set clusters.NAME.proxy.")
	}
	here := slugOf(r.URL.Path)
	all := d.reviewedAll(r, slugs, here, token)
	first, no := firstKnown(slugs, all)
	if asked, proxied := all[here]; proxied && asked.no.Code != 0 {
		no = asked.no
	}
	if no.Code != 0 {
		return guard.Session{}, no
	}
	whose := all[first]
	p := &identity.Person{
		Key: clusterKey(first, whose.name), Subject: subjectOf(token), Name: whose.name, Groups: whose.groups, Way: identity.Proxy, Grants: map[string]identity.Grant{},
	}
	id := "proxied-" + rightsOf(p)
	for slug, v := range all {
		if v.no.Code == 0 {
			p.Grants[slug] = identity.Grant{Token: token, Expires: expiryOf(token)}
		}
	}
	if v, proxied := all[here]; proxied { // API servers may have other names for one person
		p.Name, p.Groups = v.name, v.groups
	}
	s := guard.Session{ID: id, Kind: guard.Cookie, Person: p, ReadOnly: d.readOnly(p.Groups, ""), NoWorkloads: d.noWorkloads(p.Groups, "")}
	return s, guard.Refusal{}
}

// rightsOf differs between two people, and between two lists of groups of one. A person can have tokens with more rights than others: the
// requests of one browser are never sent with the token of another that has other rights.
func rightsOf(p *identity.Person) string {
	return identity.Impersonation{User: p.Key, Groups: p.Groups}.Digest()
}

// proxiedClusters are the clusters that get the proxy's tokens.
func (d *Door) proxiedClusters() (slugs []string) {
	for _, c := range d.Clusters {
		if c.Proxy {
			slugs = append(slugs, c.Slug)
		}
	}
	return slugs
}

// firstKnown is the first cluster that knows the token, or why none does. A cluster that can't be reached is the better reason: it may know
// the token.
func firstKnown(slugs []string, all map[string]verdict) (first string, no guard.Refusal) {
	for _, slug := range slugs {
		v := all[slug]
		if v.no.Code == 0 {
			return slug, guard.Refusal{}
		}
		if v.no.Code == http.StatusBadGateway || no.Code == 0 {
			no = v.no
		}
	}
	return "", no
}

// otherClusters is how long a request waits for the word of clusters that it isn't about.
const otherClusters = 2 * time.Second

// reviewedAll asks several clusters whose a token is, at the same time. The cluster here is the one that the request is about. Another one that
// hangs delays nobody for long: its question goes on, and until there is an answer the token isn't used there.
func (d *Door) reviewedAll(r *http.Request, slugs []string, here, token string) map[string]verdict {
	all, open := map[string]verdict{}, map[string]*question{}
	for _, slug := range slugs {
		v, counts, _ := d.reviews.lastVerdict(reviewKey(slug, token))
		switch {
		case counts:
			all[slug] = v
		case slug != here && d.reviews.isLost(slug):
			all[slug] = unsaid()
		default:
			open[slug] = d.question(r, slug, token)
		}
	}
	late, cancel := context.WithTimeout(r.Context(), otherClusters)
	defer cancel()
	for slug, q := range open {
		if slug == here {
			all[slug] = q.wait(r.Context())
		} else {
			all[slug] = q.wait(late)
		}
	}
	return all
}

// question is a review that runs.
type question struct {
	ended chan struct{}
	said  verdict
}

// question begins a review.
func (d *Door) question(r *http.Request, slug, token string) *question {
	q := &question{ended: make(chan struct{})}
	go func() {
		defer close(q.ended)
		q.said, q.said.no = d.reviewed(r, slug, token)
	}()
	return q
}

// wait is what the API server says before ctx ends.
func (q *question) wait(ctx context.Context) verdict {
	select {
	case <-q.ended:
	case <-ctx.Done():
	}
	select { // the answer may be there as well: another question took all the time
	case <-q.ended:
		return q.said
	default:
		return unsaid()
	}
}

// unsaid is the verdict of an API server that hasn't responded.
func unsaid() verdict {
	return verdict{no: refuse(http.StatusBadGateway, "The API server of this cluster can't say whose token this is. Try again.")}
}
