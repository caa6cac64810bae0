// Package explain is the verb explain: it reads a refusal, and prints what happened and what to do.
//
//	text ──▶ kube/refusal: what was refused ──▶ kube/inquiry ◀──▶ ask: reads, metadata ──▶ kube/explain ──▶ text, Markdown, JSON, YAML
package explain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"
	kubeschema "k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/choice"
	"github.com/fieldmark/fieldmark/cli/terminal"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/inquiry"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/kube/refusal"
	"github.com/fieldmark/fieldmark/kube/schema"
)

const long = `Explain a refusal of an API server. Paste it as kubectl, Helm, Flux, Argo CD, Terraform, Pulumi or a client in Go prints it. The
explanation says what happened and why, on which object, who owns the fields, and since when. It has ways out, each as text to paste. The
text can have several refusals and other lines of a log.

explain reads the object that the text names. Many conflicts of an apply name no object. Then explain reads the metadata of objects of all
possible types, and compares their managers and fields with those of the conflict. Nothing is written. Without a kubeconfig, or with
--offline, explain uses the text alone.

With -f, the explanation has the values of your manifests, too. The values of Secrets are never printed.

The exit code is 0 if explain understood a refusal, 1 if it understood none, and 2 after an error or if it read only a part of the text.`

const examples = `  # What does this error of Helm mean, and what can you do?
  helm upgrade web ./chart 2>&1 | %[1]s explain

  # With the values of the manifest that was refused
  kubectl apply --server-side -f web.yaml 2>&1 | %[1]s explain -f web.yaml

  # A text from somewhere else, without a cluster
  %[1]s explain --offline 'Apply failed with 1 conflict: conflict with "hpa" using apps/v1: .spec.replicas'

  # For a script
  %[1]s explain -o json < refusal.txt`

// ErrNotUnderstood says that no refusal in the text was understood.
var ErrNotUnderstood = errors.New("no refusal in the text was understood")

// errPartly says that explain hasn't read the whole text.
var errPartly = errors.New("only a part of the text was read, so refusals may be missing; give only the lines around the refusal")

// patience is the most time that reading the text takes, and that requests take together. The explanation says what was not read, and which
// requests were not sent.
const patience = 30 * time.Second

// options are the values of the flags.
type options struct {
	which   ask.Which
	manager string
	offline bool
	output  string
}

// formats are the values of --output.
var formats = []string{"text", "json", "yaml", "markdown"}

// New makes the command. Its examples call the program by the name called.
func New(called string, cluster *ask.Cluster, streams genericiooptions.IOStreams) *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:               "explain [TEXT]",
		Short:             "Explain a refusal, and say what to do",
		Long:              long,
		Example:           fmt.Sprintf(examples, called),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, args []string) error {
			if err := choice.WrongOutput(o.output, formats); err != nil {
				return err
			}
			return o.explainRefusal(c.Context(), cluster, streams, args)
		},
	}
	f := c.Flags()
	o.which.AddFileFlags(f, "a file or folder with the manifests that were refused; - is the standard input")
	f.StringVar(&o.manager, "manager", "", "the field manager of the refused request, if the text doesn't name it")
	f.BoolVar(&o.offline, "offline", false, "explain the text alone, without a cluster")
	choice.Output(c, &o.output, formats)
	return c
}

func (o options) explainRefusal(ctx context.Context, cluster *ask.Cluster, streams genericiooptions.IOStreams, args []string) error {
	text, err := o.refusalText(streams, args)
	if err != nil {
		return err
	}
	known := inquiry.Options{Manager: o.manager}
	requests, err := o.connect(cluster, streams, &known)
	if err != nil {
		return err
	}
	documents, wrong := o.documents(ctx, streams.In, known.Namespace)
	known.Documents = documents
	q := inquiry.New(readRefusal(ctx, text), known)
	converse(ctx, requests, q)
	if err := ctx.Err(); err != nil {
		return err
	}
	answer := q.Answer()
	if err := outputs[o.output](streams.Out, result{answer, time.Now(), terminal.Width(streams.Out)}); err != nil {
		return fmt.Errorf("printing: %w", err)
	}
	switch {
	case wrong != nil:
		return wrong
	case answer.Partial:
		return errPartly
	case !answer.Understood():
		return ErrNotUnderstood
	}
	return nil
}

