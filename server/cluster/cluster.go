package cluster

import (
	"strings"
	"sync"
	"sync/atomic"

	"k8s.io/client-go/tools/clientcmd"

	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/identity"
	"github.com/fieldmark/fieldmark/server/upstream"
)

// Origin is where a cluster comes from.
type Origin string

// The origins.
const (
	FromKubeconfig Origin = "kubeconfig"
	FromPractice   Origin = "practice"
	FromSite       Origin = "shared" // the configuration of the shared mode
)

// Cluster is one context: an API server, and one credential for it. Its caches have responses to that credential only, and nobody else
// gets them. It is safe for concurrent use.
type Cluster struct {
	slug, name string
	origin     Origin
	settings   settings

	// kubeconfig is nil for a cluster that doesn't exist yet.
	kubeconfig atomic.Pointer[merged]
	access     clientcmd.ConfigAccess
	// site and credentials are set for a cluster of the shared mode, which has no kubeconfig.
	site        *Site
	credentials Credentials
	// login is a digest of the server and the credentials in the kubeconfig; over is closed when they change.
	login digest
	over  chan struct{}
	asked atomic.Bool // the login was used
	// wait returns the state of a cluster that doesn't exist yet; nil once it exists.
	wait func() State
	// interrupted returns why no requests can be sent now, if somebody outside knows; see Registry.Interrupt. It may be nil.
	interrupted func() (State, bool)
	// of is the cluster that this one is, as somebody else; see As. It is nil for all others.
	of *Cluster
	as identity.Impersonation

	// saying is the file with the last line of the context's credentials plugin, while it runs.
	saying atomic.Pointer[string]
	// authenticating counts requests that wait for a credentials plugin.
	authenticating atomic.Int32

	mu     sync.Mutex
	target *upstream.Target

	state    memo[State]
	catalog  memo[*discovery.Catalog]
	features memo[[]Feature]
	offers   [len(questions)]memo[Offer] // of the single questions
	counts   memo[Counts]
	openapi  openapi
}

// Waiting is a cluster that can't receive requests yet. Its state comes from state, and Target fails with that state.
func (r *Registry) Waiting(name string, origin Origin, state func() State) *Cluster {
	c := r.newCluster(r.slugFor(name, origin), name, origin)
	c.wait = state
	return c
}

func (r *Registry) newCluster(slug, name string, origin Origin) *Cluster {
	return &Cluster{slug: slug, name: name, origin: origin, settings: r.settings, over: make(chan struct{})}
}

// Slug is the cluster's name in URLs.
func (c *Cluster) Slug() string { return c.slug }

// Name is the context's name as the kubeconfig spells it.
func (c *Cluster) Name() string { return c.name }

// Administers tells whether the cluster is a practice cluster with all rights.
func (c *Cluster) Administers() bool {
	return c.origin == FromPractice && !strings.HasSuffix(c.name, viewer)
}

// Origin is where the cluster comes from.
func (c *Cluster) Origin() Origin { return c.origin }

// Info is the description of a context in the kubeconfig. All of it is for display.
type Info struct {
	// Server is the API server's URL as written.
	Server string
	// Cluster and User are the names of the kubeconfig's entries. User is not the name that the server knows.
	Cluster, User string
	// Namespace is the context's default namespace, or empty.
	Namespace string
	// File is the kubeconfig that defines the context.
	File string
	// Current is true for the kubeconfig's current-context.
	Current bool
	// Impersonates is the user that the kubeconfig tells to act as, or empty.
	Impersonates string
	// Plugin is the command of the credentials plugin, or empty.
	Plugin string
	// Insecure is true when the kubeconfig switches off the check of the server's certificate.
	Insecure bool
}

// Info tells what the kubeconfig says. Entries that are missing leave their fields empty.
func (c *Cluster) Info() Info {
	if c.of != nil {
		return c.of.Info()
	}
	if c.site != nil {
		return c.site.info()
	}
	config := c.kubeconfig.Load()
	if config == nil {
		return Info{}
	}
	kubeContext := config.Contexts[c.name]
	info := Info{
		Cluster: kubeContext.Cluster, User: kubeContext.AuthInfo, Namespace: kubeContext.Namespace,
		File: kubeContext.LocationOfOrigin, Current: config.CurrentContext == c.name,
	}
	if cluster := config.Clusters[kubeContext.Cluster]; cluster != nil {
		info.Server, info.Insecure = withoutPassword(cluster.Server), cluster.InsecureSkipTLSVerify
	}
	if user := config.AuthInfos[kubeContext.AuthInfo]; user != nil {
		info.Impersonates = user.Impersonate
		if user.Exec != nil {
			info.Plugin = user.Exec.Command
		}
	}
	return info
}

// interruption is why no requests can be sent to the cluster now; ok is false if no reason is known.
func (c *Cluster) interruption() (s State, yes bool) {
	if c.of != nil {
		return c.of.interruption()
	}
	c.mu.Lock()
	known := c.interrupted
	c.mu.Unlock()
	if known == nil {
		return State{}, false
	}
	return known()
}

// Target is how to reach the API server, with the context's credentials on every request. It is built at the first call; after a
// failure (*Problem), the next call tries again, so a corrected configuration works at once.
func (c *Cluster) Target() (upstream.Target, error) {
	if c.of != nil {
		return c.asTarget()
	}
	if s, yes := c.interruption(); yes {
		return upstream.Target{}, &Problem{Text: s.Text, Advice: s.Advice, Pending: s.Phase.Pending()}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked.Store(true)
	select {
	case <-c.over:
		return upstream.Target{}, c.gone()
	default:
	}
	if c.credentials != nil {
		if _, err := c.credentials(); err != nil {
			return upstream.Target{}, err
		}
	}
	if c.target != nil {
		return *c.target, nil
	}
	if c.wait != nil {
		s := c.wait()
		return upstream.Target{}, &Problem{Text: s.Text, Advice: s.Advice, Pending: s.Phase.Pending()}
	}
	target, err := c.build()
	if err != nil {
		return upstream.Target{}, err
	}
	c.target = target
	return *target, nil
}

// gone is why a login that has ended sends nothing.
func (c *Cluster) gone() *Problem {
	if c.site != nil {
		return SignInEnded()
	}
	return &Problem{Text: "the kubeconfig changed during the request", Advice: "Send the request again."}
}

// cutRequests ends the requests of a login that has ended, and sends no more with it.
func (c *Cluster) cutRequests() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.target != nil {
		c.target.Cut()
		c.target = nil
	}
}

// rebuild makes the next Target read the files with certificates again.
func (c *Cluster) rebuild() {
	if c.of != nil {
		c.of.rebuild()
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.site != nil {
		c.site.renew()
		return
	}
	if c.target != nil {
		c.target.Close()
		c.target = nil
	}
}

// Client makes requests to the cluster that are not recorded.
func (c *Cluster) Client() (*api.Client, error) {
	target, err := c.Target()
	if err != nil {
		return nil, err
	}
	return api.New(target), nil
}

// client is the given client, or the cluster's own for nil.
func (c *Cluster) client(given *api.Client) (*api.Client, error) {
	if given != nil {
		return given, nil
	}
	return c.Client()
}
