package hook

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/hook/kubectl"
	"github.com/fieldmark/fieldmark/cli/hook/line"
	"github.com/fieldmark/fieldmark/cli/hook/loss"
)

// judgement is what a command line does.
type judgement struct {
	losses []loss.Loss
	doubts []string // why losses can't be known, in sentences
	// possible are losses that depend on what can't be known.
	possible []loss.Loss
}

func (j *judgement) doubt(why string) {
	if !slices.Contains(j.doubts, why) {
		j.doubts = append(j.doubts, why)
	}
}

// judge judges the calls of a line one after the other.
type judge struct {
	predict  func(context.Context, loss.Write) ([]loss.Loss, error)
	stored   func(context.Context, release) (loss.Stored, error) // reads releases of Helm; nil: nobody does
	programs programs
	kuberc   bool // the user has a file that gives kubectl other flags and verbs
	relative bool // $KUBECONFIG has a path that depends on the folder

	judgement
	changed, wrote bool // an earlier call changed files, or wrote to the cluster
	steered        bool // an earlier call changed the kubeconfig
}

// steering are the beginnings of names of variables that change what kubectl writes to.
var steering = []string{"KUBE", "HOME", "HTTP", "http", "NO_PROXY", "no_proxy", "ALL_PROXY", "all_proxy", "SSL_", "XDG_"}

// untrusted are the beginnings of names of variables with which a name stands for another program, or with which a program or the shell runs another one.
var untrusted = []string{
	"PATH", "LD_", "DYLD_", "IFS", "BASH_", "ENV", "PS4", "PROMPT_COMMAND", "GIT_", "EDITOR", "VISUAL", "PAGER", "GOFLAGS", "GOROOT", "GOTOOLCHAIN", "CGO_", "CC", "CXX", "HELM_",
	"KUBECTL_EXTERNAL_DIFF", "KUSTOMIZE_",
}

func begins(names, beginnings []string) string {
	for _, name := range names {
		for _, begin := range beginnings {
			if strings.HasPrefix(name, begin) {
				return name
			}
		}
	}
	return ""
}

// line judges a whole line.
func (j *judge) line(ctx context.Context, l line.Line) {
	for _, why := range l.Doubts {
		j.doubt(why)
	}
	for _, c := range l.Calls {
		if c.Again {
			j.again(l.Calls)
		}
	}
	for _, c := range l.Calls {
		j.call(ctx, c)
		j.changed = j.changed || c.Writes
	}
}

// again takes what the calls of a loop do as done before each of them.
func (j *judge) again(calls []line.Call) {
	for _, c := range calls {
		switch {
		case !c.Again:
		case c.Name() == "kubectl":
			kind := kubectl.Read(c.Words[1:]).Kind
			j.wrote, j.steered = j.wrote || kind != kubectl.Reads, j.steered || kind == kubectl.Steers
		default:
			j.changed = j.changed || c.Writes || j.programs.effect(c) == files
		}
	}
}

func (j *judge) call(ctx context.Context, c line.Call) {
	if len(c.Words) == 0 {
		return
	}
	if c.Appended {
		c.Words = append(slices.Clone(c.Words), line.Word{})
	}
	if name := begins(c.Set, untrusted); name != "" {
		j.doubt("The command sets " + name + ", which can change which programs run.")
		return
	}
	switch name := c.Name(); {
	case name == "":
		j.doubt("The name of a program is known only when the command runs.")
	case name == "kubectl":
		j.kubectl(ctx, c)
	default:
		switch j.programs.effect(c) {
		case maybeWrites:
			if name == "helm" {
				j.helm(ctx, c)
				return
			}
			j.doubt(stranger(name))
			j.changed, j.wrote = true, true
		case files:
			j.changed = true
		case reads:
		}
	}
}

// stranger says why a program is a doubt.
func stranger(name string) string {
	switch base := name[strings.LastIndexByte(name, '/')+1:]; base {
	case "kubectl":
		return "kubectl has another path here. Fieldmark knows only what the kubectl of your PATH does."
	case "helm":
		return "Fieldmark renders no charts, so it can’t tell what this command of Helm takes. " +
			"See it first: helm template NAME CHART | fieldmark check -f - --manager helm. Add --force-conflicts if Helm forces."
	case "sh", "bash", "zsh", "dash", "ksh", "fish", "eval", "source", ".":
		return "Fieldmark doesn’t read what " + base + " runs here."
	}
	if strings.Contains(name, "/") {
		return "Fieldmark doesn’t read scripts and programs that a path names, such as " + name + "."
	}
	return "Fieldmark doesn’t know whether " + name + " writes to a cluster."
}

