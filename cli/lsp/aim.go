package lsp

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/lsp/folder"
)

// remembered is how long schemas and credentials of the cluster are kept. Types change while somebody writes.
const remembered = 5 * time.Minute

// aim knows for which folders the person consented, and the one cluster that is asked. Only two things consent: the command line, which the person wrote into
// the configuration of the editor, and the person's answer to a question. Whatever comes from a folder isn't asked: its fieldmark.yaml, the settings that an
// editor passes on, and a kubeconfig that a relative path would find there.
type aim struct {
	ctx        context.Context // ends with the verb
	root       *ask.Cluster
	now        func() time.Time
	kubeconfig string   // $KUBECONFIG
	always     []string // folders of the command line

	mu     sync.Mutex
	named  string // the context; empty: the current one of the kubeconfig, until the person consents
	agreed map[string]ask.Identity
	open   *ask.Cluster
	where  ask.Identity // of the open cluster
	since  time.Time
}

// errRelative says that no cluster is asked, because a project could have chosen it.
var errRelative = errors.New("$KUBECONFIG has a relative path, so the folder of a project could choose the cluster. Set it to an absolute path")

// identity is where requests would go. It reads the kubeconfig again, and sends nothing.
func (a *aim) identity() (*ask.Cluster, ask.Identity, error) {
	if slices.ContainsFunc(filepath.SplitList(a.kubeconfig), func(name string) bool { return name != "" && !filepath.IsAbs(name) }) {
		return nil, ask.Identity{}, errRelative
	}
	one := a.root.In(a.ctx, a.named)
	id, err := one.Identity()
	return one, id, err
}

// offer is what the person would be asked about.
func (a *aim) offer() (ask.Identity, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, id, err := a.identity()
	return id, err
}

// agree remembers the person's consent for a folder. From now on, the cluster is this one.
func (a *aim) agree(of string, to ask.Identity) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.agreed[of], a.named = to, to.Context
}

// withdraw forgets the person's consent for a folder.
func (a *aim) withdraw(of string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.agreed, of)
}

// consent tells whether the manifests of a folder may be sent, and whether the person said so in the editor.
func (a *aim) consent(of string) (given, asked bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, asked = a.agreed[of]; asked {
		return true, true
	}
	return slices.ContainsFunc(a.always, func(above string) bool { return folder.Within(of, above) }), false
}

// cluster is the cluster to ask about a folder. If the kubeconfig now leads elsewhere than what the person agreed to, there is none.
func (a *aim) cluster(of string) (*ask.Cluster, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.open == nil || a.now().Sub(a.since) > remembered {
		one, id, err := a.identity()
		if err != nil {
			return nil, err
		}
		a.open, a.where, a.since = one, id, a.now()
	}
	if to, asked := a.agreed[of]; asked && to != a.where {
		delete(a.agreed, of)
		return nil, fmt.Errorf("you agreed to %s (%s) as %s, and the kubeconfig now leads to %s as %s. Nothing was sent. Choose again to check this folder", to.Context, to.Server, to.User, a.where.Server, a.where.User)
	}
	return a.open, nil
}

// forget makes the next request begin with a new connection. client-go keeps some failures.
func (a *aim) forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.open = nil
}
