package usage

import (
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/usage"
	"github.com/fieldmark/fieldmark/web"
)

// podsShown is how many pods of a node have graphs.
const podsShown = 5

// row is what has graphs: a container, a node or a pod.
type row struct {
	name, href string
	hue        string // class of the hue
	state      string // of a container that doesn't run
	killed     bool
	cpu, mem   graph
}

// rows are the graphs, in the order of the containers, or with the largest pods first.
func (m Model) rows() (all []row) {
	if len(m.Readings) == 0 {
		return nil
	}
	if m.ofNode() {
		return m.nodeRows()
	}
	known := map[string]bool{}
	for _, c := range m.Planned.Containers {
		known[c.Name] = true
		r := m.row(c.Name, c.Bounds, len(all), false)
		if r.killed = c.Killed; c.State != usage.Running {
			r.state = c.State
		}
		all = append(all, r)
	}
	for _, c := range m.Readings[len(m.Readings)-1].Of { // init and ephemeral containers
		if !known[c.Name] {
			all = append(all, m.row(c.Name, usage.Bounds{}, len(all), false))
		}
	}
	return all
}

func (m Model) nodeRows() (all []row) {
	bounds := map[string]usage.Bounds{}
	for _, p := range m.Pods {
		bounds[key(p.Namespace, p.Name)] = p.Bounds
	}
	last := m.Readings[len(m.Readings)-1].Of
	for i, c := range last[:min(len(last), podsShown+1)] {
		if i == 0 {
			all = append(all, m.row(c.Name, m.Planned.Bounds, i, true))
			continue
		}
		r := m.row(c.Name, bounds[c.Name], i, false)
		namespace, name, _ := strings.Cut(c.Name, "/")
		r.href = web.WithQuery(web.Page(m.Subject.Shell.Cluster.Slug, apipath.Object("", "v1", namespace, "pods", name).String()), m.Subject.View.Query())
		all = append(all, r)
	}
	return all
}

func (m Model) row(name string, b usage.Bounds, at int, node bool) row {
	r := row{name: name, hue: components.Hue(at%components.Hues+1, 0)}
	bound := "limit"
	if node {
		bound = "allocatable"
	}
	r.cpu = graph{title: "Processor", bound: bound, written: usage.CPU, request: b.Request.CPU, limit: b.Limit.CPU}
	r.mem = graph{title: "Memory", bound: bound, written: usage.Memory, request: b.Request.Memory, limit: b.Limit.Memory, why: &why.ResourceLimit}
	for _, reading := range m.Readings {
		for _, c := range reading.Of {
			if c.Name == name {
				r.cpu.points = append(r.cpu.points, point{reading.At, c.Usage.CPU})
				r.mem.points = append(r.mem.points, point{reading.At, c.Usage.Memory})
			}
		}
	}
	r.cpu.from, r.mem.from = m.Readings[0].At, m.Readings[0].At
	r.cpu.to, r.mem.to = m.Readings[len(m.Readings)-1].At, m.Readings[len(m.Readings)-1].At
	if r.shown() {
		r.cpu.near = ofCPU(r.cpu.now(), r.cpu.request, r.cpu.limit, node)
		r.mem.near = ofMemory(r.mem.now(), r.mem.request, r.mem.limit, node)
	}
	return r
}

// shown tells whether the row has figures.
func (r row) shown() bool { return len(r.cpu.points) > 0 }

type point struct {
	at    time.Time
	value float64
}

// graph is one figure over time.
type graph struct {
	title          string
	written        func(float64) string
	points         []point
	from, to       time.Time
	request, limit float64 // zero: none
	bound          string  // what the limit is called
	near           nearness
	why            *why.Topic
}

func (g graph) now() float64 { return g.points[len(g.points)-1].value }

func (g graph) extremes() (low, high float64) {
	low, high = g.points[0].value, g.points[0].value
	for _, p := range g.points {
		low, high = min(low, p.value), max(high, p.value)
	}
	return low, high
}

// The size of the drawing, in its own units. Its height in pixels is the same, and its width is that of the page.
const (
	drawnWidth  = 600
	drawnHeight = 96
	// room is above the highest line.
	room = 1.15
	// far is how many times the highest figure a bound may be, so that it is drawn.
	far = 8
	// span is the least time that the width stands for.
	span = 2 * time.Minute
	// gap is the time between two points from which no line connects them.
	gap = 90 * time.Second
)

// top is the value at the upper edge.
func (g graph) top() float64 {
	_, high := g.extremes()
	top := high
	for _, bound := range []float64{g.request, g.limit} {
		if bound <= far*high {
			top = max(top, bound)
		}
	}
	if top == 0 {
		return 1
	}
	return top * room
}

// height is the place of a value; ok is false if it is above the drawing.
func (g graph) height(value float64) (y string, ok bool) {
	share := value / g.top()
	return decimal(drawnHeight * (1 - share)), share > 0 && share <= 1
}

// lines are the parts of the curve. A single point is a short line.
func (g graph) lines() (all []string) {
	scale := drawnWidth / max(g.to.Sub(g.from), span).Seconds()
	var part []string
	for i, p := range g.points {
		if i > 0 && p.at.Sub(g.points[i-1].at) > gap {
			all, part = append(all, strings.Join(part, " ")), nil
		}
		y, _ := g.height(max(p.value, g.top()/1e6))
		x := p.at.Sub(g.from).Seconds() * scale
		if len(part) == 0 {
			part = append(part, decimal(max(0, x-3))+","+y)
		}
		part = append(part, decimal(max(3, x))+","+y)
	}
	return append(all, strings.Join(part, " "))
}

func decimal(f float64) string { return strconv.FormatFloat(f, 'f', 1, 64) }

// label describes the drawing for those who don't see it.
func (g graph) label(name string) string {
	low, high := g.extremes()
	text := g.title + " of " + name + ": now " + g.written(g.now()) + ", lowest " + g.written(low) + ", highest " + g.written(high)
	if g.request > 0 {
		text += ", request " + g.written(g.request)
	}
	if g.limit > 0 {
		text += ", " + g.bound + " " + g.written(g.limit)
	}
	return text
}

// cells are the figures of a row in the table: now, lowest, highest, request, limit.
func (g graph) cells() []string {
	bound := func(value float64) string {
		if value == 0 {
			return "none"
		}
		return g.written(value)
	}
	low, high := g.extremes()
	return []string{g.written(g.now()), g.written(low), g.written(high), bound(g.request), bound(g.limit)}
}
