package program

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/server/settings"
)

// SharedConfig is what can be chosen for the shared mode by flags.
type SharedConfig struct {
	On       bool   // the shared mode, and not local mode
	File     string // --shared-config; flags override it
	Public   string
	Keys     string // one or two files
	Clusters string // a kubeconfig without credentials
	Here     bool   // the cluster that Fieldmark runs in

	Issuer, ClientID, SecretFile, CAFile string // the only issuer
	AllowTokens                          bool
	Proxies, ProxySecret                 string
	ProxyCA, ProxyNames                  string
	WriteGroups, ImpersonateGroups       string
	WorkloadGroups                       string
	ShareWatches                         bool
	ShareGroups                          string

	Monitor         string // address of health and metrics; empty: none
	TLSCert, TLSKey string
	Drain           time.Duration
}

// onlyLocal are the flags that make no sense in the shared mode, each with the reason.
var onlyLocal = map[string]string{
	"kubeconfig":        "name the clusters with --clusters: a kubeconfig without credentials",
	"kubeconfig-out":    "clients such as kubectl send the person's own token as a Bearer token",
	"token":             "everybody would be the same person",
	"allow-other-users": "people sign in, wherever they connect from",
	"practice":          "its credentials would be everybody's",
	"practice-version":  "its credentials would be everybody's",
	"practice-dir":      "its credentials would be everybody's",
	"practice-build":    "its credentials would be everybody's",
}

// flags adds the flags of the shared mode.
func (s *SharedConfig) flags(f *flag.FlagSet) {
	f.BoolVar(&s.On, "shared", false, "the shared mode: many people, who sign in and use their own credentials. All flags below need it")
	f.StringVar(&s.File, "shared-config", "", "YAML `file` with the settings of the shared mode. Flags override it")
	f.StringVar(&s.Public, "public-url", "", "`address` at which browsers reach Fieldmark, such as https://fieldmark.example.com")
	f.StringVar(&s.Keys, "session-keys", "", "`file` with a key of at least 32 random bytes that seals cookies. After a comma, the file with the key before it")
	f.StringVar(&s.Clusters, "clusters", "", "`file` with the clusters: a kubeconfig without credentials")
	f.BoolVar(&s.Here, "in-cluster", false, "add the cluster that Fieldmark runs in. The token of the pod is never used")
	f.StringVar(&s.Issuer, "issuer", "", "`URL` of the OpenID Connect issuer at which people sign in")
	f.StringVar(&s.ClientID, "client-id", "", "Fieldmark's `name` at the issuer")
	f.StringVar(&s.SecretFile, "client-secret-file", "", "`file` with the client's secret")
	f.StringVar(&s.CAFile, "issuer-ca", "", "`file` with the certificate authority of the issuer. If not set: those of the system")
	f.BoolVar(&s.AllowTokens, "allow-tokens", false, "let people sign in with a token of their own, such as from kubectl create token")
	f.StringVar(&s.Proxies, "trusted-proxies", "", "`addresses` of proxies that send the person's token, separated by commas")
	f.StringVar(&s.ProxySecret, "proxy-secret-file", "", "`file` with the secret that trusted proxies send")
	f.StringVar(&s.ProxyCA, "proxy-ca", "", "`file` with the certificate authority of trusted proxies. Their connections need a certificate of it (mutual TLS)")
	f.StringVar(&s.ProxyNames, "proxy-names", "", "`names` that the certificates of trusted proxies may have, separated by commas")
	f.StringVar(&s.WriteGroups, "write-groups", "", "`groups` whose members may write, separated by commas. If not set: everybody may")
	f.StringVar(&s.WorkloadGroups, "workload-groups", "", "`groups` whose members may connect to workloads (exec, attach, port-forward, proxy), separated by commas. If not set: everybody may")
	f.BoolVar(&s.ShareWatches, "share-watches", false, "let people who follow the same collection share a watch, if each of them may make it")
	f.StringVar(&s.ShareGroups, "share-groups", "", "API `groups` of custom resources whose watches are shared too, separated by commas")
	f.StringVar(&s.ImpersonateGroups, "impersonate-groups", "", "`groups` whose members Fieldmark's own account may impersonate, separated by commas. The file names the clusters")
	f.StringVar(&s.Monitor, "metrics-listen", "", "`address` for /healthz, /readyz and /metrics. If not set: no metrics")
	f.StringVar(&s.TLSCert, "tls-cert", "", "`file` with the certificate for TLS. If not set: plain HTTP, behind an ingress that ends TLS")
	f.StringVar(&s.TLSKey, "tls-key", "", "`file` with the certificate's key")
	f.DurationVar(&s.Drain, "drain", 5*time.Second, "`time` between a signal to stop and the end of the open pages, so that an ingress can notice")
}

// names are the flags of the shared mode.
func (s *SharedConfig) names() []string {
	f := flag.NewFlagSet("", flag.ContinueOnError)
	new(SharedConfig).flags(f)
	var names []string
	f.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	return names
}

