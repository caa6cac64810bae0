package main

import (
	"context"
	"fmt"
	"net/http"

	"github.com/fieldmark/fieldmark/server/contention"
	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/pages"
	"github.com/fieldmark/fieldmark/server/proxy"
	"github.com/fieldmark/fieldmark/server/relay"
	watches "github.com/fieldmark/fieldmark/server/watched"
	"github.com/fieldmark/fieldmark/server/wiretap"
	"github.com/fieldmark/fieldmark/static"
)

// server puts the handlers together, the guard in front of all.
func (a *app) server() (*http.Server, error) {
	assets, err := static.Load()
	if err != nil {
		return nil, fmt.Errorf("static files: %w", err)
	}
	var tap *wiretap.Log
	if !a.config.NoRecord {
		tap = wiretap.New(wiretap.Options{})
	}
	a.scans = contention.New(contention.Options{Resolve: a.resolve, Login: a.loginOver, Tap: tap, Log: a.log})
	a.watches = watches.New(watches.Options{Resolve: a.resolve, Login: a.loginOver, Tap: tap, Log: a.log})
	a.relay = relay.New(relay.Options{Resolve: a.resolve, Login: func(session, slug string) relay.Login { return relay.Login(a.login(session, slug)) }, Tap: tap, Session: sessionID, Build: assets.Build(), Log: a.log})
	g, err := guard.New(guard.Options{
		Listen: []string{a.listener.Addr().String()}, Hosts: a.hosts(), Address: a.address, Token: a.token,
		ReadOnly: a.config.ReadOnly, WorkloadProxy: a.config.WorkloadProxy,
		SessionEnded: func(id string) {
			a.relay.EndSession(id)
			a.scans.EndSession(id)
			a.watches.EndSession(id)
			tap.Forget(id)
		}, Stylesheet: assets.Stylesheet, Page: pages.Entry(assets), Log: a.log,
	})
	if err != nil {
		return nil, err
	}
	tap.Share(g.ClientSession().ID)
	a.expire, a.link = g.Expire, g.Link
	pageOptions := pages.Options{
		Clusters: a.source, Assets: assets, Tap: tap, Scans: a.scans, Watches: a.watches, Session: sessionID,
		Trouble: a.trouble, ReadOnly: a.config.ReadOnly, Log: a.log,
	}
	if a.practice != nil {
		pageOptions.Practice = a.practice.Progress
	}
	metrics := newMetrics()
	routes := router(routing{
		pages: pages.New(pageOptions), assets: assets, metrics: metrics, ready: a.ready, relay: a.relay, session: sessionID, dev: a.config.Dev,
		proxy: proxy.New(proxy.Options{
			Resolve: a.resolve, Clusters: a.slugs, Tap: tap, Log: a.log,
			Session: func(ctx context.Context) string { s, _ := guard.SessionFrom(ctx); return s.ID },
		}),
	})
	return g.Server(metrics.count(g.Wrap(routes))), nil
}

// hosts are further names by which browsers may call us.
func (a *app) hosts() []string {
	hosts := []string{a.address}
	if name := typed(a.config.Listen, a.listener.Addr()); name != "" {
		hosts = append(hosts, name)
	}
	return hosts
}

func sessionID(r *http.Request) string {
	s, _ := guard.SessionFrom(r.Context())
	return s.ID
}
