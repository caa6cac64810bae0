// Package whocan is the verb who-can: it prints who could change an object or a field of it, by roles and bindings.
//
//	VERB TYPE/NAME ──▶ roles, bindings ──▶ kube/rbac: grants ──▶ SubjectAccessReviews ──▶ text, Markdown, JSON, CSV
//	                   --field: managedFields ──▶ owners ──▶ which subjects could they be?
//
// All requests are reads and reviews. A review stores nothing.
package whocan

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/choice"
	"github.com/fieldmark/fieldmark/cli/terminal"
	"github.com/fieldmark/fieldmark/kube/typed"
)

const long = `Print who could update, patch, apply, create or delete objects, by the roles and bindings that you may read: each user, group and service
account, with the binding, the role and the rule.

blame says who did change a field; who-can says who could. With --field, the output has the owners of the field, too, and the subjects that
each manager could be.

The verb is one or more of Kubernetes' verbs, separated by commas. "change" means update and patch. "apply" means patch and create, because an
apply creates an object that doesn't exist. Without a name, the answer is about every object of the type.

Roles and bindings are never the whole truth. The output says what they don't show, and what you couldn't read. For the subjects that it finds,
who-can asks the API server by SubjectAccessReviews, if you may create them, and says where the server decides otherwise.

The exit code is 0 if the answer is complete, 1 if a list couldn't be read or the API server decides otherwise, and 2 if there is no answer.`

const examples = `  # Who could change the Deployment web
  %[1]s who-can update deployments/web -n shop

  # Who could change its replicas: the object, and its subresource scale
  %[1]s who-can change deployments/web -n shop --field spec.replicas
  %[1]s who-can change deployments/web -n shop --subresource scale

  # Who could apply any ConfigMap of any namespace
  %[1]s who-can apply configmaps -A -o csv

  # The same question to several clusters
  %[1]s who-can delete namespaces --contexts 'prod-*'`

// ErrFindings says that the answer isn't complete, or that the API server decides otherwise.
var ErrFindings = errors.New("the answer isn’t complete, or the API server decides otherwise")

// options are the values of the flags.
type options struct {
	subresource string
	field       string
	output      string
	contexts    []string
	everywhere  bool
	workloads   bool
	ask         bool
}

// formats are the values of --output.
var formats = []string{"text", "json", "csv", "markdown"}

// New makes the command. Its examples call the program by the name called.
func New(called string, cluster *ask.Cluster, streams genericiooptions.IOStreams) *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:     "who-can VERB (TYPE | TYPE/NAME | TYPE NAME)",
		Short:   "Show who could change an object or a field",
		Long:    long,
		Example: fmt.Sprintf(examples, called),
		ValidArgsFunction: func(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return ask.Beginning(slices.Clone(verbs), begun), cobra.ShellCompDirectiveNoFileComp
			}
			return cluster.Complete(c.Context(), ask.Which{}, args[1:], begun), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			asked, err := o.read(args)
			if err != nil {
				return err
			}
			return o.answer(c.Context(), cluster, streams, asked)
		},
	}
	f := c.Flags()
	f.StringVar(&o.subresource, "subresource", "", "a subresource of the type, such as scale or status")
	f.StringVar(&o.field, "field", "", "also show the owners of this field of the object: 'spec.replicas'")
	choice.Output(c, &o.output, formats)
	cluster.AddContextsFlag(c, &o.contexts)
	f.BoolVarP(&o.everywhere, "all-namespaces", "A", false, "ask about all namespaces")
	f.BoolVar(&o.workloads, "workloads", false, "list the pods that run as the service accounts, and what owns these pods")
	f.BoolVar(&o.ask, "ask-server", true, "compare with the API server's decisions, by SubjectAccessReviews")
	return c
}

// Words that stand for several verbs.
const (
	change = "change"
	apply  = "apply"
)

// verbs are the verbs that can be asked for.
var verbs = []string{apply, change, "create", "delete", "deletecollection", "get", "list", "patch", "update", "watch", "bind", "escalate", "impersonate", "use", "approve", "sign", "*"}

// asked is what the arguments ask for.
type asked struct {
	verbs      []string
	apply      bool
	kind, name string

	named bool
}

// read reads the arguments, and checks the flags.
func (o options) read(args []string) (a asked, err error) {
	if err := choice.WrongOutput(o.output, formats); err != nil {
		return a, err
	}
	switch {
	case len(args) < 2:
		return a, errors.New("a verb and a type are needed, as in 'who-can update deployments/web'")
	case len(args) > 3:
		return a, fmt.Errorf("who-can takes a verb, a type and one name, but there are %d words", len(args))
	}

	for verb := range strings.SplitSeq(args[0], ",") {
		switch {
		case !slices.Contains(verbs, verb):
			return a, fmt.Errorf("%q is no verb of Kubernetes that who-can knows.%s The verbs are %s", verb, typed.DidYouMean(verb, verbs), strings.Join(verbs, ", "))
		case verb == change:
			a.add("update", "patch")
		case verb == apply:
			a.apply = true
			a.add("patch", "create")
		default:
			a.add(verb)
		}
	}
	a.kind, a.name, a.named = strings.Cut(args[1], "/")
	if len(args) == 3 {
		if a.named {
			return a, fmt.Errorf("the object has two names, %q and %q; leave one of them out", a.name, args[2])
		}
		a.name, a.named = args[2], true
	}
	switch {
	case a.named && a.name == "":
		return a, fmt.Errorf("%q has no name after the slash", args[1])
	case o.field != "" && (a.name == "" || o.everywhere):
		return a, errors.New("--field needs one object; name it, as in 'who-can change deployments/web --field spec.replicas', without --all-namespaces")
	}
	if _, err := typed.Steps(o.field); err != nil {
		return a, fmt.Errorf("--field is no path of a field: %q. Write it like 'spec.replicas'", o.field)
	}
	return a, nil
}

func (a *asked) add(verbs ...string) {
	for _, v := range verbs {
		if !slices.Contains(a.verbs, v) {
			a.verbs = append(a.verbs, v)
		}
	}
}

// answer asks each cluster, and prints all answers. A cluster that can't be asked holds up no other.
func (o options) answer(ctx context.Context, cluster *ask.Cluster, streams genericiooptions.IOStreams, a asked) error {
	type one struct {
		result
		err error
	}
	all, err := ask.Each(ctx, cluster, o.contexts, func(c *ask.Cluster, err error) (of one) {
		if of.err = err; err == nil {
			of.result, of.err = o.ofCluster(ctx, c, a)
		}
		if of.err != nil && len(o.contexts) > 0 {
			of.err = c.Named(of.err)
		}
		return of
	})
	if err != nil {
		return err
	}
	var results []result
	var wrong []error
	for _, of := range all {
		if of.err != nil {
			wrong = append(wrong, of.err)
			continue
		}
		results = append(results, of.result)
	}
	found := slices.ContainsFunc(results, result.findings)
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("reading roles and bindings: %w", err)
	}
	if len(results) > 0 {
		p := printer{out: streams.Out, width: terminal.Width(streams.Out), several: len(o.contexts) > 0}
		if err := outputs[o.output](p, results); err != nil {
			return err
		}
	}
	if len(wrong) > 0 {
		return errors.Join(wrong...)
	}
	if found {
		return ErrFindings
	}
	return nil
}
