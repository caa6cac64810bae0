// Package shell is the page of a pod's shells: commands in its containers, its containers' own terminals, and debug containers.
package shell

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/run/subject"
)

// Kind names the page in the embedded model.
const Kind = "shell"

// Fields of the form, and parts of the page's query.
const (
	fieldHow       = "how"
	fieldContainer = "container"
	fieldCommand   = "command"
	fieldImage     = "image"
	fieldName      = "name"
	fieldTarget    = "target"
)

// Model is the page's state.
type Model struct {
	subject.Subject
	Choice Choice `json:"choice"`

	live *live // nil on the server
}

// Choice is what the reader chose in the form. Empty fields have their defaults.
type Choice struct {
	How       how    `json:"how,omitempty"`
	Container string `json:"container,omitempty"`
	Command   string `json:"command,omitempty"`
	Image     string `json:"image,omitempty"` // of a debug container, like the next two
	Name      string `json:"name,omitempty"`
	Target    string `json:"target,omitempty"` // the container whose processes it sees; empty: none
}

// ParseChoice reads the choice from the page's query. It ignores unknown values.
func ParseChoice(query url.Values) Choice {
	c := Choice{Container: query.Get(fieldContainer), Command: query.Get(fieldCommand), Image: query.Get(fieldImage), Name: query.Get(fieldName), Target: query.Get(fieldTarget)}
	if h := how(query.Get(fieldHow)); slices.Contains(ways, h) {
		c.How = h
	}
	return c
}

// shells are the shells that many images have, the most common first.
var shells = []string{"sh", "bash", "ash", "zsh"}

// chosen is the choice with its defaults, for the pod as it is now.
func (m Model) chosen() Choice {
	c, all := m.Choice, m.containers()
	c.How = cmp.Or(c.How, exec)
	if named, ok := pickContainer(all, c.Container); ok {
		c.Container = named.Name
	}
	c.Command = cmp.Or(c.Command, shells[0])
	c.Image, c.Name = cmp.Or(c.Image, defaultImage), cmp.Or(c.Name, unused(all))
	return c
}

// target is what the form chooses. It can be sent if its command is complete.
func (m Model) target() (t target, complete bool) {
	c := m.chosen()
	t = target{How: c.How, Container: c.Container, TTY: true, Stdin: true}
	if t.How == attach {
		of, _ := pickContainer(m.containers(), c.Container)
		t.TTY, t.Stdin = of.TTY, of.Stdin
		return t, true
	}
	t.Command, complete = split(c.Command)
	return t, complete
}

// pod is the pod as the page knows it.
func (m Model) pod() object.Object {
	if m.live != nil {
		return m.live.followed.Object
	}
	return m.Subject.Object
}

func (m Model) containers() []container { return containersOf(m.pod()) }

func (m Model) cluster() shell.Cluster { return m.Subject.Shell.Cluster }

// path is the API path of the pod.
func (m Model) path() string { return m.Subject.Shell.Path.String() }

// call is the request that the form chooses; the dry run is that of a debug container.
func (m Model) call() call.Call {
	if c := m.chosen(); c.How == debug {
		return c.call(m.cluster().Slug, m.path())
	}
	t, _ := m.target()
	return t.call(m.cluster().Slug, m.path())
}

// kubectl is the command for the choice.
func (m Model) kubectl() string {
	p := m.Subject.Shell.Path
	if c := m.chosen(); c.How == debug {
		return c.kubectlDebug(p.Namespace, p.Name)
	}
	t, _ := m.target()
	return t.kubectl(p.Namespace, p.Name)
}

// limit says why Fieldmark opens no shells; empty: it may.
func (m Model) limit() string {
	if why := m.Subject.Shell.Limit(); why != "" {
		return why + " A shell can change what runs in a container, so Fieldmark opens none."
	}
	return ""
}

// unready says why the chosen connection can't be opened now; empty if it can.
func (m Model) unready() string {
	c := m.chosen()
	t, complete := m.target()
	of, some := pickContainer(m.containers(), c.Container)
	switch {
	case m.limit() != "":
		return m.limit()
	case m.live == nil:
		return "Fieldmark opens connections when its program has started."
	case m.live.followed.Gone():
		return "The pod is deleted."
	case !some:
		return "The pod has no containers."
	case m.live.connectionCount() >= mostConnections:
		return "This page has " + digits(mostConnections) + " open connections. Close one of them first."
	case m.lacks() != "":
		return m.lacks()
	case c.How == debug:
		return m.undebuggable(c)
	case !of.Running:
		return "The container " + of.Name + " doesn’t run (" + of.State + ")."
	case !complete:
		return "A quotation mark in the command has no partner. Close the quotation."
	case t.How == exec && len(t.Command) == 0:
		return "Enter a command."
	}
	return ""
}

// undebuggable says why the debug container can't be added now; empty if it can.
func (m Model) undebuggable(c Choice) string {
	d := m.live.debugging
	switch {
	case c.incomplete() != "":
		return c.incomplete()
	case d.awaited != "":
		return "Fieldmark is waiting until the container " + d.awaited + " runs."
	case d.adding != "":
		return "Fieldmark is sending the request."
	case d.settling.Waits() || d.dry == nil:
		return "Fieldmark is waiting for the dry run."
	case !d.dry.OK():
		return "The API server refuses the request."
	}
	return ""
}

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Head implements page.Headed.
func (m Model) Head() page.Head {
	if m.live == nil {
		return m.Subject.Above(nil)
	}
	return m.Subject.Above(new(m.live.followed.Liveness(0, 0)))
}

// Keys implements page.Keyed.
func (Model) Keys() []components.Key {
	return append(subject.Keys(),
		components.Key{Keys: []string{"Ctrl Shift C"}, Does: "Copy the selection of a terminal"},
		components.Key{Keys: []string{"Ctrl Shift V"}, Does: "Paste into a terminal"},
		components.Key{Keys: []string{"F6"}, Does: "Leave a terminal"},
	)
}

// podLocation names the pod for people.
func (m Model) podLocation() string {
	p := m.Subject.Shell.Path
	return strings.Join([]string{"cluster " + m.cluster().Name, "namespace " + p.Namespace, "pod " + p.Name}, ", ")
}
