package people

import (
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/identity"
)

// memory is what is remembered of one session.
type memory struct {
	id, person, account string
	people              *People
	registry            *cluster.Registry
	used                time.Time // guarded by People
	open                int       // requests that last; guarded by People

	mu     sync.Mutex
	grants map[string]identity.Grant
}

func newMemory(p *People, id, person string) *memory {
	s := &memory{id: id, person: person, people: p, registry: cluster.New(p.opt.Cluster)}
	for _, site := range p.opt.Sites {
		slug := site.Slug()
		s.registry.Visit(site, func() (cluster.Credential, error) { return s.credential(slug) })
	}
	return s
}

// keepGrants keeps the newest grant of each cluster. Requests may arrive in another order than they were sent, with an older cookie: a grant
// never replaces one that ends later. A proxy keeps cookies of its own, and decides itself which token is the newest.
func (s *memory) keepGrants(grants map[string]identity.Grant, way identity.Way) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var kept map[string]identity.Grant
	for slug, grant := range grants {
		old, has := s.grants[slug]
		if has && way != identity.Proxy && !grant.Expires.IsZero() && old.Expires.After(grant.Expires) {
			continue
		}
		if kept == nil {
			kept = maps.Clone(s.grants)
		}
		if kept == nil {
			kept = map[string]identity.Grant{}
		}
		kept[slug] = grant
	}
	if kept != nil {
		s.grants = kept
	}
}

// credential is what may be sent to a cluster now. Errors are *cluster.Problem.
func (s *memory) credential(slug string) (cluster.Credential, error) {
	s.mu.Lock()
	grant, has := s.grants[slug]
	s.mu.Unlock()
	switch {
	case !has || grant.Token == "" && grant.As.Nobody():
		return cluster.Credential{}, cluster.SignInMissing()
	case !grant.Expires.IsZero() && !s.people.opt.Now().Before(grant.Expires):
		return cluster.Credential{}, cluster.SignInEnded()
	case grant.As.Nobody():
		return cluster.Credential{Token: grant.Token}, nil
	}
	return s.people.impersonate(slug, grant.As)
}

// systemPrefix begins the names that Kubernetes keeps for itself, such as system:masters, whose members may do everything.
const systemPrefix = "system:"

// impersonate lets Fieldmark's own account act as a person. Names of the system are refused, whoever vouches for them
// (threat: borrowed credentials).
func (p *People) impersonate(slug string, as identity.Impersonation) (cluster.Credential, error) {
	for _, name := range append([]string{as.User}, as.Groups...) {
		if strings.HasPrefix(name, systemPrefix) || identity.UnfitName(name) != "" {
			return cluster.Credential{}, &cluster.Problem{
				Text:   "your sign-in has a name or a group that begins with system:, or with a space, which Fieldmark never impersonates",
				Advice: "Ask the people who run the issuer to rename it.",
			}
		}
	}
	account := p.opt.Accounts[slug]
	if account == nil {
		return cluster.Credential{}, &cluster.Problem{
			Text: "Fieldmark has no account of its own at this cluster", Advice: "Ask the people who run Fieldmark to set impersonation for this cluster.",
		}
	}
	token, err := account.Token()
	if err != nil {
		return cluster.Credential{}, &cluster.Problem{
			Text: "Fieldmark can't read the token of its own account", Advice: "Ask the people who run Fieldmark. Its log has the details.",
		}
	}
	return cluster.Credential{Token: token, As: as}, nil
}
