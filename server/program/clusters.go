package program

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/identity"
	"github.com/fieldmark/fieldmark/server/relay"
	"github.com/fieldmark/fieldmark/server/upstream"
)

// loadClusters reads the kubeconfig. An error in a kubeconfig that --kubeconfig names ends the program. Other errors are shown on the
// page, so that the practice cluster can still be used.
func (a *app) loadClusters() error {
	options := cluster.Options{Kubeconfig: a.config.Kubeconfig, Env: a.config.env, Log: a.log}
	registry, err := cluster.Load(options)
	if err == nil {
		a.clusters = registry
		if a.config.Kubeconfig != "" && len(registry.List()) == 0 {
			return errors.New(strings.Join(registry.Notes(), " "))
		}
		return nil
	}
	if a.config.Kubeconfig != "" {
		return err
	}
	a.log.Warn("Fieldmark can't use the kubeconfig", "err", err)
	a.clusters = cluster.New(options) // it is read again, and used once it can be
	a.clusters.Look()
	a.clusters.Look()
	return nil
}

// followClusters reads the kubeconfig again when it changes.
func (a *app) followClusters(ctx context.Context) {
	a.clusters.Follow(ctx, func() {
		a.log.Info("the kubeconfig has changed", "clusters", len(a.slugs()))
		if err := a.renewKubeconfig(); err != nil {
			a.log.Warn("the kubeconfig for kubectl was not written", "err", err)
		}
	})
}

// login is the login of a session to a cluster.
func (a *app) login(session, slug string) cluster.Login {
	return a.source.For(identity.WithSession(context.Background(), session)).Login(slug)
}

// relayLogin is the login of a session as the relay needs it. In local mode, all browsers are one person: their sessions have the same
// clusters, so they share watches. In the shared mode, each session has clusters of its own. So two sessions share none there, even of
// one person: each has tokens of its own, which end at a time of their own, and only the API server knows whose they are. A view as
// somebody else shares nothing, because it can end while its session goes on (threat: two sessions).
func (a *app) relayLogin(session, slug string) relay.Login {
	l := a.login(session, slug)
	all := relay.Login{Over: l.Over, Later: l.Later}
	if _, viewed := identity.ViewerOf(session); !viewed && l.Of != nil {
		all.Identity = l.Of
	}
	return all
}

// loginOver is closed when the login of a session to a cluster ends.
func (a *app) loginOver(session, slug string) <-chan struct{} { return a.login(session, slug).Over }

// resolve finds the way to a cluster, with the credentials of the context's session.
func (a *app) resolve(ctx context.Context, slug string) (*upstream.Target, error) {
	c, ok := a.source.For(ctx).Get(slug)
	if !ok {
		return nil, unresolved{http.StatusNotFound, fmt.Sprintf("There is no cluster %q.", slug)}
	}
	target, err := c.Target()
	if problem := (*cluster.Problem)(nil); errors.As(err, &problem) {
		code := http.StatusServiceUnavailable
		if problem.SignIn {
			code = http.StatusUnauthorized
		}
		return nil, unresolved{code, components.Sentence(problem.Text) + " " + problem.Advice}
	}
	return &target, err
}

// unresolved is why no request can be sent to a cluster. Users may see it.
type unresolved struct {
	code  int
	words string
}

func (u unresolved) Error() string { return strings.TrimSpace(u.words) }

// HTTPStatus is the status to answer with.
func (u unresolved) HTTPStatus() int { return u.code }

func (a *app) slugs() []string {
	if a.people != nil {
		return a.people.Slugs()
	}
	var names []string
	for _, c := range a.clusters.List() {
		names = append(names, c.Slug())
	}
	return names
}
