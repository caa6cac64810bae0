// Package upgrade has the verbs upgrade-check and unappliable: what an upgrade of Kubernetes breaks, and which objects can't be applied any more.
//
//	clusters ──▶ for each: discovery, definitions, API services, webhooks, metrics, metadata of objects ──▶ kube/upgrade: findings ──▶ text, Markdown, JSON, CSV
//
// All requests are reads and dry runs. Of objects, only metadata is read.
package upgrade

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/check"
	"github.com/fieldmark/fieldmark/cli/choice"
	"github.com/fieldmark/fieldmark/cli/terminal"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/kube/removal"
	"github.com/fieldmark/fieldmark/kube/upgrade"
)

const long = `Find what an upgrade of Kubernetes would break. Findings say who writes API versions that the target drops, who requested them, which
definitions of types have versions of the past, and which API services and webhooks are in the way. --ways adds ways out, as text to paste.

upgrade-check reads the metadata of all objects that you may list, in chunks. managedFields name who wrote an object in which version. An
entry isn't proof that its manager still writes in that version, so each finding says when it last did. What can't be read is a finding.

The table of removals is part of the program. It says for which release it was made. For later releases, it has only what was planned.

The exit code is 0 if no finding fails the check (see --fail-on), 1 if one does, and 2 if a cluster could not be checked. After Ctrl-C, it
is 130, and no findings are shown, because they would be incomplete.`

const examples = `  # Before an upgrade to Kubernetes 1.38
  %[1]s upgrade-check --to 1.38

  # With ways out
  %[1]s upgrade-check --to 1.38 --ways

  # Two clusters side by side, for a spreadsheet
  %[1]s upgrade-check --to 1.38 --contexts staging,production -o csv`

// options are the values of the flags.
type options struct {
	contexts []string
	to       string
	output   string
	failOn   []string
	ways     bool
	loud     bool // requests are logged
}

// formats are the values of --output.
var formats = []string{"text", "json", "csv", "markdown"}

// New makes the command upgrade-check. Its examples call the program by the name called.
func New(called string, cluster *ask.Cluster, streams genericiooptions.IOStreams) *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:               "upgrade-check --to VERSION",
		Short:             "Find what an upgrade of Kubernetes would break",
		Long:              long,
		Example:           fmt.Sprintf(examples, called),
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error {
			target, failOn, err := o.check()
			if err != nil {
				return err
			}
			o.loud = c.Flags().Changed("v")
			return o.checkClusters(c.Context(), cluster, streams, target, failOn)
		},
	}
	f := c.Flags()
	f.StringVar(&o.to, "to", "", "the release of Kubernetes to upgrade to, such as 1.38")
	cluster.AddContextsFlag(c, &o.contexts)
	choice.Output(c, &o.output, formats)
	choice.FailOn(c, &o.failOn, "the check", upgrade.FailOn(), upgrade.Kinds())
	f.BoolVar(&o.ways, "ways", false, "show ways out of each finding, as text to paste")
	return c
}

func (o *options) check() (release.Version, []upgrade.Kind, error) {
	if o.to == "" {
		return 0, nil, errors.New("the target is missing; name it with --to, such as --to 1.38")
	}
	target, err := release.Parse(strings.TrimPrefix(o.to, "v"))
	if err != nil {
		return 0, nil, fmt.Errorf("--to: %w", err)
	}
	if err := choice.WrongOutput(o.output, formats); err != nil {
		return 0, nil, err
	}
	kinds, err := choice.Kinds(o.failOn, upgrade.Kinds())
	return target, kinds, err
}

func (o *options) checkClusters(ctx context.Context, cluster *ask.Cluster, streams genericiooptions.IOStreams, target release.Version, failOn []upgrade.Kind) error {
	table, err := removal.Of()
	if err != nil {
		return err
	}
	watched := terminal.Watching("Lists read:", streams.ErrOut, o.loud)
	all, err := ask.Each(ctx, cluster, o.contexts, func(c *ask.Cluster, err error) checked { return checkCluster(ctx, c, err, target, watched) })
	watched.ClearLine()
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	r := upgrade.Report{APIVersion: upgrade.APIVersion, Kind: upgrade.ReportKind, Target: target.String(), MadeFor: table.MadeFor.String()}
	var wrong []error
	p := printing{ways: o.ways, width: terminal.Width(streams.Out)}
	for _, c := range all {
		r.Clusters = append(r.Clusters, c.Cluster)
		p.read = append(p.read, c.read)
		wrong = append(wrong, c.err)
	}
	if err := outputs[o.output](p, streams.Out, r); err != nil {
		return fmt.Errorf("printing: %w", err)
	}
	if err := errors.Join(wrong...); err != nil {
		return err
	}
	if r.Fails(failOn) {
		return check.ErrFindings
	}
	return nil
}

// checked is a cluster with its findings.
type checked struct {
	upgrade.Cluster
	read string // what was read, in words
	err  error
}

func checkCluster(ctx context.Context, c *ask.Cluster, silent error, target release.Version, watched *terminal.Progress) checked {
	found := checked{Cluster: upgrade.Cluster{Context: c.Context()}}
	g, err := begin(c, silent, watched)
	if err != nil {
		found.err = c.Named(err)
		found.Problem = plain.Text(err.Error())
		found.Cluster = found.Counted()
		return found
	}
	found.Server = g.server(ctx)
	g.Definitions(ctx)
	g.Parts(ctx)
	g.Metrics(ctx)
	census := g.read(ctx, func(discovery.Type) bool { return true })
	found.Findings = g.Facts(target, census).Findings()
	found.Cluster = found.Counted()
	found.read = readWords(census)
	return found
}
