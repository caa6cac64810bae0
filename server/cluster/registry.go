// Package cluster is how the server knows its clusters: which there are by kubectl's rules, how to reach
// each with its own credentials, how each is, what it offers, and what it holds.
package cluster

import (
	"slices"
	"sync"
)

// Names that the practice cluster's contexts have in URLs. A kubeconfig's context of the same name gets a
// digested slug, whether the practice cluster runs or not, so that its permalinks stay.
const (
	Practice       = "practice"
	PracticeViewer = "practice-viewer"
)

// Registry is the clusters the server knows. It is safe for concurrent use.
type Registry struct {
	settings settings
	notes    []string

	mu       sync.RWMutex
	clusters []*Cluster
}

// New is an empty registry.
func New(o Options) *Registry { return &Registry{settings: o.settings()} }

// Notes are sentences about the kubeconfig that its user should know although nothing failed: a file of
// the KUBECONFIG list that does not exist, no contexts at all.
func (r *Registry) Notes() []string { return slices.Clone(r.notes) }

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
// before the others, after earlier practice clusters.
func (r *Registry) Put(c *Cluster) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := r.index(c.slug); i >= 0 {
		r.clusters[i] = c
		return
	}
	at := len(r.clusters)
	if c.origin == FromPractice {
		at = r.practices()
	}
	r.clusters = slices.Insert(r.clusters, at, c)
}

// Interrupt lets somebody who knows say when a cluster can't be asked for the moment, and how it is then. An unknown slug
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
	}
}

func (r *Registry) index(slug string) int {
	return slices.IndexFunc(r.clusters, func(c *Cluster) bool { return c.slug == slug })
}

func (r *Registry) practices() int {
	i := slices.IndexFunc(r.clusters, func(c *Cluster) bool { return c.origin != FromPractice })
	if i < 0 {
		return len(r.clusters)
	}
	return i
}
