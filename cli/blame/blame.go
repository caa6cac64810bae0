// Package blame is the verb blame: who owns each line of an object, since when, and by what.
package blame

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/plain"
	"github.com/fieldmark/fieldmark/kube/object"
	fieldschema "github.com/fieldmark/fieldmark/kube/schema"
)

const long = `Print objects as YAML, with the owners of each line: which manager wrote it, how (Apply or Update, and through which
subresource), and how long ago the manager wrote last. Who shares a field is named on its line. "nobody" means that no manager
claims the line: the API server set it, or admission, or it is there by default, which is said where the schema tells.

The cluster is asked for the objects and for the schema of their types, and nothing is written. With -f no cluster is asked at all:
the files hold objects that were read before, with their managedFields (kubectl get -o yaml --show-managed-fields).
The values of Secrets are never printed.`

const examples = `  # Who wrote which line of a Deployment
  %[1]s blame deployment/web

  # Who owns the number of replicas
  %[1]s blame deployment/web --field .spec.replicas

  # All ConfigMaps with a label, for a script
  %[1]s blame configmap -l app=web -o json

  # An object that was read before
  kubectl get deployment/web -o yaml --show-managed-fields | %[1]s blame -f -`

// options are what the flags say.
type options struct {
	which  ask.Which
	field  string
	output string
	color  string
}

// New makes the command. The program is called as its examples have it.
func New(called string, cluster *ask.Cluster, streams genericiooptions.IOStreams) *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:     "blame (TYPE/NAME | TYPE NAME | TYPE -l LABELS | -f FILE)",
		Short:   "Say who owns each line of an object",
		Long:    long,
		Example: fmt.Sprintf(examples, called),
		ValidArgsFunction: func(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
			return cluster.Complete(c.Context(), o.which, args, begun), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.check(args); err != nil {
				return err
			}
			return o.run(c.Context(), cluster, streams, args)
		},
	}
	o.which.AddFlags(c.Flags(), "a file or folder with objects that were read before; - is the standard input")
	c.Flags().StringVar(&o.field, "field", "", "only this field, in one line: '.spec.replicas'")
	c.Flags().StringVarP(&o.output, "output", "o", "text", "text, json, yaml or markdown")
	c.Flags().StringVar(&o.color, "color", "auto", "auto (if a terminal reads), always or never; $NO_COLOR means never")
	_ = c.RegisterFlagCompletionFunc("output", cobra.FixedCompletions([]string{"text", "json", "yaml", "markdown"}, cobra.ShellCompDirectiveNoFileComp)) // the flags are there
	_ = c.RegisterFlagCompletionFunc("color", cobra.FixedCompletions([]string{"auto", "always", "never"}, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// outputs are the forms of what is printed.
var outputs = map[string]func(*printer, []Written) error{"text": (*printer).text, "json": (*printer).json, "yaml": (*printer).yaml, "markdown": (*printer).markdown}

func (o options) check(args []string) error {
	switch {
	case len(args) == 0 && !o.which.FromFiles():
		return errors.New("which object? Name one, as in 'blame deployment/web', or give a file with -f")
	case outputs[o.output] == nil:
		return fmt.Errorf("--output is text, json, yaml or markdown, not %q", o.output)
	case !slices.Contains([]string{"auto", "always", "never"}, o.color):
		return fmt.Errorf("--color is auto, always or never, not %q", o.color)
	case o.field != "" && !strings.HasPrefix(o.field, "."):
		return fmt.Errorf("--field begins with a point, as in '.%s'", o.field)
	}
	return nil
}

func (o options) run(ctx context.Context, cluster *ask.Cluster, streams genericiooptions.IOStreams, args []string) error {
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
				_, _ = fmt.Fprintf(streams.ErrOut, "fieldmark: the schema of %s can't be read, so defaults, and lists that are owned as a whole, may be shown as nobody's: %s\n", plain.Text(kind.Kind), plain.Text(err.Error()))
			case found:
				known = &s
			}
		}
		if o.which.FromFiles() && one.Fields["metadata"] != nil && !recorded(one) {
			_, _ = fmt.Fprintf(streams.ErrOut, "fieldmark: %s has no managedFields, so no owners are known. Read it with kubectl get -o yaml --show-managed-fields\n", plain.Text(name(one)))
		}
		w, err := Write(one, known)
		if err != nil {
			return err
		}
		all = append(all, w)
		return nil
	})
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("reading objects: %w", err) // some of them would look like all
	}
	p := &printer{out: streams.Out, color: o.colored(streams), now: time.Now(), field: o.field}
	if len(all) > 0 {
		if err := outputs[o.output](p, all); err != nil {
			return err
		}
	}
	if asked == nil && len(all) == 0 {
		asked = errors.New("no object was found")
	}
	return asked
}

// colored tells whether colours are wanted. They never say anything that the text doesn't.
func (o options) colored(streams genericiooptions.IOStreams) bool {
	if o.color != "auto" {
		return o.color == "always"
	}
	return os.Getenv("NO_COLOR") == "" && plain.IsTerminal(streams.Out)
}

// recorded tells whether an object has a record of its owners.
func recorded(o object.Object) bool {
	metadata, _ := o.Fields["metadata"].(map[string]any)
	return metadata["managedFields"] != nil
}
