// Package migrate is the verb migrate: it prints a plan for moving to server-side apply, object by object.
//
//	clusters ──▶ metadata of all objects ──▶ kube/migrate: owners ──▶ for each object: manifest, dry runs ──▶ kube/check, kube/migrate ──▶ text, Markdown, JSON, CSV
//
// All requests are reads and dry runs. The stored releases of Helm are Secrets, so they are read only if the user asks for it, one at a time.
package migrate

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/check"
	"github.com/fieldmark/fieldmark/cli/choice"
	"github.com/fieldmark/fieldmark/cli/terminal"
	checks "github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/migrate"
	"github.com/fieldmark/fieldmark/kube/migrate/planning"
	"github.com/fieldmark/fieldmark/kube/plain"
)

const long = `Plan the move to server-side apply. For each object that kubectl, Helm, Argo CD or Flux applies, migrate predicts the first server-side
apply: with whom it conflicts, which fields it removes, and which fields stay although no manifest has them. The plan says what is safe now,
what needs a decision, and what will break, each with the step to paste. Nothing is done in bulk.

migrate lists the metadata of all objects that you may list, in chunks. Where it knows the manifest, it reads the object and sends dry runs.
It knows manifests from the annotation of kubectl apply and from the files in -f. With files, the plan is about their objects only. Helm
stores manifests in Secrets. migrate reads these with --helm-releases only, one at a time, and keeps nothing of them.

The prediction includes what tools do with their older entries in managedFields before or after the apply, which a plain dry run doesn't show.

The exit code is 0 if no finding fails the plan (see --fail-on), 1 if one does, and 2 if a cluster could not be read. After Ctrl-C, it is
130, and no plan is shown, because it would be incomplete.`

const examples = `  # The plan for a namespace
  %[1]s migrate -n shop

  # With the stored manifests of Helm
  %[1]s migrate -n shop --helm-releases

  # What would kubectl apply --server-side do with these files?
  %[1]s migrate -R -f manifests/ --ways

  # All production clusters, for a spreadsheet
  %[1]s migrate --contexts 'prod-*' -o csv`

// options are the values of the flags.
type options struct {
	which    ask.Which
	contexts []string
	releases bool
	output   string
	failOn   []string
	ways     bool
	loud     bool // requests are logged
}

// formats are the values of --output.
var formats = []string{"text", "json", "csv", "markdown"}

// New makes the command. Its examples call the program by the name called.
func New(called string, cluster *ask.Cluster, streams genericiooptions.IOStreams) *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:               "migrate",
		Short:             "Plan the move to server-side apply",
		Long:              long,
		Example:           fmt.Sprintf(examples, called),
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error {
			kinds, err := o.check()
			if err != nil {
				return err
			}
			o.loud = c.Flags().Changed("v")
			return o.plan(c.Context(), cluster, streams, kinds)
		},
	}
	f := c.Flags()
	o.which.AddFileFlags(f, "a file or folder with manifests, so that the plan is about their objects; - is the standard input")
	cluster.AddContextsFlag(c, &o.contexts)
	f.BoolVar(&o.releases, "helm-releases", false, "read the stored releases of Helm, which are Secrets, one at a time")
	choice.Output(c, &o.output, formats)
	choice.FailOn(c, &o.failOn, "the plan", checks.FailOn(), checks.Kinds())
	f.BoolVar(&o.ways, "ways", false, "also show previews and other steps, and ways out of each finding, as text to paste")
	return c
}

func (o *options) check() ([]checks.Kind, error) {
	if err := choice.WrongOutput(o.output, formats); err != nil {
		return nil, err
	}
	return choice.Kinds(o.failOn, checks.Kinds())
}

// planned is a cluster with its plan.
type planned struct {
	migrate.Cluster
	read string // what was read, in words
	err  error
}

func (o *options) plan(ctx context.Context, cluster *ask.Cluster, streams genericiooptions.IOStreams, failOn []checks.Kind) error {
	given, err := o.given(ctx, cluster, streams.In)
	if err != nil {
		return err
	}
	watched := terminal.Watching("Lists and objects read:", streams.ErrOut, o.loud)
	all, err := ask.Each(ctx, cluster, o.contexts, func(c *ask.Cluster, silent error) planned { return o.planOne(ctx, c, silent, given, watched) })
	watched.ClearLine()
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	r := migrate.Report{APIVersion: migrate.APIVersion, Kind: migrate.ReportKind}
	p := printing{ways: o.ways, width: terminal.Width(streams.Out)}
	var wrong []error
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

// given are the documents of the files; nil if the user named none.
func (o *options) given(ctx context.Context, cluster *ask.Cluster, in io.Reader) ([]checks.Document, error) {
	if !o.which.FromFiles() {
		return nil, nil
	}
	namespace, only, err := cluster.Namespace()
	if err != nil {
		return nil, err
	}
	all := []checks.Document{}
	err = o.which.Manifests(ctx, in, func(m ask.Manifest) error {
		if err := m.Problem(); err != nil {
			return err
		}
		for _, d := range m.Documents {
			if len(all) == planning.MostPredicted {
				return fmt.Errorf("the files have more than %d documents; plan them in parts", planning.MostPredicted)
			}
			all = append(all, checks.Document{File: m.File, Built: m.Built, From: m.From, Source: d, Namespace: namespace, Only: only})
		}
		return nil
	})
	return all, err
}

func (o *options) planOne(ctx context.Context, c *ask.Cluster, silent error, given []checks.Document, watched *terminal.Progress) planned {
	found := planned{Cluster: migrate.Cluster{Context: c.Context()}}
	g, err := begin(c, silent, given, watched)
	if err == nil {
		err = g.survey(ctx)
	}
	if err != nil {
		err = c.Named(err)
		found.err, found.Problem = err, plain.Text(err.Error())
		found.Cluster = found.Counted()
		return found
	}
	g.ReadOptions(ctx)
	g.readReleases(ctx, o.releases)
	found.Objects = g.predictAll(ctx)
	found.Done, found.More, found.Missing, found.read = g.Done, g.More, g.Missing, g.read
	found.Cluster = found.Counted()
	return found
}
