// Package cli is Fieldmark in the terminal. Its verbs print what the pages show. They read, and never write.
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
	"github.com/fieldmark/fieldmark/cli/explain"
	"github.com/fieldmark/fieldmark/cli/plain"
)

// plugin is how the program is called where kubectl finds it as a plugin of its own.
const plugin = "kubectl-fieldmark"

// completer is how kubectl calls a plugin that offers what may stand where a command line is being written.
const completer = "kubectl_complete-fieldmark"

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

// Args are the arguments of a command line, the program's name among them, without that name. Called as kubectl calls it to complete a command
// line, the program does so.
func Args(line []string) []string {
	if len(line) > 0 && base(line[0]) == completer {
		return append([]string{cobra.ShellCompRequestCmd}, line[1:]...)
	}
	return line[min(1, len(line)):]
}

// base is a program's name without its folder.
func base(called string) string { return strings.TrimSuffix(filepath.Base(called), ".exe") }

// Program is how and where the program runs.
type Program struct {
	Called  string // how it was called: the first argument
	Version string
	In      io.Reader
	Out     io.Writer
	ErrOut  io.Writer
}

// interrupted is the exit code of a program that was told to stop, as shells give it to one that SIGINT ended.
const interrupted = 130

// Run does what the arguments say. Its result is the exit code: 0 for done, 1 for findings that fail a check and for a text that isn't
// understood, 2 for what could not be done, and 130 if the context ended before. Each error is one line, and says what to do.
func Run(ctx context.Context, p Program, args []string) int {
	p.In = interruptibly(ctx, p.In)
	root := Commands(p)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, check.ErrFindings), errors.Is(err, explain.ErrNotUnderstood):
		return 1
	case ctx.Err() != nil:
		_, _ = fmt.Fprintln(p.ErrOut, "fieldmark: interrupted; what was found so far is not shown, because it is not all")
		return interrupted
	}
	for line := range strings.Lines(err.Error()) {
		_, _ = fmt.Fprintln(p.ErrOut, "fieldmark:", plain.Text(strings.TrimPrefix(strings.TrimSpace(line), "error: ")))
	}
	return 2
}

// Commands are all verbs as cobra has them.
func Commands(p Program) *cobra.Command {
	called, name := "fieldmark", "fieldmark"
	if base(p.Called) == plugin || base(p.Called) == completer {
		called, name = "kubectl fieldmark", plugin
	}
	root := &cobra.Command{
		Use:           name,
		Short:         "Who owns each field of Kubernetes objects, and what an apply would change",
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
	flags := genericclioptions.NewConfigFlags(true)
	flags.AddFlags(root.PersistentFlags())
	root.PersistentFlags().Lookup("cache-dir").DefValue = "$HOME/.kube/cache" // said of nobody's home in particular
	streams := genericiooptions.IOStreams{In: p.In, Out: p.Out, ErrOut: p.ErrOut}
	cluster := ask.New(flags)
	root.PersistentPreRun = func(c *cobra.Command, _ []string) {
		logs(loud)
		cluster.Within(c.Context())
	}
	root.AddCommand(blame.New(called, cluster, streams), check.New(called, cluster, streams), explain.New(called, cluster, streams))
	completion(root, cluster)
	return root
}

// forKubectl is said in the help of the command completion.
const forKubectl = `

kubectl completes the command lines of plugins, too: it calls kubectl_complete-fieldmark, which must be on your PATH. That is this program
under another name: ln -s fieldmark kubectl_complete-fieldmark`

// completion says what flags of all verbs may have, and how kubectl completes them.
func completion(root *cobra.Command, cluster *ask.Cluster) {
	for flag, offer := range map[string]func(context.Context) []string{"namespace": cluster.Namespaces, "context": cluster.Contexts} {
		_ = root.RegisterFlagCompletionFunc(flag, func(c *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) { // the flag is there
			return ask.Beginning(offer(c.Context()), begun), cobra.ShellCompDirectiveNoFileComp
		})
	}
	root.InitDefaultCompletionCmd()
	if c, _, err := root.Find([]string{"completion"}); err == nil {
		c.Long += forKubectl
	}
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
