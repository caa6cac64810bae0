// Package subject is the object whose logs, shells or usage a page shows, and the head of such a page.
package subject

import (
	"net/url"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/frame/views"
)

// Model is what the pages have in common. The object's path is Shell.Path.
type Model struct {
	Shell  shell.Model    `json:"shell"`
	Type   discovery.Type `json:"type"`
	Object object.Object  `json:"object"` // masked
	View   views.View     `json:"view"`
	Now    time.Time      `json:"now"`
}

// Address is the address of the page with more in its query.
func (m Model) Address(more url.Values) string {
	return m.view(m.View, more)
}

// Turned is the command for another address of the object, if that is another view; ok is false for the view that is shown.
func (m Model) Turned(query url.Values) (to []page.Cmd, ok bool) {
	v := views.Parse(query)
	if v == m.View {
		return nil, false
	}
	return []page.Cmd{page.Navigate{Address: m.view(v, query)}}, true
}

func (m Model) view(v views.View, more url.Values) string {
	query := url.Values{}
	for key, values := range more {
		query[key] = values
	}
	for key, values := range v.Query() {
		query[key] = values
	}
	return web.WithQuery(web.Page(m.Shell.Cluster.Slug, m.Shell.Path.String()), query)
}

func (m Model) tabs() (all []components.Link) {
	for _, v := range views.Of(m.Type, m.Shell.Path, m.Shell.Catalog) {
		all = append(all, v.Link(m.Shell.Cluster.Slug, m.Shell.Path, m.View))
	}
	return all
}

func (m Model) subtitle() string {
	text := m.Object.Kind() + " · " + m.Object.APIVersion()
	if c := m.Object.Created(); !c.IsZero() {
		now := m.Now
		if now.Before(c) {
			now = c
		}
		text += " · " + table.Age(c, now) + " old"
	}
	return text
}
