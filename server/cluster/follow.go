package cluster

import (
	"context"
	"slices"
	"strings"
	"time"

	"k8s.io/client-go/tools/clientcmd"
)

// lookEvery is how often the kubeconfig is looked at. Files are read, not watched for: that notices whatever editors, kubectl,
// mounted secrets and network file systems do to a file, and reading a few small files costs next to nothing.
const lookEvery = time.Second

// Follow reads the kubeconfig again when its files, or files that they name, have changed, until ctx ends. It calls changed after
// contexts were added, removed or changed.
func (r *Registry) Follow(ctx context.Context, changed func()) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if r.Look() {
				changed()
			}
		case <-ctx.Done():
			return
		}
	}
}

// Look reads the kubeconfig's files once, and tells whether contexts were added, removed or changed. A change counts when a second look
// finds it, too. Contexts with the same server and credentials stay as they are. The others are replaced, and requests with their old
// credentials end. Only one look runs at a time.
func (r *Registry) Look() (changed bool) {
	r.looking.Lock()
	defer r.looking.Unlock()
	if !r.kubeconfig.checkForChange() {
		return false
	}
	return r.updateClusters()
}

// updateClusters updates the clusters to the kubeconfig that was read last. The caller holds looking.
func (r *Registry) updateClusters() (changed bool) {
	k := r.kubeconfig
	k.taken = k.seen
	troubles, notes := k.troubles()
	config := k.merged()
	if len(config.Contexts) == 0 && len(troubles) == 0 {
		notes = append(notes, noContexts(k.paths()))
	}
	over := r.replace(config, troubles, notes)
	for _, c := range over.clusters {
		c.cutRequests()
	}
	return over.changed
}

// replaced are the clusters that a new kubeconfig removed or replaced.
type replaced struct {
	clusters []*Cluster
	changed  bool
}

func (r *Registry) replace(config *merged, troubles []*ConfigError, notes []string) (over replaced) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.troubles, r.notes = troubles, notes
	r.revision++
	own := map[string]*Cluster{}
	for _, c := range r.clusters {
		if c.origin == FromKubeconfig && c.kubeconfig.Load() != nil {
			own[c.name] = c
		}
	}
	for _, name := range sortedNames(config.Config) {
		if config.Contexts[name] == nil {
			continue
		}
		login, old := r.kubeconfig.login(config.Config, name), own[name]
		delete(own, name)
		if old != nil && old.login == login {
			old.kubeconfig.Store(config) // the namespace or the current context may have changed
			continue
		}
		c := r.newCluster("", name, FromKubeconfig)
		c.login, c.access = login, r.kubeconfig.rules()
		c.kubeconfig.Store(config)
		over.changed = true
		if old != nil {
			c.slug = old.slug
			over.clusters = append(over.clusters, r.drop(old))
		} else {
			c.slug = r.freeSlug(name)
		}
		r.insert(c)
	}
	for _, gone := range own {
		over.clusters, over.changed = append(over.clusters, r.drop(gone)), true
	}
	return over
}

// drop removes a cluster, and ends its login. The caller holds the lock.
func (r *Registry) drop(c *Cluster) *Cluster {
	r.clusters = slices.DeleteFunc(slices.Clone(r.clusters), func(other *Cluster) bool { return other == c })
	r.later[c.slug] = r.later[c.slug] || c.asked.Load()
	close(c.over)
	return c
}

// insert puts a cluster at its place: practice clusters in the order in which they come, then the kubeconfig's by name. The
// caller holds the lock.
func (r *Registry) insert(c *Cluster) {
	at := r.practices()
	if c.origin != FromPractice {
		for at < len(r.clusters) && strings.Compare(r.clusters[at].name, c.name) < 0 {
			at++
		}
	}
	r.clusters = slices.Insert(slices.Clone(r.clusters), at, c)
}

// rules are client-go's loading rules for the files; auth providers use them to store their tokens.
func (k *kubeconfig) rules() *clientcmd.ClientConfigLoadingRules {
	if k.options.Kubeconfig != "" {
		return &clientcmd.ClientConfigLoadingRules{ExplicitPath: k.options.Kubeconfig}
	}
	return &clientcmd.ClientConfigLoadingRules{Precedence: k.paths()}
}

// Login is the address and the credentials for requests to a cluster. It ends when the kubeconfig has another address or other
// credentials for the cluster, or no longer has the cluster. Data that was read with one login must not be shown to
// another.
type Login struct {
	// Over is closed when the login has ended; nil where there is no such cluster.
	Over <-chan struct{}
	// Later is true when the cluster of this slug had another login before.
	Later bool
	// Of is the cluster. Two sessions with the same one send the same credentials, because a Cluster has one credential. It is nil where
	// there is no such cluster.
	Of *Cluster
}

// Login is the current login of a cluster.
func (r *Registry) Login(slug string) Login {
	r.mu.RLock()
	defer r.mu.RUnlock()
	login := Login{Later: r.later[slug]}
	if i := r.index(slug); i >= 0 {
		login.Over, login.Of = r.clusters[i].over, r.clusters[i]
	}
	return login
}
