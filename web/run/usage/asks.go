package usage

import (
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/usage"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// How often the page asks. The figures of a node come with those of all pods, so they are more expensive.
const (
	everyPod  = 5 * time.Second
	everyNode = 15 * time.Second
)

const (
	// readingsKept bounds the history: half an hour of a pod whose figures are new each time.
	readingsKept = 360
	// podsRead bounds how many pods of a node are read, and podsKept how many of them have figures in a reading.
	podsRead = 250
	podsKept = 20
)

// The requests, in the order in which their responses are taken in.
const (
	askPlanned = "planned" // the pod or the node itself
	askOnNode  = "on-node" // the pods of the node
	askPods    = "pods"    // the figures of all pods
	askFigures = "figures" // the figures of the pod or of the node
)

// Ask is one GET request.
type Ask struct{ ID, Path string }

// Asks are the requests of the page, in the order in which the page takes in their responses.
func (m Model) Asks() []Ask {
	p, version := m.Subject.Shell.Path, m.version()
	figures := Ask{askFigures, apipath.Object(usage.Group, version, p.Namespace, p.Resource, p.Name).String()}
	planned := Ask{askPlanned, p.String()}
	if !m.ofNode() {
		return []Ask{planned, figures}
	}
	onNode := url.Values{"fieldSelector": {"spec.nodeName=" + p.Name}, "limit": {strconv.Itoa(podsRead)}}
	return []Ask{
		planned,
		{askOnNode, web.WithQuery(apipath.Collection("", "v1", "", "pods").String(), onNode)},
		{askPods, apipath.Collection(usage.Group, version, "", "pods").String()},
		figures,
	}
}

// version is the version of the metrics API that the cluster prefers.
func (m Model) version() string {
	if all := m.Subject.Shell.Catalog.Versions(usage.Group, m.Subject.Type.Resource); len(all) > 0 {
		return all[0].Version
	}
	return "v1beta1"
}

func (m Model) every() time.Duration {
	if m.ofNode() {
		return everyNode
	}
	return everyPod
}

// poll asks again when it is time. It doesn't while a response is missing, unless that takes very long.
func (m Model) poll(now time.Time) (page.Page, []page.Cmd) {
	wait := m.every()
	if len(m.live.due) > 0 {
		wait *= 6
	}
	if now.Sub(m.live.asked) < wait {
		return m, nil
	}
	m.live.asked, m.live.due = now, map[string]bool{}
	var all []page.Cmd
	for _, ask := range m.Asks() {
		m.live.due[ask.ID] = true
		all = append(all, page.Get(ask.ID, m.Subject.Shell.Cluster.Slug, ask.Path, "application/json"))
	}
	return m, all
}

// responded takes in a response in the browser.
func (m Model) responded(r page.Response) Model {
	due := map[string]bool{}
	for id := range m.live.due {
		if id != r.ID {
			due[id] = true
		}
	}
	m.live.due = due
	switch {
	case r.Status == 0:
		return m.Refused(r.ID, status.Status{Message: "No response arrived."})
	case !r.OK():
		return m.Refused(r.ID, status.Parse(r.Status, r.Body))
	}
	return m.Heard(r.ID, r.Body)
}

// Heard takes in the body of a response.
func (m Model) Heard(id string, body []byte) Model {
	var err error
	switch id {
	case askPlanned:
		m.Planned, err = usage.ParseSubject(body)
	case askOnNode:
		m.Pods, _, err = usage.ParseSubjects(body)
	case askPods:
		if m.live.pods, err = usage.ParseList(body); err == nil {
			m.NoPods = ""
			m = m.regrouped()
		}
	case askFigures:
		var found usage.Measured
		if found, err = usage.Parse(body); err == nil {
			m.Problem = nil
			m = m.with(found)
		}
	}
	if err != nil {
		m.Problem = &components.Notice{Tone: components.Bad, Title: "Fieldmark can’t read the response", Words: components.Sentence(err.Error())}
	}
	return m
}

// with adds a measurement, if it is a new one.
func (m Model) with(found usage.Measured) Model {
	r := Reading{At: found.At, Window: found.Window, Of: found.Containers}
	if m.ofNode() {
		r.Of = append([]usage.Container{{Name: found.Name, Usage: found.Usage}}, m.largest()...)
	}
	last := len(m.Readings) - 1
	switch {
	case last >= 0 && found.At.Before(m.Readings[last].At):
		return m // another server of the metrics API is behind
	case last >= 0 && found.At.Equal(m.Readings[last].At) && !m.ofNode():
		return m
	case last >= 0 && found.At.Equal(m.Readings[last].At):
		m.Readings = m.Readings[:last:last]
	}
	m.Readings = append(slices.Clone(m.Readings), r)
	m.Readings = m.Readings[max(0, len(m.Readings)-readingsKept):]
	return m
}

// regrouped is the page with the newest figures of pods beside the last figures of the node: their responses arrive in any order.
func (m Model) regrouped() Model {
	last := len(m.Readings) - 1
	if last < 0 || len(m.Readings[last].Of) == 0 {
		return m
	}
	r := m.Readings[last]
	r.Of = append(slices.Clone(r.Of[:1]), m.largest()...)
	m.Readings = append(slices.Clone(m.Readings[:last]), r)
	return m
}

// largest are the pods of the node that use the most memory.
func (m Model) largest() (all []usage.Container) {
	on := map[string]bool{}
	for _, p := range m.Pods {
		on[key(p.Namespace, p.Name)] = true
	}
	for _, p := range m.live.pods {
		if k := key(p.Namespace, p.Name); on[k] {
			all = append(all, usage.Container{Name: k, Usage: p.Usage})
		}
	}
	slices.SortStableFunc(all, func(a, b usage.Container) int {
		switch {
		case a.Usage.Memory > b.Usage.Memory:
			return -1
		case a.Usage.Memory < b.Usage.Memory:
			return 1
		}
		return 0
	})
	return all[:min(len(all), podsKept)]
}

func key(namespace, name string) string { return namespace + "/" + name }

// Refused takes in a refusal. A status without a code means that there was no response.
func (m Model) Refused(id string, no status.Status) Model {
	switch {
	case id == askFigures:
		m.Problem = m.problem(no)
	case id == askPods || id == askOnNode:
		m.NoPods = "The pods of this node are missing: " + no.Message
	case id == askPlanned && no.Code == 404:
		gone := call.Unread(&no)
		gone.Title = "The object no longer exists"
		m.Problem = &gone
	}
	return m
}
