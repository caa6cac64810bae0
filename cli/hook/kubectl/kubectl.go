// Package kubectl reads the arguments of kubectl, as kubectl reads them. It runs nothing, and makes no request.
//
//	words ──▶ flags before the verb ──▶ verb ──┬─▶ it only reads: nothing more is read
//	                                           ├─▶ it is predicted: its flags and its arguments
//	                                           └─▶ any other: why it isn't predicted
package kubectl

import (
	"errors"
	"strings"

	"github.com/spf13/pflag"

	"github.com/fieldmark/fieldmark/cli/hook/line"
)

// Kind is what a command does to a cluster, as far as that can be said without the cluster.
type Kind int

// The kinds.
const (
	Unread  Kind = iota // nobody knows; Why says the reason
	Reads               // it changes no object
	Creates             // it only makes new objects, and is refused if they exist
	Writes              // it changes or deletes objects
	Steers              // it changes the kubeconfig, and so what later commands write to
)

// Command is a command of kubectl.
type Command struct {
	Kind Kind
	Why  string // of Unread: a sentence
	Verb string // with the subcommand: "rollout undo"
	// Args are the arguments after the verb, without flags.
	Args []string
	// Flags are those that are set.
	Flags Flags
	Aim   Aim
}

// Aim says which cluster and which namespace a command is for. What is empty is as in the kubeconfig.
type Aim struct{ Context, Cluster, User, Namespace string }

// Flags are the flags of a command that are set, by name. Switches have the value "true".
type Flags map[string][]string

// Has tells whether a switch is set.
func (f Flags) Has(name string) bool { return f.Get(name) == "true" }

// Get is the value of a flag; empty: it isn't set.
func (f Flags) Get(name string) string {
	if all := f[name]; len(all) > 0 {
		return all[len(all)-1]
	}
	return ""
}

// Set tells whether the flag was given.
func (f Flags) Set(name string) bool { return len(f[name]) > 0 }

// Read reads the words after the program's name.
func Read(words []line.Word) Command {
	at, why := verbIn(words)
	switch {
	case why != "":
		return Command{Why: why}
	case at == len(words):
		return Command{Kind: Reads} // kubectl prints its help
	}
	c, before, rest := Command{Verb: words[at].Text}, words[:at], words[at+1:]
	if subs, is := families[c.Verb]; is {
		return c.family(subs, before, rest)
	}
	kind, known := verbs[c.Verb]
	switch {
	case !known:
		c.Why = "kubectl " + c.Verb + " is a plugin of kubectl, or a command that Fieldmark doesn’t know."
	case kind == Unread:
		c.Why = unpredicted(c.Verb)
	case kind == Writes:
		c.read(before, rest)
	case kind == Creates:
		c.created(rest)
	default:
		c.Kind = kind
	}
	return c
}

func unpredicted(verb string) string {
	return "Fieldmark can’t predict what kubectl " + verb + " does."
}

// family reads a verb that has subcommands.
func (c Command) family(subs map[string]Kind, before, rest []line.Word) Command {
	if len(rest) == 0 || rest[0].Known && (rest[0].Text == "-h" || rest[0].Text == "--help") {
		c.Kind = Reads
		return c
	}
	sub := rest[0]
	kind, known := subs[sub.Text]
	if !known {
		kind, known = subs[""] // the verb itself has arguments
	} else {
		c.Verb, rest = c.Verb+" "+sub.Text, rest[1:]
	}
	switch {
	case !sub.Known, !sub.One, !known:
		c.Why = "Fieldmark can’t tell which subcommand of kubectl " + c.Verb + " runs here."
	case kind == Unread:
		c.Why = unpredicted(c.Verb)
	case kind == Writes:
		c.read(before, rest)
	default:
		c.Kind = kind
	}
	return c
}

