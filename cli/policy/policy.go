// Package policy is the verb policy: it prints a ValidatingAdmissionPolicy about field managers, with its binding.
package policy

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/fieldmark/fieldmark/cli/output"
	"github.com/fieldmark/fieldmark/kube/policy"
)

const long = `Print a ValidatingAdmissionPolicy and its binding as YAML, which you can review and apply. Each API server since Kubernetes 1.30 has such
policies, so no webhook is needed. The policies are:

  forced-applies   applies of these managers that take fields from other managers. By default, the managers are assistants: agent/*
  gitops-objects   writes of people's tools and of assistants to objects that a GitOps tool applies

The policy warns, and adds a note to the audit log. With --deny, it refuses the write. Begin with warnings, and read them for some days.

A field manager is a name that anybody may choose. A policy about it is a reminder, and no boundary. See docs/policy.md for what it can't see.`

const examples = `  # Warn if an assistant applies with force
  %[1]s policy forced-applies | kubectl apply -f -

  # Refuse writes with kubectl to Deployments that Argo CD applies
  %[1]s policy gitops-objects --types deployments.apps --managers 'kubectl*' --owners argocd-controller --deny`

// New makes the command. Its examples call the program by the name called.
func New(called string, streams genericiooptions.IOStreams) *cobra.Command {
	var o policy.Options
	kinds := make([]string, 0, len(policy.Kinds()))
	for _, k := range policy.Kinds() {
		kinds = append(kinds, string(k))
	}
	c := &cobra.Command{
		Use:       "policy (" + strings.Join(kinds, " | ") + ")",
		Short:     "Write an admission policy about field managers",
		Long:      long,
		Example:   fmt.Sprintf(examples, called),
		ValidArgs: kinds,
		Args:      cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		RunE: func(_ *cobra.Command, args []string) error {
			o.Kind = policy.Kind(args[0])
			return write(streams.Out, o)
		},
	}
	f := c.Flags()
	f.StringSliceVar(&o.Managers, "managers", nil, "managers whose writes are caught; a name can end with * (default: those that the help names)")
	f.StringSliceVar(&o.Owners, "owners", nil, "with gitops-objects: managers that own the objects (default: those of Argo CD, Flux and Fleet)")
	f.StringSliceVar(&o.Types, "types", nil, "only these types, such as deployments.apps,configmaps (default: all)")
	f.BoolVar(&o.Deny, "deny", false, "refuse the write, instead of a warning")
	return c
}

// write prints the policy and its binding.
func write(out io.Writer, o policy.Options) error {
	objects, err := policy.Objects(o)
	if err != nil {
		return err
	}
	if err := output.Text(out, "# "+policy.Reminder+"\n"); err != nil {
		return err
	}
	for i, object := range objects {
		if i > 0 {
			if err := output.Text(out, "---\n"); err != nil {
				return err
			}
		}
		if err := output.YAML(out, object); err != nil {
			return err
		}
	}
	return nil
}
