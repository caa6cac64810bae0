// Package clusters is the page on which one chooses a cluster: every context, with its state in words.
package clusters

import (
	"slices"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// Entry is one context.
type Entry struct {
	Cluster shell.Cluster   `json:"cluster"`
	Server  string          `json:"server"` // host and port; empty where the context does not say
	User    string          `json:"user"`
	Source  string          `json:"source"` // the file the context is from, or what made it
	State   string          `json:"state"`  // one word
	Tone    components.Tone `json:"tone"`
	Words   string          `json:"words"`  // what the state means here, in a sentence
	Advice  string          `json:"advice"` // what to do about it
	Version string          `json:"version"`
	Usable  bool            `json:"usable"` // worth opening
}

// Step is a step of the practice cluster's start.
type Step struct {
	Name  string          `json:"name"`
	Words string          `json:"words"`
	State string          `json:"state"`
	Tone  components.Tone `json:"tone"`
}

// Kind names the page in the embedded model.
const Kind = "clusters"

// Model is the page's state.
type Model struct {
	Shell   shell.Model         `json:"shell"`
	Entries []Entry             `json:"entries"`
	Steps   []Step              `json:"steps"`   // while the practice cluster starts, or where it stopped
	Trouble []components.Notice `json:"trouble"` // with the kubeconfig as a whole, or with the practice cluster
	Notes   []string            `json:"notes"`   // about the kubeconfig, worth knowing although nothing failed
	Refresh bool                `json:"refresh"` // something is still starting

	live live
}

// live is what only the living page knows.
type live struct {
	ticks int // since the page is alive
}

// View is the whole document.
func (m Model) View() templ.Component { return page.View(m) }

// Kind implements page.Page.
func (Model) Kind() string { return Kind }

// Awake implements page.Page.
func (m Model) Awake(time.Time) (page.Page, []page.Cmd) { return m, nil }

// reloadEvery is after how many ticks the page looks again, while something is starting.
const reloadEvery = 2

// Update implements page.Page: while something is starting, the page asks by itself how far that is.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	switch msg.(type) {
	case page.Tick:
		m.live.ticks++
		if m.Refresh && m.live.ticks%reloadEvery == 0 {
			return m, []page.Cmd{page.Reload{}}
		}
	case page.Addressed: // its own address, as Look again has it
		return m, []page.Cmd{page.Reload{}}
	}
	return m, nil
}

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Frame implements page.Page.
func (m Model) Frame() shell.Model { return m.Shell }

// failed tells whether the practice cluster got stuck at one of its steps.
func (m Model) failed() bool {
	return slices.ContainsFunc(m.Steps, func(s Step) bool { return s.Tone == components.Bad })
}

func (e Entry) href() string { return web.Cluster(e.Cluster.Slug) }

func (e Entry) facts() []components.Fact {
	var facts []components.Fact
	for _, f := range []components.Fact{
		{Name: "server", Text: e.Server, Mono: true},
		{Name: "version", Text: e.Version, Mono: true},
		{Name: "user", Text: e.User},
		{Name: "from", Text: e.Source, Mono: true},
	} {
		if f.Text != "" {
			facts = append(facts, f)
		}
	}
	return facts
}

func empty() components.Notice {
	return components.Notice{
		Title:  "No cluster yet",
		Words:  "Your kubeconfig names no context, and the practice cluster is switched off.",
		Advice: "Start Fieldmark with --practice on for a real control plane to explore, or with --kubeconfig for a cluster of your own.",
	}
}
