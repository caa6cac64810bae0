// Package visit has what the pages of all wings are made from: the site, and the visit of a cluster, with its requests and its errors in words.
package visit

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/server/census"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/compress"
	"github.com/fieldmark/fieldmark/server/contention"
	"github.com/fieldmark/fieldmark/server/identity"
	"github.com/fieldmark/fieldmark/server/learner"
	"github.com/fieldmark/fieldmark/server/practice"
	"github.com/fieldmark/fieldmark/server/task"
	"github.com/fieldmark/fieldmark/server/watched"
	"github.com/fieldmark/fieldmark/server/wiretap"
	"github.com/fieldmark/fieldmark/static"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// Options are what the pages are made from.
type Options struct {
	// Clusters has the clusters of each sender of a request.
	Clusters cluster.Source
	Assets   *static.Assets
	// Tap records the requests that pages make.
	Tap *wiretap.Log
	// Scans are the scans that pages start.
	Scans *contention.Scans
	// Censuses are the censuses that pages start.
	Censuses *census.Censuses
	// Tasks are the tasks of the guide that learners work on.
	Tasks *task.Tasks
	// Learner keeps the progress in the field guide; nil: only the browser does.
	Learner *learner.Store
	// Watches are the objects that the server watches for sessions.
	Watches *watched.Watches
	// Session names the session of a request; empty where it has none.
	Session func(*http.Request) string
	// Who is what is known about the sender of a request besides its session; nil: nothing.
	Who func(*http.Request) identity.Visitor
	// SetView makes the browser's next requests view a cluster as somebody else. The zero View ends that. Its errors are for people to
	// read. nil: there are no views.
	SetView func(http.ResponseWriter, *http.Request, identity.View) error
	// Practice returns the progress of the practice cluster that has this slug; nil: there is no practice cluster.
	Practice func(slug string) practice.Progress
	// Trouble says what is wrong with the practice cluster. Clusters knows what is wrong with the kubeconfig.
	Trouble  []components.Notice
	ReadOnly bool
	// Public is the scheme and host at which browsers reach this server; empty: the request tells them.
	Public string
	// Patience is how long a page waits for its requests; 30 s when 0.
	Patience time.Duration
	Now      func() time.Time
	Log      *slog.Logger
}

// Site is what all pages have in common: the options, and how a page is sent. It is safe for concurrent use.
type Site struct {
	Options
	// Card is what stands beside each page of a session; nil, or a nil component: nothing does.
	Card func(*http.Request) templ.Component
}

// New makes a site, with the usual values where options have none.
func New(o Options) *Site {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Patience <= 0 {
		o.Patience = 30 * time.Second
	}
	return &Site{Options: o}
}

// ClustersOf are the clusters of the sender of a request.
func (p *Site) ClustersOf(r *http.Request) *cluster.Registry { return p.Clusters.For(r.Context()) }

// Shell is the shell of a page outside any cluster.
func (p *Site) Shell(r *http.Request, title string) shell.Model { return p.shellIn(r, title, "") }

// shellIn is the shell of a page in the cluster that has this slug; empty: outside any cluster.
func (p *Site) shellIn(r *http.Request, title, slug string) shell.Model {
	m := shell.Model{
		Title: title,
		Theme: themeOf(r),
		Assets: shell.Assets{
			Stylesheet: p.Assets.Stylesheet(), Fonts: p.Assets.Fonts(), Icon: p.Assets.Icon(),
			Script: p.Assets.Script(), Early: p.Assets.Early(), Build: p.Assets.Build(),
		},
		Here:        r.URL.RequestURI(),
		Origin:      p.Own(r),
		Preferences: PreferencesOf(r),
	}
	p.mark(r, &m)
	if p.Session(r) == "" {
		return m // without a session, the page shows nothing of the clusters
	}
	all := p.ClustersOf(r).List()
	for _, c := range listed(all, slug, recent(r)) {
		m.Clusters = append(m.Clusters, ShellCluster(c))
	}
	m.Unlisted = len(all) - len(m.Clusters)
	m.Progress = p.Learner.Revision()
	if p.Card != nil {
		m.Card = p.Card(r)
	}
	return m
}

// Own is the address that this server was reached at.
func (p *Site) Own(r *http.Request) string {
	if p.Public != "" {
		return p.Public
	}
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// Render sends a page: as a document, or as its model alone to a browser whose own program renders it. If a
// view fails, it has a bug: the user sees a part of the page, and the log has the error.
func (p *Site) Render(w http.ResponseWriter, r *http.Request, status int, shown page.Page) {
	w.Header().Set("Vary", "Accept, Accept-Encoding, Sec-Fetch-Site, Sec-Fetch-User")
	compress.Allow(w)
	send, mediaType := page.View(shown).Render, "text/html; charset=utf-8"
	if r.Header.Get("Accept") == page.MediaType {
		mediaType = page.MediaType
		send = func(_ context.Context, w io.Writer) error { return json.NewEncoder(w).Encode(page.AllOf(shown)) }
	}
	w.Header().Set("Content-Type", mediaType)
	w.WriteHeader(status)
	if err := send(r.Context(), w); err != nil && r.Context().Err() == nil {
		p.Log.Error("rendering a page failed", "path", r.URL.Path, "err", err)
	}
}
