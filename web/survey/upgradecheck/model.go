// Package upgradecheck is the page that says what an upgrade of Kubernetes would break.
package upgradecheck

import (
	"net/url"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/survey/census"
)

// Kind names the page in the embedded model.
const Kind = "upgradecheck"

// FieldTo is the parameter of the page's address with the target.
const FieldTo = "to"

// Model is the page's state.
type Model struct {
	page.Frame
	census.Pass
	census.Body

	Server  string   `json:"server,omitempty"`  // the version of the API server; empty: it didn't say
	MadeFor string   `json:"madeFor,omitempty"` // the release that the table of removals was made for
	To      string   `json:"to,omitempty"`      // the target; empty: it isn't known
	Choices []Choice `json:"choices,omitempty"`

	live census.Live
}

// Choice is a target to choose.
type Choice struct {
	To      string `json:"to"`
	Planned bool   `json:"planned,omitempty"` // the table has only plans for it
}

func (c Choice) words() string {
	if c.Planned {
		return c.To + " (plans only)"
	}
	return c.To
}

// ParseQuery reads the target of the page's address.
func ParseQuery(q url.Values) (to string) {
	return strings.TrimPrefix(strings.TrimSpace(q.Get(FieldTo)), "v")
}

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Head implements page.Headed.
func (m Model) Head() page.Head {
	h := page.Head{Small: page.Brief(m), Live: new(m.Liveness(m.live, m.At)), Why: why.ManagedFields, Below: below(m)}
	if m.State != nil {
		h.Small = page.Text(m.State.Counted())
		h.Acts.Add(census.Acts(m.place(), m.Body))
		if !m.Reads() {
			h.Acts.Rest = append(h.Acts.Rest, census.Exports(m.place())...)
		}
	}
	return h
}

func (m Model) place() census.Place {
	return census.Place{Shell: m.Shell, Action: m.address(m.To)}
}

func (m Model) here() string { return web.Tool(m.Shell.Cluster.Slug, web.UpgradeCheck) }

func (m Model) address(to string) string { return web.WithQuery(m.here(), url.Values{FieldTo: {to}}) }

// Awake implements page.Page.
func (m Model) Awake(now time.Time) (page.Page, []page.Cmd) {
	m.live.Now = now
	return m, nil
}

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	if a, is := msg.(page.Addressed); is {
		if to := ParseQuery(a.Query); to != m.To {
			return m, []page.Cmd{page.Navigate{Address: m.address(to)}}
		}
		return m, []page.Cmd{page.Reload{}}
	}
	var commands []page.Cmd
	m.Body, m.live, commands = m.Follow(m.live, msg, m.address(m.To))
	return m, commands
}

// choices are the targets to choose from, with that of the address.
func (m Model) choices() []Choice {
	for _, c := range m.Choices {
		if c.To == m.To {
			return m.Choices
		}
	}
	if m.To == "" {
		return m.Choices
	}
	return append([]Choice{{To: m.To}}, m.Choices...)
}