// created looks for what makes a creation more than that.
func (c *Command) created(rest []line.Word) {
	c.Kind = Creates
	for _, w := range rest {
		if !w.Known || !w.One || strings.HasPrefix(w.Text, "--edit") || strings.HasPrefix(w.Text, "--raw") {
			c.Kind, c.Why = Unread, "Fieldmark can’t predict what kubectl "+c.Verb+" does with these arguments."
			return
		}
	}
}

// verbIn finds the verb among flags that all commands of kubectl have.
func verbIn(words []line.Word) (at int, why string) {
	const late = "A word before the verb of kubectl is known only when the command runs. If it is a variable, put it in double quotes."
	for at = 0; at < len(words); at++ {
		w := words[at]
		switch {
		case !w.Known || !w.One:
			return 0, late
		case !strings.HasPrefix(w.Text, "-"):
			return at, ""
		case w.Text == "-h", w.Text == "--help":
			return len(words), ""
		}
		name, _, joined := strings.Cut(strings.TrimLeft(w.Text, "-"), "=")
		short := !strings.HasPrefix(w.Text, "--")
		valued, is := global[name]
		switch {
		case short && (name == "n" || name == "s" || name == "v"):
			valued, is = !joined, true
		case short:
			is = !joined && len(name) > 1 && (name[0] == 'n' || name[0] == 's' || name[0] == 'v') // -nshop
			valued = false
		case joined:
			valued = false
		}
		if !is {
			return 0, "Fieldmark doesn’t know the flag " + w.Text + " of kubectl."
		}
		if valued {
			if at++; at < len(words) && !words[at].One {
				return 0, late
			}
		}
	}
	return at, ""
}

// read reads the flags and the arguments of a verb that is predicted.
func (c *Command) read(before, rest []line.Word) {
	args := make([]string, 0, len(before)+len(rest))
	for _, w := range append(before[:len(before):len(before)], rest...) {
		if !w.Known || !w.One {
			c.Why = "An argument of kubectl " + c.Verb + " is known only when the command runs."
			return
		}
		args = append(args, w.Text)
	}
	f := pflag.NewFlagSet(c.Verb, pflag.ContinueOnError)
	define(f, allVerbs)
	define(f, flags[c.Verb])
	f.SortFlags = false
	f.Usage = func() {}
	switch err := f.Parse(args); {
	case errors.Is(err, pflag.ErrHelp):
		c.Kind = Reads
		return
	case err != nil:
		c.Why = "Fieldmark can’t read the flags of kubectl " + c.Verb + "."
		return
	}
	c.Kind, c.Args, c.Flags = Writes, f.Args(), Flags{}
	f.Visit(func(set *pflag.Flag) {
		c.Flags[set.Name] = []string{set.Value.String()}
		if list, is := set.Value.(pflag.SliceValue); is {
			c.Flags[set.Name] = list.GetSlice()
		}
	})
	c.aim()
}

// aim takes the flags that say where the command writes.
func (c *Command) aim() {
	for _, name := range steering {
		if c.Flags.Set(name) {
			c.Kind, c.Why = Unread, "The flag --"+name+" makes kubectl write to another cluster, or as somebody else. Fieldmark uses only your kubeconfig."
			return
		}
	}
	c.Aim = Aim{Context: c.Flags.Get("context"), Cluster: c.Flags.Get("cluster"), User: c.Flags.Get("user"), Namespace: c.Flags.Get("namespace")}
	switch dry := c.Flags.Get("dry-run"); dry {
	case "", "none":
	case "client", "server", unset:
		c.Kind = Reads
	default:
		c.Kind, c.Why = Unread, "Fieldmark doesn’t know the value of --dry-run."
	}
	if c.Flags.Has("local") || c.Flags.Has("list") && len(c.Args) < 3 {
		c.Kind = Reads
	}
}

// Harmless tells whether the API server itself refuses what the command could take from others: a server-side apply without force.
func (c Command) Harmless() bool {
	return c.Verb == "apply" && c.Flags.Has("server-side") && !c.Flags.Has("force-conflicts")
}
