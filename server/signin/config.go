package signin

import (
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/server/issuer"
)

func (c *Config) setDefaults() {
	if c.Idle == 0 {
		c.Idle = 8 * time.Hour
	}
	if c.Expiry == 0 {
		c.Expiry = 24 * time.Hour
	}
	if c.MaxSessions == 0 {
		c.MaxSessions = 10000
	}
	if c.SessionEnded == nil {
		c.SessionEnded = func(string) {}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Random == nil {
		c.Random = rand.Reader
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
}

// check refuses settings with which nobody could sign in, or anybody could.
func (d *Door) check() error {
	if err := CheckPublic(d.Public); err != nil {
		return err
	}
	if d.Sealer == nil {
		return errors.New("--session-keys is missing")
	}
	for _, i := range d.Issuers {
		if d.issuers[i.Name()] != nil {
			return fmt.Errorf("issuers.%s: there are two issuers with this name", i.Name())
		}
		d.issuers[i.Name()] = i
	}
	if len(d.Clusters) == 0 {
		return errors.New("clusters: there is no cluster to sign in for")
	}
	for _, c := range d.Clusters {
		if err := d.checkCluster(c); err != nil {
			return err
		}
		d.clusters[c.Slug] = c
	}
	for _, group := range d.ImpersonateGroups {
		if strings.HasPrefix(group, reserved) {
			return fmt.Errorf("--impersonate-groups: %q is a group of Kubernetes itself, and is never impersonated", group)
		}
	}
	return d.Proxy.check()
}

func (d *Door) checkCluster(c Cluster) error {
	switch {
	case c.Slug == "":
		return errors.New("clusters: a cluster has no name")
	case d.clusters[c.Slug].Slug != "":
		return fmt.Errorf("clusters.%s: there are two clusters with this name", c.Slug)
	case c.Issuer != "" && d.issuers[c.Issuer] == nil:
		return fmt.Errorf("clusters.%s.issuer: there is no issuer %q", c.Slug, c.Issuer)
	case c.Issuer == "" && !d.AllowToken && !c.Proxy:
		return fmt.Errorf("clusters.%s: nobody can sign in for this cluster. Set clusters.%s.issuer, or allow tokens", c.Slug, c.Slug)
	case c.Impersonate && c.Issuer == "":
		return fmt.Errorf("clusters.%s.impersonate needs clusters.%s.issuer, which says who somebody is", c.Slug, c.Slug)
	case c.Impersonate && len(d.ImpersonateGroups) == 0:
		return fmt.Errorf("clusters.%s.impersonate needs --impersonate-groups: the groups whose members may use this way", c.Slug)
	case c.Proxy && len(d.Proxy.From) == 0:
		return fmt.Errorf("clusters.%s.proxy needs --trusted-proxies", c.Slug)
	case (c.Proxy || d.AllowToken) && d.Review == nil:
		return fmt.Errorf("clusters.%s: tokens can't be reviewed", c.Slug)
	}
	return nil
}

// plainHost is a host as browsers write it in a Host header.
var plainHost = regexp.MustCompile(`^([-A-Za-z0-9.]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?$`)

// CheckPublic refuses an address that isn't one of a shared Fieldmark. The error is one line that names the setting.
func CheckPublic(u *url.URL) error {
	switch {
	case u == nil || *u == url.URL{}:
		return errors.New("--public-url is missing: it is the address at which browsers open Fieldmark, such as https://fieldmark.example.com")
	case u.Scheme != "https" && (u.Scheme != "http" || !issuer.Loopback(u.Hostname())):
		return fmt.Errorf("--public-url: %q must begin with https://. Only an address on loopback may use http", u)
	case !plainHost.MatchString(u.Host) || !isPort(u.Port()):
		return fmt.Errorf("--public-url: %q must have a host as browsers send it, such as fieldmark.example.com or fieldmark.example.com:8443", u)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("--public-url: %q must have only a host and a path", u)
	}
	return nil
}

// isPort tells whether a text is the number of a port, or empty.
func isPort(text string) bool {
	n, err := strconv.ParseUint(text, 10, 16)
	return text == "" || err == nil && n > 0
}

// Callback is the address that an issuer leads back to, for issuer.Config.Redirect. The issuer must know it.
func Callback(public *url.URL) string { return public.JoinPath(CallbackPath).String() }
