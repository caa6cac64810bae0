// Package hook is the verb hook: coding assistants run it before a command, and it says who would lose what.
//
//	JSON on standard input ──▶ format: command, folder ──▶ line: calls ──▶ kubectl: verb, flags ──▶ loss: dry runs ──▶ answer as JSON
//	                                                        └ a program that isn't known, and everything that can't be read: ask
//
// Nothing of the command runs. The answer is ask if it isn't there in time. No command that writes is answered with silence, unless its dry run shows
// that it takes nothing from anybody.
package hook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	cluster "github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/hook/line"
	"github.com/fieldmark/fieldmark/cli/output"
	"github.com/fieldmark/fieldmark/kube/plain"
)

const long = `Say who would lose what, before a coding assistant runs a command. An assistant runs this verb as a hook: it sends the command as JSON on
the standard input, and reads the answer as JSON. See docs/hook.md for its configuration.

The hook reads the command line as a shell does, and runs nothing of it. If kubectl would change fields that other field managers own, or
would delete objects, the answer is --on-loss, and says which fields and which owners. A dry run of the same request shows that. If the
command writes to no cluster, or takes nothing from anybody, the hook says nothing, and the assistant's own rules decide.

The answer is ask if the hook can't read the command: another program than those that it knows, a script, sh -c, helm upgrade, a plugin of
kubectl, a kubeconfig in the command, a manifest from a URL. It is also ask if the cluster can't be asked, or doesn't respond in time.

A hook is a reminder, and no boundary. An assistant can write to a cluster in ways that no hook sees.`

const examples = `  # As Claude Code runs it
  echo '{"hook_event_name":"PreToolUse","tool_name":"Bash","cwd":"'$PWD'",
    "tool_input":{"command":"kubectl scale deployment/web --replicas 5"}}' | %[1]s hook --for claude-code

  # Deny what takes fields from others, and pass more programs
  %[1]s hook --for cursor --on-loss deny --pass make,npm

  # Which formats the hook reads, and when their documentation was read
  %[1]s hook --formats`

// options are the values of the flags.
type options struct {
	assistant string
	onLoss    string
	pass      []string
	within    time.Duration
	formats   bool
}

// New makes the command. Its examples call the program by the name called.
func New(called string, c *cluster.Cluster, streams genericiooptions.IOStreams) *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:               "hook --for ASSISTANT",
		Short:             "Tell a coding assistant who would lose what, before it runs a command",
		Long:              long,
		Example:           fmt.Sprintf(examples, called),
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.formats {
				return listFormats(streams.Out)
			}
			return o.answer(cmd.Context(), c, streams)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.assistant, "for", "", "the assistant that runs the hook: "+strings.Join(names(), ", "))
	f.StringVar(&o.onLoss, "on-loss", sayAsk, "the answer if others would lose fields or objects: ask, deny or allow")
	f.StringSliceVar(&o.pass, "pass", nil, "more programs that write to no cluster, separated by commas")
	f.DurationVar(&o.within, "within", 300*time.Millisecond, "the answer is ask if the cluster doesn't respond within this time")
	f.BoolVar(&o.formats, "formats", false, "list the formats of assistants with the date on which their documentation was read, and stop")
	_ = cmd.RegisterFlagCompletionFunc("for", cobra.FixedCompletions(names(), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("on-loss", cobra.FixedCompletions([]string{sayAsk, sayDeny, sayAllow}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// listFormats lists the formats.
func listFormats(out io.Writer) error {
	all, err := formats()
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, f := range all {
		fmt.Fprintf(&b, "%-12s %s, event %s, read on %s: %s\n", f.Name, f.Product, f.Event, f.Read, f.Source)
	}
	return output.Text(out, b.String())
}

// longestCall is how long the JSON of a tool call may be, in bytes.
const longestCall = 4 << 20

// answer reads a tool call and prints the decision, in time.
func (o options) answer(ctx context.Context, c *cluster.Cluster, streams genericiooptions.IOStreams) error {
	f, err := formatOf(o.assistant)
	if err != nil {
		return err
	}
	if !slices.Contains([]string{sayAsk, sayDeny, sayAllow}, o.onLoss) {
		return fmt.Errorf("--on-loss must be ask, deny or allow, not %q", o.onLoss)
	}
	ctx, cancel := context.WithTimeout(ctx, o.within)
	defer cancel()
	type said struct{ decision, why string }
	answered := make(chan said, 1)
	go func() {
		decision, why := o.decide(ctx, c, f, streams.In)
		answered <- said{decision, why}
	}()
	late := said{sayAsk, fmt.Sprintf("The cluster did not respond within %s, so Fieldmark can’t tell who would lose what.", o.within)}
	select {
	case s := <-answered:
		if ctx.Err() != nil && s.decision == sayAsk {
			s = late // the reasons would name a request that was ended
		}
		return f.write(streams.Out, s.decision, s.why)
	case <-ctx.Done():
		return f.write(streams.Out, late.decision, late.why)
	}
}

// decide decides about what comes from the standard input. A failure of Fieldmark itself is ask, too.
func (o options) decide(ctx context.Context, c *cluster.Cluster, f format, in io.Reader) (decision, why string) {
	defer func() {
		if recover() != nil {
			decision, why = sayAsk, "Fieldmark failed on this command, so it can’t tell who would lose what."
		}
	}()
	text, err := io.ReadAll(io.LimitReader(in, longestCall+1))
	if err == nil && len(text) > longestCall {
		err = errors.New("the input of the hook is too long")
	}
	if err != nil {
		return sayAsk, unreadable(err)
	}
	call, err := f.readCall(text)
	switch {
	case err != nil:
		return sayAsk, unreadable(err)
	case call.other:
		return sayNothing, ""
	}
	home, err := os.UserHomeDir()
	if err != nil {
		home = ""
	}
	j := &judge{predict: predictIn(c), stored: storedIn(c), programs: knownPrograms(o.pass), kuberc: hasKuberc(home), relative: hasRelative(os.Getenv("KUBECONFIG"))}
	j.line(ctx, line.Read(call.command, call.folder, home))
	return o.decision(j.judgement)
}

func unreadable(err error) string {
	text := err.Error()
	return strings.ToUpper(text[:1]) + short(plain.Text(text[1:])) + ". So Fieldmark can’t tell who would lose what."
}

// hasRelative tells whether a list of files has one whose path depends on the folder.
func hasRelative(list string) bool {
	return slices.ContainsFunc(filepath.SplitList(list), func(name string) bool { return name != "" && !filepath.IsAbs(name) })
}

// hasKuberc tells whether kubectl reads preferences that can change its flags.
func hasKuberc(home string) bool {
	if os.Getenv("KUBERC") != "" {
		return os.Getenv("KUBERC") != "off"
	}
	_, err := os.Stat(filepath.Join(home, ".kube", "kuberc"))
	return err == nil
}
