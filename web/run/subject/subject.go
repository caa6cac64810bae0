// Package subject is the object whose description, logs, shells or usage a page shows, and the head of such a page.
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
	"github.com/fieldmark/fieldmark/web/frame/views"
)

// Subject is what the pages have in common. The object's path is Shell.Path.
type Subject struct {
	page.Frame
	Type   discovery.Type `json:"type"`
	Object object.Object  `json:"object"` // masked
	View   views.View     `json:"view"`
	Now    time.Time      `json:"now"`
}

// Address is the address of the page with more in its query.
func (s Subject) Address(more url.Values) string {
	return s.view(s.View, more)
}

// Turned is the command for another address of the object, if that is another view; ok is false for the view that is shown.
func (s Subject) Turned(query url.Values) (to []page.Cmd, ok bool) {
	v := views.Parse(query)
	if v == s.View {
		return nil, false
	}
	return []page.Cmd{page.Navigate{Address: s.view(v, query)}}, true
}

func (s Subject) view(v views.View, more url.Values) string {
	query := url.Values{}
	for key, values := range more {
		query[key] = values
	}
	for key, values := range v.Query() {
		query[key] = values
	}
	return web.WithQuery(web.Page(s.Shell.Cluster.Slug, s.Shell.Path.String()), query)
}

func (s Subject) tabs() (all []components.Link) {
	for _, v := range views.Of(s.Type, s.Shell.Path, s.Shell.Catalog) {
		all = append(all, v.Link(s.Shell.Cluster.Slug, s.Shell.Path, s.View))
	}
	return all
}

func (s Subject) subtitle() string {
	text := s.Object.Kind() + " · " + s.Object.APIVersion()
	if c := s.Object.Created(); !c.IsZero() {
		now := s.Now
		if now.Before(c) {
			now = c
		}
		text += " · " + table.Age(c, now) + " old"
	}
	return text
}
