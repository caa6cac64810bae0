// Package cli is Fieldmark in the terminal. Its verbs print what the pages show. They never write to the cluster.
//
//	arguments ──▶ cobra ──▶ a verb's folder: flags ──▶ ask: objects, schemas ──▶ kube: who owns what ──▶ text, JSON, YAML, Markdown
//
// Each verb has its own folder, in which requests and rendering are separate: the output is a function of the responses. The flags of kubectl
// come from k8s.io/cli-runtime and work as they do there: -n, -f, -R, -k, -l, -A, --context, --as and the rest.
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
	"sync"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/klog/v2"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/blame"
	"github.com/fieldmark/fieldmark/cli/check"
	"github.com/fieldmark/fieldmark/cli/explain"
	"github.com/fieldmark/fieldmark/cli/guide"
	"github.com/fieldmark/fieldmark/cli/hook"
	"github.com/fieldmark/fieldmark/cli/lsp"
	"github.com/fieldmark/fieldmark/cli/managers"
	"github.com/fieldmark/fieldmark/cli/mcp"
	"github.com/fieldmark/fieldmark/cli/mcp/tools"
	"github.com/fieldmark/fieldmark/cli/migrate"
	"github.com/fieldmark/fieldmark/cli/policy"
	"github.com/fieldmark/fieldmark/cli/upgrade"
	"github.com/fieldmark/fieldmark/cli/whocan"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/kube/typed"
)

// plugin is the program's name as a plugin of kubectl.
const plugin = "kubectl-fieldmark"

// completer is the program that kubectl runs to complete a command line of the plugin.
const completer = "kubectl_complete-fieldmark"

// unseen are commands that cobra adds only when it runs.
var unseen = []string{"completion", "help", cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd}

// IsVerb tells whether arguments, without the program's name, are for Run. They are if they have a verb, also after flags.
func IsVerb(args []string) bool {
	if len(args) > 0 && slices.Contains(unseen, args[0]) {
		return true
	}
	root := Commands(Program{})
	found, _, err := root.Find(args)
	return err == nil && found != root
}

// Serve is the verb that serves the pages. The program does that without a verb, too, unless it is called as a plugin.
const Serve = "serve"

// IsPlugin tells whether the program was called as a plugin of kubectl.
func IsPlugin(called string) bool { return base(called) == plugin }

// NoVerb says that a word is no verb, and which one was probably meant.
func NoVerb(word string) error {
	verbs := []string{Serve}
	for _, c := range Commands(Program{}).Commands() {
		verbs = append(verbs, c.Name())
	}
	slices.Sort(verbs)
	verbs = slices.Compact(verbs)
	meant := typed.DidYouMean(word, append(verbs, "help"))
	return fmt.Errorf("%q is no verb of fieldmark.%s The verbs are %s; see fieldmark --help", word, meant, strings.Join(verbs, ", "))
}

