// Package blame is the verb blame: it prints who owns each line of an object, how the owner wrote it, and when the owner last wrote.
package blame

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/choice"
	"github.com/fieldmark/fieldmark/cli/terminal"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/plain"
	fieldschema "github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/typed"
)

const long = `Print objects as YAML, with the owners of each line. For each owner, the line names the manager, its operation (Apply or
Update, and the subresource), and how long ago the manager last wrote. If managers share a field, the line names all of them.

"nobody" means that no manager owns the line: the API server or admission set it. "by default" means that no manager owns the line, and
that its value is the default in the schema.

blame reads the objects and the schemas of their types from the cluster, and writes nothing. With -f, blame doesn't use a cluster. The
files then have objects that were read before, with their managedFields (kubectl get -o yaml --show-managed-fields). Files are read as
kubectl reads them, and an object may have no name.
The values of Secrets are never printed.

With --contexts, blame reads the objects in several contexts at the same time, and prints the fields whose values or owners differ. It leaves
out .status, and what each API server makes itself, such as uids. Then a table says what each context responded. A context that doesn't
respond has a line there, and the exit code is 2. An object that only some contexts have is a difference, not an error.`

const examples = `  # Who wrote which line of a Deployment
  %[1]s blame deployment/web

  # Who owns the number of replicas
  %[1]s blame deployment/web --field spec.replicas

  # All ConfigMaps with a label, for a script
  %[1]s blame configmap -l app=web -o json

  # A large object, for a script
  %[1]s blame crd/widgets.example.com -o json --compact

  # In which clusters does the Deployment differ?
  %[1]s blame deployment/web --contexts 'prod-*'

  # An object that was read before
  kubectl get deployment/web -o yaml --show-managed-fields | %[1]s blame -f -`

// options are the values of the flags.
type options struct {
	which  ask.Which
	field  string
	output string
	color  string
	short  bool
	wide   bool
	// contexts are names and patterns of contexts; empty: the one context that kubectl would use.
	contexts []string
}

// formats are the values of --output.
var formats = []string{"text", "json", "yaml", "markdown"}