// kubectl judges a command of kubectl.
func (j *judge) kubectl(ctx context.Context, c line.Call) {
	cmd := kubectl.Read(c.Words[1:])
	switch cmd.Kind {
	case kubectl.Reads:
		j.readsWith(c)
		return
	case kubectl.Steers:
		j.steered = true
		return
	case kubectl.Unread:
		j.doubt(cmd.Why)
		j.wrote = true
		return
	case kubectl.Creates, kubectl.Writes:
	}
	defer func() { j.wrote = true }()
	if why := j.elsewhere(c); why != "" {
		j.doubt(why)
		return
	}
	if cmd.Kind == kubectl.Creates {
		return
	}
	if j.changed {
		j.doubt("A part of the command before kubectl " + cmd.Verb + " changes files, and one of them can be the manifest or the kubeconfig.")
	}
	if j.changed && fromFiles(cmd) {
		return
	}
	j.write(ctx, c, cmd)
}

// readsWith judges a command of kubectl that reads. A kubeconfig can name a program that runs, and so can a kustomization that may run plugins.
func (j *judge) readsWith(c line.Call) {
	for _, w := range c.Words {
		if j.changed && strings.HasPrefix(w.Text, "--kubeconfig") || strings.HasPrefix(w.Text, "--enable") {
			j.doubt("kubectl reads with " + w.Text + " here, which can make it run a program of a file that the command changes.")
		}
	}
	if name := begins(c.Set, []string{"KUBECONFIG", "HOME"}); name != "" && j.changed {
		j.doubt("The command changes files and sets " + name + ", and a kubeconfig can name a program that kubectl runs.")
	}
}

// fromFiles tells whether a command reads files.
func fromFiles(cmd kubectl.Command) bool {
	return cmd.Flags.Set("filename") || cmd.Flags.Set("kustomize") || cmd.Flags.Set("patch-file")
}

// elsewhere says why kubectl may write to another cluster than Fieldmark would ask; empty: it doesn't.
func (j *judge) elsewhere(c line.Call) string {
	switch name := begins(c.Set, steering); {
	case slices.Contains(c.Via, "sudo"), slices.Contains(c.Via, "doas"):
		return "The command runs kubectl as another user, who can have another kubeconfig."
	case name != "":
		return "The command sets " + name + ", which can change which cluster kubectl writes to."
	case j.steered:
		return "A part of the command changes the kubeconfig before kubectl writes."
	case j.relative:
		return "Your $KUBECONFIG has a relative path, so it can be another file where the command runs."
	case j.kuberc:
		return "You have a kuberc file, which can change the flags of kubectl. Fieldmark doesn’t read it."
	}
	return ""
}

// write predicts a command of kubectl.
func (j *judge) write(ctx context.Context, c line.Call, cmd kubectl.Command) {
	w := loss.Write{Command: cmd, Folder: c.Folder}
	if c.Input.Known && !(j.changed && hasFile(c.Input)) {
		in, err := open(c.Input)
		if err != nil {
			j.doubt(err.Error())
			return
		}
		w.Input = in
	}
	losses, err := j.predict(ctx, w)
	j.losses = append(j.losses, losses...)
	said, is := errors.AsType[loss.Unpredicted](err)
	switch {
	case is:
		j.doubt(string(said))
	case err != nil:
		j.doubt("Fieldmark can’t ask the cluster what kubectl " + cmd.Verb + " would do: " + strings.TrimSuffix(err.Error(), ".") + ".")
	case j.wrote && !cmd.Harmless():
		j.doubt("A part of the command writes before kubectl " + cmd.Verb + ", so what it finds is known only then.")
	}
}

// predictIn predicts writes in a cluster that the command chooses among those of the kubeconfig.
func predictIn(c *ask.Cluster) func(context.Context, loss.Write) ([]loss.Loss, error) {
	return func(ctx context.Context, w loss.Write) ([]loss.Loss, error) {
		return loss.Predict(ctx, c.Aimed(ctx, w.Aim.Context, w.Aim.Cluster, w.Aim.User, w.Aim.Namespace), w)
	}
}

func hasFile(in line.Input) bool {
	return slices.ContainsFunc(in.Pieces, func(p line.Piece) bool { return p.File != "" })
}

// longestInput is how much of a standard input is read, in bytes.
const longestInput = 16 << 20

// open is a standard input that is known.
func open(in line.Input) (io.Reader, error) {
	var b strings.Builder
	for _, p := range in.Pieces {
		b.WriteString(p.Text)
		if p.File == "" {
			continue
		}
		text, err := os.ReadFile(p.File)
		if err != nil {
			return nil, loss.Unpredicted("The standard input of kubectl can’t be read: " + p.File + " doesn’t exist, or can’t be opened.")
		}
		if b.Write(text); b.Len() > longestInput {
			return nil, loss.Unpredicted("The standard input of kubectl is longer than 16 MB.")
		}
	}
	return strings.NewReader(b.String()), nil
}