// readRefusal reads the text until patience ends.
func readRefusal(ctx context.Context, text string) refusal.Reading {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	return refusal.Read(ctx, text)
}

// refusalText is the text to explain: the arguments, or else the standard input. It reads at most refusal.MaxText bytes and one more.
func (o options) refusalText(streams genericiooptions.IOStreams, args []string) (string, error) {
	text := strings.Join(args, " ")
	if len(args) == 0 {
		for _, name := range o.which.Files.Filenames {
			if name == "-" {
				return "", errors.New("the standard input can't be the refusal and the manifest; give the refusal as an argument")
			}
		}
		if terminal.IsKeyboard(streams.In) {
			_, _ = fmt.Fprintln(streams.ErrOut, "Paste the refusal, and press Ctrl-D on a line of its own.")
		}
		read, err := io.ReadAll(io.LimitReader(streams.In, refusal.MaxText+1))
		if err != nil {
			return "", fmt.Errorf("reading the standard input: %w", err)
		}
		text = string(read)
	}
	if strings.TrimSpace(text) == "" {
		return "", errors.New("no refusal is given; give its text as an argument, or on the standard input, as in 'kubectl apply … 2>&1 | fieldmark explain'")
	}
	return text, nil
}

// connect prepares requests to the cluster. It returns nil if there is no cluster. If the cluster doesn't respond, it prints a warning and returns nil.
func (o options) connect(cluster *ask.Cluster, streams genericiooptions.IOStreams, known *inquiry.Options) (*ask.Requests, error) {
	if o.offline || !cluster.Configured() {
		return nil, nil
	}
	requests, err := cluster.Requests()
	if err != nil {
		return nil, err
	}
	if known.Namespace, _, err = cluster.Namespace(); err != nil {
		return nil, err
	}
	catalog, err := cluster.Catalog()
	if err != nil {
		_, _ = fmt.Fprintf(streams.ErrOut, "fieldmark: the types of the cluster can't be listed, so only the text is explained: %s\n", plain.Text(strings.Join(strings.Fields(err.Error()), " ")))
		return nil, nil
	}
	known.Catalog = &catalog
	known.Schema = func(t discovery.Type) *schema.Schema {
		s, found, err := cluster.Schema(kubeschema.GroupVersionKind{Group: t.Group, Version: t.Version, Kind: t.Kind})
		if err != nil || !found {
			return nil // without a schema, only the fields that all objects have are known
		}
		return &s
	}
	return requests, nil
}

// documents are the documents of the manifests that can be read. The error says what can't be read.
func (o options) documents(ctx context.Context, stdin io.Reader, namespace string) ([]check.Document, error) {
	var all []check.Document
	var wrong []error
	err := o.which.Manifests(ctx, stdin, func(m ask.Manifest) error {
		if err := m.Problem(); err != nil {
			wrong = append(wrong, err)
		}
		wrong = append(wrong, m.Dropped()...)
		for _, d := range m.Documents {
			if !d.Broken {
				all = append(all, check.Document{File: m.File, Source: d, Namespace: namespace})
			}
		}
		return nil
	})
	return all, errors.Join(append(wrong, err)...)
}

// converse sends the requests that an inquiry asks for, until it asks for no more, or until patience ends. It sends each round at the same time.
func converse(ctx context.Context, requests *ask.Requests, q *inquiry.Inquiry) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	for asks := q.Asks(); len(asks) > 0; asks = q.Asks() {
		heard := make([]inquiry.Heard, len(asks))
		var g errgroup.Group
		for i, a := range asks {
			g.Go(func() error {
				heard[i].Body, heard[i].No = requests.Send(ctx, a)
				return nil
			})
		}
		_ = g.Wait() // heard has the refusals
		q.Take(heard)
	}
}
