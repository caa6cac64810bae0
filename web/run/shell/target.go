package shell

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web/call"
)

// how is a way to connect with a container.
type how string

// The ways.
const (
	exec   how = "exec"
	attach how = "attach"
	debug  how = "debug"
)

var ways = []how{exec, attach, debug}

func (h how) title() string {
	switch h {
	case attach:
		return "Attach"
	case debug:
		return "Debug container"
	default:
		return "Run a command"
	}
}

func (h how) helpText() string {
	switch h {
	case attach:
		return "Connects with what the container itself runs. You see its output from now on. What you type is its input, if it reads any."
	case debug:
		return "Adds a container with tools of its own to the pod, and connects with it."
	default:
		return "Starts another process in the container, such as a shell. It ends with the connection, or when you exit."
	}
}

// target is what a connection is made with.
type target struct {
	How       how
	Container string
	Command   []string // of exec
	TTY       bool
	Stdin     bool
}

// first is the program of the command.
func (t target) first() string {
	if len(t.Command) == 0 {
		return ""
	}
	return t.Command[0]
}

// title is the name of the connection's tab.
func (t target) title() string {
	if t.How == attach {
		return t.Container + ": attached"
	}
	return t.Container + ": " + t.first()
}

// path is the API path of the request to a pod, with its query. With a terminal, everything comes as standard output.
func (t target) path(pod string) string {
	query := url.Values{"container": {t.Container}, "stdout": {"true"}}
	if t.How == exec {
		query["command"] = t.Command
	}
	for name, on := range map[string]bool{"stdin": t.Stdin, "tty": t.TTY, "stderr": !t.TTY} {
		if on {
			query.Set(name, "true")
		}
	}
	return pod + "/" + string(t.How) + "?" + query.Encode()
}

// protocols are the versions of the protocol that static/terminal offers.
const protocols = "v5.channel.k8s.io, v4.channel.k8s.io, channel.k8s.io"

// call is the request, as browsers send it.
func (t target) call(cluster, pod string) call.Call {
	return call.Call{Cluster: cluster, Method: request.Get, Path: t.path(pod), Header: []request.Header{
		{Name: "Connection", Value: "Upgrade"}, {Name: "Upgrade", Value: "websocket"}, {Name: "Sec-WebSocket-Protocol", Value: protocols},
	}}
}

// kubectl is the command that does the same.
func (t target) kubectl(namespace, pod string) string {
	flags := ""
	if t.Stdin {
		flags += "i"
	}
	if t.TTY {
		flags += "t"
	}
	words := []string{"kubectl", string(t.How)}
	if flags != "" {
		words = append(words, "-"+flags)
	}
	words = append(words, request.Quote(pod), "-n", request.Quote(namespace), "-c", request.Quote(t.Container))
	if t.How == exec {
		words = append(words, "--")
		for _, w := range t.Command {
			words = append(words, request.Quote(w))
		}
	}
	return strings.Join(words, " ")
}

func digits(n int) string { return strconv.Itoa(n) }
