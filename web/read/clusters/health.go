package clusters

import (
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// The requests for the health of a cluster. Each is sent once for each card that is connected, after the page is shown. Nodes are listed
// only by those who may list them, so that an audit log of the cluster has no refusal of a request that nobody asked for.
const (
	readyPath = "/readyz?verbose"
	nodesPath = "/api/v1/nodes?limit=500"

	readyID = "clusters/readyz/"
	mayID   = "clusters/may/"
	nodesID = "clusters/nodes/"
)

// mostAtOnce is how many clusters are asked for their health at the same time.
const mostAtOnce = 4

// health is what the responses of one cluster say; empty: no response yet.
type health struct{ ready, nodes finding }

// finding is what one response says.
type finding struct {
	Words string
	Tone  components.Tone
}

func (h health) complete() bool { return h.ready.Words != "" && h.nodes.Words != "" }

// askHealth sends the requests for the next clusters, if others have responded.
func (m Model) askHealth() (Model, []page.Cmd) {
	var calls []page.Cmd
	waiting := 0
	for _, h := range m.live.health {
		if !h.complete() {
			waiting++
		}
	}
	for _, e := range m.Entries {
		slug := e.Cluster.Slug
		if _, asked := m.live.health[slug]; asked || !e.hasHealth() || waiting >= mostAtOnce {
			continue
		}
		waiting++
		m.live = m.live.with(slug, health{})
		_, may := call.MayI(mayID+slug, slug, "list", apipath.Path{Version: "v1", Resource: "nodes"})
		calls = append(calls, page.Get(readyID+slug, slug, readyPath, "text/plain, */*"), may)
	}
	return m, calls
}

// tell takes in a response about the health of a cluster.
func (m Model) tell(r page.Response) (Model, []page.Cmd) {
	if slug, ok := strings.CutPrefix(r.ID, mayID); ok {
		var may call.May
		if may.Hear(r); !may.Heard || may.Answer.Allowed {
			return m, []page.Cmd{page.Get(nodesID+slug, slug, nodesPath, accept.Table+accept.OrJSON)}
		}
		h := m.live.health[slug]
		h.nodes = mayNotList
		m.live = m.live.with(slug, h)
	}
	if slug, ok := strings.CutPrefix(r.ID, readyID); ok {
		h := m.live.health[slug]
		h.ready = readyOf(r)
		m.live = m.live.with(slug, h)
	}
	if slug, ok := strings.CutPrefix(r.ID, nodesID); ok {
		h := m.live.health[slug]
		h.nodes = nodesOf(r)
		m.live = m.live.with(slug, h)
	}
	return m, nil
}

// with is a copy in which a cluster has another health.
func (l live) with(slug string, h health) live {
	all := maps.Clone(l.health)
	if all == nil {
		all = map[string]health{}
	}
	all[slug] = h
	l.health = all
	return l
}

// Inherit implements page.Heir: the health of clusters that are still connected stays over a reload that the page did by itself.
func (m Model) Inherit(from page.Page) (page.Page, bool) {
	before, ok := from.(Model)
	if !ok {
		return m, false
	}
	for _, e := range m.Entries {
		if h := before.live.health[e.Cluster.Slug]; e.hasHealth() && h.complete() {
			m.live = m.live.with(e.Cluster.Slug, h)
		}
	}
	return m, false
}

// vitals are what the card says about the health.
func (m Model) vitals(e Entry) (all []finding) {
	h, asked := m.live.health[e.Cluster.Slug]
	if !asked {
		return []finding{{"Health not checked yet", components.Calm}}
	}
	for _, f := range []finding{h.ready, h.nodes} {
		if f.Words != "" {
			all = append(all, f)
		}
	}
	if !h.complete() {
		all = append(all, finding{"Checking the health…", components.Busy})
	}
	return all
}

// hasHealth tells whether the health of the cluster is requested: only where the server has connected.
func (e Entry) hasHealth() bool { return e.Usable && e.Tone == components.Good }

// readyOf says what /readyz responded. A server that isn't ready lists its checks, one a line, and those that failed begin with [-].
func readyOf(r page.Response) finding {
	switch {
	case r.OK():
		return finding{"API server ready", components.Good}
	case r.Status == 0:
		return finding{"No response to /readyz", components.Bad}
	case r.Status == 401 || r.Status == 403:
		return finding{"You may not request /readyz", components.Calm}
	case r.Status == 404:
		return finding{"The server has no /readyz", components.Calm}
	}
	var failed []string
	for line := range strings.Lines(string(r.Body)) {
		if rest, ok := strings.CutPrefix(line, "[-]"); ok {
			name, _, _ := strings.Cut(rest, " ")
			failed = append(failed, strings.TrimSpace(name))
		}
	}
	if len(failed) == 0 {
		return finding{fmt.Sprintf("API server not ready (%d)", r.Status), components.Bad}
	}
	return finding{"API server not ready: " + someOf(failed), components.Bad}
}

var mayNotList = finding{"You may not list nodes", components.Calm}

// nodesOf says how many nodes are ready, by the column Status.
func nodesOf(r page.Response) finding {
	switch {
	case r.Status == 0:
		return finding{"No response with the nodes", components.Warn}
	case r.Status == 401 || r.Status == 403:
		return mayNotList
	case r.Status == 404:
		return finding{"The server has no nodes", components.Calm}
	case !r.OK():
		return finding{"No list of nodes: " + status.Parse(r.Status, r.Body).Message, components.Warn}
	}
	t, err := table.Parse(r.Body, time.Time{})
	column := -1
	for i, c := range t.Columns {
		if c.Name == "Status" {
			column = i
		}
	}
	if err != nil || column < 0 {
		return finding{"Fieldmark can’t read the list of nodes", components.Warn}
	}
	var not []string
	for _, row := range t.Rows {
		if column >= len(row.Cells) || row.Cells[column] != "Ready" && !strings.HasPrefix(string(row.Cells[column]), "Ready,") {
			not = append(not, row.Name)
		}
	}
	all := words.Count(int64(len(t.Rows)), "node", "nodes")
	if t.Continue != "" {
		all = "the first " + all
	}
	switch {
	case len(t.Rows) == 0:
		return finding{"No nodes", components.Calm}
	case len(not) == 0:
		return finding{all + " ready", components.Good}
	}
	return finding{fmt.Sprintf("%s of %s not ready (%s)", words.Thousands(int64(len(not))), all, someOf(not)), components.Warn}
}

// someOf are the first names of a list.
func someOf(names []string) string {
	shown, more := components.First(names, MostSame)
	all := strings.Join(shown, ", ")
	if more > 0 {
		all += " and " + words.Thousands(int64(more)) + " more"
	}
	return all
}
