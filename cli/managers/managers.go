// Package managers is the verb managers: it prints who writes to a whole cluster, or to several, by the metadata of all objects.
//
//	contexts ──▶ for each: types ──▶ kube/census/reading: lists of metadata ──▶ report ──▶ text, JSON, CSV, Markdown
//
// All requests are lists. A cluster that doesn't respond holds up no other one.
package managers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/choice"
	"github.com/fieldmark/fieldmark/cli/terminal"
	"github.com/fieldmark/fieldmark/kube/census/reading"
	"github.com/fieldmark/fieldmark/kube/census/report"
)

const long = `Show who writes to a cluster: all field managers, what kind of program each is, and how many fields of which types it owns.
Findings say what is wrong, the worst first: objects that may not be applied any more, two GitOps tools on one object, changes by hand to
objects that a GitOps tool applies, and more.

managers lists the metadata of all objects that you may list, in chunks, and writes nothing. It names the types that you may not list. A
field is a leaf of managedFields. An entry has the time of its last write, and nothing of earlier ones.

With --contexts, managers reads several clusters at the same time. Then the table has a column for each cluster.

The exit code is 0 if no finding fails the command (see --fail-on), 1 if one does, and 2 if a cluster could not be read. After Ctrl-C, it
is 130, and nothing is shown, because it would be incomplete.`

const examples = `  # Who writes to this cluster
  %[1]s managers

  # Only two namespaces
  %[1]s managers -n shop -n payments

  # Several clusters beside each other
  %[1]s managers --contexts staging,production

  # Who is new since last week
  %[1]s managers -o json > monday.json
  %[1]s managers --compare monday.json

  # Fail in a pipeline if somebody changed by hand what GitOps applies
  %[1]s managers --fail-on person,two-gitops`

// ErrFindings says that at least one finding fails the command.
var ErrFindings = errors.New("findings fail the command")

// options are the values of the flags.
type options struct {
	contexts   []string
	namespaces []string
	all        bool
	output     string
	compare    string
	failOn     []string
	loud       bool // requests are logged
}

// formats are the values of --output.
var formats = []string{"text", "json", "csv", "markdown"}

// New makes the command. Its examples call the program by the name called.
func New(called string, cluster *ask.Cluster, streams genericiooptions.IOStreams) *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:               "managers",
		Short:             "Show who writes to a cluster",
		Long:              long,
		Example:           fmt.Sprintf(examples, called),
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error {
			kinds, earlier, err := o.check()
			if err != nil {
				return err
			}
			o.loud = c.Flags().Changed("v")
			return o.count(c.Context(), cluster, streams, kinds, earlier)
		},
	}
	f := c.Flags()
	f.StringSliceVarP(&o.namespaces, "namespace", "n", nil, "only objects of this namespace; repeat it for several")
	f.BoolVarP(&o.all, "all-namespaces", "A", false, "objects of all namespaces, and those without one (the default)")
	cluster.AddContextsFlag(c, &o.contexts)
	choice.Output(c, &o.output, formats)
	f.StringVar(&o.compare, "compare", "", "an earlier output of -o json: show who is new, who has gone, and what has changed")
	choice.FailOn(c, &o.failOn, "the command", report.FailOn(), report.Problems())
	return c
}

// check checks the flags, and reads the earlier export.
func (o options) check() (kinds []report.Problem, earlier *report.Report, err error) {
	if err := choice.WrongOutput(o.output, formats); err != nil {
		return nil, nil, err
	}
	if o.all && len(o.namespaces) > 0 {
		return nil, nil, errors.New("--all-namespaces and --namespace exclude each other; leave one of them out")
	}
	if kinds, err = choice.Kinds(o.failOn, report.Problems()); err != nil {
		return nil, nil, err
	}
	if o.compare == "" {
		return kinds, nil, nil
	}
	file, err := os.Open(o.compare)
	if err != nil {
		return nil, nil, fmt.Errorf("--compare: %w", err)
	}
	defer file.Close() //nolint:errcheck // it was only read
	read, err := report.ReadExport(file)
	if err != nil {
		return nil, nil, fmt.Errorf("--compare %s: %w", o.compare, err)
	}
	return kinds, &read, nil
}

func (o options) count(ctx context.Context, cluster *ask.Cluster, streams genericiooptions.IOStreams, failOn []report.Problem, earlier *report.Report) error {
	p := terminal.Watching("Lists read:", streams.ErrOut, o.loud)
	clusters, err := ask.Each(ctx, cluster, o.contexts, func(one *ask.Cluster, err error) counted {
		c := counted{Report: report.Report{Context: one.Context()}}
		if err != nil {
			return c.failed(err)
		}
		return o.countOne(ctx, c, one, p)
	})
	p.ClearLine()
	if err != nil {
		return err
	}
	if earlier != nil && len(clusters) > 1 {
		return errors.New("--compare compares one cluster; name one context")
	}
	r := result{clusters: clusters}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("reading objects: %w", err)
	}
	if earlier != nil && r.clusters[0].err == nil {
		c := report.Compare(*earlier, r.clusters[0].Report)
		r.comparison, r.since = &c, earlier.Began
	}
	if err := r.wrong(); err != nil && len(clusters) == 1 {
		return err
	}
	if err := outputs[o.output](streams.Out, r); err != nil {
		return fmt.Errorf("printing: %w", err)
	}
	if err := r.wrong(); err != nil {
		return err
	}
	if slices.ContainsFunc(r.clusters, func(c counted) bool { return c.Fails(failOn) }) {
		return ErrFindings
	}
	return nil
}

// countOne reads one cluster.
func (o options) countOne(ctx context.Context, c counted, cluster *ask.Cluster, p *terminal.Progress) counted {
	requests, err := cluster.Requests()
	if err != nil {
		return c.failed(err)
	}
	catalog, err := cluster.Catalog()
	if err != nil {
		return c.failed(err)
	}
	r := reading.New(reading.Plan{
		Types: reading.TypesOf(catalog, o.namespaces), Namespaces: o.namespaces, Served: catalog.Serves, Context: c.Context,
	}, requests.Reading(p.Step))
	r.Run(ctx)
	c.Report = r.Report()
	if c.Phase == report.Failed {
		why := "it lists no types"
		if len(c.Types) > 0 {
			why = c.Types[0].Name() + ": " + c.Types[0].Why
		}
		return c.failed(fmt.Errorf("no type can be listed (%s)", why))
	}
	return c
}
