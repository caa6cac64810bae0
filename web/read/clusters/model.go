// Package clusters is the first page: what Fieldmark is, three ways to begin, and every context with its state in words.
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
	Server  string          `json:"server"`            // host and port; empty if the context has none
	Current bool            `json:"current,omitempty"` // the kubeconfig's current-context
	User    string          `json:"user"`
	Source  string          `json:"source"` // the file that has the context, or what made the context
	State   string          `json:"state"`  // one word
	Tone    components.Tone `json:"tone"`
	Words   string          `json:"words"`  // a sentence that explains the state
	Advice  string          `json:"advice"` // what to do about it
	Version string          `json:"version"`
	Usable  bool            `json:"usable"` // the cluster's page can be opened
	// Parts are the kubeconfig's entries for the context, if they come from several files, or if later files have entries of the same name.
	Parts []Part `json:"parts,omitempty"`
	// Same are the other contexts with the same API server, at most MostSame of them. SameMore is how many more there are.
	Same     []string `json:"same,omitempty"`
	SameMore int      `json:"sameMore,omitempty"`
	Fights   int      `json:"fights,omitempty"`   // that Fieldmark saw lately
	Scanned  bool     `json:"scanned,omitempty"`  // the session has looked for fights in the whole cluster
	Managers int      `json:"managers,omitempty"` // that own fields of the cluster's objects; 0: the session hasn't counted them
	// Behind is by how many minor versions the server is older than kubectl; below zero: newer. 0: Kubernetes supports the two together, or it isn't known.
	Behind int `json:"behind,omitempty"`
	// Done are the packages of Total that are compiled; Total is 0 unless the cluster is being compiled.
	Done  int `json:"done,omitempty"`
	Total int `json:"total,omitempty"`
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

// purpose says what Fieldmark is.
const purpose = "A field guide to the Kubernetes API: what is there, who owns it, and what a change would do."

// Model is the page's state.
type Model struct {
	page.Frame
	List
	Doors   []Door              `json:"doors"`
	Entries []Entry             `json:"entries"`
	Steps   []Step              `json:"steps"`             // while the practice cluster starts, or after its start failed
	Log     []string            `json:"log,omitempty"`     // the end of the log, if the practice cluster can't be compiled
	Trouble []components.Notice `json:"trouble"`           // problems of the whole kubeconfig, or of the practice cluster
	Notes   []string            `json:"notes"`             // about the kubeconfig, without an error
	Refresh bool                `json:"refresh"`           // a cluster is still starting
	Shared  bool                `json:"shared,omitempty"`  // people sign in for each cluster
	Kubectl string              `json:"kubectl,omitempty"` // the version of the reader's kubectl; empty: it sent nothing through Fieldmark
	// Revision is the server's number of the kubeconfig that the page shows.
	Revision string `json:"revision"`

	live live
}

// live is the state that only the page in the browser has.
type live struct {
	ticks   int               // number of ticks since the page began to run in the browser
	asking  bool              // a request for the server's revision is under way
	finding string            // the address of the part of the table that is requested; empty: none is
	health  map[string]health // by slug, of the clusters that were asked
}

// Awake implements page.Page.
func (m Model) Awake(time.Time) (page.Page, []page.Cmd) { return m, nil }

// reloadEvery is the number of ticks after which the page reloads while a cluster is starting, or else asks the server whether the kubeconfig has changed.
const reloadEvery = 2

// revisionID is the ID of the request for the server's revision.
const revisionID = "clusters/revision"

// Update implements page.Page. The page renews itself while a state is missing or a cluster is starting, and when the kubeconfig has changed.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	switch msg := msg.(type) {
	case page.Tick:
		m.live.ticks++
		reads := m.live.ticks%reloadEvery == 0
		if m.Refresh && !m.tabled() {
			if reads {
				return m, []page.Cmd{page.Reload{}}
			}
			return m, nil
		}
		m, commands := m.askHealth()
		if !reads {
			return m, commands
		}
		m, news := m.askNews()
		return m, append(commands, news...)
	case page.Response:
		switch msg.ID {
		case tableID:
			return m.found(msg)
		case revisionID:
			m.live.asking = false
			if msg.OK() && string(msg.Body) != m.Revision {
				return m, []page.Cmd{page.Reload{}}
			}
		}
		return m.tell(msg)
	case page.Typed:
		m.Query, m.From = msg.Text, 0
		m, asks := m.find()
		return m, append([]page.Cmd{page.Remember{Address: m.address(m.Sort, 0), Replace: true}}, asks...)
	case page.Addressed:
		if to := web.WithQuery(web.Home, msg.Query); to != m.address(m.Sort, m.From) {
			return m, []page.Cmd{page.Navigate{Address: to}}
		}
		m.live.health = nil // the reader chose Refresh, so the health is requested again, too
		return m, []page.Cmd{page.Reload{}}
	}
	return m, nil
}

// askNews asks the server for the states that it didn't have yet, or else whether the kubeconfig has changed.
func (m Model) askNews() (Model, []page.Cmd) {
	if m.Refresh {
		return m.find()
	}
	if m.Shared || m.live.asking {
		return m, nil
	}
	m.live.asking = true
	return m, []page.Cmd{page.Ask{ID: revisionID, Address: web.Contexts, Accept: "text/plain"}}
}

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Head implements page.Headed.
func (m Model) Head() page.Head {
	return page.Head{Title: page.Text("Fieldmark"), Lead: page.Text(purpose)}
}

// failed tells whether a step of the practice cluster's start failed.
func (m Model) failed() bool {
	return slices.ContainsFunc(m.Steps, func(s Step) bool { return s.Tone == components.Bad })
}

func (e Entry) href() string { return web.Cluster(e.Cluster.Slug) }

func (e Entry) facts() []components.Fact {
	var facts []components.Fact
	for _, f := range append([]components.Fact{
		{Name: "server", Text: e.Server, Mono: true},
		{Name: "version", Text: e.Version, Mono: true},
		{Name: "user", Text: e.User},
	}, e.sources()...) {
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
