// Package settings reads the settings of the shared mode from a YAML file. Unknown fields are errors, so that a mistake in writing is
// found at the start and not after an attack. It checks how the settings are written; the packages that use them check what they mean.
package settings

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"regexp"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// Settings are all settings of the shared mode. The names in the tags are those in the file.
type Settings struct {
	// PublicURL is the address at which browsers reach Fieldmark.
	PublicURL string `yaml:"publicURL"`
	// SessionKeys are files with keys. The first one seals cookies; the second one opens those from before a rotation.
	SessionKeys []string `yaml:"sessionKeys"`
	// ClustersFile is a kubeconfig without credentials.
	ClustersFile string `yaml:"clustersFile"`
	// InCluster adds the cluster that Fieldmark runs in.
	InCluster *InCluster `yaml:"inCluster"`
	// Clusters has more about the clusters, by their names.
	Clusters map[string]Cluster `yaml:"clusters"`
	// Issuers are the OpenID Connect issuers, by a name of your choice.
	Issuers map[string]Issuer `yaml:"issuers"`
	// AllowTokens lets people paste a token.
	AllowTokens bool `yaml:"allowTokens"`
	// TrustedProxies may send a person's token.
	TrustedProxies TrustedProxies `yaml:"trustedProxies"`
	// ImpersonateGroups are the groups whose members may use a cluster with impersonate.
	ImpersonateGroups []string `yaml:"impersonateGroups"`
	// WriteGroups are the groups whose members may write; empty: everybody may.
	WriteGroups []string `yaml:"writeGroups"`
	// WorkloadGroups are the groups whose members may connect to workloads; empty: everybody may.
	WorkloadGroups []string `yaml:"workloadGroups"`
	// ShareWatches lets people who follow the same collection share a watch, if each of them may make it.
	ShareWatches bool `yaml:"shareWatches"`
	// ShareGroups are API groups of custom resources whose watches are shared, too.
	ShareGroups []string `yaml:"shareGroups"`
	Sessions    Sessions `yaml:"sessions"`
	Quotas      Quotas   `yaml:"quotas"`
}

// InCluster is the cluster that Fieldmark runs in.
type InCluster struct {
	// Name is its name on pages; default in-cluster.
	Name string `yaml:"name"`
	// CAFile is the authority of its API server; default that of the pod's service account.
	CAFile string `yaml:"caFile"`
}

// Cluster has more about one cluster.
type Cluster struct {
	// Title is its name for people; default its own name.
	Title string `yaml:"title"`
	// Issuer is the name of the issuer that the API server trusts; default the only one.
	Issuer string `yaml:"issuer"`
	// Audience is what the API server requires in a token.
	Audience string `yaml:"audience"`
	// Impersonate has Fieldmark's own account there act as the people.
	Impersonate *Impersonate `yaml:"impersonate"`
	// Proxy sends this cluster the tokens that trusted proxies bring.
	Proxy bool `yaml:"proxy"`
	// OwnWatches keeps people from sharing watches of this cluster, because something in front of its API server changes lists by person.
	OwnWatches bool `yaml:"ownWatches"`
}

// Impersonate is Fieldmark's own account at a cluster.
type Impersonate struct {
	// TokenFile has the account's token. It is read again when it changes.
	TokenFile string `yaml:"tokenFile"`
}

// Issuer is an OpenID Connect issuer.
type Issuer struct {
	Title            string            `yaml:"title"`
	URL              string            `yaml:"url"`
	ClientID         string            `yaml:"clientID"`
	ClientSecretFile string            `yaml:"clientSecretFile"`
	CAFile           string            `yaml:"caFile"`
	Scopes           []string          `yaml:"scopes"`
	Parameters       map[string]string `yaml:"parameters"`
	UserClaim        string            `yaml:"userClaim"`
	GroupsClaim      string            `yaml:"groupsClaim"`
	UserPrefix       string            `yaml:"userPrefix"`
	GroupsPrefix     string            `yaml:"groupsPrefix"`
	// Send is the token for the API server: id_token or access_token.
	Send string `yaml:"send"`
}

// TrustedProxies are the proxies in front of Fieldmark that say who somebody is.
type TrustedProxies struct {
	// From are their addresses.
	From []Prefix `yaml:"from"`
	// SecretFile has a secret that each of their requests must have.
	SecretFile string `yaml:"secretFile"`
	// CAFile has the authority that signs their certificates. Names are those that their certificates must have: one of them each.
	CAFile string   `yaml:"caFile"`
	Names  []string `yaml:"names"`
}

// Sessions says how long people stay signed in, and how many sessions one replica remembers.
type Sessions struct {
	Idle   Duration `yaml:"idle"`
	Expiry Duration `yaml:"expiry"`
	Max    int      `yaml:"max"`
	// PerPerson is how many sessions one person may have.
	PerPerson int `yaml:"perPerson"`
}

// Quotas are the bounds for one person, and for all together.
type Quotas struct {
	Person  Limits `yaml:"person"`
	Process Limits `yaml:"process"`
}

