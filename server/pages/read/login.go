package read

import (
	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/identity"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web/read/clusters"
	"github.com/fieldmark/fieldmark/web/read/whoami"
)

// login says how the server knows the reader. It never has a part of a credential that gives access.
func (v making) login() whoami.Login {
	who := v.Site().WhoIs(v.Request())
	l := localLogin(v.Cluster().LoginInfo(), visit.Parts(v.Cluster()))
	if who.Person != nil {
		l = personLogin(*who.Person, v.Cluster().Slug())
	}
	if who.View.Cluster == v.Cluster().Slug() {
		l.Facts = append(l.Facts, components.Fact{Name: "impersonation", Text: who.View.As.User, Mono: true})
		l.Notes = append(l.Notes, "You view this cluster as somebody else. The API server knows you by the credential above, and impersonates this user because one of your rules allows it.")
	}
	return l
}

// wayWords say how Fieldmark knows somebody in the shared mode.
var wayWords = map[identity.Way]string{
	identity.OIDC:        "you signed in at an issuer, and Fieldmark sends the token that the issuer gave you",
	identity.Token:       "you pasted a token, and Fieldmark sends it",
	identity.Proxy:       "a trusted proxy sends your token with each request",
	identity.Impersonate: "you signed in at an issuer, and Fieldmark’s own account impersonates you",
}

func personLogin(p identity.Person, slug string) (l whoami.Login) {
	grant := p.Grants[slug]
	l.Facts = append(l.Facts, components.Fact{Name: "way in", Text: wayWords[p.Way]})
	if p.Issuer != "" {
		l.Facts = append(l.Facts, components.Fact{Name: "issuer", Text: p.Issuer, Mono: true})
	}
	if claims, ok := identity.ClaimsOf(grant.Token); ok {
		claims.Issuer = unless(claims.Issuer, p.Issuer)
		l.Facts = append(l.Facts, claimFacts(claims)...)
		l.Ends = claims.Expires
	}
	if !grant.Expires.IsZero() {
		l.Ends = grant.Expires.UTC()
	}
	return l
}

// unless is the text, or nothing if it is the same as another.
func unless(text, same string) string {
	if text == same {
		return ""
	}
	return text
}

func claimFacts(c identity.Claims) (facts []components.Fact) {
	if c.Issuer != "" {
		facts = append(facts, components.Fact{Name: "issuer of the token", Text: c.Issuer, Mono: true})
	}
	if c.Subject != "" {
		facts = append(facts, components.Fact{Name: "subject", Text: c.Subject, Mono: true})
	}
	for _, audience := range c.Audiences {
		facts = append(facts, components.Fact{Name: "audience", Text: audience, Mono: true})
	}
	return facts
}

// kindWords say what the kubeconfig has.
var kindWords = map[cluster.LoginKind]string{
	cluster.ByToken:        "a token in the kubeconfig",
	cluster.ByTokenFile:    "a token in a file",
	cluster.ByPassword:     "a user name and a password in the kubeconfig",
	cluster.ByPlugin:       "a credentials plugin",
	cluster.ByAuthProvider: "an auth provider of the kubeconfig",
	cluster.ByCertificate:  "a client certificate",
	cluster.ByNothing:      "no credential: the kubeconfig has none for this context",
}

func localLogin(info cluster.LoginInfo, from []clusters.Part) (l whoami.Login) {
	l.Facts = append(l.Facts, components.Fact{Name: "credential", Text: kindWords[info.Kind]})
	add := func(name, text string) {
		if text != "" {
			l.Facts = append(l.Facts, components.Fact{Name: name, Text: text, Mono: true})
		}
	}
	for _, p := range from {
		if p.Kind == "user" {
			add("kubeconfig", p.File)
			add("user in the kubeconfig", p.Name)
			if words := p.Words(); words != "" {
				l.Notes = append(l.Notes, words)
			}
		}
	}
	add("file", info.File)
	add("program", info.Program)
	if info.Claims != nil {
		l.Facts = append(l.Facts, claimFacts(*info.Claims)...)
	}
	add("subject of the certificate", info.Subject)
	add("issuer of the certificate", info.Issuer)
	add("impersonation", info.Impersonates)
	l.Ends = info.Ends
	switch {
	case info.Kind == cluster.ByPlugin || info.Kind == cluster.ByAuthProvider:
		l.Notes = append(l.Notes, "Fieldmark doesn’t see when this credential ends. The program renews it.")
	case info.Certificate && info.Kind != cluster.ByCertificate:
		l.Notes = append(l.Notes, "Fieldmark sends a client certificate as well. The API server decides which of the two counts.")
	}
	return l
}
