// Package cli is Fieldmark in the terminal: verbs that say there what the pages show. They read, and never write.
//
//	arguments ──▶ cobra ──▶ a verb's folder: flags ──▶ ask: objects, schemas ──▶ kube: who owns what ──▶ text, JSON, YAML, Markdown
//
// Each verb has a folder of its own, in which asking and rendering are apart: what is printed is a function of what was asked. Flags are
// those of kubectl, by k8s.io/cli-runtime, so that what works there works here: -n, -f, -R, -k, -l, -A, --context, --as and the rest.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-logr/logr"
	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/klog/v2"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/blame"
	"github.com/fieldmark/fieldmark/cli/check"
)

// plugin is how the program is called where kubectl finds it as a plugin of its own.
const plugin = "kubectl-fieldmark"

// unseen are commands that cobra adds when it runs.
var unseen = []string{"completion", "help", cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd}

// IsVerb tells whether the command line, without the program's name, is for Run: a verb is in it, perhaps behind flags.
func IsVerb(args []string) bool {
	if len(args) > 0 && slices.Contains(unseen, args[0]) {
		return true
	}
	root := Commands(Program{})
	found, _, err := root.Find(args)
	return err == nil && found != root
}

// Program is how and where the program runs.
type Program struct {
	Called  string // how it was called: the first argument
	Version string
	In      io.Reader
	Out     io.Writer
	ErrOut  io.Writer
}

// Run does what the arguments say. Its result is the exit code: 0 for done, 1 for findings that fail a check, 2 for what could not be done. An error is one line, and says
// what to do.
func Run(ctx context.Context, p Program, args []string) int {
	root := Commands(p)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, check.ErrFindings):
		return 1
	}
	if !errors.Is(err, context.Canceled) {
		_, _ = fmt.Fprintln(p.ErrOut, "fieldmark:", strings.TrimPrefix(err.Error(), "error: "))
	}
	return 2
}

// Commands are all verbs as cobra has them.
func Commands(p Program) *cobra.Command {
	called := "fieldmark"
	if strings.TrimSuffix(filepath.Base(p.Called), ".exe") == plugin {
		called = "kubectl fieldmark"
	}
	root := &cobra.Command{
		Use:           "fieldmark",
		Short:         "Who owns each field of a Kubernetes object, in the terminal",
		Version:       p.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: called}
	root.SetIn(p.In)
	root.SetOut(p.Out)
	root.SetErr(p.ErrOut)
	loud := 0
	root.PersistentFlags().IntVarP(&loud, "v", "v", 0, "how much of the requests is shown: 6 shows each with its status, 8 their bodies")
	root.PersistentPreRun = func(*cobra.Command, []string) { logs(loud) }
	flags := genericclioptions.NewConfigFlags(true)
	flags.AddFlags(root.PersistentFlags())
	streams := genericiooptions.IOStreams{In: p.In, Out: p.Out, ErrOut: p.ErrOut}
	cluster := ask.New(flags)
	root.AddCommand(blame.New(called, cluster, streams), check.New(called, cluster, streams))
	return root
}

// logs shows what client-go logs up to a level. At 0 it is silent: what it would say is said again by the error that it ends with.
func logs(level int) {
	if level == 0 {
		klog.SetLogger(logr.Discard())
		return
	}
	var f flag.FlagSet
	klog.InitFlags(&f)
	_ = f.Set("v", strconv.Itoa(level)) // a number is what it takes
}
