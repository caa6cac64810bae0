package shell

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/dryrun"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// debugging is the debug container that the reader adds.
type debugging struct {
	settling page.Settling // the form is being filled in
	seq      int
	dry      *dryrun.Response // the response to the dry run; nil: it is under way, or the form isn't complete
	adding   string           // the name of the container that is being added; empty: none is
	no       *dryrun.Response // the refusal of the request itself; nil: there is none
	awaited  string           // the name of the added container, until the page connects with it
}

// defaultImage has a shell and the usual tools, and is small.
const defaultImage = "busybox:1.37"

// unused is a name that no container of the pod has.
func unused(all []container) string {
	name := "debugger"
	for n := 2; slices.ContainsFunc(all, func(c container) bool { return c.Name == name }); n++ {
		name = "debugger-" + digits(n)
	}
	return name
}

// patch is the body of the request, with its fields in an order that is easy to read.
type patch struct {
	Spec struct {
		Added []added `json:"ephemeralContainers"`
	} `json:"spec"`
}

type added struct {
	Name   string `json:"name"`
	Image  string `json:"image"`
	Target string `json:"targetContainerName,omitempty"`
	Stdin  bool   `json:"stdin"`
	TTY    bool   `json:"tty"`
}

// call is the request that adds the container.
func (c Choice) call(cluster, pod string) call.Call {
	var p patch
	p.Spec.Added = []added{{Name: c.Name, Image: c.Image, Target: c.Target, Stdin: true, TTY: true}}
	body, _ := json.MarshalIndent(p, "", "  ") // strings and booleans never fail
	return call.New(cluster, "PATCH", pod+"/ephemeralcontainers", "application/strategic-merge-patch+json", body)
}

// kubectlDebug is the command that does the same.
func (c Choice) kubectlDebug(namespace, pod string) string {
	words := []string{"kubectl", "debug", "-it", request.Quote(pod), "-n", request.Quote(namespace), "--image=" + request.Quote(c.Image), "-c", request.Quote(c.Name)}
	if c.Target != "" {
		words = append(words, "--target="+request.Quote(c.Target))
	}
	return strings.Join(words, " ")
}

// incomplete says what the form lacks; empty: nothing.
func (c Choice) incomplete() string {
	switch {
	case strings.TrimSpace(c.Image) == "":
		return "Enter an image."
	case strings.TrimSpace(c.Name) == "":
		return "Enter a name for the container."
	}
	return ""
}
