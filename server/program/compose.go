package program

import (
	"context"
	"fmt"
	"net/http"

	"github.com/fieldmark/fieldmark/cli/mcp/library"
	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/server/assistants"
	"github.com/fieldmark/fieldmark/server/census"
	"github.com/fieldmark/fieldmark/server/compress"
	"github.com/fieldmark/fieldmark/server/contention"
	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/identity"
	"github.com/fieldmark/fieldmark/server/learner"
	"github.com/fieldmark/fieldmark/server/pages"
	"github.com/fieldmark/fieldmark/server/proxy"
	"github.com/fieldmark/fieldmark/server/relay"
	"github.com/fieldmark/fieldmark/server/task"
	"github.com/fieldmark/fieldmark/server/viewas"
	watches "github.com/fieldmark/fieldmark/server/watched"
	"github.com/fieldmark/fieldmark/server/wiretap"
	"github.com/fieldmark/fieldmark/static"
)

// parts are what both modes put behind their guard.
type parts struct {
	assets  *static.Assets
	metrics *metrics
}

// parts makes everything that works on behalf of sessions.
func (a *app) parts() (*parts, error) {
	assets, err := static.LoadBelow(string(a.below))
	if err != nil {
		return nil, fmt.Errorf("static files: %w", err)
	}
	if !a.config.NoRecord {
		a.tap = wiretap.New(a.record())
	}
	a.views = viewas.New(viewas.Options{Clusters: a.source, Ended: a.viewEnded})
	a.source = a.views
	var owner func(session string) string // nil in local mode: a session is its own
	if a.people != nil {
		owner = a.people.Owner
	}
	a.scans = contention.New(contention.Options{Resolve: a.resolve, Login: a.loginOver, Owner: owner, Tap: a.tap, Log: a.log})
	a.censuses = census.New(census.Options{Resolve: a.resolve, Login: a.loginOver, Owner: owner, Tap: a.tap, Log: a.log})
	a.tasks = task.New(task.Options{Resolve: a.resolve, Login: a.loginOver, Owner: owner, Tap: a.tap, Log: a.log})
	a.watches = watches.New(watches.Options{Resolve: a.resolve, Login: a.loginOver, Owner: owner, Tap: a.tap, Log: a.log})
	a.assistants = assistants.New(assistants.Options{
		Clusters: a.source, Tap: a.tap, Watches: a.watches, Session: sessionID, Owner: owner, Redact: redaction(), Library: library.Library{}, Version: a.config.release, Log: a.log,
	})
	a.relay = relay.New(relay.Options{
		Resolve: a.resolve, Login: a.relayLogin,
		Tap: a.tap, Session: sessionID, Account: accountOf, Reader: readerOf, Renew: a.renewAt, Share: a.share, Build: assets.Build(), Log: a.log,
	})
	return &parts{assets: assets, metrics: newMetrics()}, nil
}

// sharedRecord bounds the wire logs of all people together, in bytes.
const sharedRecord = 16 << 20

// record bounds the wire log. In the shared mode, everybody has a part.
func (a *app) record() wiretap.Options {
	if a.people == nil {
		return wiretap.Options{}
	}
	return wiretap.Options{Sessions: a.people.MaxSessions(), All: sharedRecord}
}

// sessionEnded ends the streams of a session, and deletes its data and that of what it views as somebody else.
func (a *app) sessionEnded(id string) {
	if a.people != nil {
		a.people.EndSession(id)
	}
	a.viewEnded(id)
	a.views.EndSession(id)
	a.assistants.EndSession(id)
	if a.endPrograms != nil {
		a.endPrograms(id)
	}
}

// viewEnded deletes the data of a session, or of one of its views.
func (a *app) viewEnded(id string) {
	a.relay.EndSession(id)
	a.forget(id)
}

// forget deletes what was recorded for a session, and ends what runs for it.
func (a *app) forget(id string) {
	a.scans.EndSession(id)
	a.censuses.EndSession(id)
	a.tasks.EndSession(id)
	a.watches.EndSession(id)
	a.tap.Forget(id)
}