// checkMode refuses flags of the other mode. given are the flags of the command line.
func (c Config) checkMode(given []string) error {
	if !c.Shared.On {
		for _, name := range given {
			if slices.Contains(c.Shared.names(), name) {
				return fmt.Errorf("--%s needs --shared", name)
			}
		}
		return nil
	}
	for _, name := range given {
		if why := onlyLocal[name]; why != "" {
			return fmt.Errorf("--%s can't be used with --shared: %s", name, why)
		}
	}
	switch {
	case c.Token != "":
		return fmt.Errorf("$FIELDMARK_TOKEN can't be used with --shared: %s", onlyLocal["token"])
	case (c.Shared.TLSCert == "") != (c.Shared.TLSKey == ""):
		return errors.New("--tls-cert and --tls-key need each other")
	case c.Shared.Drain < 0:
		return errors.New("--drain can't be negative")
	}
	return nil
}

// onlyIssuer is the name of the issuer of the flags.
const onlyIssuer = "default"

// issuerFlags are the names of the fields of an issuer that was set by flags; nil: it wasn't.
func (s *SharedConfig) issuerFlags() map[string]string {
	if s.Issuer == "" {
		return nil
	}
	return map[string]string{"url": "--issuer", "clientID": "--client-id", "clientSecretFile": "--client-secret-file", "caFile": "--issuer-ca"}
}

// settings are those of the file, changed by the flags. Errors are one line.
func (s *SharedConfig) settings() (*settings.Settings, error) {
	all := &settings.Settings{}
	if s.File != "" {
		var err error
		if all, err = settings.Read(s.File); err != nil {
			return nil, err
		}
	}
	all.PublicURL = cmp.Or(s.Public, all.PublicURL)
	all.ClustersFile = cmp.Or(s.Clusters, all.ClustersFile)
	all.AllowTokens = all.AllowTokens || s.AllowTokens
	if s.Keys != "" {
		if all.SessionKeys = commas(s.Keys); len(all.SessionKeys) > settings.MaxKeys {
			return nil, fmt.Errorf("--session-keys: at most %d files are possible, the new key first", settings.MaxKeys)
		}
	}
	if s.Here && all.InCluster == nil {
		all.InCluster = &settings.InCluster{}
	}
	if s.WriteGroups != "" {
		all.WriteGroups = commas(s.WriteGroups)
	}
	if s.WorkloadGroups != "" {
		all.WorkloadGroups = commas(s.WorkloadGroups)
	}
	if s.ImpersonateGroups != "" {
		all.ImpersonateGroups = commas(s.ImpersonateGroups)
	}
	if err := s.sharing(all); err != nil {
		return nil, err
	}
	if err := s.issuer(all); err != nil {
		return nil, err
	}
	return all, s.proxies(all)
}

// sharing adds which watches people share.
func (s *SharedConfig) sharing(all *settings.Settings) error {
	all.ShareWatches = all.ShareWatches || s.ShareWatches
	if s.ShareGroups != "" {
		all.ShareGroups = commas(s.ShareGroups)
	}
	if len(all.ShareGroups) > 0 && !all.ShareWatches {
		return errors.New("--share-groups needs --share-watches")
	}
	return nil
}

// issuer adds the issuer of the flags.
func (s *SharedConfig) issuer(all *settings.Settings) error {
	flags := settings.Issuer{URL: s.Issuer, ClientID: s.ClientID, ClientSecretFile: s.SecretFile, CAFile: s.CAFile}
	switch {
	case flags.URL == "" && (flags.ClientID != "" || flags.ClientSecretFile != "" || flags.CAFile != ""):
		return errors.New("--client-id, --client-secret-file and --issuer-ca need --issuer")
	case flags.URL == "":
		return nil
	case len(all.Issuers) > 0:
		return errors.New("--issuer can't be used with a file that has issuers; add it there")
	}
	all.Issuers = map[string]settings.Issuer{onlyIssuer: flags}
	return nil
}

func (s *SharedConfig) proxies(all *settings.Settings) error {
	all.TrustedProxies.SecretFile = cmp.Or(s.ProxySecret, all.TrustedProxies.SecretFile)
	all.TrustedProxies.CAFile = cmp.Or(s.ProxyCA, all.TrustedProxies.CAFile)
	if s.ProxyNames != "" {
		all.TrustedProxies.Names = commas(s.ProxyNames)
	}
	if s.Proxies == "" {
		return nil
	}
	all.TrustedProxies.From = nil
	for _, text := range commas(s.Proxies) {
		prefix, err := settings.ParsePrefix(text)
		if err != nil {
			return fmt.Errorf("--trusted-proxies: %w", err)
		}
		all.TrustedProxies.From = append(all.TrustedProxies.From, prefix)
	}
	return nil
}

// commas are the parts of a list.
func commas(list string) []string {
	var all []string
	for _, one := range strings.Split(list, ",") {
		if one = strings.TrimSpace(one); one != "" {
			all = append(all, one)
		}
	}
	return all
}
