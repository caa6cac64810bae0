package upgrade

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/check"
	"github.com/fieldmark/fieldmark/cli/choice"
	"github.com/fieldmark/fieldmark/cli/terminal"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/census/report"
	checks "github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/inquiry"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/kube/upgrade"
)

const longUnappliable = `Find objects that can't be applied any more. If a CustomResourceDefinition drops a version from its list, each object with an entry of that
version in managedFields is one: the API server refuses each apply with status code 500. On Kubernetes 1.37, updates pass and are no longer recorded.

unappliable reads the definitions, and the metadata of all custom resources that you may list, in chunks. It also names managers that write
a version in which objects aren't stored, because their objects become unappliable when the definition drops it.

--ways adds the ways out of each object, as text to paste. Each was sent as a dry run before. Nothing is stored.

The exit code is 0 if there is no such object, 1 if there is one, and 2 if a cluster could not be read. After Ctrl-C, it is 130.`

const examplesUnappliable = `  # Which objects can't be applied?
  %[1]s unappliable

  # With ways out for each of them
  %[1]s unappliable --ways -n shop

  # As a list to go through
  %[1]s unappliable --contexts staging,production -o csv`

// mostTried is for how many objects ways are sent as dry runs.
const mostTried = 100

// NewUnappliable makes the command unappliable. Its examples call the program by the name called.
func NewUnappliable(called string, cluster *ask.Cluster, streams genericiooptions.IOStreams) *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:               "unappliable",
		Short:             "Find objects that can't be applied any more",
		Long:              longUnappliable,
		Example:           fmt.Sprintf(examplesUnappliable, called),
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := choice.WrongOutput(o.output, formats); err != nil {
				return err
			}
			o.loud = c.Flags().Changed("v")
			return o.findBlocked(c.Context(), cluster, streams)
		},
	}
	f := c.Flags()
	cluster.AddContextsFlag(c, &o.contexts)
	choice.Output(c, &o.output, formats)
	f.BoolVar(&o.ways, "ways", false, "show ways out of each object, as text to paste")
	return c
}

// blocked is a cluster with its objects.
type blocked struct {
	upgrade.BlockedCluster
	read string
	err  error
}

func (o *options) findBlocked(ctx context.Context, cluster *ask.Cluster, streams genericiooptions.IOStreams) error {
	watched := terminal.Watching("Lists read:", streams.ErrOut, o.loud)
	all, err := ask.Each(ctx, cluster, o.contexts, func(c *ask.Cluster, err error) blocked { return blockedIn(ctx, c, err, o.ways, watched) })
	watched.ClearLine()
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	r := upgrade.BlockedReport{APIVersion: upgrade.APIVersion, Kind: upgrade.BlockedKind}
	p := printing{ways: o.ways, width: terminal.Width(streams.Out)}
	var wrong []error
	for _, c := range all {
		r.Clusters = append(r.Clusters, c.BlockedCluster)
		p.read = append(p.read, c.read)
		wrong = append(wrong, c.err)
	}
	if err := blockedOutputs[o.output](p, streams.Out, r); err != nil {
		return fmt.Errorf("printing: %w", err)
	}
	if err := errors.Join(wrong...); err != nil {
		return err
	}
	if r.Fails() {
		return check.ErrFindings
	}
	return nil
}

func blockedIn(ctx context.Context, c *ask.Cluster, silent error, try bool, watched *terminal.Progress) blocked {
	found := blocked{BlockedCluster: upgrade.BlockedCluster{Context: c.Context(), Objects: []upgrade.Record{}, Findings: []upgrade.Finding{}}}
	g, err := begin(c, silent, watched)
	if err != nil {
		found.err, found.Problem = c.Named(err), plain.Text(err.Error())
		return found
	}
	if why := g.Definitions(ctx); why != "" { // without definitions, nobody can tell
		found.err, found.Problem = c.Named(errors.New(why)), why
		return found
	}
	facts := g.Facts(0, report.Report{})
	census := g.read(ctx, func(t discovery.Type) bool {
		_, defined := facts.DefinitionOf(t.Group, t.Resource)
		return defined
	})
	if all, more := g.Blocked(); len(all) > 0 {
		found.Objects, found.More = all, more
	}
	found.Findings = g.AboutApplies(census)
	found.read = readWords(census)
	if try {
		g.tryWays(ctx, &found.BlockedCluster)
	}
	return found
}

// tryWays sends the ways as dry runs. Ways that the server refuses aren't offered, and those that couldn't be tried are marked.
func (g *gathering) tryWays(ctx context.Context, found *upgrade.BlockedCluster) {
	for i, r := range found.Objects[:min(len(found.Objects), mostTried)] {
		found.Objects[i].Ways = g.offered(ctx, r.Path, r.Ways)
	}
	t, _ := g.catalog.Type("apiextensions.k8s.io", "", "customresourcedefinitions")
	for i, f := range found.Findings {
		if f.Kind == upgrade.Unappliable && len(f.Ways) > 0 {
			found.Findings[i].Ways = g.offered(ctx, apipath.Object(t.Group, t.Version, "", t.Resource, f.Type).String(), f.Ways)
		}
	}
}

// offered are the ways out of what the object at a path can't be, after their dry runs.
func (g *gathering) offered(ctx context.Context, path string, ways []checks.Way) []checks.Way {
	at, err := apipath.Parse(path)
	if err != nil {
		return ways
	}
	tried := map[string]checks.Response{}
	for _, trial := range checks.TrialsOf(ways) {
		heard := checks.Response{}
		body, no := g.requests.Send(ctx, inquiry.Ask{
			Path: at, Query: url.Values{"dryRun": {"All"}}, Accept: "application/json", Method: trial.Method, ContentType: trial.ContentType, Body: trial.Body,
		})
		if heard.No = no; no == nil && json.Unmarshal(body, &heard.Object) != nil {
			continue
		}
		tried[checks.Key(trial)] = heard
	}
	return checks.Offered(ways, tried)
}
