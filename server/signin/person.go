package signin

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/identity"
)

// asSession is the session for a request to a cluster; slug is empty for requests to none.
func (d *Door) asSession(s *session, slug string) guard.Session {
	p := d.person(s, slug)
	missing := d.noGroups(s, slug)
	return guard.Session{
		ID: s.ID, Kind: guard.Cookie, Person: p, ReadOnly: d.readOnly(p.Groups, missing), NoWorkloads: d.noWorkloads(p.Groups, missing),
		Ends: time.UnixMilli(s.Opened).Add(d.Expiry),
	}
}

// person is who it is for one cluster. Different issuers may have different names for one person, but the key stays the same.
func (d *Door) person(s *session, slug string) *identity.Person {
	p := &identity.Person{Key: d.key(s), Grants: d.grants(s)}
	if _, ok := s.Logins[s.FirstLogin]; !ok {
		p.Subject = subjectOf(s.Pasted[s.FirstPasted].Token)
	}
	p.Name, p.Groups, p.Way, p.Issuer = d.called(s, slug)
	return p
}

// called is the person's name and groups for a cluster. Without a sign-in for this cluster, they are those of the first sign-in.
func (d *Door) called(s *session, slug string) (name string, groups []string, way identity.Way, url string) {
	c := d.clusters[slug]
	if t, ok := d.pastedFor(s, c.Slug); ok {
		return t.Name, t.Groups, identity.Token, ""
	}
	if t, ok := s.Logins[c.Issuer]; ok {
		way = identity.OIDC
		if c.Impersonate {
			way = identity.Impersonate
		}
		return t.Name, t.Groups, way, d.urlOf(c.Issuer)
	}
	if t, ok := s.Logins[s.FirstLogin]; ok {
		return t.Name, t.Groups, identity.OIDC, d.urlOf(s.FirstLogin)
	}
	t := s.Pasted[s.FirstPasted]
	return t.Name, t.Groups, identity.Token, ""
}

func (d *Door) urlOf(name string) string {
	if i := d.issuers[name]; i != nil {
		return i.URL()
	}
	return ""
}

// key is the key of the person of the first sign-in.
func (d *Door) key(s *session) string {
	if t, ok := s.Logins[s.FirstLogin]; ok {
		return identity.KeyOf(d.urlOf(s.FirstLogin), t.Subject)
	}
	return clusterKey(s.FirstPasted, s.Pasted[s.FirstPasted].Name)
}

// clusterKey is the key of a person whose name an API server said.
func clusterKey(slug, name string) string { return identity.KeyOf("cluster "+slug, name) }

// grants are the credentials for each cluster that are good now.
func (d *Door) grants(s *session) map[string]identity.Grant {
	all := map[string]identity.Grant{}
	for _, c := range d.Clusters {
		if g, why := d.grant(s, c); why == "" {
			all[c.Slug] = g
		}
	}
	return all
}

// grant is the credential for a cluster, or why there is none, in whole sentences.
func (d *Door) grant(s *session, c Cluster) (g identity.Grant, why string) {
	now := d.Now()
	if t, ok := d.pastedFor(s, c.Slug); ok {
		return identity.Grant{Token: t.Token, Expires: t.Expires}, ""
	}
	t, ok := s.Logins[c.Issuer]
	switch {
	case !ok:
		return g, "You are not signed in for this cluster."
	case !now.Before(t.Expires):
		return g, "Your sign-in for this cluster has expired."
	case c.Impersonate:
		return d.as(c, t)
	case c.Audience != "" && !slices.Contains(t.Audience, c.Audience):
		return g, fmt.Sprintf("The token of %s is for %s, and the API server requires %q. Check clusters.%s.audience, issuers.%s.clientID and issuers.%s.scopes.",
			d.issuers[c.Issuer].Title(), quoted(t.Audience), c.Audience, c.Slug, c.Issuer, c.Issuer)
	}
	return identity.Grant{Token: t.Token, Expires: t.Expires}, ""
}

// pastedFor is the token that was pasted for a cluster, if it hasn't expired.
func (d *Door) pastedFor(s *session, slug string) (pasted, bool) {
	t, ok := s.Pasted[slug]
	return t, ok && (t.Expires.IsZero() || d.Now().Before(t.Expires))
}

func quoted(texts []string) string {
	if len(texts) == 0 {
		return "nobody"
	}
	return `"` + strings.Join(texts, `", "`) + `"`
}

// valid tells whether the session can still send something to some cluster, or has a token that isn't for any of them.
func (d *Door) valid(s *session) bool {
	now := d.Now()
	for _, t := range s.Logins {
		if now.Before(t.Expires) {
			return true
		}
	}
	for slug := range s.Pasted {
		if _, ok := d.pastedFor(s, slug); ok {
			return true
		}
	}
	return false
}

// readOnly says why somebody with these groups only reads; empty: they may write. missing tells that the issuer sends no groups.
func (d *Door) readOnly(groups []string, missing string) string {
	return onlyFor(d.WriteGroups, groups, "Only members of %s may write here (--write-groups).", missing)
}

// noWorkloads says why somebody with these groups may not connect to workloads; empty: they may.
func (d *Door) noWorkloads(groups []string, missing string) string {
	return onlyFor(d.WorkloadGroups, groups, "Only members of %s may connect to workloads here (--workload-groups).", missing)
}

// onlyFor says why somebody with these groups may not do what is only for others; empty: they may. No named groups are everybody.
func onlyFor(named, groups []string, words, missing string) string {
	if len(named) == 0 || anyOf(groups, named) {
		return ""
	}
	words = fmt.Sprintf(words, quoted(named))
	if missing != "" {
		words += " " + missing
	}
	return words
}

// noGroups says that the issuer sends no groups, with the setting to check; empty: it sends them.
func (d *Door) noGroups(s *session, slug string) string {
	if _, ok := d.pastedFor(s, slug); ok {
		return ""
	}
	name := d.clusters[slug].Issuer
	t, ok := s.Logins[name]
	if !ok {
		name = s.FirstLogin
		t, ok = s.Logins[name]
	}
	if !ok || !t.NoGroups {
		return ""
	}
	return d.groupsMissing(name)
}

func (d *Door) groupsMissing(name string) string {
	return fmt.Sprintf("The tokens of %s have no claim with groups. Check issuers.%s.groupsClaim and issuers.%s.scopes.", d.issuers[name].Title(), name, name)
}

func anyOf(have, wanted []string) bool {
	return slices.ContainsFunc(have, func(g string) bool { return slices.Contains(wanted, g) })
}
