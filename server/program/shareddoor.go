package program

import (
	"cmp"
	"context"
	"crypto/x509"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/issuer"
	"github.com/fieldmark/fieldmark/server/people"
	"github.com/fieldmark/fieldmark/server/private"
	"github.com/fieldmark/fieldmark/server/seal"
	"github.com/fieldmark/fieldmark/server/settings"
	"github.com/fieldmark/fieldmark/server/signin"
)

// sites are the clusters of the settings. Errors are one line.
func sites(s *settings.Settings, env func(string) string) (all []*cluster.Site, err error) {
	if s.ClustersFile != "" {
		if all, err = cluster.ReadSites(s.ClustersFile); err != nil {
			return nil, fmt.Errorf("--clusters: %w", err)
		}
	}
	if s.InCluster != nil {
		here, err := cluster.InCluster(cmp.Or(s.InCluster.Name, "in-cluster"), s.InCluster.CAFile, env)
		if err != nil {
			return nil, err
		}
		all = append(all, here)
	}
	known := map[string]bool{}
	for _, site := range all {
		if known[site.Slug()] {
			return nil, fmt.Errorf("there are two clusters with the name %q", site.Slug())
		}
		known[site.Slug()] = true
	}
	for _, name := range slices.Sorted(maps.Keys(s.Clusters)) {
		if !known[name] {
			return nil, fmt.Errorf("clusters.%s: there is no cluster %q in --clusters or --in-cluster", name, name)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("there are no clusters: name them with --clusters or --in-cluster")
	}
	return all, nil
}

// accounts are Fieldmark's own accounts, at the clusters where it impersonates.
func (a *app) accounts(s *settings.Settings) (map[string]*people.Account, error) {
	all := map[string]*people.Account{}
	for name, c := range s.Clusters {
		if c.Impersonate == nil {
			continue
		}
		account, err := people.NewAccount(c.Impersonate.TokenFile, nil, a.log)
		if err != nil {
			return nil, fmt.Errorf("clusters.%s.impersonate.tokenFile: %w", name, err)
		}
		all[name] = account
	}
	return all, nil
}

// plainPath is a path that browsers, proxies and documents write in one way.
var plainPath = regexp.MustCompile(`^[-A-Za-z0-9._~/]*$`)

// publicURL reads the address at which browsers reach Fieldmark. The result has the host as browsers send it, without the usual port, and no
// slash at the end of its path.
func publicURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("--public-url: %q is not a URL", text)
	}
	if err := signin.CheckPublic(u); err != nil {
		return nil, err
	}
	given := u.Path
	u.Path = strings.TrimRight(given, "/")
	if !plainPath.MatchString(given) || u.RawPath != "" || u.Path != strings.TrimRight(path.Clean("/"+given), "/") {
		return nil, fmt.Errorf("--public-url: the path of %q must be plain, such as /fieldmark", text)
	}
	u.Host = strings.ToLower(u.Host)
	if port := u.Port(); port == map[string]string{"https": "443", "http": "80"}[u.Scheme] {
		u.Host = strings.TrimSuffix(u.Host, ":"+port)
	}
	return u, nil
}

// door makes the door of the shared mode. Errors are one line that names the setting.
func (a *app) door(s *settings.Settings, public *url.URL, all []*cluster.Site) (*signin.Door, error) {
	sealer, err := seal.Load(seal.Options{}, "--session-keys", s.SessionKeys...)
	if err != nil {
		return nil, err
	}
	c := signin.Config{
		Public: public, Sealer: sealer, AllowToken: s.AllowTokens, Review: reviewer(all), WriteGroups: s.WriteGroups, WorkloadGroups: s.WorkloadGroups,
		ImpersonateGroups: s.ImpersonateGroups, Idle: time.Duration(s.Sessions.Idle), Expiry: time.Duration(s.Sessions.Expiry),
		MaxSessions: s.Sessions.Max, SessionEnded: a.sessionEnded, Log: a.log,
	}
	if c.Proxy, err = trusted(s.TrustedProxies); err != nil {
		return nil, err
	}
	for _, site := range all {
		c.Clusters = append(c.Clusters, entrance(s, site))
	}
	if c.Issuers, err = issuers(s, public, a.config.Shared.issuerFlags()); err != nil {
		return nil, err
	}
	return signin.New(c)
}

// trusted are the trusted proxies.
func trusted(s settings.TrustedProxies) (p signin.Proxy, err error) {
	for _, prefix := range s.From {
		p.From = append(p.From, prefix.Prefix)
	}
	p.Names = s.Names
	if s.CAFile != "" {
		p.Certificate = func(r *http.Request) *x509.Certificate { return guard.ClientCertificate(r.Context()) }
	}
	if s.SecretFile != "" {
		secret, err := private.Read("--proxy-secret-file", s.SecretFile)
		if err != nil {
			return p, err
		}
		p.Secret = string(secret)
	}
	return p, nil
}

// entrance says how people sign in for a cluster.
func entrance(s *settings.Settings, site *cluster.Site) signin.Cluster {
	more := s.Clusters[site.Slug()]
	return signin.Cluster{
		Slug: site.Slug(), Title: cmp.Or(more.Title, site.Name()), Issuer: s.IssuerOf(site.Slug()), Audience: more.Audience,
		Impersonate: more.Impersonate != nil, Mark: site.Mark(), Proxy: more.Proxy || len(s.TrustedProxies.From) > 0 && len(s.Clusters) == 0,
	}
}

func issuers(s *settings.Settings, public *url.URL, flags map[string]string) (all []*issuer.Issuer, err error) {
	redirect := signin.Callback(public)
	for _, name := range slices.Sorted(maps.Keys(s.Issuers)) {
		i := s.Issuers[name]
		made, err := issuer.New(issuer.Config{
			Name: name, Title: i.Title, URL: i.URL, ClientID: i.ClientID, SecretFile: i.ClientSecretFile, CAFile: i.CAFile,
			Scopes: i.Scopes, Parameters: i.Parameters, UserClaim: i.UserClaim, GroupsClaim: i.GroupsClaim,
			UserPrefix: i.UserPrefix, GroupsPrefix: i.GroupsPrefix, Send: issuer.Send(i.Send), Flags: flags, Redirect: redirect,
		})
		if err != nil {
			return nil, err
		}
		all = append(all, made)
	}
	return all, nil
}

// reviewer asks the API servers whose a token is.
func reviewer(all []*cluster.Site) signin.Review {
	return func(ctx context.Context, slug, token string) (string, []string, error) {
		i := slices.IndexFunc(all, func(s *cluster.Site) bool { return s.Slug() == slug })
		if i < 0 {
			return "", nil, fmt.Errorf("there is no cluster %q", slug)
		}
		user, groups, err := all[i].WhoIs(ctx, token)
		if api.Code(err) == http.StatusUnauthorized {
			err = signin.ErrWrongToken
		}
		return user, groups, err
	}
}
