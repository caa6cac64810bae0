package pages

import (
	"context"
	"io"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/static"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/frame/signin"
)

// Entry renders the guard's own pages in the product's look.
func Entry(assets *static.Assets) func(io.Writer, guard.Notice) error {
	return func(w io.Writer, n guard.Notice) error {
		m := signin.Model{
			Shell: shell.Model{
				Title: n.Title, Refresh: n.Refresh,
				Assets: shell.Assets{Stylesheet: assets.Stylesheet(), Icon: assets.Icon()},
			},
			Words: n.Words, Form: n.Form, Link: n.SignIn, Again: n.Again, Next: n.Next, Share: n.Share, Made: n.Link, Action: n.Action, Programs: n.Programs, Now: n.Now, Address: n.Address,
		}
		for _, p := range n.Places {
			m.Places = append(m.Places, signin.Place(p))
		}
		for _, t := range n.Tokens {
			m.Tokens = append(m.Tokens, signin.Token(t))
		}
		for _, l := range n.Links {
			m.Leads = append(m.Leads, components.Link{Text: l.Text, Href: l.Href})
		}
		return m.View().Render(context.Background(), w)
	}
}