// Limits are bounds; see package quota. Zero means the default.
type Limits struct {
	RequestsPerSecond int `yaml:"requestsPerSecond"`
	Burst             int `yaml:"burst"`
	Requests          int `yaml:"requests"` // in progress
	Sockets           int `yaml:"sockets"`
	Exec              int `yaml:"exec"`
	BytesPerSecond    int `yaml:"bytesPerSecond"`
}

// Duration is a time such as 8h or 30m.
type Duration time.Duration

// UnmarshalYAML implements yaml.Unmarshaler.
func (d *Duration) UnmarshalYAML(node *yaml.Node) error {
	parsed, err := time.ParseDuration(node.Value)
	if err != nil || parsed <= 0 {
		return fmt.Errorf("line %d: %q is not a duration such as 8h or 30m", node.Line, node.Value)
	}
	*d = Duration(parsed)
	return nil
}

// Prefix is an address, or a range of addresses such as 10.0.0.0/8.
type Prefix struct{ netip.Prefix }

// ParsePrefix reads an address or a range.
func ParsePrefix(text string) (Prefix, error) {
	if p, err := netip.ParsePrefix(text); err == nil {
		return Prefix{p.Masked()}, nil
	}
	a, err := netip.ParseAddr(text)
	if err != nil {
		return Prefix{}, fmt.Errorf("%q is neither an address nor a range of addresses such as 10.0.0.0/8", text)
	}
	return Prefix{netip.PrefixFrom(a, a.BitLen())}, nil
}

// UnmarshalYAML implements yaml.Unmarshaler.
func (p *Prefix) UnmarshalYAML(node *yaml.Node) error {
	parsed, err := ParsePrefix(node.Value)
	if err != nil {
		return fmt.Errorf("line %d: %w", node.Line, err)
	}
	*p = parsed
	return nil
}

// MaxKeys is how many session keys there can be.
const MaxKeys = 2

// maxFile bounds the file, in bytes.
const maxFile = 1 << 20

// Read reads a file. Its errors are one line, and name the file and the line in it.
func Read(file string) (*Settings, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("--shared-config: %w", err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("--shared-config: %w", err)
	}
	if len(text) > maxFile {
		return nil, fmt.Errorf("--shared-config: %s is larger than %d bytes", file, maxFile)
	}
	s, err := Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return s, nil
}

// Parse reads the text of a file. An empty text has no settings.
func Parse(text []byte) (*Settings, error) {
	s := &Settings{}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	switch err := d.Decode(s); {
	case errors.Is(err, io.EOF):
		return s, nil
	case err != nil:
		return nil, plainError(err)
	}
	if err := d.Decode(&yaml.Node{}); !errors.Is(err, io.EOF) {
		return nil, errors.New("the file must have only one document")
	}
	return s, s.check()
}

var (
	unknownField = regexp.MustCompile(`^line (\d+): field (\S+) not found in type \S+$`)
	wrongType    = regexp.MustCompile(`^line (\d+): cannot unmarshal !!(\w+) .*into (.*)$`)
)

// plainError is an error of the parser in one line, without the names of Go types and without the values, which may be secrets.
func plainError(err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	if all, ok := errors.AsType[*yaml.TypeError](err); ok && len(all.Errors) > 0 {
		text = all.Errors[0]
	}
	text, _, _ = strings.Cut(text, "\n")
	if m := unknownField.FindStringSubmatch(text); m != nil {
		return fmt.Errorf("line %s: there is no setting %q here", m[1], m[2])
	}
	if m := wrongType.FindStringSubmatch(text); m != nil {
		return fmt.Errorf("line %s: the value has the wrong type (%s)", m[1], m[2])
	}
	return errors.New(text)
}

// check refuses what no other package would notice.
func (s *Settings) check() error {
	if len(s.SessionKeys) > MaxKeys {
		return errors.New("sessionKeys: at most two files are possible, the new key first")
	}
	if min(s.Sessions.Max, s.Sessions.PerPerson) < 0 {
		return errors.New("sessions: max and perPerson can't be negative")
	}
	for name, c := range s.Clusters {
		if c.Impersonate != nil && c.Impersonate.TokenFile == "" {
			return fmt.Errorf("clusters.%s.impersonate.tokenFile is missing: name the file with the token of Fieldmark's own account", name)
		}
	}
	for name, l := range map[string]Limits{"person": s.Quotas.Person, "process": s.Quotas.Process} {
		if min(l.RequestsPerSecond, l.Burst, l.Requests, l.Sockets, l.Exec, l.BytesPerSecond) < 0 {
			return fmt.Errorf("quotas.%s: a bound can't be negative", name)
		}
	}
	return nil
}

// IssuerOf is the name of the issuer of a cluster: the one that it names, or the only one there is. It is empty if there is none, or if
// there are several.
func (s *Settings) IssuerOf(cluster string) string {
	only := ""
	if len(s.Issuers) == 1 {
		for name := range s.Issuers {
			only = name
		}
	}
	return cmp.Or(s.Clusters[cluster].Issuer, only)
}