// noFlag says which flag was probably meant, if a flag doesn't exist.
func noFlag(c *cobra.Command, err error) error {
	no, is := errors.AsType[*pflag.NotExistError](err)
	if !is || len(no.GetSpecifiedName()) < 2 {
		return err
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	return fmt.Errorf("%w.%s See %s --help", err, typed.DidYouMean("--"+no.GetSpecifiedName(), names), c.CommandPath())
}

// strange is an error if the first word of arguments is no verb.
func strange(root *cobra.Command, args []string) error {
	if _, _, err := root.Find(args); err == nil || slices.Contains(unseen, args[0]) {
		return nil
	}
	root.FParseErrWhitelist.UnknownFlags = true // they may be those of the verb
	if err := root.ParseFlags(args); err != nil {
		return err //nolint:wrapcheck // it names the flag
	}
	return NoVerb(root.Flags().Arg(0))
}

// Args are the arguments in a command line that begins with the program's name. If the program's name is completer, they are those of cobra's command
// for completion.
func Args(line []string) []string {
	if len(line) > 0 && base(line[0]) == completer {
		return append([]string{cobra.ShellCompRequestCmd}, line[1:]...)
	}
	return line[min(1, len(line)):]
}

// base is a program's name without its folder and without .exe.
func base(called string) string { return strings.TrimSuffix(filepath.Base(called), ".exe") }

// Program is how and where the program runs.
type Program struct {
	Called  string // how it was called: the first argument
	Version string
	Export  guide.Exporter // makes the guide as a static site
	In      io.Reader
	Out     io.Writer
	ErrOut  io.Writer
	Redact  tools.Redact // takes credentials out of what assistants see; only the verb mcp needs it
}

// interrupted is the exit code after an interrupt. Shells use the same one after SIGINT.
const interrupted = 130

// Run runs the verb in the arguments, and returns the exit code. It is 0 for success, 1 for findings that fail a check, for a text that wasn't
// understood or for an answer that isn't complete, 2 for errors, and 130 if the context ended first. Each error is one line on ErrOut.
func Run(ctx context.Context, p Program, args []string) int {
	p.In = interruptibly(ctx, p.In)
	root := Commands(p)
	root.SetArgs(args)
	err := strange(root, args)
	if err == nil {
		err = execute(ctx, root)
	}
	switch {
	case err == nil:
		return 0
	case errors.Is(err, check.ErrFindings), errors.Is(err, managers.ErrFindings), errors.Is(err, whocan.ErrFindings), errors.Is(err, explain.ErrNotUnderstood):
		return 1
	case ctx.Err() != nil:
		_, _ = fmt.Fprintln(p.ErrOut, "fieldmark: interrupted; no results are shown, because they would be incomplete")
		return interrupted
	}
	for line := range strings.Lines(err.Error()) {
		_, _ = fmt.Fprintln(p.ErrOut, "fieldmark:", plain.Output(plain.Text(strings.TrimPrefix(strings.TrimSpace(line), "error: "))))
	}
	return 2
}

// lastMoment is how long a verb may take to end after an interrupt.
const lastMoment = 250 * time.Millisecond

// execute runs the verb. After an interrupt, it ends credentials plugins and waits only for a moment: client-go waits for a plugin until it ends, and
// then runs it again for the next request. So nothing may be started any more, until the program ends.
func execute(ctx context.Context, root *cobra.Command) error {
	ended := make(chan error, 1)
	go func() { ended <- root.ExecuteContext(ctx) }()
	select {
	case err := <-ended:
		ended <- err
	case <-ctx.Done():
	}
	if ctx.Err() != nil {
		syscall.ForkLock.RLock()
		endChildren()
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(lastMoment):
		return fmt.Errorf("interrupted: %w", ctx.Err())
	}
}

// Commands is the root command, with all verbs.
func Commands(p Program) *cobra.Command {
	called, name := "fieldmark", "fieldmark"
	if base(p.Called) == plugin || base(p.Called) == completer {
		called, name = "kubectl fieldmark", plugin
	}
	root := &cobra.Command{
		Use:           name,
		Short:         "See who owns each field of Kubernetes objects, and what an apply would change",
		Version:       p.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: called}
	root.SetIn(p.In)
	root.SetOut(p.Out)
	root.SetErr(p.ErrOut)
	root.SetFlagErrorFunc(noFlag)
	loud := 0
	root.PersistentFlags().IntVarP(&loud, "v", "v", 0, "log level of requests: 6 shows each request with its status code, 8 the bodies as well")
	flags := genericclioptions.NewConfigFlags(true)
	flags.AddFlags(root.PersistentFlags())
	root.PersistentFlags().Lookup("cache-dir").DefValue = "$HOME/.kube/cache" // the reference must not name a real home folder
	streams := genericiooptions.IOStreams{In: p.In, Out: p.Out, ErrOut: p.ErrOut}
	cluster := ask.New(flags)
	root.PersistentPreRun = func(c *cobra.Command, _ []string) {
		logs(loud)
		cluster.Within(c.Context())
	}
	root.AddCommand(
		blame.New(called, cluster, streams), check.New(called, cluster, streams), explain.New(called, cluster, streams), guide.New(called, p.Export), hook.New(called, cluster, streams),
		lsp.New(called, cluster, streams), managers.New(called, cluster, streams), mcp.New(called, cluster, streams, p.Redact), migrate.New(called, cluster, streams), policy.New(called, streams), upgrade.New(called, cluster, streams),
		upgrade.NewUnappliable(called, cluster, streams), whocan.New(called, cluster, streams), serve(called),
	)
	completion(root, cluster)
	return root
}

// serve is the command in helps and completions. The program itself serves the pages if the verb is its first word.
func serve(called string) *cobra.Command {
	c := &cobra.Command{
		Use:   Serve,
		Short: "Serve the pages in the browser",
		Long: fmt.Sprintf("Serves the pages of Fieldmark in the browser, until it is interrupted. Without a verb, fieldmark does the same.\n\n"+
			"%s serve --help lists the flags.", called),
		DisableFlagParsing: true,
		RunE: func(*cobra.Command, []string) error {
			return fmt.Errorf("the verb serve must be the first word: %s serve [flags]", called)
		},
	}
	c.SetUsageTemplate("Usage:\n  {{.UseLine}}\n") // the flags of the verbs are not those of the server
	return c
}

// forKubectl is part of the help of the command completion.
const forKubectl = `

kubectl completes the command lines of plugins, too. For that, it runs kubectl_complete-fieldmark, which must be on your PATH. Make it as a
link to this program: ln -s fieldmark kubectl_complete-fieldmark`

// completion registers completions for the flags of all verbs, and adds forKubectl to the help.
func completion(root *cobra.Command, cluster *ask.Cluster) {
	for flag, offer := range map[string]func(context.Context) []string{"namespace": cluster.Namespaces, "context": cluster.Contexts} {
		_ = root.RegisterFlagCompletionFunc(flag, func(c *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) { // the flag exists
			return ask.Beginning(offer(c.Context()), begun), cobra.ShellCompDirectiveNoFileComp
		})
	}
	root.InitDefaultCompletionCmd()
	if c, _, err := root.Find([]string{"completion"}); err == nil {
		c.Long += forKubectl
	}
}

// quiet drops client-go's log. It is said once, because client-go reads its logger without a lock.
var quiet = sync.OnceFunc(func() { klog.SetLogger(logr.Discard()) })

// logs prints client-go's log up to a level. At 0, it prints nothing, because the final error says the same.
func logs(level int) {
	if level == 0 {
		quiet()
		return
	}
	var f flag.FlagSet
	klog.InitFlags(&f)
	_ = f.Set("v", strconv.Itoa(level)) // a number is always valid
}
