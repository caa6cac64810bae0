// Package cluster knows the server's clusters. It lists them by kubectl's rules, and connects to each with its own credentials. For
// each cluster it finds out its state, the types it serves and the objects in it.
package cluster

import (
	"context"
	"slices"
	"sync"
)

// Names that the practice cluster's contexts have in URLs. Where the practice cluster runs, a kubeconfig's context of the same
// name gets a digested slug; where it doesn't, the context has its name to itself, and answers to the digested slug, too.
const (
	Practice       = "practice"
	PracticeViewer = Practice + viewer

	viewer = "-viewer"
)

// ViewerOf is the name of the viewer's context beside a practice cluster's context.
func ViewerOf(name string) string { return name + viewer }

// Registry is the clusters the server knows. It is safe for concurrent use.
type Registry struct {
	settings settings

	looking    sync.Mutex // held while the kubeconfig is read
	kubeconfig *kubeconfig

	mu       sync.RWMutex
	clusters []*Cluster
	later    map[string]bool // the slugs that had another login before
	notes    []string
	troubles []*ConfigError
	revision uint64 // counts what changed the fields above
}

// Source has the clusters of whoever sends a request, by the request's context. A Registry is the source of local mode, where everybody
// has the same clusters and credentials.
type Source interface {
	For(ctx context.Context) *Registry
}

// For is the registry itself.
func (r *Registry) For(context.Context) *Registry { return r }

// New is an empty registry. Look and Follow fill it.
func New(o Options) *Registry {
	return &Registry{settings: o.settings(), kubeconfig: newKubeconfig(o), later: map[string]bool{}}
}

// Notes are sentences about the kubeconfig that its user should read although nothing failed: a file of the KUBECONFIG list that does
// not exist, no contexts at all.
func (r *Registry) Notes() []string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Clone(r.notes)
}

// Troubles are the errors in the kubeconfig's files. Until they are corrected, the earlier content stays in use.
func (r *Registry) Troubles() []*ConfigError {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Clone(r.troubles)
}

// Revision is another number after each change of the kubeconfig, and after a practice cluster came or went. A caller that shows contexts reads it before
// them.
func (r *Registry) Revision() uint64 {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.revision
}

// List is every cluster: the practice contexts first, then the kubeconfig's by name.
func (r *Registry) List() []*Cluster {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Clone(r.clusters)
}

// Get finds a cluster by its slug.
func (r *Registry) Get(slug string) (*Cluster, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	i := r.index(slug)
	if i < 0 {
		return nil, false
	}
	return r.clusters[i], true
}

// Put adds a cluster, or replaces the one with the same slug at its place. New practice clusters go
// before the others, after earlier practice clusters. A kubeconfig's context that had a practice cluster's slug gets another.
func (r *Registry) Put(c *Cluster) {
	if moved := r.put(c); moved != nil {
		moved.cutRequests()
	}
}

func (r *Registry) put(c *Cluster) (moved *Cluster) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.revision++
	i := slices.IndexFunc(r.clusters, func(other *Cluster) bool { return other.slug == c.slug })
	switch {
	case i < 0:
		r.insert(c)
	case r.clusters[i].origin == c.origin:
		r.clusters = slices.Clone(r.clusters)
		r.clusters[i] = c
	default:
		old := r.drop(r.clusters[i])
		r.insert(c)
		again := r.newCluster(r.freeSlug(old.name), old.name, old.origin)
		again.login, again.access = old.login, old.access
		again.kubeconfig.Store(old.kubeconfig.Load())
		r.insert(again)
		return old
	}
	return nil
}

// Interrupt sets a function that says when a cluster can't receive requests for a while, and its state at that time. An unknown slug
// changes nothing.
func (r *Registry) Interrupt(slug string, interrupted func() (State, bool)) {
	if c, ok := r.Get(slug); ok {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.interrupted = interrupted
	}
}

// Remove forgets a cluster. An unknown slug changes nothing.
func (r *Registry) Remove(slug string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := r.index(slug); i >= 0 {
		r.clusters = slices.Delete(slices.Clone(r.clusters), i, i+1)
		r.revision++
	}
}

// index finds a cluster by its slug, or by the slug that it has while a practice cluster runs.
func (r *Registry) index(slug string) int {
	i := slices.IndexFunc(r.clusters, func(c *Cluster) bool { return c.slug == slug })
	if i >= 0 {
		return i
	}
	return slices.IndexFunc(r.clusters, func(c *Cluster) bool {
		return (c.name == Practice || c.name == PracticeViewer) && c.origin != FromPractice && digested(c.name, 8) == slug
	})
}

// freeSlug is the slug that a new context gets. The caller holds the lock.
func (r *Registry) freeSlug(name string) string {
	return unique(name, func(slug string) bool {
		return slices.ContainsFunc(r.clusters, func(c *Cluster) bool { return c.slug == slug })
	})
}

func (r *Registry) practices() int {
	i := slices.IndexFunc(r.clusters, func(c *Cluster) bool { return c.origin != FromPractice })
	if i < 0 {
		return len(r.clusters)
	}
	return i
}
