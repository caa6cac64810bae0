// Package signin is the page with the form to sign in. It also says why a request was refused before sign-in.
package signin

import (
	"slices"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// Model is the page's state.
type Model struct {
	Shell shell.Model `json:"shell"` // outside of a cluster, and without parts that need a session
	Words string      `json:"words"`
	Form  bool        `json:"form"`  // show the sign-in form
	Next  string      `json:"next"`  // the address to open after sign-in
	Share bool        `json:"share"` // show the button that makes a link for another browser
	Made  string      `json:"made"`  // the link that was made
	Link  bool        `json:"link"`  // show a link to the form
	Again string      `json:"again"` // this page's own address, if opening it again may help
	// Programs shows the buttons that make and revoke tokens for programs. Tokens are those of the session, Now is the time at which they are shown, and
	// Address is where programs send them.
	Programs bool      `json:"programs,omitempty"`
	Tokens   []Token   `json:"tokens,omitempty"`
	Now      time.Time `json:"now,omitzero"`
	Address  string    `json:"address,omitempty"`

	// Places are the clusters of a shared Fieldmark, and Action is where a form with a token is sent to.
	Places []Place `json:"places,omitempty"`
	Action string  `json:"action,omitempty"`
	// Leads are links to other pages, such as the issuer's for signing out.
	Leads []components.Link `json:"leads,omitempty"`
}

// Place is a cluster, and the ways to sign in for it.
type Place struct {
	Slug   string `json:"slug"`
	Title  string `json:"title"`
	Wanted bool   `json:"wanted"` // the requested page is about this cluster
	Person string `json:"person"` // who is signed in for it; empty: nobody
	Start  string `json:"start"`  // leads to the issuer; empty: this way isn't possible
	By     string `json:"by"`     // the issuer's name
	Token  bool   `json:"token"`  // a token can be pasted
	Why    string `json:"why"`    // what to know about it, or why there is no way
}

// Token is a token for programs. Only its last characters are known.
type Token struct {
	ID     string    `json:"id"` // revokes it
	Ending string    `json:"ending"`
	Made   time.Time `json:"made"`
	Used   time.Time `json:"used,omitzero"` // zero: no program has used it
	Until  time.Time `json:"until"`
}

// way is the link to the issuer. It is the primary one where the reader has one place to choose.
func (m Model) way(p Place) components.Link {
	text := "Sign in with " + p.By
	if p.Person != "" {
		text = "Sign in again with " + p.By
	}
	return components.Link{Text: text, Href: p.Start, Primary: p.Person == "" && (p.Wanted || len(m.Places) == 1)}
}

// unfolded tells whether the form for a token is open: where it is the only way.
func (m Model) unfolded(p Place) bool { return p.Start == "" && (p.Wanted || len(m.Places) == 1) }

// View is the whole page.
func (m Model) View() templ.Component { return view(m) }

func (m Model) links() []components.Link {
	links := slices.Clone(m.Leads)
	if m.Shell.Refresh != "" {
		links = append(links, components.Link{Text: "Continue", Href: m.Shell.Refresh, Primary: true})
	}
	if m.Again != "" {
		links = append(links, components.Link{Text: "Continue, if you are signed in", Href: m.Again, Primary: true})
	}
	if m.Link {
		links = append(links, components.Link{Text: "Sign in with the launch token", Href: web.SignIn, Primary: m.Again == ""})
	}
	return links
}

// when is a time with words before it, as an element for people and programs.
type when struct {
	words string
	at    time.Time
}

// times are when a token was made and used, and when it ends.
func (t Token) times(now time.Time) []when {
	used := when{"not used yet", time.Time{}}
	if !t.Used.IsZero() {
		used = when{"last used " + table.Since(t.Used, now) + " ago", t.Used}
	}
	return []when{{"made " + table.Since(t.Made, now) + " ago", t.Made}, used, {"ends " + table.Since(t.Until, now), t.Until}}
}

// exact is a time for programs, and for people who point at it.
func exact(t time.Time) string { return t.UTC().Format(time.RFC3339) }
