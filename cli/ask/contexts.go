package ask

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/fieldmark/fieldmark/kube/typed"
)

// atOnce is how many contexts are asked at the same time.
const atOnce = 8

// greeting is how long a context has for its first response. After it, the context is one that doesn't respond.
const greeting = 5 * time.Second

// AddContextsFlag adds --contexts to a command.
func (c *Cluster) AddContextsFlag(to *cobra.Command, patterns *[]string) {
	to.Flags().StringSliceVar(patterns, "contexts", nil, "ask several contexts of the kubeconfig: names and patterns such as 'prod-*', separated by commas")
	_ = to.RegisterFlagCompletionFunc("contexts", func(to *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		return Beginning(c.Contexts(to.Context()), begun), cobra.ShellCompDirectiveNoFileComp
	}) // the flag exists
}

// Named is an error with the name of the cluster's context, if it has one.
func (c *Cluster) Named(err error) error {
	if name := c.Context(); name != "" {
		return fmt.Errorf("context %s: %w", name, err)
	}
	return err
}

// Matching are the names of the contexts that the patterns mean, in the order of the alphabet. A pattern that means none is an error.
func (c *Cluster) Matching(ctx context.Context, patterns []string) ([]string, error) {
	if *c.flags.Context != "" {
		return nil, errors.New("--contexts can't be combined with --context; leave one of them out")
	}
	all := c.Contexts(ctx)
	var found []string
	for _, pattern := range patterns {
		glob := regexp.QuoteMeta(strings.TrimSpace(pattern))
		glob = strings.ReplaceAll(strings.ReplaceAll(glob, `\*`, ".*"), `\?`, ".")
		means := regexp.MustCompile(`(?s)^` + glob + `$`) // what is quoted always compiles
		before := len(found)
		for _, name := range all {
			if means.MatchString(name) {
				found = append(found, name)
			}
		}
		if len(found) == before {
			return nil, fmt.Errorf("no context of the kubeconfig is called %q.%s kubectl config get-contexts lists them", pattern, typed.DidYouMean(pattern, all))
		}
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// In is a cluster by the same flags, with another context.
func (c *Cluster) In(ctx context.Context, name string) *Cluster {
	one := New(c.flagsFor(name))
	one.through = c.through
	one.Within(ctx)
	return one
}

// Each visits the cluster of the flags or, if there are patterns, the contexts that they mean, as Several does. The results are in the order of the contexts.
func Each[T any](ctx context.Context, c *Cluster, patterns []string, visit func(one *Cluster, err error) T) ([]T, error) {
	if len(patterns) == 0 {
		return []T{visit(c, nil)}, nil
	}
	names, err := c.Matching(ctx, patterns)
	if err != nil {
		return nil, err
	}
	all := make([]T, len(names))
	c.Several(ctx, names, func(at int, one *Cluster, err error) { all[at] = visit(one, err) })
	return all, nil
}

// Several calls do for each context, for at most eight at the same time. The error says that the context doesn't respond; the other contexts don't wait for it.
func (c *Cluster) Several(ctx context.Context, names []string, do func(at int, one *Cluster, err error)) {
	var g errgroup.Group
	g.SetLimit(atOnce)
	for at, name := range names {
		g.Go(func() error {
			err := c.greet(ctx, name)
			do(at, c.In(ctx, name), err)
			return nil
		})
	}
	_ = g.Wait() // no function returns an error
}

// greet asks a context for its version, so that one that doesn't respond is known soon.
func (c *Cluster) greet(ctx context.Context, name string) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("the API server isn't asked: %w", err) // a request may win the race against the end of its context
	}
	soon, cancel := context.WithTimeout(ctx, greeting)
	defer cancel()
	one := c.In(soon, name)
	if err := one.reachable(); err != nil {
		return err
	}
	client, err := one.flags.ToDiscoveryClient()
	if err != nil {
		return fmt.Errorf("reading the kubeconfig: %w", err)
	}
	_, err = client.ServerVersion()
	switch {
	case err == nil, apierrors.IsForbidden(err), apierrors.IsNotFound(err):
		return nil
	case soon.Err() != nil && ctx.Err() == nil:
		return fmt.Errorf("the API server did not respond within %s", greeting)
	}
	return fmt.Errorf("the API server can't be asked: %w", err)
}