// New makes the command. Its examples call the program by the name called.
func New(called string, cluster *ask.Cluster, streams genericiooptions.IOStreams) *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:     "blame (TYPE/NAME | TYPE NAME | TYPE -l LABELS | -f FILE)",
		Short:   "Show who owns each line of an object",
		Long:    long,
		Example: fmt.Sprintf(examples, called),
		ValidArgsFunction: func(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
			return cluster.Complete(c.Context(), o.which, args, begun), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.check(args); err != nil {
				return err
			}
			if len(o.contexts) > 0 {
				return o.blameContexts(c.Context(), cluster, streams, args)
			}
			return o.blameObjects(c.Context(), cluster, streams, args)
		},
	}
	o.which.AddFlags(c.Flags(), "a file or folder with objects that were read before; - is the standard input")
	cluster.AddContextsFlag(c, &o.contexts)
	c.Flags().StringVar(&o.field, "field", "", "show only this field, in one line: 'spec.replicas', 'spec.containers[name=app].image'")
	choice.Output(c, &o.output, formats)
	c.Flags().BoolVar(&o.short, "compact", false, "with -o json: print fieldmark.dev/v2, where lines refer to a list of owners")
	c.Flags().StringVar(&o.color, "color", "auto", "auto (only on a terminal, and not with $NO_COLOR), always or never")
	c.Flags().BoolVar(&o.wide, "wide", false, "in a terminal: print whole lines, and name more owners, although lines get longer than the terminal is wide")
	_ = c.RegisterFlagCompletionFunc("color", cobra.FixedCompletions([]string{"auto", "always", "never"}, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// outputs has a function for each value of --output.
var outputs = map[string]func(*printer, []Written) error{"text": (*printer).printText, "json": (*printer).json, "yaml": (*printer).yaml, "markdown": (*printer).markdown}

func (o options) check(args []string) error {
	if err := choice.WrongOutput(o.output, formats); err != nil {
		return err
	}
	switch {
	case len(args) == 0 && !o.which.FromFiles():
		return errors.New("no object is named; name one, as in 'blame deployment/web', or give a file with -f")
	case !slices.Contains([]string{"auto", "always", "never"}, o.color):
		return fmt.Errorf("--color must be auto, always or never, not %q", o.color)
	case len(o.contexts) > 0 && o.which.FromFiles():
		return errors.New("--contexts reads objects from clusters, but -f and -k read files; leave one of them out")
	case len(o.contexts) > 0 && o.short:
		return errors.New("--compact can't be combined with --contexts")
	case o.short && o.output != "json":
		return fmt.Errorf("--compact needs -o json, but the output is %s", o.output)
	}
	if _, err := typed.Steps(o.field); err != nil {
		return fmt.Errorf("--field is no path of a field: %q. Write it like 'spec.replicas' or 'spec.containers[name=app].image'", o.field)
	}
	return nil
}

func (o options) blameObjects(ctx context.Context, cluster *ask.Cluster, streams genericiooptions.IOStreams, args []string) error {
	all, asked := o.collect(ctx, cluster, streams, args)
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("reading objects: %w", err) // a part of the objects would look like all of them
	}
	p := &printer{out: streams.Out, color: o.colored(streams), now: time.Now(), field: o.field, short: o.short}
	if !o.wide {
		p.width = terminal.Width(streams.Out)
	}
	if len(all) > 0 {
		if err := outputs[o.output](p, all); err != nil {
			return err
		}
	}
	if asked == nil && len(all) == 0 {
		asked = errors.New("no objects were found")
	}
	return asked
}

// collect reads the objects of one cluster, and finds their owners. The error says which objects can't be read.
func (o options) collect(ctx context.Context, cluster *ask.Cluster, streams genericiooptions.IOStreams, args []string) ([]Written, error) {
	var all []Written
	warned := map[schema.GroupVersionKind]bool{}
	asked := cluster.Objects(ctx, o.which, streams.In, args, func(one object.Object) error {
		kind := schema.FromAPIVersionAndKind(one.APIVersion(), one.Kind())
		var known *fieldschema.Schema
		if !o.which.FromFiles() {
			s, found, err := cluster.Schema(kind)
			switch {
			case err != nil && !warned[kind]:
				warned[kind] = true
				_, _ = fmt.Fprintf(streams.ErrOut, "fieldmark: the schema of %s can't be read (%s), so defaults and atomic lists may be shown as owned by nobody\n", plain.Text(kind.Kind), plain.Text(err.Error()))
			case found:
				known = &s
			}
		}
		if o.which.FromFiles() && one.Fields["metadata"] != nil && !recorded(one) {
			_, _ = fmt.Fprintf(streams.ErrOut, "fieldmark: %s has no managedFields, so no owners are known. Read it with kubectl get -o yaml --show-managed-fields\n", plain.Text(name(one)))
		}
		w, err := o.findOwners(one, known)
		if err != nil {
			return err
		}
		all = append(all, w)
		return nil
	})
	return all, asked
}

// findOwners finds the owners of an object's lines. If the output only needs the owners of one value, it doesn't write the object as YAML.
func (o options) findOwners(one object.Object, known *fieldschema.Schema) (Written, error) {
	if o.field != "" && len(o.contexts) == 0 && (o.output == "text" || o.output == "markdown") {
		if w, ok := WriteValue(one, known, o.field); ok {
			return w, nil
		}
	}
	return Write(one, known)
}

// colored tells whether to print colours. The text says everything that colours say.
func (o options) colored(streams genericiooptions.IOStreams) bool {
	if o.color != "auto" {
		return o.color == "always"
	}
	return os.Getenv("NO_COLOR") == "" && terminal.IsTerminal(streams.Out)
}

// recorded tells whether an object has managedFields.
func recorded(o object.Object) bool {
	metadata, _ := o.Fields["metadata"].(map[string]any)
	return metadata["managedFields"] != nil
}