// server puts the handlers of local mode together, the guard in front of all.
func (a *app) server() (*http.Server, error) {
	p, err := a.parts()
	if err != nil {
		return nil, err
	}
	g, err := guard.New(guard.Options{
		Listen: []string{a.listener.Addr().String()}, Hosts: a.hosts(), Address: a.address, Token: a.token,
		ReadOnly: a.config.ReadOnly, WorkloadProxy: a.config.WorkloadProxy,
		SessionEnded: a.sessionEnded, Stylesheet: p.assets.Stylesheet, Inline: p.assets.EarlyHash(), Page: pages.Entry(p.assets), Log: a.log,
	})
	if err != nil {
		return nil, err
	}
	a.tap.Share(g.ClientSession().ID)
	a.learner = a.keepProgress()
	a.expire, a.link, a.endPrograms = g.Expire, g.Link, g.EndPrograms
	return g.Server(compress.Handler(p.metrics.countRequests(g.Wrap(a.routes(p, g, p.metrics))), false)), nil
}

// keepProgress keeps the progress in the field guide in a file. Without one, browsers keep it, as in the shared mode.
func (a *app) keepProgress() *learner.Store {
	if a.config.NoProgress {
		return nil
	}
	file, err := a.config.stateFile("progress.json")
	if err == nil {
		var store *learner.Store
		recorded := func(session string, number uint64) (record.Entry, bool) { return a.tap.View(session).Find(number) }
		if store, err = learner.Open(file, recorded, a.log); err == nil {
			return store
		}
	}
	a.log.Warn("only browsers keep the progress in the field guide", "err", err)
	return nil
}

// routes are all addresses. metrics may be nil: then they have none.
func (a *app) routes(p *parts, g *guard.Guard, metrics *metrics) http.Handler {
	pageOptions := pages.Options{
		Clusters: a.source, Assets: p.assets, Tap: a.tap, Scans: a.scans, Censuses: a.censuses, Tasks: a.tasks, Learner: a.learner, Watches: a.watches, Session: sessionID, Who: visitor, SetView: g.SetView,
		Trouble: a.trouble, ReadOnly: a.config.ReadOnly, Public: a.public, Log: a.log,
	}
	if a.practices.first() != nil {
		pageOptions.Practice = a.practices.progress
	}
	return a.views.Wrap(router(routing{
		pages: pages.New(pageOptions), assets: p.assets, metrics: metrics, ready: a.ready, relay: a.relay, assistants: a.assistants, session: sessionID, dev: a.config.Dev,
		proxy: proxy.New(proxy.Options{
			Resolve: a.resolve, Clusters: a.slugs, As: a.insteadOfAs(), Tap: a.tap, Log: a.log,
			Session: func(ctx context.Context) (string, bool) {
				s, _ := guard.SessionFrom(ctx)
				return s.ID, s.Kind == guard.Cookie
			},
		}),
	}))
}

// insteadOfAs says what to do instead of impersonating somebody; empty in local mode, which has words of its own.
func (a *app) insteadOfAs() string {
	if a.people == nil {
		return ""
	}
	return `It sends every request as the person whose token it has. The page "Who am I" shows a cluster as somebody else sees it.`
}

// hosts are further names by which browsers may call us.
func (a *app) hosts() []string {
	hosts := []string{a.address}
	if name := namedHost(a.config.Listen, a.listener.Addr()); name != "" {
		hosts = append(hosts, name)
	}
	return hosts
}

// visitor is what pages say about the sender of a request.
func visitor(r *http.Request) identity.Visitor {
	s, _ := guard.SessionFrom(r.Context())
	return identity.Visitor{Person: s.Person, View: s.View, ReadOnly: s.ReadOnly}
}

func sessionID(r *http.Request) string {
	s, _ := guard.SessionFrom(r.Context())
	return s.ID
}

// readerOf is the key of the person who sends a request; empty in local mode.
func readerOf(r *http.Request) string {
	if s, _ := guard.SessionFrom(r.Context()); s.Person != nil {
		return s.Person.Key
	}
	return ""
}

// accountOf names whose bounds a request counts for: those of a person, or of a session in local mode.
func accountOf(r *http.Request) string {
	s, _ := guard.SessionFrom(r.Context())
	if s.Person != nil {
		return "person " + s.Person.Account()
	}
	return s.ID
}
