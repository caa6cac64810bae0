package lesson

import (
	"net/url"
	"slices"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call/scenario"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
)

// Kind names these pages in embedded models.
const Kind = "lesson"

// QueryStep is the parameter that names the step in sight.
const QueryStep = "step"

// Model is a lesson, and the cluster that its requests go to.
type Model struct {
	page.Frame
	// Lesson is the lesson as it is on the cluster's version; see lesson.Lesson.On.
	Lesson  lesson.Lesson   `json:"lesson"`
	Version release.Version `json:"version,omitempty"` // of the cluster's API server; 0: unknown
	// Step is the place in the address: the id of a step, End, or empty.
	Step   string `json:"step,omitempty"`
	Server string `json:"server,omitempty"` // address of this Fieldmark, for commands
	// Task is the title of the task that practises the lesson; empty: there is none.
	Task string `json:"task,omitempty"`
	// Viewer is the slug of the cluster for requests of the viewer, who has fewer rights; empty: there is none.
	Viewer string `json:"viewer,omitempty"`
	// Pending tells that the cluster will be ready without any action.
	Pending bool        `json:"pending,omitempty"`
	Before  []Reference `json:"before,omitempty"` // lessons that this one builds on
	Next    []Reference `json:"next,omitempty"`   // lessons for afterwards

	// Past are responses that came before, on a page that is a file; nil: the page can get responses itself, or has none.
	Past *Past `json:"-"`

	live *live
}

// Reference is another lesson.
type Reference struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Summary string `json:"summary"`
}

// Past has the responses that a server gave before, for a page that is a file; see shell.Model.Apart.
type Past struct {
	Vars lesson.Vars
	Sent map[string]*sent.Request // by the names of the requests
	At   time.Time
}

// End is the place after the last step. No step's id begins with a hyphen.
const End = "-end"

// The places of a lesson are its steps, from 0, the opening before them, and the end after them.
const opening = -1

func (m Model) endPlace() int { return len(m.Lesson.Steps) }

// at is the place that an id names; the opening if the id names none.
func (m Model) at(id string) int {
	if id == End {
		return m.endPlace()
	}
	return slices.IndexFunc(m.Lesson.Steps, func(s lesson.Step) bool { return s.ID == id })
}

// idOf is the name of a place in addresses; empty for the opening.
func (m Model) idOf(at int) string {
	switch {
	case at == m.endPlace():
		return End
	case at < 0:
		return ""
	}
	return m.Lesson.Steps[at].ID
}

// currentPlace is the place in sight.
func (m Model) currentPlace() int {
	if m.live == nil {
		return m.at(m.Step)
	}
	return m.live.at
}

// placeAddress is the address of a place, on the current cluster.
func (m Model) placeAddress(at int) string { return m.on(m.Shell.Cluster.Slug, at) }

func (m Model) on(slug string, at int) string {
	return web.WithQuery(web.Lesson(m.Lesson.ID), url.Values{QueryStep: {m.idOf(at)}, web.ClusterField: {slug}})
}

// writable tells whether writing steps can be sent: to the practice cluster, and not with --read-only.
func (m Model) writable() bool {
	return m.Problem == nil && m.Shell.In() && !m.Shell.ReadOnly && scenario.Offered(m.Shell.Catalog)
}

// needsNamespace tells whether the lesson needs its own namespace.
func (m Model) needsNamespace() bool {
	if m.Lesson.Scenario != "" {
		return true
	}
	for _, step := range m.Lesson.Steps {
		for _, b := range step.Blocks {
			if slices.Contains(uses(b), lesson.Namespace) {
				return true
			}
		}
	}
	return false
}

// uses are the variables in the requests of a block.
func uses(b lesson.Block) []string {
	switch {
	case b.Request != nil:
		return b.Request.Uses()
	case b.Check != nil:
		return lesson.Used(b.Check.Get)
	}
	return nil
}

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Head implements page.Headed.
func (Model) Head() page.Head { return page.Head{None: true} }

// Keeps implements page.Keeper.
func (Model) Keeps() []string { return []string{progressKey} }

// Shares implements page.Sharer.
func (Model) Shares() string { return progressKey }

// Keys implements page.Keyed.
func (Model) Keys() []components.Key {
	return []components.Key{
		{Keys: []string{"j", "k"}, Does: "Next and previous step"},
		{Keys: []string{"g", "G"}, Does: "First and last step"},
		{Keys: []string{"s"}, Does: "Send the request of the step, or begin the lesson"},
		{Keys: []string{"1", "2", "3", "4", "5", "6"}, Does: "Predict the choice with this number"},
	}
}
