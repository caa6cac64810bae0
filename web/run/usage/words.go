package usage

import (
	"fmt"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/usage"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call"
)

// problem says why there are no figures.
func (m Model) problem(no status.Status) *components.Notice {
	switch {
	case no.Code == 404:
		return m.none()
	case no.Code == 0 || no.Code >= 500:
		registered := apipath.Object("apiregistration.k8s.io", "v1", "", "apiservices", m.version()+"."+usage.Group)
		return &components.Notice{
			Tone: components.Warn, Title: "The metrics API isn’t available", Quoted: no.Message, Why: &why.AggregatedAPI,
			Words:  "Another server has the figures, usually the metrics server. The API server got no response from it.",
			Advice: "Fieldmark asks again every " + m.every().String() + ". An administrator can read the conditions of the APIService.",
			Links:  []components.Link{{Text: "Open the APIService", Href: web.Page(m.Subject.Shell.Cluster.Slug, registered.String())}},
		}
	}
	n := call.Unread(&no)
	return &n
}

// none says why an object has no figures, as far as its status tells.
func (m Model) none() *components.Notice {
	n := &components.Notice{Tone: components.Busy, Title: "No figures yet", Advice: "Fieldmark asks again every " + m.every().String() + "."}
	switch {
	case m.ofNode():
		n.Words = "The metrics server has no figures of this node. It can’t measure a node that isn’t ready."
	case m.Planned.Phase == "Succeeded" || m.Planned.Phase == "Failed":
		n.Tone, n.Title, n.Advice = components.Calm, "The pod doesn’t run", ""
		n.Words = fmt.Sprintf("Its phase is %s, so it uses nothing.", m.Planned.Phase)
	case len(m.stopped()) > 0:
		n.Title = "The pod doesn’t run"
		n.Words = "Figures exist for containers that run. " + strings.Join(m.stopped(), " ")
	case m.Planned.Phase == "Pending":
		n.Title, n.Words = "The pod doesn’t run yet", "Its phase is Pending. Figures exist for containers that run."
	default:
		n.Words = "The containers run, but nothing was measured yet. The metrics server needs two measurements of a new container."
	}
	return n
}

// stopped says of each container that doesn't run why.
func (m Model) stopped() (all []string) {
	for _, c := range m.Planned.Containers {
		if c.State != "" && c.State != usage.Running {
			all = append(all, fmt.Sprintf("The state of %s is %s.", c.Name, c.State))
		}
	}
	return all
}

// measured says what the figures are.
func (m Model) measured() string {
	last := m.Readings[len(m.Readings)-1]
	text := fmt.Sprintf("Each figure is an average over %s. The last one ended at %s UTC.", last.Window, clock(last.At))
	if last.Window == 0 {
		text = fmt.Sprintf("The last measurement ended at %s UTC.", clock(last.At))
	}
	if !m.live.awake {
		return text
	}
	return text + fmt.Sprintf(" While you look at this page, Fieldmark asks every %s, and keeps the last %d measurements.", m.every(), readingsKept)
}

func clock(t time.Time) string { return t.UTC().Format("15:04:05") }

// nearness is how near a figure is to a bound, in words and with a tone.
type nearness struct {
	tone components.Tone
	text string
}

// Shares of a limit from which the page warns.
const (
	nearLimit = 0.75
	atLimit   = 0.9
)

// ofMemory says how near memory is to its request and its limit.
func ofMemory(used, request, limit float64, node bool) nearness {
	switch {
	case node:
		return nearness{toneOf(used, limit), share(used, limit, usage.Memory, "what pods can have")}
	case limit > 0 && used >= atLimit*limit:
		return nearness{components.Bad, share(used, limit, usage.Memory, "its limit") + " At the limit, the kernel ends the container."}
	case limit > 0:
		return nearness{toneOf(used, limit), share(used, limit, usage.Memory, "its limit")}
	case request > 0 && used > request:
		return nearness{components.Warn, share(used, request, usage.Memory, "its request") + " No limit. If the node has too little memory, pods above their request are evicted first."}
	case request > 0:
		return nearness{components.Calm, share(used, request, usage.Memory, "its request") + " No limit."}
	}
	return nearness{components.Calm, "No request and no limit: it may use all memory of the node."}
}

// ofCPU says how near processor time is to its request and its limit.
func ofCPU(used, request, limit float64, node bool) nearness {
	switch {
	case node:
		return nearness{toneOf(used, limit), share(used, limit, usage.CPU, "what pods can have")}
	case limit > 0 && used >= atLimit*limit:
		return nearness{components.Warn, share(used, limit, usage.CPU, "its limit") + " At the limit, the container is slowed down."}
	case limit > 0:
		return nearness{toneOf(used, limit), share(used, limit, usage.CPU, "its limit")}
	case request > 0:
		return nearness{components.Calm, share(used, request, usage.CPU, "its request") + " No limit."}
	}
	return nearness{components.Calm, "No request and no limit: it gets what others leave."}
}

func toneOf(used, limit float64) components.Tone {
	if limit > 0 && used >= nearLimit*limit {
		return components.Warn
	}
	return components.Calm
}

func share(used, of float64, written func(float64) string, what string) string {
	if of <= 0 {
		return "The node doesn’t say how much it has."
	}
	return fmt.Sprintf("%.0f %% of %s (%s).", 100*used/of, what, written(of))
}
